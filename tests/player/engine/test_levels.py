"""The scale of levels: each names a player that works, and its figures come from games."""

import json
from itertools import pairwise
from typing import get_args

import numpy as np
import pytest
from levels import FOLDER, LEAST, points, rows_of, table, won
from places import ROOT

from hsearch.hex.board import Board
from hsearch.hex.game import Game
from player.engine.levels import LEVELS, SIDES, LevelSpec, is_level, level
from player.engine.player import MoveRequest
from player.engine.spec import participant, player
from player.engine.tournament import run
from player.variants.base import BIDDING
from player.work.naming import SpecError


def test_the_scale_goes_from_beginner_to_strongest():
    """The levels have no gaps, the page offers just these, and no two are the same player."""
    assert [each.number for each in LEVELS] == list(range(1, len(LEVELS) + 1))
    assert (LEVELS[0].name, LEVELS[-1].name) == ("Beginner", "Strongest")
    assert tuple(each.spec for each in LEVELS) == get_args(LevelSpec)
    assert len({each.name for each in LEVELS}) == len({each.player for each in LEVELS})
    assert all(is_level(each.spec) and not is_level(each.player) for each in LEVELS)


@pytest.mark.parametrize("each", LEVELS, ids=lambda each: each.name)
def test_a_level_plays_the_moves_of_its_player(each):
    """A level has a number and a name in any case; records use the text that was given."""
    by_number, by_name = player(each.spec), player(f"level:{each.name.upper()}")
    behind = player(each.player)
    game = Game.of(Board(4, 4), ["a1", "d4", "b2"])
    moves = []
    for one in (by_number, behind):
        one.prepare(game.board)
        choice = one.choose(game, MoveRequest(), np.random.default_rng(1))
        moves.append(choice.action)
        one.close()

    assert (by_number.name, by_name.name) == (each.spec, f"level:{each.name.upper()}")
    assert type(by_number) is type(behind)
    assert getattr(by_name, "settings", 0) == getattr(behind, "settings", 0)
    assert getattr(by_name, "strength", 0) == getattr(behind, "strength", 0)
    assert game.position().is_legal(moves[0])
    if "time" not in each.player:
        assert moves[0] == moves[1]


@pytest.mark.parametrize("text", ["", "0", "13", "1.0", "strong", "tree:time=1"])
def test_an_unknown_level_is_rejected_with_the_scale(text):
    """`level` and `player` both list the scale, with the offending text."""
    with pytest.raises(
        ValueError, match=rf"unknown level {text!r} \(known: 1 Beginner, .*Strongest\)"
    ):
        level(text)
    with pytest.raises(SpecError, match=f"unknown level .*, in 'level:{text}'"):
        player(f"level:{text}")


def test_levels_do_not_play_other_variants():
    with pytest.raises(SpecError, match=r"'level' does not play bidding \(players of it: bidding"):
        participant("level:3", BIDDING)


def test_a_level_states_its_elo_gain_over_the_level_below():
    """The text has the Elo points over the level below, by board; the first level has none."""
    assert LEVELS[0].worth == ""
    for lower, upper in pairwise(LEVELS):
        parts = [f"{gain:+d} on {side}x{side}" for side, gain in upper.gains.items()]
        total = f"{upper.gain or 0:+d} Elo points over level {lower.number}"
        boards = f" ({', '.join(parts)})" if parts else ""
        assert upper.worth == ("" if upper.gain is None else total + boards)


def test_each_elo_gain_of_a_level_comes_from_recorded_games():
    """Each figure comes from at least ten recorded games, by board and in total."""
    for lower, upper in pairwise(LEVELS):
        counts = {side: won(rows_of(upper, lower, side)) for side in SIDES}
        gains = {side: points(*count) for side, count in counts.items() if count[1] >= LEAST}
        wins, games = map(sum, zip(*counts.values(), strict=True))
        assert upper.gains == gains
        assert upper.gain == (points(wins, games) if games >= LEAST else None)


@pytest.mark.slow
@pytest.mark.parametrize("number", [2, 3, 4, 5, 6, 10])
def test_the_players_of_levels_still_play_their_recorded_games(number, tmp_path):
    """The first game has the same moves again; `strength.md` has why those of 7 and 8 differ."""
    lower, upper = LEVELS[number - 2], LEVELS[number - 1]
    name = f"{number}-{number - 1}-9x9.jsonl"
    head, first, *_ = (FOLDER / name).read_text().splitlines()
    (tmp_path / name).write_text(f"{head}\n")
    again = rows_of(upper, lower, 9, tmp_path)
    run(again, [0], lambda _row: False)

    assert json.loads(first)["game"] == 0
    assert list(again.games[0].moves) == json.loads(first)["moves"]


def test_the_strength_results_have_the_table_of_levels():
    text = (ROOT / "positions/results/strength.md").read_text().split("\n\n")

    assert text[1] == "## The levels"
    assert text[3].splitlines() == list(table())
