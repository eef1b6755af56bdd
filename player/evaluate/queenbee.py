"""Potentials: two-distance as Queenbee used it (van Rijswijck 2000, 2002).

The potential of an empty cell is the sum of its two-distances to both edges of
a player, here counted from 0 for cells that touch the edge. A player's
potential is the smallest; the number of cells that attain it breaks ties. The
source leaves the weights of the two open. A player who has won has no potential,
as no two-distance.
"""

import numpy as np

from hsearch.position import Position
from hsearch.position.frame import Frame
from player.evaluate.evaluation import Evaluation, frames, weighed
from player.evaluate.two_distance import difference, to_edges


def queenbee(position: Position) -> Evaluation:
    """Return each player's potential; Black's minus White's.

    Each cell that attains it counts for its player, all together less than one
    step of the potential. Where a potential is infinite the evaluation is that
    of the two-distance.
    """
    sides = frames(position)
    (black, blacks), (white, whites) = map(_potential, sides)
    ties = (whites - blacks) / (position.board.size + 1) if blacks and whites else 0.0
    return weighed(sides, black, white, difference(sides, black, white) + ties)


def _potential(side: Frame) -> tuple[float, int]:
    """Return the smallest potential, and how many cells attain it if it is finite."""
    first, second = to_edges(side)
    potentials = first + second - 2
    smallest = float(potentials.min())
    return smallest, int(np.count_nonzero(potentials == smallest)) if np.isfinite(smallest) else 0
