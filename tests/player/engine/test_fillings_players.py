"""The players that use fillings: random-turn, and cohen for alternating turns."""

import threading

import brute_fillings
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import positions

from hsearch.formats import moves
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.position import Position, winner
from hsearch.kernels.stop import Flag, Stopped, stopping
from player.engine.player import MoveRequest
from player.engine.spec import participant, player
from player.evaluate.exact import exact


def chosen(who, game, terms=None, seed=0):
    """Return a player's choice."""
    return who.choose(game, terms or MoveRequest(), np.random.default_rng(seed))


@given(positions(max_side=5, stones="...BW"), st.integers(0, 99))
def test_the_random_turn_player_plays_a_best_cell(position, seed):
    """The cell is one of the best, which are the same for both colors."""
    if winner(position) is not None:
        return
    for turn in Color:
        game = Game.of_position(Position(position.board, position.black, position.white, turn))
        choice = chosen(participant("random-turn", "random-turn"), game, seed=seed)

        assert choice.action in exact(position).best()


def test_the_seed_decides_between_equal_cells():
    """On the empty 4x4, the seed decides between the two most critical cells."""
    board = Board(4, 4)
    who = participant("random-turn", "random-turn")
    cells = {chosen(who, Game.of(board), seed=seed).action for seed in range(20)}

    assert cells == {board.cell("c2"), board.cell("b3")}


@pytest.mark.parametrize(
    ("size", "line"),
    [
        ((3, 3), ""),
        ((3, 3), "a1 c2"),
        ((4, 4), "a1"),
        ((4, 3), "b2"),
        ((4, 4), "d1 b3 c2"),
        ((4, 3), "c3 d3"),  # in all fillings, c2 is the most critical
    ],
)
def test_cohen_plays_a_most_critical_cell_of_balanced_fillings(size, line):
    """A cell that is critical in as many of all balanced fillings as any other."""
    game = moves.read(line, Board(*size))
    position = game.position()
    critical = brute_fillings.balanced(position)
    choice = chosen(player("cohen:fillings=1000000"), game)

    assert critical[choice.action] == max(critical.values())


@pytest.mark.parametrize("spec", ["cohen:fillings=9999999999", "cohen"])
def test_little_time_or_a_stop_reduces_the_fillings(spec):
    """With little time, or after a request to stop, only some fillings are drawn."""
    game = Game.of(Board(13, 13))
    cancel = threading.Event()
    cancel.set()
    hurried = chosen(player(spec), game, MoveRequest(seconds=0.02))
    stopped = chosen(player(spec), game, MoveRequest(cancel=cancel))

    for choice in (hurried, stopped):
        assert int(choice.account.reason.split("(")[1].split()[0].replace(",", "")) < 9_000_000


@pytest.mark.parametrize(
    ("spec", "variant", "size"), [("cohen", "alternating", 11), ("random-turn", "random-turn", 13)]
)
def test_fillings_are_sampled_if_the_time_is_too_short_to_count_all(spec, variant, size):
    """Fillings are sampled where all would be counted with enough time."""
    who, game = participant(spec, variant), Game.of(Board(size, size))
    small = Game.of(Board(4, 4))

    assert "(all fillings)" not in chosen(who, game, MoveRequest(seconds=0.02)).account.reason
    assert "(all fillings)" in chosen(who, small, MoveRequest(seconds=60)).account.reason


def test_a_count_of_all_fillings_can_be_canceled():
    """No fillings are sampled instead, because nobody waits for the answer."""
    flag, who = Flag(), player("cohen")
    flag.set()
    with stopping(flag), pytest.raises(Stopped):
        chosen(who, Game.of(Board(5, 5)))


def test_the_reason_has_the_chance_and_the_critical_cell():
    """The reason is one sentence for the player to move."""
    choice = chosen(participant("random-turn", "random-turn"), Game.of(Board(3, 3)))

    assert choice.account.reason == (
        "Black wins 50.00 % of the fillings; b2 is critical in 32.03 % (all fillings)."
    )
