"""Two-distance: how far an edge is when the opponent blocks the best way at each step.

Two empty cells are neighbors if they touch each other or the same own chain;
edges do not join their chains. A cell that touches the edge, or a chain that
does, has distance 1; any other cell 1 plus the second smallest distance of its
neighbors, infinite with fewer than two finite ones. From edge to edge it is 1
plus the second smallest distance of the cells that touch the other edge, or a
chain that does. Van Rijswijck (2000, 2002); from edge to edge Schiavone.

That depends on the edge at which one starts; ours is the mean of both ways.

A player who has won has no two-distance, not even 0: it goes over empty cells,
and these do not tell that the edges are joined. What is found then, often 2 and
infinite on a full board, means nothing; the opponent's is infinite, and rightly.
"""

import math

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Color
from hsearch.position import Position
from hsearch.position.frame import Frame
from player.evaluate.evaluation import Evaluation, finite, frames, path, weighed
from player.kernels.two_distance import FAR, two_distances

# A distance that only one player lacks counts more than any difference of distances.
LACKING = 100


def two_distance(position: Position, *, averaged: bool = True) -> Evaluation:
    """Return each player's two-distance from edge to edge; Black's minus White's.

    With `averaged` the mean of both ways, infinite if either is; else only the
    source's way, measured from the player's first edge. When one player's is
    infinite, the evaluation is 100 against that player plus the difference of
    the shortest paths; when both are, that difference alone.
    """
    sides = frames(position)
    ways = [_measured(side)[2] for side in sides]
    black, white = (sum(both) / 2 if averaged else both[0] for both in ways)
    return weighed(sides, black, white, difference(sides, black, white))


def difference(sides: tuple[Frame, Frame], black: float, white: float) -> float:
    """Return Black's distance minus White's, or what stands for it if one is infinite."""
    if math.isfinite(black) and math.isfinite(white):
        return black - white
    paths = [path(side)[0] for side in sides]
    if not all(map(math.isfinite, paths)):
        return 0.0  # a won position, which no distance weighs
    return LACKING * (math.isinf(black) - math.isinf(white)) + paths[0] - paths[1]


def to_edges(side: Frame) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return each cell's two-distance to the player's first edge, and to the second.

    Infinite for cells with a stone. In the order of the frame.
    """
    first, second, _ = _measured(side)
    return first, second


def two_distance_cells(position: Position, color: Color) -> NDArray[np.float64]:
    """Return for each cell the sum of a player's two-distances to both edges."""
    side = Frame.of(position, color)
    first, second = to_edges(side)
    return side.back(first + second)


def _measured(
    side: Frame,
) -> tuple[NDArray[np.float64], NDArray[np.float64], tuple[float, float]]:
    """Return what `to_edges` does, and from edge to edge the way to the first, and the other."""
    first, second = np.empty(side.stones.size), np.empty(side.stones.size)
    one, other = two_distances(side.columns, side.rows, side.stones, first, second)
    for found in (first, second):
        found[found == FAR] = math.inf
    return first, second, (finite(one), finite(other))
