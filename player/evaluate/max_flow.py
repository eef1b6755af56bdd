"""Maximum flow between a player's edges over own and empty cells (Schiavone).

Cells that touch pass a flow of 1, own stones that touch any flow, and so do a
border cell and its edge. On a board with one row between a player's edges each
cell that touches both passes any flow before the game is over; then the
player's flow is infinite, and the evaluation too, unless both are.
"""

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Color
from hsearch.position import Position
from hsearch.position.frame import Frame
from player.evaluate.evaluation import Evaluation, finite, frames, weighed
from player.kernels import flow


def max_flow(position: Position) -> Evaluation:
    """Return each player's maximum flow; White's minus Black's."""
    sides = frames(position)
    black, white = (finite(_flow(side)[0]) for side in sides)
    return weighed(sides, black, white, 0.0 if black == white else white - black)


def flow_cells(position: Position, color: Color) -> NDArray[np.float64]:
    """Return the flow through each empty cell, in a player's maximum flow.

    0 for cells with a stone, and everywhere if the flow has no bound. There are
    many maximum flows: this is the one that keeps west, for White north.
    """
    side = Frame.of(position, color)
    value, across = _flow(side)
    through = np.zeros(side.stones.size)
    if value == flow.FAR:
        return side.back(through)
    width = side.columns + 2
    for cell in np.flatnonzero(side.stones == 0).tolist():
        row, column = divmod(cell, side.columns)
        at = width * (row + 1) + column + 1
        # The six faces around a cell, in cyclic order; those between it and two cells of
        # an edge have no distance, and what comes from the edge is what leaves elsewhere.
        below, above = 2 * at, 2 * (at - width)
        around = across[[below, below - 1, below - 2, above - 1, above, above + 1]]
        between = around - np.roll(around, 1)
        between[(around == flow.FAR) | (np.roll(around, 1) == flow.FAR)] = 0
        through[cell] = max(between.clip(min=0).sum(), -between.clip(max=0).sum())
    return side.back(through)


def _flow(side: Frame) -> tuple[int, NDArray[np.int64]]:
    across = np.empty(2 * (side.columns + 2) * (side.rows + 2), np.int64)
    return flow.max_flow(side.columns, side.rows, side.stones, across), across
