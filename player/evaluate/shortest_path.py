"""Shortest path: the fewest stones that would join a player's edges (Schiavone).

A path goes over own and empty cells; its length is the number of the empty
ones: 0 if the player has won, infinite if the opponent has.
"""

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Color
from hsearch.position import Position
from hsearch.position.frame import Frame
from player.evaluate.evaluation import Evaluation, frames, path, weighed


def shortest_path(position: Position) -> Evaluation:
    """Return the length of each player's shortest path; Black's minus White's."""
    sides = frames(position)
    black, white = (path(side)[0] for side in sides)
    return weighed(sides, black, white, 0.0 if black == white else black - white)


def path_cells(position: Position, color: Color) -> NDArray[np.float64]:
    """Return for each cell the length of a player's shortest path through it."""
    side = Frame.of(position, color)
    there, back = path(side)[1], path(side.rotated())[1][::-1]
    return side.back(there + back - (side.stones == 0))
