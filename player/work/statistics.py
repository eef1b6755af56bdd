"""Statistics of won games: chances, ratings, a sequential test; and files of plots."""

import importlib
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsearch.formats.files import whole

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate of a number, and its confidence interval."""

    low: float
    estimate: float
    high: float

    def with_ends(self, form: str) -> str:
        """Return the estimate with both ends, each in a format such as `.3f`."""
        return f"{self.estimate:{form}} ({self.low:{form}} to {self.high:{form}})"


def share(wins: int, games: int) -> Interval:
    """Estimate the chance to win from a number of won games, after Wilson (1927).

    Unlike the normal interval, this one stays between 0 and 1 and is useful even if all
    games were won. Raise ValueError when the counts are not valid.
    """
    if not 0 <= wins <= games or games == 0:
        raise ValueError(f"no share: {wins} of {games}")
    # scipy.stats has this, too (the tests compare), but takes a second to import.
    p, z = wins / games, NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    middle = (p + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(p * (1 - p) / games + (z / (2 * games)) ** 2) / (1 + z * z / games)
    # If all games were won or lost, rounding must not put the estimate outside.
    return Interval(max(0.0, min(p, middle - half)), p, min(1.0, max(p, middle + half)))


def elo(share: float) -> float:
    """Return the Elo points by which a player who wins this share of games is stronger.

    Infinite for 1, minus infinite for 0. Raise ValueError if it is not from 0 to 1.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"no share: {share}")
    if share in {0, 1}:
        return math.inf if share else -math.inf
    return 400 * math.log10(share / (1 - share))


def elo_interval(wins: int, games: int) -> Interval:
    """Return the interval of `share` in Elo points; its ends may be infinite.

    Raise ValueError when the counts are not valid.
    """
    interval = share(wins, games)
    return Interval(*map(elo, (interval.low, interval.estimate, interval.high)))


def ratings(wins: NDArray[np.float64]) -> list[Interval]:
    """Return the Elo ratings of players; `wins` counts how often each (row) beat each (column).

    They are the maximum-likelihood ratings of the model of Bradley and Terry (1952), with
    mean 0. One more drawn game between each two who have met keeps them finite. The
    intervals are those of the normal approximation.
    """
    has_met = (wins + wins.T) > 0
    scores = wins + has_met / 2
    games = scores + scores.T
    strength = np.zeros(len(wins))
    for _ in range(200):
        expectation = games / (1 + np.exp(strength[np.newaxis] - strength[:, np.newaxis]))
        weights = expectation * expectation.T / np.where(has_met, games, 1)
        covariance = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
        step = covariance @ (scores - expectation).sum(axis=1)
        # Newton's step is too long where the chances are near 0 or 1.
        strength += step * min(1.0, 1.0 / max(abs(step).max(), 1e-12))
        if abs(step).max() < 1e-9:
            break
    points = 400 / math.log(10)
    half = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * np.sqrt(np.diag(covariance).clip(min=0))
    # Without the last digits, which differ between machines for players of equal strength.
    strength, half = (points * strength).round(9) + 0.0, (points * half).round(9)
    return [
        Interval(s - h, s, s + h) for s, h in zip(strength.tolist(), half.tolist(), strict=True)
    ]


@dataclass(frozen=True, slots=True)
class SequentialVerdict:
    """Result of a sequential test.

    games   the number of games until the test decided
    better  whether the player is the better one
    """

    games: int
    better: bool


ERROR = 0.05  # the probability of each of the two errors of a sequential test


def sequential(
    results: Iterable[bool], *, margin: float = 35.0, middle: float = 0.0
) -> SequentialVerdict | None:
    """Return the verdict of the first games that decide which player is better; None if none do.

    This is Wald's sequential test (1945) of `middle` + `margin` Elo points for the player
    against `middle` - `margin`; the probability of either error is `ERROR`.
    """
    high, low = (1 / (1 + 10 ** (-(middle + sign * margin) / 400)) for sign in (1, -1))
    for_win, for_loss = math.log(high / low), math.log((1 - high) / (1 - low))
    bound, evidence = math.log((1 - ERROR) / ERROR), 0.0
    for games, won in enumerate(results, start=1):
        evidence += for_win if won else for_loss
        if abs(evidence) >= bound:
            return SequentialVerdict(games, better=evidence > 0)
    return None


@contextmanager
def save_figure(path: Path, size: tuple[float, float]) -> Iterator[Any]:
    """Yield a matplotlib figure of this size in inches, and write it to a file after the block.

    The file's ending sets the format; the same figure makes the same file. Raise ImportError
    without matplotlib, ValueError unless the ending is that of a format with metadata, such as
    .svg, .png or .pdf but not .jpg, and OSError when the file cannot be written: then it stays
    as it was.
    """
    matplotlib = importlib.import_module("matplotlib")
    figures = importlib.import_module("matplotlib.figure")
    with matplotlib.rc_context({"svg.hashsalt": "hsearch", "svg.fonttype": "none"}):
        figure = figures.Figure(figsize=size, layout="constrained")
        yield figure
        ending = path.suffix.lower()
        name = "Software" if ending == ".png" else "Creator"
        date = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(ending, {})
        with whole(path) as file:
            figure.savefig(file, format=ending[1:], metadata={name: "hsearch", **date})
