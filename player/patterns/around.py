"""Where the places of a pattern are on a board."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Board
from player.kernels.patterns import SIDES

# Rows down and columns to the right, as the player sees it who joins top and bottom.
NEIGHBORS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
BRIDGES = ((-1, 2), (-2, 1), (-1, -1), (1, -2), (2, -1), (1, 1))
STRAIGHT = tuple((2 * down, 2 * right) for down, right in NEIGHBORS)
OFFSETS = ((0, 0), *NEIGHBORS, *BRIDGES, *STRAIGHT)


@cache
def around(board: Board) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return, for each player and cell, the 19 places of the rim around it, and its spot.

    A place beyond the rim is the nearest one of it, of the same edge.
    """
    near = np.empty((2, board.size, len(OFFSETS)), np.int32)
    spots = np.empty((2, board.size), np.int32)
    for cell in board.cells:
        row, column = divmod(cell, board.columns)
        below, beside = _side(row, board.rows), _side(column, board.columns)
        spots[:, cell] = below * (2 * SIDES - 1) + beside, beside * (2 * SIDES - 1) + below
        for number, (down, right) in enumerate(OFFSETS):
            near[0, cell, number] = _place(board, row + down, column + right)
            near[1, cell, number] = _place(board, row + right, column + down)
    near.flags.writeable = spots.flags.writeable = False
    return near, spots


def _place(board: Board, row: int, column: int) -> int:
    row, column = min(max(row, -1), board.rows), min(max(column, -1), board.columns)
    if not 0 <= row < board.rows and not 0 <= column < board.columns:
        return 0  # a corner, whichever
    return (row + 1) * (board.columns + 2) + column + 1


def _side(number: int, count: int) -> int:
    """Return how far from both edges a row or column is, 0 to 10: beyond five is as five."""
    least = min(number, SIDES - 1)
    return (
        least
        if number <= count - 1 - number
        else 2 * (SIDES - 1) - min(count - 1 - number, SIDES - 1)
    )
