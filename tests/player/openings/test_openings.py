"""Who wins after each first move, by searching the whole game."""

import pytest
from naive_solve import wins_for_mover

from hsearch.board import Board, Color
from hsearch.position import Position


@pytest.mark.parametrize(("size", "openings"), [(1, "a1"), (2, "b1 a2"), (3, "c1 a2 b2 c2 a3")])
def test_winning_openings(size, openings):
    """The maps of the theory page, to 3x3."""
    board = Board(size, size)
    won = [c for c in board.cells if not wins_for_mover(Position.of(board).play(c))]

    assert [board.name(cell) for cell in won] == openings.split()


@pytest.mark.parametrize(("columns", "rows"), [(1, 2), (2, 3)])
def test_the_longer_way_loses(columns, rows):
    """Black has one row more to cross than White has columns, and loses though first."""
    assert not wins_for_mover(Position.of(Board(columns, rows)))
    assert wins_for_mover(Position.of(Board(columns, rows), turn=Color.WHITE))
