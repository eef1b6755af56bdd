"""Counts of won games to chances, with intervals. Knows no game."""

import math
from dataclasses import dataclass
from statistics import NormalDist


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate of a number, and the interval it lies in with some confidence."""

    low: float
    estimate: float
    high: float


def share(won: int, games: int, *, confidence: float = 0.95) -> Interval:
    """Return the chance to win that some won games tell, after Wilson (1927).

    Unlike the plain interval this one stays between 0 and 1, and is of use
    after a clean sweep too. Raise ValueError when the counts make no sense.
    """
    if not 0 <= won <= games or games == 0 or not 0 < confidence < 1:
        raise ValueError(f"no share: {won} of {games}, confidence {confidence}")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    p, scale = won / games, 1 + z * z / games
    middle = (p + z * z / (2 * games)) / scale
    half = z / scale * math.sqrt(p * (1 - p) / games + z * z / (4 * games * games))
    # After a clean sweep rounding must not put the estimate outside.
    return Interval(max(0.0, min(p, middle - half)), p, min(1.0, max(p, middle + half)))


def elo(share: float) -> float:
    """Return by how many Elo points a player is stronger who wins this share of games.

    Infinite when the player wins, or loses, all of them.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"no share: {share}")
    if share in {0, 1}:
        return math.inf if share else -math.inf
    return 400 * math.log10(share / (1 - share))
