"""Y-reduction: how likely a player owns the last cell of a shrinking triangle.

The board is part of a board of Y, a triangle in which the rest belongs to the
edges. An empty cell is either player's with probability 1/2. Each step goes to
the triangle of all three touching cells, whose majority owns the new cell, as
if they were independent. On a full board this finds the winner. Van Rijswijck
(2002).

That depends on the corner of the board that lies in the corner of the
triangle; ours is the mean of both ways.
"""

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Color
from hsearch.position import Position
from hsearch.position.frame import Frame
from player.evaluate.evaluation import Evaluation, frames, weighed
from player.kernels import reduction


def y_reduction(position: Position, *, averaged: bool = True) -> Evaluation:
    """Return each player's probability; White's minus Black's.

    With `averaged` the mean over the position and its half turn, else only the
    source's way, with a1 in the corner of the triangle.
    """
    sides = frames(position)
    surplus = _surplus(sides[0], averaged=averaged)
    return weighed(sides, (1 + surplus) / 2, (1 - surplus) / 2, 0.0 - surplus)


def influence_cells(position: Position, color: Color) -> NDArray[np.float64]:
    """Return for each empty cell how much likelier its owner is to own the last cell.

    The same for both players; 0 for cells with a stone.
    """
    side = Frame.of(position, color)
    influence = np.zeros(side.stones.size)
    for cell in np.flatnonzero(side.stones == 0).tolist():
        own, opponent = side.put(cell, 1), side.put(cell, 2)
        influence[cell] = (_surplus(own, averaged=True) - _surplus(opponent, averaged=True)) / 2
    return side.back(influence)


def _surplus(side: Frame, *, averaged: bool) -> float:
    """Return the player's probability minus the opponent's."""
    ways = (side, side.rotated()) if averaged else (side,)
    found = [reduction.y_reduction(way.columns, way.rows, way.stones) for way in ways]
    return float(sum(found) / len(found))
