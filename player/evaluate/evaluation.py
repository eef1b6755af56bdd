"""Evaluation of a position, and what all evaluators say when it is won."""

import math
from dataclasses import dataclass

import numpy as np

from hsearch.board import Color
from hsearch.position import Position
from hsearch.position.frame import Frame
from player.kernels.distances import FAR, path_length


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Measures of an evaluator for each player, and the evaluation made of them.

    black, white  the measures, in the evaluator's own units
    evaluation    negative is good for Black, -inf if Black has won, inf if White has
    """

    black: float
    white: float
    evaluation: float

    def __str__(self) -> str:
        better = "neither player"
        if self.evaluation:
            better = "Black" if self.evaluation < 0 else "White"
        measures = f"Black {self.black:g}, White {self.white:g}"
        return f"{self.evaluation:+.2f}, an estimate that favors {better} ({measures})."


def frames(position: Position) -> tuple[Frame, Frame]:
    """Return how Black sees a position, and how White does."""
    return Frame.of(position, Color.BLACK), Frame.of(position, Color.WHITE)


def weighed(sides: tuple[Frame, Frame], black: float, white: float, value: float) -> Evaluation:
    """Return the evaluation of a value, infinite if the position is won."""
    paths = [path(side)[0] for side in sides]
    if 0 in paths:
        value = math.copysign(math.inf, paths[0] - paths[1])
    return Evaluation(black, white, value)


def path(side: Frame) -> tuple[float, np.ndarray]:
    """Return the empty cells on a player's shortest path, and on those to each cell.

    Infinite where there is no path.
    """
    distances = np.empty(side.stones.size)
    length = path_length(side.columns, side.rows, side.stones, distances)
    distances[distances == FAR] = math.inf
    return finite(length), distances


def finite(length: int) -> float:
    """Return a kernel's length, with `FAR` as infinity."""
    return math.inf if length == FAR else length
