"""Compare chances with what happened, in games that the fit has not seen."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from player.chance.fit import ChanceSample
from player.chance.model import Model
from player.statistics import share

BINS = 10
DRAWS = 2000


@dataclass(frozen=True, slots=True)
class Bin:
    """The positions whose predicted chance lies between two numbers.

    low, high    the numbers
    positions    how many, and of how many different `games`
    predicted    their mean chance
    observed     the share that the player to move won
    interval     where that share lies with 95 %, whole games drawn again and again: positions
                 of one game are no independent tries
    """

    low: float
    high: float
    positions: int
    games: int
    predicted: float
    observed: float
    interval: tuple[float, float]


def calibrate(model: Model, samples: Sequence[ChanceSample], *, seed: int = 0) -> list[Bin]:
    """Return the bins that hold positions, from low chances to high ones."""
    generator = np.random.default_rng(seed)
    sorted_in: dict[int, list[tuple[ChanceSample, float]]] = {}
    for sample in samples:
        predicted = model.chance(sample.advantage, sample.phase)
        sorted_in.setdefault(min(BINS - 1, int(BINS * predicted)), []).append((sample, predicted))
    return [_bin(number, sorted_in[number], generator) for number in sorted(sorted_in)]


def log_loss(model: Model, samples: Sequence[ChanceSample]) -> float:
    """Return how surprising the outcomes are, in bits a position; 1 is no knowledge at all.

    Raise ValueError when there are none.
    """
    if not samples:
        raise ValueError("no open positions to hold it to")
    chances = [model.chance(sample.advantage, sample.phase) for sample in samples]
    right = [
        chance if sample.won else 1 - chance
        for chance, sample in zip(chances, samples, strict=True)
    ]
    return -sum(math.log2(max(chance, 1e-12)) for chance in right) / len(samples)


def _bin(
    number: int, inside: list[tuple[ChanceSample, float]], generator: np.random.Generator
) -> Bin:
    games = sorted({sample.game for sample, _ in inside})
    place = {game: index for index, game in enumerate(games)}
    won, positions = np.zeros(len(games)), np.zeros(len(games))
    for sample, _ in inside:
        positions[place[sample.game]] += 1
        won[place[sample.game]] += sample.won
    drawn = generator.integers(len(games), size=(DRAWS, len(games)))
    shares = won[drawn].sum(axis=1) / positions[drawn].sum(axis=1)
    low, high = np.quantile(shares, (0.025, 0.975)).tolist()
    if low == high:  # all alike, which drawing them again cannot change
        alike = share(round(low) * len(games), len(games))
        low, high = alike.low, alike.high
    return Bin(
        number / BINS,
        (number + 1) / BINS,
        len(inside),
        len(games),
        sum(predicted for _, predicted in inside) / len(inside),
        float(won.sum() / positions.sum()),
        (low, high),
    )
