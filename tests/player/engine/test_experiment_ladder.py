"""The ladder: pairings and numbers of games, with made-up results."""

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
# From best to worst, in an order that differs from that of the names.
STRENGTH = (*BUDGETS[::2], *BUDGETS[1::2])


class Table:
    """A ladder whose games the stronger player wins, except each `upset`-th game of a pair."""

    def __init__(self, path, most=40, strength=STRENGTH, upset=10**6):
        self.event = ladder("ladder-8x8", BUDGETS)
        self.rows = Rows(path, self.event)
        self.climb = Climb(self.rows, most)
        self.strength, self.upset, self.played = strength, upset, []

    def play(self, games, stop):
        """Add the missing games until stopped."""
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
def test_the_ladder_ranks_the_better_player_higher(tmp_path, strength):
    """Neighbors and questions play until they are clear, and other pairs play four games."""
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
        assert (found.better, found.wins, found.games) == (upper, 15, 15)
    assert all(table.climb.duel(*pair).verdict is not None for pair in asked)
    assert {counts[pair] for pair in asked} == {15}
    assert {count for pair, count in counts.items() if pair not in asked} == {4}


def test_even_players_play_the_maximum_number_of_games(tmp_path):
    """The test cannot distinguish them, so they keep the order of the first games."""
    table = Table(tmp_path / "rows", most=8, upset=2)
    order = table.climb.run(table.play)
    found = table.climb.duel(*order[:2])
    first = standings(BUDGETS, table.rows.of(range(SHORT * len(table.event.pairs))))

    assert order == [standing.player for standing in first]
    assert (found.wins, found.games, found.verdict) == (4, 8, None)
    assert len(table.climb.games(*order[:2])) == 8


def test_later_games_correct_a_wrong_first_order(tmp_path):
    """The first games give the wrong order, and the test corrects it."""

    class Late(Table):
        def _row(self, number):
            early = number < 4 * len(self.event.pairs)
            self.strength = BUDGETS[::-1] if early else BUDGETS
            return super()._row(number)

    table = Late(tmp_path / "rows", most=400)

    assert tuple(table.climb.run(table.play)) == BUDGETS
    assert tuple(Climb(Rows(table.rows.path, table.event), 400).order()) == BUDGETS


def test_a_resumed_experiment_has_the_results_of_a_whole_one(tmp_path):
    """A run that is stopped and resumed has the results of an uninterrupted one."""
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


def test_the_ladder_includes_the_players_of_each_question():
    """All names are known, at most eleven, and include both players of each question."""
    for name in LADDERS:
        event = ladder(name, BUDGETS)
        assert tuple(map(plain, event.players)) == PLAYERS
        assert len(event.players) <= 11
        assert len(set(event.openings)) == 200
    assert {player for pair in QUESTIONS for player in pair} <= set(PLAYERS)


def test_the_report_has_every_player_and_duel(tmp_path):
    """The report has each player with its budget; unplayed games are reported as missing."""
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


def test_the_command_resumes_with_the_budgets_of_the_file(tmp_path):
    """The budgets are not measured again, and other players are refused."""
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
    """The report is refused without measuring budgets, which takes long."""
    done = run(tmp_path / "none", "--report")

    assert done.exit_code == 2
    assert "no games to report" in done.stderr


def test_a_ladder_whose_first_row_is_cut_has_no_report(tmp_path):
    """A process that was killed while it wrote the first row leaves the head and half a row."""
    path = tmp_path / "rows"
    table = Table(path)
    table.play(range(1), lambda: False)
    path.write_bytes(path.read_bytes()[:-9])
    done = run(path, "--report")

    assert done.exit_code == 2
    assert "no games to report" in done.stderr
