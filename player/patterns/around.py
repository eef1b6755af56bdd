"""Where the places of a pattern are on a board."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Board
from player.kernels.patterns import COLUMNS, LINES, ROWS, SIDES, PatternPlaces

# Rows down and columns to the right, as the player sees it who joins top and bottom.
NEIGHBORS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
BRIDGES = ((-1, 2), (-2, 1), (-1, -1), (1, -2), (2, -1), (1, 1))
STRAIGHT = tuple((2 * down, 2 * right) for down, right in NEIGHBORS)
OFFSETS = ((0, 0), *NEIGHBORS, *BRIDGES, *STRAIGHT)


@cache
def around(board: Board) -> PatternPlaces:
    """Return the places of patterns on a board.

    A place beyond the rim is the nearest one of it, of the same edge.
    """
    near = np.empty((2, board.size, len(OFFSETS)), np.int32)
    lines = np.empty((2, board.size, 2), np.int32)
    for cell in board.cells:
        row, column = divmod(cell, board.columns)
        lines[:, cell] = (row, column), (column, row)
        for number, (down, right) in enumerate(OFFSETS):
            near[0, cell, number] = _place(board, row + down, column + right)
            near[1, cell, number] = _place(board, row + right, column + down)
    counts = np.array([(board.rows, board.columns), (board.columns, board.rows)], np.int32)
    sides = np.zeros((2, 2, counts.max()), np.int32)
    for player in (0, 1):
        for kind in (ROWS, COLUMNS):
            count = int(counts[player, kind])
            sides[player, kind, :count] = sides_of(count)
    spots = np.stack(
        [
            sides[player, ROWS, lines[player, :, ROWS]] * LINES
            + sides[player, COLUMNS, lines[player, :, COLUMNS]]
            for player in (0, 1)
        ]
    )
    places = PatternPlaces(near, spots, lines, sides, counts)
    for array in places:
        array.flags.writeable = False
    return places


def sides_of(count: int) -> NDArray[np.int32]:
    """Return how far so many lines are from both edges, 0 to 10: beyond five is as five."""
    before = np.minimum(np.arange(count, dtype=np.int32), SIDES - 1)
    after = before[::-1]
    nearer = np.arange(count) <= np.arange(count)[::-1]
    return np.where(nearer, before, LINES - 1 - after)


def _place(board: Board, row: int, column: int) -> int:
    row, column = min(max(row, -1), board.rows), min(max(column, -1), board.columns)
    if not 0 <= row < board.rows and not 0 <= column < board.columns:
        return 0  # a corner, whichever
    return (row + 1) * (board.columns + 2) + column + 1
