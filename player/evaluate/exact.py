"""Exact odds of a position: all fillings counted, by kernels or in whole numbers."""

import hashlib
import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsearch.formats.files import write_whole
from hsearch.hex import Cell, Color, Position
from hsearch.kernels import stop
from hsearch.kernels.folder import user_folder
from player.evaluate.fillings import BATCH, ROUNDING, FillingMethod, Odds, Sampler, black_share
from player.kernels import frontier

Onward: TypeAlias = NDArray[np.int32]

# Transition tables of the exact pass, one for each board width.
#
# Building takes 0.1 s for width 11 (3 MB) and 1.5 s for width 13 (24 MB), so tables
# are cached in the user's cache folder. Their contents are known in advance: a file
# is used only if its digest is listed below, and is otherwise built again.

DIGESTS = (  # of widths 1, 2, ...; a test builds the tables and compares
    "7e8d5b72d290ba59f0edbe3d6f961eea1a534c250a6ef2cac5b85c0c2111735f",
    "056889a8ddc854e363c69101beac4e630839402943c4ded6d929014fbc4a0b0c",
    "a22ed668efb790625494763d2d2e59427cebd5ecd9e57d8e8787171ea9a444ce",
    "b2d52689dcb9bda5d9b80622a27d605cbd24f60a9955715ee3b351f763a8dadd",
    "a921779fdeacf2fa85c6258566a24af99766de1feaf83a872fec98e2b6900b31",
    "d14221c0c0936dd0a0edd56b5d3e8ab5844cf62e4b9cca62617a89574eca00a3",
    "54200f5dc3ad6b247bd2118d1bfc59b8f64b1b71036260dc9c9e4c66f132815d",
    "c1611f5505b8a98431c454b8da932dd8e5d9d4700b5ada2f56233c119bed4a65",
    "ef7ec3f5685256bc41e93cefb173245db20bac1403dc4f6eda7a071928d2ee7d",
    "127eacab7a3c6b953bc46ff615e1f461ca9b5e722a164024c80529410257ca67",
    "f3a1d2161d1bc6b2e0749bc06e9b9b6d14c65920114b35b2f458f773f0485447",
    "9e114bb3e8c6447df54c94d3b43928091f2e7be467765b71d8de2ed8cce9c3ae",
    "fc5653980ef077d1cdf2bae1ece68235d851900274ac188b14889b7bebf48063",
)
MAX_WIDTH = len(DIGESTS)
_KEPT = np.dtype("<i4")
_MOST_BYTES = 25_000_000


@cache
def onward(width: int) -> Onward:
    """Return the next state of a board's frontier by color, column and state."""
    path = user_folder() / f"frontier-{width}.table"
    table = read(path, width)
    if table is None:
        table = build(width)
        write(path, table)
    return table


def build(width: int) -> Onward:
    """Build a table; `onward` looks for a cached one first."""
    slots = 1 << 10
    while True:
        codes, keys = np.zeros(slots // 2, np.int64), np.zeros(slots, np.int64)
        count = frontier.enumerate_codes(width, codes, keys, stop.address())
        if count != frontier.FULL:
            break
        slots *= 2
    # Sorted by code, states with similar successors are close together in memory.
    codes = np.sort(codes[:count])
    table = np.empty((2, width, count + 1), np.int32)
    frontier.link_codes(width, codes, keys, table, stop.address())
    stop.check(late=True)
    return table


def read(path: Path, width: int) -> Onward | None:
    """Return a cached table; None if there is none, or its digest is not this width's."""
    try:
        if not path.is_file():  # reading a pipe would block
            return None
        with path.open("rb") as file:
            data = bytearray(file.read(_MOST_BYTES))
    except OSError:
        return None
    if hashlib.sha256(data).hexdigest() != DIGESTS[width - 1]:
        return None
    return np.frombuffer(data, _KEPT).astype(np.int32, copy=False).reshape(2, width, -1)


def write(path: Path, table: Onward) -> None:
    """Cache a table, atomically; do nothing where the folder is not writable."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, table.astype(_KEPT, copy=False).tobytes())


# The chance to win and every critical cell, from all fillings at once.
#
# `player.kernels.frontier` explains the two passes over the cells. All terms of the
# sums are positive doubles of at most 1, so rounding adds up to less than
# (11 cells + states) / 2**53, which is 3e-11 at worst (13 columns). In practice the
# results differ from the whole numbers of `count` below by about 1e-15.
#
# Beyond the tables, memory is one vector of states for each row and each column:
# 6 MB at 11x11, 50 MB at 13x13, 75 MB at 26x13.
#
# Balanced fillings, whose colors alternate to the end, have a known number of black cells.
# The same passes count them with one more dimension, the number of black cells so far: each
# vector is longer by the factor of all of them plus 1, 370 MB at 11x11, 1.1 GB at 26x11.

Stones: TypeAlias = NDArray[np.uint8]
Shares: TypeAlias = NDArray[np.float64]

MAX_BALANCED_WIDTH = 11


class TooLargeError(ValueError):
    """A board with too many fillings to count."""


def is_reachable(position: Position, *, balanced: bool = False) -> bool:
    """Return whether the board's shorter side is short enough for counting all fillings."""
    widest = MAX_BALANCED_WIDTH if balanced else MAX_WIDTH
    return min(position.board.columns, position.board.rows) <= widest


def exact(
    position: Position, *, balanced: bool = False, on_step: Callable[[], object] = lambda: None
) -> Odds:
    """Count all fillings of a position: a coin decides each empty cell.

    With `balanced`, the colors of the empty cells alternate, starting with the player to move.
    `on_step` is called twice a row; an exception from it ends the count.
    Raise Stopped when `hsearch.kernels.stop` does, and TooLargeError when both sides of
    the board are longer than MAX_WIDTH (MAX_BALANCED_WIDTH if `balanced`).
    """
    board = position.board
    if not is_reachable(position, balanced=balanced):
        what, widest = "all fillings", MAX_WIDTH
        if balanced:
            what, widest = "all balanced fillings", MAX_BALANCED_WIDTH
        raise TooLargeError(
            f"too large to count {what}: {board} (one side must be at most {widest})"
        )
    if board.columns > board.rows:
        mirror = exact(position.transposed(), balanced=balanced, on_step=on_step)
        by_cell = {board.transposed.transpose(c): share for c, share in mirror.critical.items()}
        white = mirror.chance(Color.WHITE)
        return Odds(position, white, dict(sorted(by_cell.items())), balanced=balanced)
    stones = np.full(board.size, frontier.EMPTY, np.uint8)
    for color, code in ((Color.BLACK, frontier.BLACK), (Color.WHITE, frontier.WHITE)):
        stones[list(position.stones(color).search(1))] = code
    critical = np.empty(board.size)
    black = _run_passes(position, stones, critical, on_step, balanced=balanced)
    # Rounding may leave the share of a cell that is never critical slightly below zero.
    shares = {cell: max(0.0, float(critical[cell])) for cell in position.empty.search(1)}
    return Odds(position, black, shares, balanced=balanced)


def _run_passes(
    position: Position,
    stones: Stones,
    critical: Shares,
    on_step: Callable[[], object],
    *,
    balanced: bool,
) -> float:
    """Return Black's chance, and write into `critical` how often each cell is critical.

    The forward pass needs the chances after each cell, in the opposite order to that in
    which the backward pass computes them. To save memory, only those at the ends of rows
    are stored; when the forward pass reaches a row, those inside it are computed again.
    """
    board, table = position.board, onward(position.board.columns)
    rows, shares = stones.reshape(board.rows, -1), critical.reshape(board.rows, -1)
    shape: tuple[int, ...] = (table.shape[2],)  # of a vector
    known: list[tuple[Any, ...]] = [(stones_in_row, table) for stones_in_row in rows]
    chances_in_row, critical_in_row = frontier.chances_in_row, frontier.critical_in_row
    if balanced:
        blacks, empty = black_share(position), stones == frontier.EMPTY
        shape = *shape, blacks + 1
        before = (np.cumsum(empty) - empty).reshape(rows.shape)
        known = [(*of, (b, empty.sum(), blacks)) for of, b in zip(known, before, strict=True)]
        chances_in_row = frontier.count_chances_in_row
        critical_in_row = frontier.count_critical_in_row
    ends, row_chances = np.zeros((board.rows, *shape)), np.zeros((board.columns + 1, *shape))
    final = ends[-1, :, -1] if balanced else ends[-1]
    final[:] = 1.0
    final[-1] = 0.0  # White has won
    for row in range(board.rows - 1, 0, -1):
        stop.check(late=True)
        on_step()
        chances_in_row(*known[row], ends[row], row_chances)
        ends[row - 1] = row_chances[0]
    weights = np.zeros((2, *shape))
    weights[0].flat[0] = chance = 1.0
    for row in range(board.rows):
        stop.check(late=True)
        on_step()
        chances_in_row(*known[row], ends[row], row_chances)
        if row == 0:
            chance = float(row_chances[0].flat[0])
        critical_in_row(*known[row], row_chances, weights, shares[row])
    return chance


# Counting all fillings in whole numbers: the slow twin of the pass above.
#
# It tracks the same frontier as `player.kernels.frontier`, in plain dictionaries.
# A frontier is a tuple with an entry for each column: 0 for a black cell, "W" or "E"
# for a white cell connected to that edge, else the number of the cell's chain.

Frontier = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class FillingCounts:
    """Numbers of fillings: all, those that Black wins, those in which each cell is critical."""

    fillings: int
    black: int
    critical: Mapping[Cell, int]


def count(position: Position, *, balanced: bool = False) -> FillingCounts:
    """Count all fillings of a position, or only the balanced ones, exactly.

    Each further column about triples the number of frontiers: quick up to 6x6.
    For `balanced`, each integer packs a count for each number of black cells into fields
    of `step` bits: one more black cell shifts it by a field. `_part` reads a field at the end.
    """
    board, empty = position.board, position.empty.count()
    step = empty + 1 if balanced else 0  # bits for up to 2 ** empty fillings
    black = 1 << step
    frontiers: list[dict[Frontier, int]] = [{(0,) * board.columns: 1}]
    for cell in board.cells:
        later: dict[Frontier, int] = defaultdict(int)
        weight = black if position.empty[cell] else 1
        for reached_frontier, ways in frontiers[-1].items():
            for color in _colors(position, cell):
                successor = _place(reached_frontier, cell % board.columns, color)
                if successor is not None:
                    later[successor] += ways * (weight if color is Color.BLACK else 1)
        frontiers.append(later)
    # From each frontier, in how many colorings of the rest Black wins; None is a loss.
    wins: dict[Frontier | None, int] = dict.fromkeys(frontiers[-1], 1)
    critical = {}
    for cell in reversed(board.cells):
        wins[None] = 0
        weight = black if position.empty[cell] else 1
        earlier: dict[Frontier | None, int] = {}
        turns = 0
        for reached_frontier, ways in frontiers[cell].items():
            by_color = [
                wins.get(_place(reached_frontier, cell % board.columns, c), 0) for c in Color
            ]
            earlier[reached_frontier] = sum(
                by_color[color] * (weight if color is Color.BLACK else 1)
                for color in _colors(position, cell)
            )
            turns += ways * (by_color[Color.BLACK] - by_color[Color.WHITE])
        if position.empty[cell]:
            critical[cell] = turns * black + turns  # once with the cell black, once white
        wins = earlier
    blacks = black_share(position) if balanced else 0
    fillings = math.comb(empty, blacks) if balanced else 2**empty
    parts = {cell: _part(number, step, blacks) for cell, number in sorted(critical.items())}
    return FillingCounts(fillings, _part(sum(wins.values()), step, blacks), parts)


def _part(number: int, step: int, blacks: int) -> int:
    """Return the field of a packed count for this many black cells; all of it if unpacked."""
    return (number >> (step * blacks)) & ((1 << step) - 1) if step else number


def _colors(position: Position, cell: Cell) -> tuple[Color, ...]:
    color = position.color_at(cell)
    return tuple(Color) if color is None else (color,)


def _place(chains: Frontier, column: int, color: Color) -> Frontier | None:
    """Return the frontier after one more cell; None if White has joined west and east."""
    if color is Color.BLACK:
        return _renumber((*chains[:column], 0, *chains[column + 1 :]))
    neighbors = {chain for chain in chains[max(0, column - 1) : column + 2] if chain}
    if column == 0:
        neighbors.add("W")
    if column == len(chains) - 1:
        neighbors.add("E")
    if {"W", "E"} <= neighbors:
        return None
    own = next((chain for chain in ("W", "E") if chain in neighbors), -1)
    result = [own if chain in neighbors else chain for chain in chains]
    result[column] = own
    return _renumber(tuple(result))


def _renumber(chains: Frontier) -> Frontier:
    names: dict[int | str, int | str] = {0: 0, "W": "W", "E": "E"}
    return tuple(names.setdefault(chain, len(names)) for chain in chains)


# Exact odds as fractions, where that is quick: numbers of fillings over their total.
#
# With few empty cells, rounding the doubles of `exact` gives the whole numbers,
# since their error is less than half a filling. Otherwise the fillings of a small
# board are counted again, in whole numbers.

MOST_EMPTY = 33  # ROUNDING is then a quarter of a filling
WIDEST = 8  # columns; counting in whole numbers takes seconds at this width

assert ROUNDING * 2**MOST_EMPTY < 0.5  # noqa: S101 - the constants fit each other


@dataclass(frozen=True, slots=True)
class Fractions:
    """The share of fillings that Black wins, and in which each empty cell is critical."""

    black: Fraction
    critical: Mapping[Cell, Fraction]

    def chance(self, color: Color) -> Fraction:
        """Return a player's share."""
        return self.black if color is Color.BLACK else 1 - self.black


def fractions(odds: Odds) -> Fractions | None:
    """Return odds as fractions; None if they are not exact or the board is too large."""
    if not odds.is_exact:
        return None
    position, empty = odds.position, odds.position.empty.count()
    total = math.comb(empty, black_share(position)) if odds.balanced else 2**empty
    if empty <= MOST_EMPTY:
        critical = {c: Fraction(round(s * total), total) for c, s in odds.critical.items()}
        return Fractions(Fraction(round(odds.black * total), total), critical)
    if min(position.board.columns, position.board.rows) > WIDEST:
        return None
    return _count(position, balanced=odds.balanced)


def _count(position: Position, *, balanced: bool) -> Fractions:
    """Count the fractions in whole numbers, with the frontier along the shorter side."""
    board = position.board
    if board.columns > board.rows:
        mirror = _count(position.transposed(), balanced=balanced)
        shares = {board.transposed.transpose(c): share for c, share in mirror.critical.items()}
        return Fractions(mirror.chance(Color.WHITE), shares)
    counts = count(position, balanced=balanced)
    critical = {cell: Fraction(n, counts.fillings) for cell, n in counts.critical.items()}
    return Fractions(Fraction(counts.black, counts.fillings), critical)


# The best odds available: all fillings counted, or many drawn.

ENOUGH = 10_000_000
STEP = 512 * BATCH  # a few hundredths of a second


def count_or_draw(
    position: Position,
    rng: np.random.Generator,
    *,
    fillings: int | None = None,
    method: FillingMethod = FillingMethod.CRITICAL,
    is_enough: Callable[[], bool] | None = None,
    on_step: Callable[[], object] = lambda: None,
) -> Odds:
    """Return the odds of a position: exact, unless sampling is requested or necessary.

    A number of fillings or the method LOSING requests sampling; a board too large to
    count makes it necessary. Between steps `is_enough` decides whether the fillings drawn
    so far suffice, and `on_step` is called; an exception from it ends the work.
    """
    balanced = method is FillingMethod.BALANCED
    is_counted = method is not FillingMethod.LOSING and is_reachable(position, balanced=balanced)
    if fillings is None and is_counted:
        return exact(position, balanced=balanced, on_step=on_step)
    sampler = Sampler(position, rng, method=method)
    remaining = ENOUGH if fillings is None else fillings
    while remaining > 0 and not (sampler.fillings and is_enough is not None and is_enough()):
        on_step()
        sampler.draw(min(remaining, STEP))
        remaining -= STEP
    return sampler.odds()
