"""Fit the weights of the chance to games that were played: logistic regression."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from player.chance.model import Model

TERMS = ("tempo", "slope", "tempo_phase", "slope_phase")
STEPS = 100
NEAR = 1e-10
RIDGE = 1e-3  # keeps weights finite where the games are few


@dataclass(frozen=True, slots=True)
class ChanceSample:
    """An open position of a finished game, and how the game ended.

    game       the number of the game; positions of one game stand or fall together
    side       of the board
    advantage  E as the player to move saw it
    phase      the part of the cells that held stones
    won        whether the player to move won
    """

    game: int
    side: int
    advantage: float
    phase: float
    won: bool


def fitted(samples: Sequence[ChanceSample], terms: Sequence[str] = TERMS) -> Model:
    """Return the likeliest model with these terms, by Newton's method.

    Raise ValueError when there is no position to learn from, or a term is unknown.
    """
    unknown = [name for name in terms if name not in TERMS]
    if unknown or not samples:
        raise ValueError(f"no such term: {unknown[0]!r}" if unknown else "no positions to fit")
    used = [TERMS.index(name) for name in terms]
    features = _features(samples)[:, used]
    won = np.array([sample.won for sample in samples], float)
    weights = np.zeros(len(used))
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (won - chance) - RIDGE * weights
        curve = (features.T * (chance * (1 - chance))) @ features + RIDGE * np.eye(len(used))
        step = np.linalg.solve(curve, slope)
        # Newton's step is too long where all is nearly lost.
        weights += step * min(1.0, 1.0 / max(float(abs(step).max()), 1e-12))
        if abs(step).max() < NEAR:
            break
    return Model(**{"tempo": 0.0, "slope": 0.0, **dict(zip(terms, weights.tolist(), strict=True))})


def _features(samples: Sequence[ChanceSample]) -> NDArray[np.float64]:
    """Return the values of the terms, a row a position."""
    advantage = np.array([sample.advantage for sample in samples])
    phase = np.array([sample.phase for sample in samples])
    return np.stack([np.ones_like(phase), advantage, phase, phase * advantage], axis=1)
