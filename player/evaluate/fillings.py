"""Odds of a position by random fillings: who wins how often, and which cells matter."""

import enum
import math
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hsearch.hex.board import Cell, Color
from hsearch.hex.position import Position
from player.kernels import critical, fillings


def black_share(position: Position) -> int:
    """Return how many empty cells get black when the colors alternate from here."""
    empty: int = position.empty.count()
    return (empty + (position.turn is Color.BLACK)) // 2


# Random fillings by the hundred million, on several threads.

# This many fillings are drawn at once.
BATCH = int(fillings.BATCH)
# Fewer batches than this a thread are not worth waking it.
WORTH_A_THREAD = 64


class FillingMethod(enum.Enum):
    """Kinds of fillings to draw, and what is counted in them.

    LOSING    a coin a cell; cells of the losing color (Payne and Robeva)
    CRITICAL  a coin a cell; critical cells: for the best cell ten times less variance
    BALANCED  colors alternate to the end (Cohen); critical cells
    """

    LOSING = "losing"
    CRITICAL = "critical"
    BALANCED = "balanced"


class Sampler:
    """Random fillings of a position, as many as wanted so far; holds the counts.

    What it finds depends on the generator's state and the number of fillings
    alone: neither on the threads nor on the steps in which they were asked for.
    """

    def __init__(
        self,
        position: Position,
        rng: np.random.Generator,
        *,
        method: FillingMethod = FillingMethod.CRITICAL,
        threads: int | None = None,
    ) -> None:
        self.position, self.method = position, method
        self._threads = threads or os.cpu_count() or 1
        self._key = rng.integers(2**64, dtype=np.uint64)
        self._cells = np.fromiter(position.empty.search(1), np.int64)
        self._batches = 0
        # A count for each empty cell, the last one for Black's wins; below, their squares by batch.
        self._counts = np.zeros((2, len(self._cells) + 1), np.uint64)

    @property
    def fillings(self) -> int:
        """The number of fillings drawn so far."""
        return self._batches * BATCH

    def draw(self, count: int) -> None:
        """Draw this many fillings more, rounded up to whole batches of 1,024."""
        batches = -(-count // BATCH)
        parts = max(1, min(self._threads, batches // WORTH_A_THREAD))
        marks = [self._batches + batches * part // parts for part in range(parts + 1)]
        if parts == 1:
            counts = [self._count(*marks)]
        else:
            with ThreadPoolExecutor(parts) as executor:
                counts = list(executor.map(lambda span: self._count(*span), pairwise(marks)))
        self._counts += sum(counts)
        self._batches += batches

    def odds(self) -> "Odds":
        """Return what the fillings say so far. Raise ValueError if there are none."""
        if not self.fillings:
            raise ValueError("no fillings drawn")
        shares = self._counts[0] / self.fillings
        variance = shares * (1 - shares)
        if self.method is FillingMethod.BALANCED and self._batches > 1:
            # The fillings of a batch have something in common: see `player.kernels.fillings`.
            squares = self._counts[1] / (self._batches * BATCH)
            spread = (squares - BATCH * shares**2) * self._batches / (self._batches - 1)
            variance = np.maximum(variance, spread)
        errors = np.sqrt(variance / self.fillings)
        *shares, black = shares.tolist()
        *errors, error = errors.tolist()
        if self.method is FillingMethod.LOSING:
            # Chance may leave an estimate below zero, which no share is.
            shares = [max(0.0, 1 - 2 * share) for share in shares]
            errors = [2 * error for error in errors]
        cells = self._cells.tolist()
        return Odds(
            self.position,
            black,
            dict(zip(cells, shares, strict=True)),
            fillings=self.fillings,
            balanced=self.method is FillingMethod.BALANCED,
            error=error,
            errors=dict(zip(cells, errors, strict=True)),
        )

    def _count(self, first: int, last: int) -> NDArray[np.uint64]:
        board, empty = self.position.board, len(self._cells)
        words = _aligned(empty * int(fillings.LANES))
        counts, squares = rows = np.zeros((2, empty + 1), np.uint64)
        where = (planes(self.position), words, places(self.position), board.columns, board.rows)
        if self.method is FillingMethod.LOSING:
            fillings.count_losing(*where, self._key, first, last, counts)
        else:
            blacks = black_share(self.position) if self.method is FillingMethod.BALANCED else -1
            critical.count_critical(*where, blacks, self._key, first, last, counts, squares)
        return rows


def sample(
    position: Position,
    count: int,
    rng: np.random.Generator,
    *,
    method: FillingMethod = FillingMethod.CRITICAL,
    threads: int | None = None,
) -> "Odds":
    """Draw fillings of a position and return what they say.

    Raise ValueError when there is nothing to draw: fewer than one.
    """
    if count < 1:
        raise ValueError(f"not a number of fillings: {count}")
    sampler = Sampler(position, rng, method=method, threads=threads)
    sampler.draw(count)
    return sampler.odds()


def places(position: Position) -> NDArray[np.int64]:
    """Return where the words of each empty cell start in a plane."""
    starts = (_start(position, cell) for cell in position.empty.search(1))
    return np.fromiter(starts, np.int64)


def _start(position: Position, cell: Cell) -> int:
    """Return where a cell starts in a plane, or, of the number after the last, the row below."""
    row, column = divmod(cell, position.board.columns)
    return (row + 1) * int(fillings.STRIDE) + (column + 1) * int(fillings.LANES)


def planes(position: Position) -> NDArray[np.uint64]:
    """Return planes with the stones in, and the black row below the board."""
    board, lanes = position.board, int(fillings.LANES)
    space = _aligned(fillings.PLANES * int(fillings.PLANE))
    for plane in (fillings.FILLING, fillings.WORK, fillings.WORK_TOO):
        below = int(plane) + _start(position, board.size)
        space[below : below + board.columns * lanes] = ~np.uint64(0)
    for cell in position.black.search(1):
        at = int(fillings.FILLING) + _start(position, cell)
        space[at : at + lanes] = ~np.uint64(0)
    return space


def _aligned(length: int) -> NDArray[np.uint64]:
    """Return zeros that start at a multiple of 64 bytes: a cache line, a wide register."""
    longer = np.zeros(length + 8, np.uint64)
    first = -longer.ctypes.data % 64 // 8
    return longer[first : first + length]


# The odds.

# Two cells are distinct when their difference is this many standard errors.
APART = 3.0
# No sum of doubles in the exact pass is off by more: see `player.evaluate.exact`.
ROUNDING = 3e-11


@dataclass(frozen=True, slots=True)
class Odds:
    """Results of the fillings of a position.

    position  the stones; the turn matters to balanced fillings only
    black     the share of fillings that Black wins
    critical  how often each empty cell is critical: its color decides the winner
    fillings  how many were drawn; None if all were counted
    balanced  whether the colors alternate to the end; else a coin tells each cell
    error     the standard error of `black`, 0 if all were counted
    errors    those of `critical`
    """

    position: Position
    black: float
    critical: Mapping[Cell, float]
    fillings: int | None = None
    balanced: bool = False
    error: float = 0.0
    errors: Mapping[Cell, float] | None = None

    @property
    def is_exact(self) -> bool:
        """Whether all fillings were counted, so that nothing is left to chance."""
        return self.fillings is None

    def chance(self, color: Color) -> float:
        """Return a player's share of the fillings: with a coin, the chance at random turns."""
        return self.black if color is Color.BLACK else 1.0 - self.black

    def losing(self, cell: Cell) -> float:
        """Return how often a cell gets the losing color, the L_H of Payne and Robeva.

        Raise ValueError for balanced fillings, where criticality does not tell.
        """
        if self.balanced:
            raise ValueError("balanced fillings do not tell how often a cell loses")
        return (1.0 - self.critical[cell]) / 2.0

    def ranked(self) -> list[Cell]:
        """Return the empty cells, the most often critical first."""
        return sorted(self.critical, key=lambda cell: (-self.critical[cell], cell))

    def best(self) -> list[Cell]:
        """Return the cells that may be the best, as far as error allows to tell."""
        ranked = self.ranked()
        return [cell for cell in ranked if not self.is_apart(ranked[0], cell)]

    def is_apart(self, better: Cell, worse: Cell) -> bool:
        """Return whether one cell is critical more often than another beyond doubt."""
        gap = self.critical[better] - self.critical[worse]
        if self.errors is None:
            return gap > 2 * ROUNDING
        return gap > APART * math.hypot(self.errors[better], self.errors[worse])
