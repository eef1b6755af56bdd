"""Orderings of moves."""

import numpy as np
import pytest

from hsearch.board import Board
from player.ordering import ORDERINGS, best, center, shuffled, weak_links

BOARD = Board(5, 5)
CELLS = np.arange(BOARD.size)
NO_FLOW = np.zeros(BOARD.size)


def test_weak_links_come_by_current_then_by_the_board():
    """What differs by rounding only is equal."""
    flow = np.zeros(BOARD.size)
    flow[[3, 7, 20]] = 0.5, 0.5 + 1e-12, 0.8
    order = weak_links(BOARD, np.array([2, 3, 7, 20, 24]), flow)

    assert order.tolist() == [20, 3, 7, 2, 24]


def test_center_orders_by_the_distance_between_cells():
    """The middle, its six neighbors, and the acute corners last."""
    names = [BOARD.name(cell) for cell in center(BOARD, CELLS, NO_FLOW).tolist()]

    assert names[0] == "c3"
    assert set(names[1:7]) == {BOARD.name(c) for c in BOARD.neighbors(BOARD.cell("c3"))}
    assert set(names[-2:]) == {"a1", "e5"}
    assert best(center, BOARD, [0, 6, 24]) == 6


@pytest.mark.parametrize("name", [*ORDERINGS, "shuffled"])
def test_every_ordering_keeps_the_cells(name):
    """None is lost or doubled, and chance comes from the generator alone."""
    generators = [np.random.default_rng(4) for _ in range(2)]
    orders = [
        (ORDERINGS.get(name) or shuffled(generator))(BOARD, CELLS[3:19], NO_FLOW)
        for generator in generators
    ]

    assert sorted(orders[0].tolist()) == list(range(3, 19))
    assert orders[0].tolist() == orders[1].tolist()
