"""The chance of the player to move, as the leaf of a tree whose leaves differ in depth.

E leaves out whose turn it is. In a tree that looks further here than there, that must
be made good, or whoever moved last seems to be better off: a *tempo* is added for the
player to move. It is half of what the best move gains in E, so that a position and
the one after its best move say the same. The gain grows as the board fills, alike on
9x9 and 11x11 (`positions/results/strength.md`).
"""

import math

from hsearch.board import Color
from player.chance.model import advantage

CALIBRATED = 1.76  # that of `positions/chance.json` on an empty board, rounded


def tempo(phase: float) -> float:
    """Return what it is worth in E to be on the move, with a part of the cells filled."""
    return 0.04 + 0.86 * math.sqrt(phase)


def estimate(evaluation: float, turn: Color, phase: float, slope: float) -> float:
    """Return the value of a position for the player to move, from 0 to 1."""
    return _logistic(slope * (advantage(evaluation, turn) + tempo(phase)))


def chance(value: float, slope: float) -> float:
    """Return the chance in a game between equals that a value with that slope stands for."""
    if not 0 < value < 1:
        return value
    return _logistic(math.log(value / (1 - value)) * CALIBRATED / slope)


def _logistic(logit: float) -> float:
    return 1 / (1 + math.exp(-max(-500.0, min(500.0, logit))))
