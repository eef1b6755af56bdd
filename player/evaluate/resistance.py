"""Resistance between a player's edges, with wires between adjacent cells only.

The circuits of `hsearch.circuit` without virtual connections, weighed by their
difference as Schiavone does, not by the logarithm of their ratio.
"""

from hsearch.circuit import circuits
from hsearch.position import Position
from player.evaluate.evaluation import Evaluation, frames, weighed


def resistance(position: Position) -> Evaluation:
    """Return the resistance of each player's circuit; Black's minus White's."""
    both = circuits(position, links="none")
    black, white = both.black.resistance, both.white.resistance
    return weighed(frames(position), black, white, black - white)
