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
from dataclasses import dataclass
from functools import cache

from hsearch.board import Color
from hsearch.files import strict
from hsearch.formats.shipped import shipped
from hsearch.position import Position

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
