"""Positions of many kinds, and what a net says of each: lessons for patterns.

The net plays against itself without search. Each move is drawn, mostly as likely as it says, at
times more evenly, at times from all cells alike: a search will ask about positions after
bad moves, too.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Board, Color
from player.kernels.pattern_fit import WHOLE, Lessons
from player.kernels.playout import AROUND, place_of, set_up
from player.net import Evaluator, Net
from player.net.int8 import Int8Evaluator

MOST_RANDOM = 3  # stones that a game begins with
MOST_FILLED = 0.6  # of the board, at the end of a game
SURE, LAST_SURE = 0.02, 6  # a chance so small ends a game when it was no larger for so many moves
EVEN, ANY = 0.22, 0.13  # part of the moves that are drawn more evenly, and from all cells
EVENER = 0.4  # exponent


@dataclass(frozen=True, slots=True)
class LessonOrigin:
    """What the lessons of a chunk hang on, besides the net."""

    board: Board
    games: int
    seed: int
    number: int
    int8: bool


def make(origin: LessonOrigin, net: Net) -> Lessons:
    """Return the lessons of some games."""
    generator = np.random.default_rng([origin.seed, origin.number])
    board, kind = origin.board, Int8Evaluator if origin.int8 else Evaluator
    asked, found = kind(net, board), _Found(board)
    for _ in range(origin.games):
        _play(asked, found, generator)
    return found.lessons()


class _Found:
    """Lessons as they are collected."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.stones: list[NDArray[np.int8]] = []
        self.turns: list[int] = []
        self.lasts: list[int] = []
        self.values: list[float] = []
        self.policy: list[NDArray[np.uint16]] = []

    def add(
        self, stones: NDArray[np.int8], last: int, value: float, policy: NDArray[np.float64]
    ) -> None:
        self.stones.append(in_rim(stones, self.board))
        self.turns.append(int((stones > 0).sum()) % 2)
        self.lasts.append(-1 if last < 0 else place_of(last, self.board.columns))
        self.values.append(value)
        self.policy.append(np.round(policy * WHOLE).astype(np.uint16))

    def lessons(self) -> Lessons:
        return Lessons(
            np.array(self.stones, np.int8),
            np.array(self.turns, np.int8),
            np.array(self.lasts, np.int32),
            np.array(self.values, np.float32),
            np.array(self.policy, np.uint16),
        )


def _play(asked: Evaluator | Int8Evaluator, found: _Found, generator: np.random.Generator) -> None:
    size = asked.board.size
    stones, last, sure = np.zeros(size, np.int8), -1, 0
    count = min(int(generator.integers(MOST_RANDOM + 1)), size - 1)
    for number, cell in enumerate(generator.choice(size, count, replace=False).tolist()):
        stones[cell], last = 1 + number % 2, cell
    while count < MOST_FILLED * size and sure < LAST_SURE:
        policy, value = asked.advise(stones, Color(count % 2))
        policy /= policy.sum()
        found.add(stones, last, value, policy)
        sure = sure + 1 if min(value, 1 - value) < SURE else 0
        last = _drawn(policy, stones, generator)
        stones[last] = 1 + count % 2
        count += 1


def _drawn(
    policy: NDArray[np.float64], stones: NDArray[np.int8], generator: np.random.Generator
) -> int:
    """Return a move by chance."""
    kind = generator.random()
    if kind < ANY:
        policy = (stones == 0).astype(float)
    elif kind < ANY + EVEN:
        policy = policy**EVENER
    return int(generator.choice(policy.size, p=policy / policy.sum()))


def in_rim(stones: NDArray[np.int8], board: Board) -> NDArray[np.int8]:
    """Return the stones of all cells in a rim, as `player.kernels.playout` has it."""
    rim = np.zeros((board.columns + 2) * (board.rows + 2), np.int8)
    steps, spots = np.zeros(AROUND, np.int64), np.zeros(rim.size, np.int64)
    set_up(board.columns, board.rows, stones, rim, steps, np.zeros(board.size, np.int64), spots)
    return rim


def turned(lessons: Lessons, chosen: NDArray[np.bool_]) -> Lessons:
    """Return lessons, those that are chosen turned by half, of which all is as true."""
    stones, policy, lasts = lessons.stones.copy(), lessons.policy.copy(), lessons.lasts.copy()
    stones[chosen], policy[chosen] = stones[chosen, ::-1], policy[chosen, ::-1]
    moved = chosen & (lasts >= 0)
    lasts[moved] = stones.shape[1] - 1 - lasts[moved]
    return lessons._replace(stones=stones, policy=policy, lasts=lasts)
