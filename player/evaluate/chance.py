"""The chance of the player to move, as a logistic function of E.

E says how two circuits compare, and leaves out whose turn it is. The player to
move has the next stone, which is worth about as much on every board; so the
logit is a constant, the tempo, and a slope times E as the player to move sees
it, and both may change as the board fills::

    logit = tempo + tempo_phase * phase + (slope + slope_phase * phase) * e

`e` is -E for Black and E for White, so that above 0 is good, and `phase` the
part of the cells that hold stones. It is an estimate of games between equals,
and proves nothing.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from hsearch.formats import strict
from hsearch.formats.shipped import shipped
from hsearch.hex.board import Color
from hsearch.hex.position import Position
from player.work.statistics import share

FILE = "chance.json"
SCHEMA = "hsearch/chance/1"


@dataclass(frozen=True, slots=True)
class Model:
    """The weights of the terms; a term that does not pay has weight 0."""

    tempo: float
    slope: float
    tempo_phase: float = 0.0
    slope_phase: float = 0.0

    def chance(self, advantage: float, phase: float) -> float:
        """Return the chance of the player to move, from 0 to 1.

        `advantage` is E as that player sees it; infinite is a sure thing.
        """
        if math.isinf(advantage):
            return 1.0 if advantage > 0 else 0.0
        slope = self.slope + self.slope_phase * phase
        logit = self.tempo + self.tempo_phase * phase + slope * advantage
        return 1 / (1 + math.exp(-max(-500.0, min(500.0, logit))))


def advantage(evaluation: float, turn: Color) -> float:
    """Return E as the player to move sees it: above 0 is good."""
    return evaluation if turn is Color.WHITE else -evaluation


def phase(position: Position) -> float:
    """Return the part of the cells that hold stones."""
    return 1 - position.empty.count() / position.board.size


def chance(position: Position, evaluation: float) -> float:
    """Return the estimated chance of the player to move at a position whose E is known.

    It is that of games between equals, by the model that comes with the program.
    """
    return shipped_model().chance(advantage(evaluation, position.turn), phase(position))


@cache
def shipped_model() -> Model:
    """Return the model that comes with the program."""
    path = shipped(FILE)
    if path is None:
        raise RuntimeError(f"missing in this installation: positions/{FILE}")
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


# Chances in words: in per cent, of players by name.


def chance_of(color: Color, position: Position, evaluation: float) -> float:
    """Return a player's estimated chance to win at a position whose E is known."""
    mover = chance(position, evaluation)
    return mover if color is position.turn else 1.0 - mover


def per_cent(share: float) -> int:
    """Return a chance in whole per cent; 0 and 100 only if it is that."""
    whole = round(100 * share)
    return max(1, min(99, whole)) if 0 < share < 1 else whole


def both_chances(position: Position, evaluation: float) -> str:
    """Return the estimated chances of both players, as `Black 39 %, White 61 %`."""
    return in_words(chance_of(Color.BLACK, position, evaluation))


def in_words(chance_of_black: float) -> str:
    """Return Black's chance and White's, as `Black 39 %, White 61 %`."""
    black = per_cent(chance_of_black)
    return f"Black {black} %, White {100 - black} %"


# Fit the weights of the chance to games that were played: logistic regression.

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


# Compare chances with what happened, in games that the fit has not seen.

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
