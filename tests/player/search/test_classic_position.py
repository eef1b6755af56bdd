"""Alpha-beta with classic evaluators: kernels compared with Python, and with plain minimax."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import positions

from hsearch.analysis.circuit import WIRINGS
from hsearch.hex.board import Board, Color
from hsearch.hex.frame import Frame
from hsearch.hex.game import Game
from hsearch.hex.position import Position, winner
from player.engine.player import MoveRequest
from player.engine.spec import player
from player.evaluate.evaluators import EVALUATORS, evaluate
from player.evaluate.ordering import ORDERINGS
from player.kernels import evaluate as kernel
from player.search.alphabeta import search
from player.search.line import ClassicPosition
from player.search.settings import SearchSettings, evaluation_score, win

ALL = (100,)
CROWDED = positions(max_side=6, stones="...BBWW")


def minimax(position, evaluator, depth, ply=0):
    """Return the score by minimax without pruning."""
    won = winner(position)
    if won is not None:
        return win(ply, 0) * (1 if won is position.turn else -1)
    if depth == 0:
        value = evaluate(position, evaluator).evaluation
        return evaluation_score(value, black=position.turn is Color.BLACK)
    return max(
        -minimax(position.play(cell), evaluator, depth - 1, ply + 1)
        for cell in position.empty.search(1)
    )


@pytest.mark.parametrize("name", kernel.NAMES)
@given(position=st.one_of(CROWDED, positions(max_side=9)))
def test_the_values_of_kernel_and_evaluator_are_equal(name, position):
    """The values are equal to the last bit in undecided positions."""
    assume(winner(position) is None)
    board = position.board
    black, white = (Frame.of(position, color).stones for color in Color)
    value = kernel.evaluate(
        kernel.NAMES.index(name), board.columns, board.rows, black, white, WIRINGS["none"]
    )

    assert value == evaluate(position, name).evaluation


@given(CROWDED)
def test_the_kernel_and_union_find_agree_on_chains(position):
    """The kernel and union-find agree on a chain, for both players."""
    board = position.board
    black, white = (Frame.of(position, color).stones for color in Color)
    chains = (
        kernel.joins_edges(board.columns, board.rows, black),
        kernel.joins_edges(board.rows, board.columns, white),
    )
    won = winner(position)

    assert chains[0] == (won is Color.BLACK) or chains == (True, True)
    assert chains[1] == (won is Color.WHITE) or chains == (True, True)


@given(
    position=positions(max_side=4, stones="..BW"),
    evaluator=st.sampled_from(sorted(EVALUATORS)),
    ordering=st.sampled_from(sorted(ORDERINGS)),
    depth=st.integers(1, 3),
    deepens=st.booleans(),
)
def test_alpha_beta_and_minimax_agree(position, evaluator, ordering, depth, deepens):
    """With every evaluator and ordering, cutoffs, the table and the kernel change no score."""
    assume(winner(position) is None and position.empty.count() > 1)
    assume(depth < 3 or position.empty.count() <= 6)
    settings = SearchSettings(
        depth=depth, widths=ALL, ordering=ordering, evaluator=evaluator, deepens=deepens
    )
    found = search(position, settings)

    assert found.score == pytest.approx(minimax(position, evaluator, depth))
    after = position.play(found.move)
    assert -minimax(after, evaluator, depth - 1, 1) == pytest.approx(found.score)


@given(position=positions(max_side=4), evaluator=st.sampled_from(sorted(EVALUATORS)))
def test_undoing_moves_restores_the_earlier_state(position, evaluator):
    """After moves and undos, a view equals the view before, and that of a new position."""
    assume(winner(position) is None)
    ordering = ORDERINGS["charge"]
    line = ClassicPosition(position, evaluator, ordering)
    before, key = line.probe(), line.key
    for move in before.moves[:4]:
        line.play(move)
        fresh = ClassicPosition(position.play(move), evaluator, ordering)
        seen, other = line.probe(), fresh.probe()
        assert (seen.winner, seen.moves, line.key) == (other.winner, other.moves, fresh.key)
        line.undo()

    assert (line.probe(), line.key) == (before, key)


@given(position=positions(max_side=3), evaluator=st.sampled_from(kernel.NAMES))
def test_the_last_ply_of_the_kernel_equals_that_of_python(position, evaluator):
    """The kernel tries as many moves as the Python loop, and stops at the same bound."""
    assume(winner(position) is None and position.empty.any())
    line = ClassicPosition(position, evaluator, ORDERINGS["center"])
    moves = line.probe().moves
    for beta in (-2.0, 0.0, 1.0, np.inf):
        assert line.last_ply(moves, 3, beta) == line._last_ply_slowly(moves, 3, beta)  # noqa: SLF001


def test_the_width_bounds_the_moves_tried():
    """The bound holds at the root and at the last ply."""
    position = Position.of(Board(5, 5), black="c3", turn=Color.WHITE)
    settings = SearchSettings(
        depth=2, widths=(3, 4), ordering="center", evaluator="max_flow", deepens=False
    )
    found = search(position, settings)

    assert found.counts.nodes <= 3 + 3 * 4


def test_the_first_stone_goes_to_the_center():
    """The center is played without a search, unless the player has opening=search."""
    game, chance = Game.of(Board(5, 5)), np.random.default_rng(0)
    choice = player("ab:depth=1").choose(game, MoveRequest(), chance)

    assert choice.action == Board(5, 5).cell("c3")
    assert choice.account.findings is None
    assert player("ab:depth=1,opening=search").choose(game, MoveRequest(), chance).account.findings


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_every_evaluator_finds_a_win_in_two(evaluator):
    """Black can win on the second move in two ways, and every evaluator finds a win."""
    position = Position.of(Board(3, 3), black="b2", white="a1 c1", turn=Color.BLACK)
    choice = player(f"ab:eval={evaluator},order=random,depth=3").choose(
        Game.of_position(position), MoveRequest(), np.random.default_rng(3)
    )

    assert choice.account.winner is Color.BLACK
    assert choice.account.findings.score == win(3, 0)
    assert "wins" in choice.account.reason
