"""Hex in which a coin tells who moves (Peres, Schramm, Sheffield and Wilson 2007).

The best cell is the same for both players: the one most often critical in
random fillings. Where several are equally good, any will do.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np

from hsearch.board import Cell, Color
from hsearch.position import Position, winner
from player.fillings import Odds, count

Weigh = Callable[[Position], Odds]


@dataclass(frozen=True, slots=True)
class CoinTurn:
    """A move that a coin allowed."""

    color: Color
    cell: Cell


def expected_turns(position: Position) -> Fraction:
    """Return how many turns the best play takes on average, exactly.

    Of equally good cells the first is played. The work doubles with every empty
    cell or less: 0.2 s for 4x4, 11 s for 5x5.
    """
    known: dict[Position, Fraction] = {}

    def solve(now: Position) -> Fraction:
        if winner(now) is not None:
            return Fraction(0)
        if now not in known:
            critical = count(now).critical
            best = max(critical, key=critical.__getitem__)
            known[now] = 1 + sum(solve(now.put(best, color)) for color in Color) / Fraction(2)
        return known[now]

    return solve(position)


def play(position: Position, rng: np.random.Generator, weigh: Weigh) -> list[CoinTurn]:
    """Return a game of best play to its end, with a coin and `weigh` to find the best cells."""
    turns = []
    while winner(position) is None:
        cell = int(rng.choice(weigh(position).best()))
        turn = CoinTurn(Color(int(rng.integers(2))), cell)
        position = position.put(cell, turn.color)
        turns.append(turn)
    return turns


def average(lengths: Sequence[int]) -> tuple[float, float]:
    """Return the mean of some games' lengths, and its standard error.

    Raise ValueError for fewer than two games, which tell no error.
    """
    if len(lengths) < 2:
        raise ValueError(f"too few games for a standard error: {len(lengths)}")
    return float(np.mean(lengths)), float(np.std(lengths, ddof=1)) / sqrt(len(lengths))
