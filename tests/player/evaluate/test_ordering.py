"""Orderings: every cell once, symmetric, and computed from a few sums."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import positions

from hsearch.analysis.circuit import circuits
from hsearch.hex.board import Board, Color
from hsearch.hex.frame import Frame
from hsearch.hex.position import Position
from player.evaluate.evaluators import two_distance_cells
from player.evaluate.exact import exact
from player.evaluate.ordering import (
    ORDERINGS,
    OrderingContext,
    critical,
    nearest_center,
    potentials,
)
from player.kernels.classic import saddles

BLACK, WHITE = Color


def context(position, seed=0):
    """Return the context that an ordering receives for a position."""
    both = circuits(position, links="none")
    stones = Frame.of(position, BLACK).stones
    return OrderingContext(position.board, stones, lambda: both.black.flow + both.white.flow, seed)


def empty(position):
    return np.array(list(position.empty.search(1)), np.int64)


@pytest.mark.parametrize("name", ORDERINGS)
@given(position=positions(5))
def test_every_ordering_has_each_empty_cell_once(name, position):
    """Each empty cell appears once, in any position."""
    cells = empty(position)

    assert sorted(ORDERINGS[name](context(position), cells)) == cells.tolist()


def naive_field(position, column, row, longer):
    """Return the potential of a cell of the board or its rim, by the definition."""
    board, charges = position.board, {}
    for c in range(board.columns):
        charges[c, -1] = charges[c, board.rows] = 1
    for r in range(board.rows):
        charges[-1, r] = charges[board.columns, r] = -1
    for color, sign in ((BLACK, 1), (WHITE, -1)):
        for cell in position.stones(color).search(1):
            charges[board.column_and_row(cell)] = sign
    if (column, row) in charges:
        return 9 * charges[column, row]
    total = 0
    for (c, r), sign in charges.items():
        right, down = column - c, row - r
        steps = max(abs(right), abs(down), abs(right + down))
        long_steps = min(abs(right) + abs(down), abs(right) + abs(right + down))
        total += sign / (long_steps if longer else steps) ** 2
    return round(max(-9, min(9, total)), 9)


def naive_saddle(position, cell, *, longer):
    """Return the product of the extreme curvatures, by the definition."""
    column, row = position.board.column_and_row(cell)
    curvatures = []
    for right, down in ((1, 0), (0, 1), (1, -1)):
        before, here, after = (
            naive_field(position, column + k * right, row + k * down, longer) for k in (-1, 0, 1)
        )
        is_extreme = here in {max(before, here, after), min(before, here, after)}
        curvatures.append(before - here + after - here if is_extreme else 0)
    return min(curvatures) * max(curvatures)


def saddles_of(position, *, longer=False):
    board, scores = position.board, np.empty(position.board.size)
    saddles(board.columns, board.rows, Frame.of(position, BLACK).stones, longer, scores)
    return scores


@given(positions(4), st.booleans())
def test_saddles_agree_with_their_definition(position, longer):
    """The kernel agrees with the definition on each cell, with either distance."""
    scores = saddles_of(position, longer=longer)
    for cell in empty(position).tolist():
        saddle = naive_saddle(position, cell, longer=longer)
        assert scores[cell] == pytest.approx(saddle, abs=1e-9)


@given(positions(5))
def test_rotation_keeps_saddles_with_longer_distances(position):
    """Rotation keeps the scores, and transposition need not."""
    scores, board = saddles_of(position, longer=True), position.board
    turned = saddles_of(position.rotated(), longer=True)
    for cell in board.cells:
        assert turned[board.rotate(cell)] == pytest.approx(scores[cell], abs=1e-9)


@given(positions(6))
def test_transposition_and_rotation_keep_the_saddles(position):
    """Exchanging colors negates the field, which does not change a product of two curvatures."""
    scores, board = saddles_of(position), position.board
    mirrored, turned = saddles_of(position.transposed()), saddles_of(position.rotated())
    for cell in board.cells:
        assert mirrored[board.transpose(cell)] == pytest.approx(scores[cell], abs=1e-9)
        assert turned[board.rotate(cell)] == pytest.approx(scores[cell], abs=1e-9)


@given(positions(5))
def test_potentials_come_in_ascending_order(position):
    """The key is the sum of both players' two-distances to all edges."""
    assume(position.empty.any())
    total = sum(two_distance_cells(position, color) for color in Color)
    found = [total[cell] for cell in potentials(context(position), empty(position))]

    assert found == sorted(found)


@given(positions(5))
def test_the_position_of_a_scene_has_the_same_stones(position):
    """The stones are the same; orderings do not depend on the turn."""
    seen = context(position).position

    assert (seen.black, seen.white) == (position.black, position.white)


@given(positions(3))
def test_critical_cells_come_first(position):
    """Exact shares come in descending order, up to the sampling error of the ordering."""
    assume(position.empty.any())
    odds = exact(position).critical
    found = [odds[cell] for cell in critical(context(position), empty(position)).tolist()]

    assert all(later - sooner < 0.12 for sooner, later in itertools.pairwise(found))


@given(positions(5), st.integers(0, 1 << 62))
def test_the_random_order_repeats_for_equal_seed_and_stones(position, seed):
    """The same seed and stones give the same order."""
    one, other = (
        ORDERINGS["random"](context(position, seed), empty(position)).tolist() for _ in range(2)
    )

    assert one == other


def test_the_random_order_depends_on_seed_and_stones():
    """Twenty seeds, and ten positions, give as many different orders."""
    board = Board(5, 5)
    cells = np.arange(10, 25)
    by_seed = {
        tuple(ORDERINGS["random"](context(Position.of(board), seed), cells)) for seed in range(20)
    }
    by_stone = {
        tuple(ORDERINGS["random"](context(Position.of(board, black=board.name(cell))), cells))
        for cell in range(10)
    }

    assert (len(by_seed), len(by_stone)) == (20, 10)


def test_nearest_center_prefers_the_first_of_equally_near_cells():
    """On 3x3 it is b2, and among equally near cells the first one."""
    board = Board(3, 3)

    assert nearest_center(board, list(board.cells)) == board.cell("b2")
    assert nearest_center(board, [0, 2, 8]) == 2


def test_weak_links_come_by_current_then_by_the_board():
    """Currents that differ only by rounding count as equal."""
    board, flow = Board(5, 5), np.zeros(25)
    flow[[3, 7, 20]] = 0.5, 0.5 + 1e-12, 0.8
    seen = OrderingContext(board, np.zeros(25, np.int8), lambda: flow)
    order = ORDERINGS["weak_links"](seen, np.array([2, 3, 7, 20, 24]))

    assert order.tolist() == [20, 3, 7, 2, 24]


def test_center_orders_cells_by_distance_from_the_middle():
    """The middle is first, then its six neighbors; the acute corners are last."""
    board = Board(5, 5)
    order = ORDERINGS["center"](context(Position.of(board)), np.arange(25))
    names = [board.name(cell) for cell in order.tolist()]

    assert names[0] == "c3"
    assert set(names[1:7]) == {board.name(c) for c in board.neighbors(board.cell("c3"))}
    assert set(names[-2:]) == {"a1", "e5"}
