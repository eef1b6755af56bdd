"""Odds of a position from random fillings: each player's chance, and the critical cells."""

import enum
import math
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hsearch.hex import Cell, Color, Position
from player.kernels import critical, fillings


def black_share(position: Position) -> int:
    """Return how many empty cells become black if the colors alternate from here."""
    empty: int = position.empty.count()
    return (empty + (position.turn is Color.BLACK)) // 2


# Random fillings by the hundred million, on several threads.

# Fillings that are drawn at once.
BATCH = int(fillings.BATCH)
# Batches for a thread, at least: with fewer, starting it does not pay.
WORTH_A_THREAD = 64
# Batches of balanced fillings, at least: their error is computed from how much batches differ.
LEAST_BALANCED = 8


class FillingMethod(enum.Enum):
    """Kinds of fillings to draw, and what to count in them.

    LOSING    a coin for each cell; counts cells of the losing color (Payne and Robeva)
    CRITICAL  a coin for each cell; counts critical cells (best cell: a tenth of the variance)
    BALANCED  colors alternate to the end (Cohen); counts critical cells
    """

    LOSING = "losing"
    CRITICAL = "critical"
    BALANCED = "balanced"


class Sampler:
    """Counts from the random fillings of a position drawn so far.

    They depend only on the generator's state and the number of fillings, not on
    the number of threads or on how the fillings are divided into calls of `draw`.
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
        self._batches = self._wanted = 0
        # Row 0: a count for each empty cell, then Black's wins. Row 1: sums of squares by batch.
        self._counts = np.zeros((2, len(self._cells) + 1), np.uint64)

    @property
    def fillings(self) -> int:
        """The number of fillings drawn so far."""
        return self._batches * BATCH

    def draw(self, count: int) -> None:
        """Draw this many more fillings, rounded up to whole batches of 1,024.

        Balanced ones are at least 8 batches in all, since fewer do not show their error.
        """
        self._wanted += -(-count // BATCH)
        least = LEAST_BALANCED if self.method is FillingMethod.BALANCED else 0
        batches = max(self._wanted, least) - self._batches
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
        """Return the odds from the fillings so far. Raise ValueError if there are none."""
        if not self.fillings:
            raise ValueError("no fillings drawn")
        shares = self._counts[0] / self.fillings
        # Where all fillings drawn are alike, the next one may still differ.
        variance = np.maximum(shares * (1 - shares), 1 / self.fillings)
        if self.method is FillingMethod.BALANCED:
            # The fillings of a batch are not independent: see `player.kernels.fillings`.
            squares = self._counts[1] / (self._batches * BATCH)
            spread = (squares - BATCH * shares**2) * self._batches / (self._batches - 1)
            variance = np.maximum(variance, spread)
        errors = np.sqrt(variance / self.fillings)
        *shares, black = shares.tolist()
        *errors, error = errors.tolist()
        if self.method is FillingMethod.LOSING:
            # By chance an estimate may be below zero, which a share cannot be. Taking 0 instead
            # raises the mean of a share near zero, by at most 0.4 standard errors.
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
        words = _allocate(empty * int(fillings.LANES))
        counts, squares = rows = np.zeros((2, empty + 1), np.uint64)
        where = (planes(self.position), words, places(self.position), board.columns, board.rows)
        blacks = black_share(self.position) if self.method is FillingMethod.BALANCED else -1
        batches = fillings.Batches(self._key, first, last, blacks)
        if self.method is FillingMethod.LOSING:
            fillings.count_losing(*where, batches, counts)
        else:
            critical.count_critical(*where, batches, counts, squares)
        return rows


def sample(
    position: Position,
    count: int,
    rng: np.random.Generator,
    *,
    method: FillingMethod = FillingMethod.CRITICAL,
    threads: int | None = None,
) -> "Odds":
    """Draw fillings of a position and return its odds.

    Raise ValueError when `count` is less than 1.
    """
    if count < 1:
        raise ValueError(f"not a number of fillings: {count}")
    sampler = Sampler(position, rng, method=method, threads=threads)
    sampler.draw(count)
    return sampler.odds()


def places(position: Position) -> NDArray[np.int64]:
    """Return the index in a plane of the first word of each empty cell."""
    starts = (_start(position, cell) for cell in position.empty.search(1))
    return np.fromiter(starts, np.int64)


def _start(position: Position, cell: Cell) -> int:
    """Return the index of a cell's first word in a plane; `board.size` starts the row below."""
    row, column = divmod(cell, position.board.columns)
    return (row + 1) * int(fillings.STRIDE) + (column + 1) * int(fillings.LANES)


def planes(position: Position) -> NDArray[np.uint64]:
    """Return planes that hold the stones and a black row below the board."""
    board, lanes = position.board, int(fillings.LANES)
    space = _allocate(fillings.PLANES * int(fillings.PLANE))
    for plane in (fillings.FILLING, fillings.WORK, fillings.WORK_TOO):
        below = int(plane) + _start(position, board.size)
        space[below : below + board.columns * lanes] = ~np.uint64(0)
    for cell in position.black.search(1):
        at = int(fillings.FILLING) + _start(position, cell)
        space[at : at + lanes] = ~np.uint64(0)
    return space


def _allocate(length: int) -> NDArray[np.uint64]:
    """Return zeros aligned to 64 bytes: a cache line, and the widest register."""
    longer = np.zeros(length + 8, np.uint64)
    first = -longer.ctypes.data % 64 // 8
    return longer[first : first + length]


# The odds.

# Two cells differ significantly if their shares are this many standard errors apart.
APART = 3.0
# Bound on the rounding error of each sum in the exact pass: see `player.evaluate.exact`.
ROUNDING = 3e-11


@dataclass(frozen=True, slots=True)
class Odds:
    """Results of the fillings of a position.

    position  the stones; the turn matters only to balanced fillings
    black     the share of fillings that Black wins
    critical  the share of fillings in which each empty cell is critical: its color decides
    fillings  how many were drawn; None if all were counted
    balanced  whether the colors alternate to the end; else a coin decides each cell
    error     the standard error of `black`, 0 if all were counted
    errors    the standard errors of `critical`, None if all were counted
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
        """Whether all fillings were counted, not sampled."""
        return self.fillings is None

    def chance(self, color: Color) -> float:
        """Return a player's share of the fillings: unless balanced, the chance at random turns."""
        return self.black if color is Color.BLACK else 1.0 - self.black

    def chance_after(self, cell: Cell, color: Color) -> float:
        """Return a player's chance at random turns after a move of this player at a cell.

        Raise ValueError for balanced fillings.
        """
        if self.balanced:
            raise ValueError("balanced fillings do not give the chance after a move")
        return self.chance(color) + self.critical[cell] / 2

    def losing(self, cell: Cell) -> float:
        """Return how often a cell has the losing color, the L_H of Payne and Robeva.

        Raise ValueError for balanced fillings: there it does not follow from criticality.
        """
        if self.balanced:
            raise ValueError("balanced fillings do not give how often a cell loses")
        return (1.0 - self.critical[cell]) / 2.0

    def rank(self) -> list[Cell]:
        """Return the empty cells, most often critical first."""
        return sorted(self.critical, key=lambda cell: (-self.critical[cell], cell))

    def best(self) -> list[Cell]:
        """Return the cells that may be the best, within the standard errors."""
        cells = self.rank()
        return [cell for cell in cells if not self.is_apart(cells[0], cell)]

    def is_apart(self, better: Cell, worse: Cell) -> bool:
        """Return whether one cell is critical significantly more often than another."""
        gap = self.critical[better] - self.critical[worse]
        if self.errors is None:
            return gap > 2 * ROUNDING
        return gap > APART * math.hypot(self.errors[better], self.errors[worse])
