"""The chance to win and every critical cell, from all fillings at once.

Two passes over the cells, as `player.kernels.frontier` tells. All terms of the
sums are positive doubles of at most 1, so that rounding adds up to less than
(11 cells + states) / 2**53, which is 3e-11 at the worst (13 columns); the
whole numbers of `player.fillings.counting` differ by about 1e-15.

The memory besides the tables is a vector of states for every row and every
column: 6 MB at 11x11, 50 MB at 13x13, 75 MB at 26x13.

Fillings whose colors alternate to the end have a known number of black cells. They
are counted by the same passes with a count of stones
(`player.kernels.counted_frontier`), which makes every vector as many times longer
as there are black cells to come, and one: 370 MB at 11x11, 1.1 GB at 26x11.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Color
from hsearch.position import Position
from player.fillings.odds import Odds
from player.fillings.shares import black_share
from player.fillings.tables import MAX_WIDTH, onward
from player.kernels import counted_frontier, frontier

Stones: TypeAlias = NDArray[np.uint8]
Shares: TypeAlias = NDArray[np.float64]

MAX_BALANCED_WIDTH = 11


def is_reachable(position: Position, *, balanced: bool = False) -> bool:
    """Return whether a position can be counted: its shorter side is at most MAX_WIDTH."""
    widest = MAX_BALANCED_WIDTH if balanced else MAX_WIDTH
    return min(position.board.columns, position.board.rows) <= widest


def exact(
    position: Position, *, balanced: bool = False, on_step: Callable[[], object] = lambda: None
) -> Odds:
    """Count all fillings of a position, with a coin for each empty cell.

    Balanced, the colors of the empty cells alternate from the player to move.
    `on_step` is called twice a row, unless balanced; what it raises ends the work.
    Raise ValueError when both sides of the board are longer than MAX_WIDTH, or
    than MAX_BALANCED_WIDTH.
    """
    board = position.board
    if not is_reachable(position, balanced=balanced):
        sides, widest = f"{board.columns}x{board.rows}", MAX_WIDTH
        what = "all fillings"
        if balanced:
            what, widest = "all balanced fillings", MAX_BALANCED_WIDTH
        raise ValueError(f"too large to count {what}: {sides} (one side to {widest})")
    if board.columns > board.rows:
        mirror = exact(position.transposed(), balanced=balanced, on_step=on_step)
        turned = {board.transposed.transpose(c): share for c, share in mirror.critical.items()}
        white = mirror.chance(Color.WHITE)
        return Odds(position, white, dict(sorted(turned.items())), balanced=balanced)
    stones = np.full(board.size, frontier.EMPTY, np.uint8)
    for color, code in ((Color.BLACK, frontier.BLACK), (Color.WHITE, frontier.WHITE)):
        stones[list(position.stones(color).search(1))] = code
    critical = np.empty(board.size)
    if balanced:
        black = _weigh_balanced(position, stones, critical)
    else:
        black = _weigh(position, stones, critical, on_step)
    # Rounding may leave a trace below zero of a cell that decides nothing.
    shares = {cell: max(0.0, float(critical[cell])) for cell in position.empty.search(1)}
    return Odds(position, black, shares, balanced=balanced)


def _weigh(
    position: Position, stones: Stones, critical: Shares, on_step: Callable[[], object]
) -> float:
    """Return Black's chance, and write how often each cell is critical.

    The forward pass wants the chances after each cell, in the order in which
    the backward pass forgets them. So they are kept at the ends of rows only,
    and found again inside a row when the forward pass gets there.
    """
    board, table = position.board, onward(position.board.columns)
    states = table.shape[2]
    ends, row_chances = np.empty((board.rows, states)), np.empty((board.columns + 1, states))
    ends[-1] = 1.0
    ends[-1, -1] = 0.0  # White has won
    rows, shares = stones.reshape(board.rows, -1), critical.reshape(board.rows, -1)
    for row in range(board.rows - 1, 0, -1):
        on_step()
        frontier.chances_in_row(rows[row], table, ends[row], row_chances)
        ends[row - 1] = row_chances[0]
    weights = np.zeros((2, states))
    weights[0, 0] = chance = 1.0
    for row in range(board.rows):
        on_step()
        frontier.chances_in_row(rows[row], table, ends[row], row_chances)
        if row == 0:
            chance = float(row_chances[0, 0])
        frontier.critical_in_row(rows[row], table, row_chances, weights, shares[row])
    return chance


def _weigh_balanced(position: Position, stones: Stones, critical: Shares) -> float:
    board, table = position.board, onward(position.board.columns)
    blacks = black_share(position)
    vector = table.shape[2], blacks + 1
    seen = np.concatenate(([0], np.cumsum(stones == frontier.EMPTY)))
    scratch = (np.zeros((many, *vector)) for many in (board.rows, board.columns + 1, 2))
    found = counted_frontier.weigh(stones, seen, table, blacks, *scratch, critical)
    return float(found)
