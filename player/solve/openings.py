"""Opening maps: which first stones of Black win, and how much work it was to tell."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from hsearch.board import Board, Cell, Color
from hsearch.cells import CellSet
from hsearch.position import Position
from player.solve.solver import Solver


@dataclass(frozen=True, slots=True)
class Opening:
    """A first stone of Black, and the one after half a turn.

    cell     where it is
    winner   who wins
    nodes    positions whose connections were looked at, after the openings before it
    seconds  the time that took
    """

    cell: Cell
    winner: Color
    nodes: int
    seconds: float


def winning_openings(
    solver: Solver, *, on_progress: Callable[[Opening], object] = lambda _opening: None
) -> CellSet:
    """Return the first moves with which Black wins, without swap.

    Half a turn makes an opening another one, so that one of the two is solved;
    those near the center come first, which are decided most quickly. `on_progress`
    hears of each one that is done.
    """
    board = solver.board
    empty = Position.of(board)
    wins: set[int] = set()
    for cell in from_the_center(board):
        start, before = time.monotonic(), solver.nodes
        won_by = solver.outcome(empty.play(cell))
        on_progress(Opening(cell, won_by, solver.nodes - before, time.monotonic() - start))
        if won_by is Color.BLACK:
            wins |= {cell, board.rotate(cell)}
    return board.only(*wins)


def from_the_center(board: Board) -> list[Cell]:
    """Return one of any two cells that half a turn exchanges, the nearest to the center first."""
    halves = (cell for cell in board.cells if cell <= board.rotate(cell))
    return sorted(halves, key=lambda cell: _distance(board, cell))


def _distance(board: Board, cell: int) -> int:
    """Return twice the number of steps from a cell to the center."""
    column, row = board.column_and_row(cell)
    right, down = 2 * column + 1 - board.columns, 2 * row + 1 - board.rows
    return max(abs(right), abs(down), abs(right + down))
