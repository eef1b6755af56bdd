"""The chance to win and every critical cell, from all fillings at once.

Two passes over the cells, as `player.kernels.frontier` tells. All terms of the
sums are positive doubles of at most 1, so that rounding adds up to less than
(11 cells + states) / 2**53, which is 3e-11 at the worst (13 columns); the
whole numbers of `player.fillings.counting` differ by about 1e-15.

The memory besides the tables is a vector of states for every row and every
column: 6 MB at 11x11, 50 MB at 13x13, 75 MB at 26x13.
"""

import numpy as np

from hsearch.board import Color
from hsearch.position import Position
from player.fillings.odds import Odds
from player.fillings.tables import MAX_WIDTH, onward
from player.kernels import frontier


def is_reachable(position: Position) -> bool:
    """Return whether a position can be counted: its shorter side is at most MAX_WIDTH."""
    return min(position.board.columns, position.board.rows) <= MAX_WIDTH


def exact(position: Position) -> Odds:
    """Count all fillings of a position, with a coin for each empty cell.

    Raise ValueError when both sides of the board are longer than MAX_WIDTH.
    """
    board = position.board
    if not is_reachable(position):
        sides = f"{board.columns}x{board.rows}"
        raise ValueError(f"too large to count all fillings: {sides} (one side to {MAX_WIDTH})")
    if board.columns > board.rows:
        mirror = exact(position.transposed())
        turned = {board.transposed.transpose(c): share for c, share in mirror.critical.items()}
        return Odds(position, mirror.chance(Color.WHITE), dict(sorted(turned.items())))
    stones = np.full(board.size, frontier.EMPTY, np.uint8)
    for color, code in ((Color.BLACK, frontier.BLACK), (Color.WHITE, frontier.WHITE)):
        stones[list(position.stones(color).search(1))] = code
    table = onward(board.columns)
    states = table.shape[2]
    ends, row = np.empty((board.rows, states)), np.empty((board.columns + 1, states))
    critical = np.empty(board.size)
    black = frontier.weigh(stones, table, ends, row, critical)
    # Rounding may leave a trace below zero of a cell that decides nothing.
    shares = {cell: max(0.0, float(critical[cell])) for cell in position.empty.search(1)}
    return Odds(position, black, shares)
