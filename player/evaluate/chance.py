"""The chance of the player to move, as a logistic function of what an estimator makes of it.

The circuits have E, which says how they compare and leaves out whose turn it is. The
player to move has the next stone, which is worth about as much on every board; so the
logit is a constant, the tempo, and a slope times E as the player to move sees it, and
both may change as the board fills, and with the length of its side::

    logit = tempo + tempo_phase * phase + tempo_side * (side / 11 - 1)
            + (slope + slope_phase * phase + slope_side * (side / 11 - 1)) * e

`e` is -E for Black and E for White, so that above 0 is good, and `phase` the part of
the cells that hold stones. Of the net, or of a tree that asks it, `e` is the logit of the
mover's chance as they have it: the model then makes good what they promise too much or too
little. It is an estimate of games between equals, and proves nothing.
"""

import bisect
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from hsearch.formats import strict
from hsearch.formats.files import shipped
from hsearch.hex.board import Color
from hsearch.hex.position import Position
from player.work.statistics import share

FILES = {"circuits": "chance.json", "net": "chance-net.json", "tree": "chance-tree.json"}
SIDE = 11  # of the board on which the terms of the side are 0
SIDES = (7, 13)  # beyond these the terms of the side are as at the end
SCHEMA = "hsearch/chance/1"
LEAST = 0.001  # of an estimated chance


@dataclass(frozen=True, slots=True)
class Model:
    """The weights of the terms; a term that does not pay has weight 0."""

    tempo: float
    slope: float
    tempo_phase: float = 0.0
    slope_phase: float = 0.0
    tempo_side: float = 0.0
    slope_side: float = 0.0

    def chance(self, advantage: float, phase: float, side: float = SIDE) -> float:
        """Return the chance of the player to move, from 0 to 1.

        `advantage` is E, or a logit, as that player sees it; infinite is a sure thing.
        """
        if math.isinf(advantage):
            return 1.0 if advantage > 0 else 0.0
        longer = _longer(side)
        slope = self.slope + self.slope_phase * phase + self.slope_side * longer
        tempo = self.tempo + self.tempo_phase * phase + self.tempo_side * longer
        odds = tempo + slope * advantage
        return 1 / (1 + math.exp(-max(-500.0, min(500.0, odds))))


def _longer(side: float) -> float:
    """Return by which part a side is longer than that of 11x11."""
    return min(max(side, SIDES[0]), SIDES[1]) / SIDE - 1


def advantage(evaluation: float, turn: Color) -> float:
    """Return E as the player to move sees it: above 0 is good."""
    return evaluation if turn is Color.WHITE else -evaluation


def phase(position: Position) -> float:
    """Return the part of the cells that hold stones."""
    return 1 - position.empty.count() / position.board.size


def calibrated(source: str, share: float, position: Position) -> float:
    """Return the chance of the player to move that the net's or the tree's `share` stands for.

    It is that of games between equals, by the model that comes with the program; 0 and 1 stay.
    """
    side = math.sqrt(position.board.size)
    return shipped_model(source).chance(logit(share), phase(position), side)


def logit(share: float) -> float:
    """Return ln(share / (1 - share)), infinite for 0 and 1."""
    if not 0 < share < 1:
        return math.inf if share >= 1 else -math.inf
    return math.log(share / (1 - share))


@cache
def shipped_model(source: str = "circuits") -> Model:
    """Return the model that comes with the program for an estimator, one of `FILES`."""
    path = shipped(FILES[source])
    if path is None:
        raise RuntimeError(f"missing in this installation: positions/{FILES[source]}")
    return read(path.read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class _Written:
    """Fields of a model's file that are needed; the rest says how it was found."""

    schema: str
    weights: Model


def read(text: str) -> Model:
    """Return the model of a file. Raise ValueError, naming the field, when it is none."""
    try:
        thing = strict.read(text, _Written)
    except ValueError as error:
        raise ValueError(f"no model of chances: {error}") from None
    if thing.schema != SCHEMA:
        raise ValueError(f"no model of this version: {thing.schema[:40]!r}")
    return thing.weights


def bounded(chance: float) -> float:
    """Return a chance that promises nothing: neither 0 nor 1."""
    return min(1 - LEAST, max(LEAST, chance))


def per_cent(share: float) -> int:
    """Return a chance in whole per cent; 0 and 100 only if it is that."""
    whole = round(round(100 * share, 9))  # so that 1 - (1 - 0.045) is as 0.045
    return max(1, min(99, whole)) if 0 < share < 1 else whole


# Fit the weights of the chance to games that were played: logistic regression.

TERMS = ("tempo", "slope", "tempo_phase", "slope_phase", "tempo_side", "slope_side")
BY_PHASE = TERMS[:4]
STEPS = 100
NEAR = 1e-10
RIDGE = 1e-3  # keeps weights finite where the games are few


@dataclass(frozen=True, slots=True)
class ChanceSample:
    """An open position of a finished game, and how the game ended.

    game       the number of the game; positions of one game stand or fall together
    side       of the board
    advantage  E, or the logit of the net, as the player to move saw it
    phase      the part of the cells that held stones
    won        whether the player to move won
    """

    game: int
    side: int
    advantage: float
    phase: float
    won: bool


def fitted(samples: Sequence[ChanceSample], terms: Sequence[str] = BY_PHASE) -> Model:
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
    longer = np.array([_longer(sample.side) for sample in samples])
    columns = [np.ones_like(phase), advantage]
    columns += [phase, phase * advantage, longer, longer * advantage]
    return np.stack(columns, axis=1)


# Compare chances with what happened, in games that the fit has not seen.

BINS = 10
DRAWS = 2000


@dataclass(frozen=True, slots=True)
class Bin:
    """The positions whose predicted chance, or something else, lies between two numbers.

    low, high    the numbers
    positions    how many, and of how many different `games`
    predicted    their mean chance
    observed     the share that the player to move won
    interval     where that share lies with 95 %, whole games drawn again and again: positions
                 of one game are not independent tries
    """

    low: float
    high: float
    positions: int
    games: int
    predicted: float
    observed: float
    interval: tuple[float, float]


def calibrate(model: Model, samples: Sequence[ChanceSample]) -> list[Bin]:
    """Return the bins that hold positions, from low chances to high ones."""
    predictions = [_Prediction.of(model, sample) for sample in samples]
    ends = [number / BINS for number in range(BINS + 1)]
    return _sorted_in(ends, [each.chance for each in predictions], predictions)


def calibrate_favorites(
    model: Model,
    samples: Sequence[ChanceSample],
    values: Sequence[float],
    ends: Sequence[float],
) -> list[Bin]:
    """Return bins by a value of each sample, such as its phase, between rising `ends`.

    Predicted and observed are those of the player who is thought to win, whoever is to move.
    """
    predictions = [_Prediction.of(model, sample).of_favorite for sample in samples]
    return _sorted_in(ends, values, predictions)


@dataclass(frozen=True, slots=True)
class _Prediction:
    """A predicted chance of a player, and whether that player won."""

    game: int
    chance: float
    won: bool

    @classmethod
    def of(cls, model: Model, sample: ChanceSample) -> "_Prediction":
        chance = model.chance(sample.advantage, sample.phase, sample.side)
        return cls(sample.game, chance, sample.won)

    @property
    def of_favorite(self) -> "_Prediction":
        if self.chance >= 0.5:
            return self
        return _Prediction(self.game, 1 - self.chance, not self.won)


def _sorted_in(
    ends: Sequence[float], values: Sequence[float], predictions: Sequence[_Prediction]
) -> list[Bin]:
    """Return a bin for each two neighboring ends with values between; the last end is inside."""
    generator = np.random.default_rng(0)
    inside: dict[int, list[_Prediction]] = {}
    for value, prediction in zip(values, predictions, strict=True):
        number = bisect.bisect_right(ends, value) - 1
        inside.setdefault(min(number, len(ends) - 2), []).append(prediction)
    return [
        _bin(ends[number], ends[number + 1], inside[number], generator) for number in sorted(inside)
    ]


def log_loss(model: Model, samples: Sequence[ChanceSample]) -> float:
    """Return how surprising the outcomes are, in bits a position; 1 means no knowledge at all.

    Raise ValueError when there are none.
    """
    if not samples:
        raise ValueError("no open positions to hold it to")
    predictions = [_Prediction.of(model, sample) for sample in samples]
    right = [each.chance if each.won else 1 - each.chance for each in predictions]
    return -sum(math.log2(max(chance, 1e-12)) for chance in right) / len(samples)


def _bin(low: float, high: float, inside: list[_Prediction], generator: np.random.Generator) -> Bin:
    games = sorted({each.game for each in inside})
    place = {game: index for index, game in enumerate(games)}
    won, positions = np.zeros(len(games)), np.zeros(len(games))
    for each in inside:
        positions[place[each.game]] += 1
        won[place[each.game]] += each.won
    drawn = generator.integers(len(games), size=(DRAWS, len(games)))
    shares = won[drawn].sum(axis=1) / positions[drawn].sum(axis=1)
    least, most = np.quantile(shares, (0.025, 0.975)).tolist()
    if least == most:  # all alike, which drawing them again cannot change
        alike = share(round(least * len(games)), len(games))
        least, most = alike.low, alike.high
    mean = sum(each.chance for each in inside) / len(inside)
    observed = float(won.sum() / positions.sum())
    return Bin(low, high, len(inside), len(games), mean, observed, (least, most))
