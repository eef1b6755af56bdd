"""Anshelevich's evaluation: the resistance of two circuits that see virtual connections.

E = ln(R_black / R_white), where points joined by a full connection are wired
too (`hsearch.circuit`). The only evaluator here that looks beyond adjacency.
V. Anshelevich: A hierarchical approach to computer Hex (2002).
"""

import numpy as np
from numpy.typing import NDArray

from hsearch.analysis import Analysis
from hsearch.board import Color
from hsearch.circuit import HEXY
from hsearch.closure import Limits
from hsearch.position import Position
from player.evaluate.evaluation import Evaluation

_DEFAULT = Limits()


def hexy(position: Position, limits: Limits = _DEFAULT, *, links: str = HEXY) -> Evaluation:
    """Return the resistance of each player's circuit; E, the logarithm of Black's over White's.

    Infinite as soon as a full connection joins a player's edges. `links` names the wiring.
    """
    circuits = Analysis(position, limits, links=links).circuits
    return Evaluation(circuits.black.resistance, circuits.white.resistance, circuits.evaluation)


def linked_cells(position: Position, color: Color, *, links: str = HEXY) -> NDArray[np.float64]:
    """Return the current through each cell of a player's circuit; 0 for cells with a stone."""
    circuits = Analysis(position, links=links).circuits
    return (circuits.black if color is Color.BLACK else circuits.white).flow
