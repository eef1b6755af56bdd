"""Variants: their names, matches, tournaments, and random turns."""

import json
from typing import get_args

import numpy as np
import pytest
from click.testing import CliRunner
from scripted import Scripted

from hsearch import formats
from hsearch.formats import sgf
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Special
from hsearch.hex.position import winner
from player.board.desk import BidderSpec
from player.cli import gtp, main
from player.engine.player import PlayerError
from player.engine.referee import play
from player.engine.results import Event, OtherEventError, Rows, RowsError
from player.engine.spec import PLAYERS, default_player, participant
from player.engine.tournament import run
from player.gtp.session import ClientSettings
from player.terminal.advice import ADVISERS
from player.variants import VARIANTS, recorded_variant, variant
from player.variants.base import ALTERNATING, BIDDING
from player.work.naming import SpecError


def chance(seed=5):
    """Return a generator that is the same in every test."""
    return np.random.default_rng(seed)


def test_each_variant_has_players_and_advisers():
    """Each variant is in all three tables, and each player can be made from its name."""
    assert VARIANTS.keys() == PLAYERS.keys() == ADVISERS.keys()
    for name in VARIANTS:
        assert variant(name).name == name
        for player in PLAYERS[name]:
            assert participant(player, name).name == player


def test_each_variant_has_one_default_player():
    """It is the first in the list, but for large boards and where an answer must come soon."""
    large, small = Board(9, 9), Board(9, 8)
    for name in VARIANTS:
        for spec in (
            default_player(name),
            default_player(name, small),
            default_player(name, large),
        ):
            assert participant(spec, name).name == spec
        assert default_player(name) == default_player(name, small) == next(iter(PLAYERS[name]))
    quick = {default_player(name, large, is_quick=True) for name in VARIANTS}
    slow = {default_player(name, large) for name in VARIANTS}

    assert default_player(ALTERNATING, large) == "tree"
    assert quick - slow == {"random-turn:fillings=100000", "bidding:fillings=3000"}
    assert default_player(BIDDING, is_quick=True) in {
        get_args(part)[0] for part in get_args(BidderSpec)
    }
    assert ClientSettings().player == gtp.DEFAULT == default_player(ALTERNATING)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("chess", r"unknown variant 'chess' \(known: alternating, random-turn"),
        ("random-turn:coin=2", r"unknown option 'coin' of random-turn \(known: none\)"),
    ],
)
def test_unknown_variants_list_the_known(text, message):
    with pytest.raises(SpecError, match=message):
        variant(text)


@pytest.mark.parametrize(
    ("spec", "name", "message"),
    [
        (
            "cohen",
            "random-turn",
            r"'cohen' does not play random-turn \(players of it: random-turn,",
        ),
        ("gtp:x", "random-turn", "'gtp' does not play random-turn"),
        ("py:x.py:y", "random-turn", "'py' does not play random-turn"),
        (
            "random-turn",
            "alternating",
            r"does not play alternating \(.*cohen, level:N, gtp:COMMAND, py:FILE.py:NAME\)",
        ),
        ("six", "random-turn", r"unknown player 'six' \(known: random-turn, hexy, ab, random\)"),
    ],
)
def test_a_player_of_another_variant_is_refused(spec, name, message):
    """The error is one line that lists the players of the variant."""
    with pytest.raises(SpecError, match=message):
        participant(spec, name)


def random_turn_game(black, white, game, seed=5, **options):
    """Return the outcome of a match at random turns."""
    rules = variant("random-turn")
    players = [participant(p, rules.name) if isinstance(p, str) else p for p in (black, white)]
    return play(*players, game, chance(seed), variant=rules, **options)


def test_the_coins_follow_from_the_seed_alone():
    """The same seed gives any players the same coins, which fall on both sides."""
    coins = [
        [move.color for move in random_turn_game(black, "random", Game.of(Board(5, 5))).game.moves]
        for black in ("random-turn", "random", "ab:depth=1")
    ]
    shortest = min(map(len, coins))

    assert len({tuple(colors[:shortest]) for colors in coins}) == 1
    assert set(coins[0]) == set(Color)


def test_the_coins_of_a_record_are_read_back():
    """The record has the coin before each move, as PL and in a property of our own."""
    outcome = random_turn_game("random-turn", "random", Game.of(Board(4, 4)))
    text = sgf.write(outcome.game)
    again = formats.read(text)

    assert again.nodes == outcome.game.nodes
    assert recorded_variant(again).name == "random-turn"
    assert text.count("XC[") == len(again.moves)
    for number, move in enumerate(again.moves):
        assert again.position(number).turn is move.color
    assert outcome.thinkers == tuple(move.color for move in again.moves)
    assert winner(again.position()) is outcome.winner


@pytest.mark.parametrize(
    ("action", "how", "reason"),
    [
        (4, "illegal", "b2 is not empty"),
        (Special.SWAP_PIECES, "illegal", "there is no swap in random-turn"),
        (Special.RESIGN, "resign", ""),
    ],
)
def test_a_player_that_breaks_a_rule_loses(action, how, reason):
    """The player chosen by the coin loses."""
    start = Game.of(Board(3, 3), [4])
    outcome = random_turn_game(Scripted(action), Scripted(action), start)

    assert (outcome.how, outcome.reason) == (how, reason)
    assert outcome.winner is outcome.thinkers[-1].opponent


def test_the_best_play_wins_more_often_than_chance():
    """In 200 games on 5x5 against random moves, the coins alone would give half the wins."""
    wins = 0
    for seed in range(200):
        players = ["random-turn", "random"][:: 1 if seed % 2 else -1]
        outcome = random_turn_game(*players, Game.of(Board(5, 5)), seed=seed)
        wins += players[outcome.winner] == "random-turn"

    assert wins > 150


@pytest.mark.parametrize("name", ["dark-classic", "dark-abrupt:noise=flash"])
def test_a_match_with_hidden_stones_is_sealed_until_its_end(name, tmp_path):
    """During the match the file shows no stone, and afterwards it has the whole game."""
    path, rules = tmp_path / "game.sgf", variant(name)
    players = [participant(spec, rules.name) for spec in ("view:by=center", "random")]
    saved = []

    def look(game, _account):
        """Read the file, and note whether it is sealed."""
        text = formats.read(path.read_text())
        again = rules.start(text)
        saved.append((text.is_sealed, text.moves, again.game.main_line == game.main_line))
        assert text.players == ("view:by=center", "random")

    outcome = play(*players, Game.of(Board(3, 3)), chance(), variant=rules, save=path, watch=look)
    *before, last = saved

    assert before
    assert before == [(True, (), True)] * len(before)
    assert last[0] is False
    assert formats.read(path.read_text()).nodes == outcome.game.nodes


def test_a_match_with_hidden_stones_that_fails_is_unsealed(tmp_path):
    """No player has connected, but nothing needs to be hidden any more."""

    class Faulty(Scripted):
        """A player that attempts given cells."""

        study = Scripted.prepare

        def attempt(self, _color, _history, _generator):
            """Return the next cell, or raise the next error."""
            return self.choose(None, None, None)

    path, rules = tmp_path / "game.sgf", variant("dark-classic")
    players = Faulty(4), Faulty(PlayerError("it rained"))
    outcome = play(*players, Game.of(Board(3, 3)), chance(), variant=rules, save=path)
    saved = formats.read(path.read_text())

    assert outcome.how == "failed"
    assert (saved.is_sealed, saved.result) == (False, "B+Forfeit")
    assert [move.cell for move in saved.moves] == [4]


def test_the_rows_of_a_random_turn_tournament_are_read_back(tmp_path):
    """The rows have each move with its player and each time with its thinker, and can be read."""
    event = Event("test", 4, 4, ("random-turn", "random"), variant="random-turn")
    rows = Rows(tmp_path / "rows", event)
    run(rows, range(4), lambda _row: False)
    again = Rows(tmp_path / "rows", event)

    assert again.games == rows.games
    for row in again.first(4):
        assert [move.split()[0] for move in row.moves] == [c.word for c in row.thinkers]
        spent = [row.spent(player)[0] for player in event.players]
        assert sorted((*spent[0], *spent[1])) == sorted(row.seconds)
    other = Event("test", 4, 4, ("hexy", "random"), variant="alternating")
    with pytest.raises(RowsError, match="results of another event"):
        Rows(tmp_path / "rows", other)


def test_results_of_another_variant_are_refused(tmp_path):
    """A head without a variant is refused, too; such files were never released."""
    event = Event("test", 3, 3, ("random", "ab:depth=1"))
    run(Rows(tmp_path / "rows", event), range(2), lambda _row: False)
    head, *lines = (tmp_path / "rows").read_text().splitlines(keepends=True)
    named = json.loads(head)
    del named["variant"]
    (tmp_path / "rows").write_text("".join([json.dumps(named) + "\n", *lines]))

    with pytest.raises(OtherEventError, match="variant is null there"):
        Rows(tmp_path / "rows", event)


def test_an_event_rejects_a_swap_or_player_its_variant_lacks():
    with pytest.raises(ValueError, match="there is no swap in random-turn"):
        Event("test", 3, 3, ("random", "hexy"), swap=True, variant="random-turn")
    with pytest.raises(ValueError, match="'cohen' does not play random-turn"):
        Event("test", 3, 3, ("random", "cohen"), variant="random-turn")


def test_the_command_plays_a_tournament_of_a_variant(tmp_path):
    rows = str(tmp_path / "rows")
    options = ("--variant", "random-turn", "--size", "3", "--resume", rows)
    done = CliRunner().invoke(main, ["tournament", "random-turn", "random", *options])
    wrong = CliRunner().invoke(main, ["tournament", "random", "cohen", *options])

    assert done.exit_code == 0, done.output
    assert json.loads((tmp_path / "rows").read_text().splitlines()[0])["variant"] == "random-turn"
    assert (wrong.exit_code, "'cohen' does not play random-turn" in wrong.stderr) == (2, True)


@pytest.mark.parametrize("name", ["bidding", "dark-abrupt", "alternating"])
def test_a_player_of_another_variant_loses_a_match(name):
    """A player that cannot act in the variant loses, and the reason names both."""
    right = participant(next(iter(PLAYERS[name])), name)
    wrong = participant("random", "bidding" if name == "alternating" else "random-turn")
    outcome = play(wrong, right, Game.of(Board(2, 2)), chance(), variant=variant(name))

    assert (outcome.winner, outcome.how) == (Color.WHITE, "failed")
    assert outcome.reason == f"random does not play {name}"
