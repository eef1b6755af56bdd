"""The winning chance of the player to move, as a logistic function of an estimate.

E compares the two circuits but ignores whose turn it is. The next stone is worth
about the same on every board, so the logit is a constant (the tempo) plus a slope
times E as the player to move sees it. Both may change as the board fills, and with
the length of its side::

    logit = tempo + tempo_phase * phase + tempo_side * (side / 11 - 1)
            + (slope + slope_phase * phase + slope_side * (side / 11 - 1)) * e

`e` is -E for Black and E for White, so a positive `e` is good for the player to move;
`phase` is the share of cells that hold stones. For the net, or a tree that uses the net,
`e` is the logit of its own chance for the player to move: the model then corrects chances
that are too high or too low. The result is an estimate for games between equals.
"""

import bisect
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from hsearch.formats import read_shipped, strict
from hsearch.hex import Color, Position
from player.work.statistics import share

FILES = {"circuits": "chance.json", "net": "chance-net.json", "tree": "chance-tree.json"}
SIDE = 11  # of the board on which the terms of the side are 0
SIDES = (7, 13)  # other sides count as the nearer of these two
SCHEMA = "hsearch/chance/1"
LEAST = 0.001  # an estimated chance is between this and 1 minus this


@dataclass(frozen=True, slots=True)
class Model:
    """The weights of the terms; an unused term has weight 0."""

    tempo: float
    slope: float
    tempo_phase: float = 0.0
    slope_phase: float = 0.0
    tempo_side: float = 0.0
    slope_side: float = 0.0

    def chance(self, advantage: float, phase: float, side: float = SIDE) -> float:
        """Return the chance of the player to move, from 0 to 1.

        `advantage` is E, or a logit, as that player sees it; infinite means certain.
        """
        if math.isinf(advantage):
            return 1.0 if advantage > 0 else 0.0
        longer = _longer(side)
        slope = self.slope + self.slope_phase * phase + self.slope_side * longer
        tempo = self.tempo + self.tempo_phase * phase + self.tempo_side * longer
        return logistic(tempo + slope * advantage)


def _longer(side: float) -> float:
    """Return how much longer a side is than that of 11x11, as a fraction of 11."""
    return min(max(side, SIDES[0]), SIDES[1]) / SIDE - 1


def advantage(evaluation: float, turn: Color) -> float:
    """Return E as the player to move sees it: positive is good."""
    return evaluation if turn is Color.WHITE else -evaluation


def phase(position: Position) -> float:
    """Return the share of cells that hold stones."""
    return 1 - position.empty.count() / position.board.size


def calibrate_share(source: str, share: float, position: Position) -> float:
    """Return the calibrated chance of the player to move for a net's or a tree's `share`.

    The shipped model was fitted to games between equals; 0 and 1 stay as they are.
    """
    side = math.sqrt(position.board.size)
    return load_model(source).chance(logit(share), phase(position), side)


def logistic(logit: float) -> float:
    """Return the share whose logit this is."""
    return 1 / (1 + math.exp(-max(-500.0, min(500.0, logit))))


def logit(share: float) -> float:
    """Return ln(share / (1 - share)), infinite for 0 and 1."""
    if not 0 < share < 1:
        return math.inf if share >= 1 else -math.inf
    return math.log(share / (1 - share))


@cache
def load_model(source: str = "circuits") -> Model:
    """Return the shipped model for an estimator, one of `FILES`.

    Raise RuntimeError if its file is missing in this installation.
    """
    return read(read_shipped(FILES[source]))


@dataclass(frozen=True, slots=True)
class _Written:
    """The required fields of a model's file; the others document how it was fitted."""

    schema: str
    weights: Model


def read(text: str) -> Model:
    """Read a model from a file's text. Raise ValueError, naming the field, if it is not one."""
    try:
        thing = strict.read(text, _Written)
    except ValueError as error:
        raise ValueError(f"not a model of chances: {error}") from None
    if thing.schema != SCHEMA:
        raise ValueError(f"not a model of this version: {thing.schema[:40]!r}")
    return thing.weights


def bound(chance: float) -> float:
    """Return a chance moved away from 0 and 1, which would read as certain."""
    return min(1 - LEAST, max(LEAST, chance))


def per_cent(share: float) -> int:
    """Return a chance in whole per cent; 0 and 100 only for exactly 0 and 1."""
    whole = round(round(100 * share, 9))  # makes 1 - (1 - 0.045) equal to 0.045
    return max(1, min(99, whole)) if 0 < share < 1 else whole


# Fit the weights to games that were played: logistic regression.

TERMS = ("tempo", "slope", "tempo_phase", "slope_phase", "tempo_side", "slope_side")
BY_PHASE = TERMS[:4]
STEPS = 100
NEAR = 1e-10
RIDGE = 1e-3  # keeps weights finite when there are few games


@dataclass(frozen=True, slots=True)
class ChanceSample:
    """An open position of a finished game, and how the game ended.

    game       the number of the game; positions of one game are not independent
    side       the length of the board's side
    advantage  E, or the logit of the net, as the player to move sees it
    phase      the share of cells that hold stones
    won        whether the player to move won
    """

    game: int
    side: int
    advantage: float
    phase: float
    won: bool


def fit_model(samples: Sequence[ChanceSample], terms: Sequence[str] = BY_PHASE) -> Model:
    """Return the model of maximum likelihood with these terms, by Newton's method.

    Raise ValueError when there is no position to fit, or a term is unknown.
    """
    unknown = [name for name in terms if name not in TERMS]
    if unknown or not samples:
        raise ValueError(f"no such term: {unknown[0]!r}" if unknown else "no positions to fit")
    indices = [TERMS.index(name) for name in terms]
    features = _features(samples)[:, indices]
    results = np.array([sample.won for sample in samples], float)
    weights = np.zeros(len(indices))
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (results - chance) - RIDGE * weights
        curve = (features.T * (chance * (1 - chance))) @ features + RIDGE * np.eye(len(indices))
        step = np.linalg.solve(curve, slope)
        # Newton's step is too long where the chances are near 0 or 1.
        weights += step * min(1.0, 1.0 / max(float(abs(step).max()), 1e-12))
        if abs(step).max() < NEAR:
            break
    return Model(**{"tempo": 0.0, "slope": 0.0, **dict(zip(terms, weights.tolist(), strict=True))})


def _features(samples: Sequence[ChanceSample]) -> NDArray[np.float64]:
    """Return the values of the terms, one row for each position."""
    advantage = np.array([sample.advantage for sample in samples])
    phase = np.array([sample.phase for sample in samples])
    longer = np.array([_longer(sample.side) for sample in samples])
    columns = [np.ones_like(phase), advantage]
    columns += [phase, phase * advantage, longer, longer * advantage]
    return np.stack(columns, axis=1)


# Compare predicted chances with outcomes, in games that the fit has not seen.

BINS = 10
DRAWS = 2000


@dataclass(frozen=True, slots=True)
class Bin:
    """The positions whose predicted chance, or another value, lies between two numbers.

    low, high    the numbers
    positions    the number of positions
    games        the number of their games
    predicted    their mean predicted chance
    observed     the share of them that the predicted player won
    interval     the 95 % interval of that share, from a bootstrap over whole games, because
                 positions of one game are not independent
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
    return _sort_into_bins(ends, [each.chance for each in predictions], predictions)


def calibrate_favorites(
    model: Model,
    samples: Sequence[ChanceSample],
    values: Sequence[float],
    ends: Sequence[float],
) -> list[Bin]:
    """Return bins by a value of each sample, such as its phase, between ascending `ends`.

    Predicted and observed are those of the favorite, not of the player to move.
    """
    predictions = [_Prediction.of(model, sample).of_favorite for sample in samples]
    return _sort_into_bins(ends, values, predictions)


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


def _sort_into_bins(
    ends: Sequence[float], values: Sequence[float], predictions: Sequence[_Prediction]
) -> list[Bin]:
    """Return the nonempty bins between neighboring ends; the last includes its end."""
    generator = np.random.default_rng(0)
    inside: dict[int, list[_Prediction]] = {}
    for value, prediction in zip(values, predictions, strict=True):
        number = bisect.bisect_right(ends, value) - 1
        inside.setdefault(min(number, len(ends) - 2), []).append(prediction)
    return [
        _bin(ends[number], ends[number + 1], inside[number], generator) for number in sorted(inside)
    ]


def log_loss(model: Model, samples: Sequence[ChanceSample]) -> float:
    """Return the mean surprise of the outcomes in bits a position; predicting 0.5 gives 1.

    Raise ValueError when there are no samples.
    """
    if not samples:
        raise ValueError("no open positions to compare the model with")
    predictions = [_Prediction.of(model, sample) for sample in samples]
    right = [each.chance if each.won else 1 - each.chance for each in predictions]
    return -sum(math.log2(max(chance, 1e-12)) for chance in right) / len(samples)


def _bin(low: float, high: float, inside: list[_Prediction], generator: np.random.Generator) -> Bin:
    games = sorted({each.game for each in inside})
    place = {game: index for index, game in enumerate(games)}
    wins, positions = np.zeros(len(games)), np.zeros(len(games))
    for each in inside:
        positions[place[each.game]] += 1
        wins[place[each.game]] += each.won
    draws = generator.integers(len(games), size=(DRAWS, len(games)))
    shares = wins[draws].sum(axis=1) / positions[draws].sum(axis=1)
    least, most = np.quantile(shares, (0.025, 0.975)).tolist()
    if least == most:  # all outcomes are equal: the bootstrap cannot give an interval
        uniform = share(round(least * len(games)), len(games))
        least, most = uniform.low, uniform.high
    mean = sum(each.chance for each in inside) / len(inside)
    rate = float(wins.sum() / positions.sum())
    return Bin(low, high, len(inside), len(games), mean, rate, (least, most))
