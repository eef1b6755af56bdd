"""The ladder: who meets whom and how often, from results made by hand."""

import itertools

import pytest
from click.testing import CliRunner

from hsearch.hex.board import Color
from player.cli import main
from player.engine.ladder import (
    LADDERS,
    PLAYERS,
    QUESTIONS,
    SHORT,
    Climb,
    ladder,
    ladder_report,
    plain,
)
from player.engine.results import Row, Rows
from player.engine.tournament import standings

BUDGETS = tuple(f"{spec},nodes={10 + n}" for n, spec in enumerate(PLAYERS))
# From best to worst, in an order that is not that of the names.
STRENGTH = (*BUDGETS[::2], *BUDGETS[1::2])


class Table:
    """Plays games by who is stronger, and remembers which. A game in `upset` of a pair is lost."""

    def __init__(self, path, most=40, strength=STRENGTH, upset=10**6):
        self.event = ladder("ladder-8x8", BUDGETS)
        self.rows = Rows(path, self.event)
        self.climb = Climb(self.rows, most)
        self.strength, self.upset, self.played = strength, upset, []

    def play(self, games, stop):
        """Add the games that are missing, until told to stop."""
        for number in games:
            if stop():
                return
            if number not in self.rows.games:
                self.rows.add(self._row(number))
                self.played.append(number)

    def _row(self, number):
        pairing = self.event.pairing(number)
        stronger = min(pairing.black, pairing.white, key=self.strength.index)
        winner = Color.BLACK if stronger == pairing.black else Color.WHITE
        turn = number // len(self.event.pairs)
        winner = winner.opponent if turn % self.upset == self.upset - 1 else winner
        names = (pairing.number, pairing.black, pairing.white, pairing.seed, pairing.opening)
        return Row(*names, winner, "chain", "", ("a1", "a2"), (0.02, 0.02), (5, 5))


@pytest.mark.parametrize("strength", [STRENGTH, STRENGTH[::-1], BUDGETS])
def test_the_better_player_stands_higher(tmp_path, strength):
    """Neighbors and questions are all clear; nobody else met more than at first."""
    table = Table(tmp_path / "rows", strength=strength)
    order = table.climb.run(table.play)
    asked = {*map(frozenset, itertools.pairwise(order)), *map(frozenset, table.climb.questions())}
    counts = {
        frozenset(pair): sum(1 for n in table.played if n % len(table.event.pairs) == index)
        for index, pair in enumerate(table.event.pairs)
    }

    assert tuple(order) == strength
    for upper, lower in itertools.pairwise(order):
        found = table.climb.duel(lower, upper)
        assert found == table.climb.duel(upper, lower)
        assert (found.better, found.won, found.games) == (upper, 15, 15)
    assert all(table.climb.duel(*pair).verdict is not None for pair in asked)
    assert {counts[pair] for pair in asked} == {15}
    assert {count for pair, count in counts.items() if pair not in asked} == {4}


def test_players_who_are_even_meet_as_often_as_allowed(tmp_path):
    """And the test says that it cannot tell; so they stay as the first games put them."""
    table = Table(tmp_path / "rows", most=8, upset=2)
    order = table.climb.run(table.play)
    found = table.climb.duel(*order[:2])
    first = standings(BUDGETS, table.rows.of(range(SHORT * len(table.event.pairs))))

    assert order == [standing.player for standing in first]
    assert (found.won, found.games, found.verdict) == (4, 8, None)
    assert len(table.climb.games(*order[:2])) == 8


def test_a_player_who_was_unlucky_at_first_moves_up(tmp_path):
    """The first games put the players in the wrong order; the test has the last word."""

    class Late(Table):
        def _row(self, number):
            early = number < 4 * len(self.event.pairs)
            self.strength = BUDGETS[::-1] if early else BUDGETS
            return super()._row(number)

    table = Late(tmp_path / "rows", most=400)

    assert tuple(table.climb.run(table.play)) == BUDGETS
    assert tuple(Climb(Rows(table.rows.path, table.event), 400).order()) == BUDGETS


def test_going_on_plays_nothing_twice_and_ends_the_same(tmp_path):
    """Stopped anywhere, the results are those of one run."""
    whole, parts = Table(tmp_path / "whole"), Table(tmp_path / "parts")
    whole.climb.run(whole.play)

    class EnoughError(Exception):
        pass

    def some(games, stop):
        for number in games:
            if len(parts.played) % 97 == 96:
                parts.played.append(-1)
                raise EnoughError
            parts.play([number], stop)

    for _ in range(20):
        try:
            parts.climb.run(some)
            break
        except EnoughError:
            parts.rows = Rows(parts.rows.path, parts.event)
            parts.climb = Climb(parts.rows, 40)

    assert parts.rows.games == whole.rows.games
    assert ladder_report("ladder-8x8", parts.climb) == ladder_report("ladder-8x8", whole.climb)


def test_the_question_is_asked_of_players_of_the_ladder():
    """All names are known, eleven at most, each two of a question on it."""
    for name in LADDERS:
        event = ladder(name, BUDGETS)
        assert tuple(map(plain, event.players)) == PLAYERS
        assert len(event.players) <= 11
        assert len(set(event.openings)) == 200
    assert {player for pair in QUESTIONS for player in pair} <= set(PLAYERS)


def test_the_report_has_every_player_and_duel(tmp_path):
    """With the budgets; and for games that are not played, nothing."""
    table = Table(tmp_path / "rows", most=4)
    with pytest.raises(ValueError, match="no games"):
        ladder_report("ladder-8x8", table.climb)
    table.play(range(30), lambda: False)
    text = ladder_report("ladder-8x8", table.climb)
    table.climb.run(table.play)
    lines = ladder_report("ladder-8x8", table.climb).splitlines()

    assert "| 0 | | | |" in text
    assert [line.split("|")[2].strip(" `") for line in lines[4:15]] == list(map(plain, STRENGTH))
    assert sum(int(line.split("|")[5]) for line in lines[4:15]) == 4 * len(table.event.pairs)
    assert "cannot tell" in lines[-1]
    assert "not finished" in text


def run(path, *more):
    arguments = ["experiment", "ladder-8x8", "--resume", str(path), "--games", "1", *more]
    return CliRunner().invoke(main, arguments)


def test_the_command_goes_on_with_the_budgets_of_the_file(tmp_path):
    """It measures nothing again, and refuses players that are not those of the ladder."""
    path = tmp_path / "rows"
    table = Table(path, most=1)
    table.climb.run(table.play)
    done = run(path, "--report")
    twice = run(path, "--report", "ladder-8x8")
    path.write_text(path.read_text().replace("eval=max_flow", "eval=queenbee"))
    other = run(path)

    assert done.exit_code == 0, done.output
    assert twice.stdout == done.stdout
    assert "| `ab:eval=max_flow,order=charge` | 15 |" in done.stdout
    assert other.exit_code == 3
    assert "the players are not those of the ladder-8x8" in other.stderr


def test_a_ladder_without_games_has_no_report(tmp_path):
    """Nor does it begin to measure, which takes its time."""
    done = run(tmp_path / "none", "--report")

    assert done.exit_code == 2
    assert "no games to report" in done.stderr
