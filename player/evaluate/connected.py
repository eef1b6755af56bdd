"""Connected: the stones of the largest own chain (Schiavone).

The source counts "connected own stones" without saying how chains add up; here
the largest counts. A chain is a set of stones that touch; touching the same
edge joins none.
"""

from hsearch.position import Position
from player.evaluate.evaluation import Evaluation, frames, weighed
from player.kernels.distances import largest_chain


def connected(position: Position) -> Evaluation:
    """Return the size of each player's largest chain; White's minus Black's."""
    sides = frames(position)
    black, white = (largest_chain(side.columns, side.rows, side.stones) for side in sides)
    return weighed(sides, black, white, white - black)
