"""Opening maps: which first stones of Black win."""

from hsearch.board import Board, Color
from hsearch.cells import CellSet
from hsearch.position import Position
from player.solve.solver import Solver


def winning_openings(solver: Solver) -> CellSet:
    """Return the first moves with which Black wins, without swap.

    Half a turn makes an opening another one, so that one of the two is solved;
    those near the center come first, which are decided most quickly.
    """
    board = solver.board
    empty = Position.of(board)
    wins: set[int] = set()
    halves = (cell for cell in board.cells if cell <= board.rotate(cell))
    for cell in sorted(halves, key=lambda cell: _distance(board, cell)):
        if solver.outcome(empty.play(cell)) is Color.BLACK:
            wins |= {cell, board.rotate(cell)}
    return board.only(*wins)


def _distance(board: Board, cell: int) -> int:
    """Return twice the number of steps from a cell to the center."""
    column, row = board.column_and_row(cell)
    right, down = 2 * column + 1 - board.columns, 2 * row + 1 - board.rows
    return max(abs(right), abs(down), abs(right + down))
