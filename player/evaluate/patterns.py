"""Patterns of stones around a cell: their places, weights and file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsearch.formats import find_shipped, npz
from hsearch.hex import Board
from player.kernels import patterns as kernel
from player.kernels.patterns import CODE, HIDDEN

# Rows down and columns to the right, as seen by the player who joins top and bottom.
NEIGHBORS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
BRIDGES = ((-1, 2), (-2, 1), (-1, -1), (1, -2), (2, -1), (1, 1))
STRAIGHT = tuple((2 * down, 2 * right) for down, right in NEIGHBORS)
OFFSETS = ((0, 0), *NEIGHBORS, *BRIDGES, *STRAIGHT)


@cache
def around(board: Board) -> kernel.PatternPlaces:
    """Return the places of patterns on a board.

    A place beyond the rim is replaced by the nearest place in the rim, of the same edge.
    """
    near = np.empty((2, board.size, len(OFFSETS)), np.int32)
    lines = np.empty((2, board.size, 2), np.int32)
    for cell in board.cells:
        row, column = divmod(cell, board.columns)
        lines[:, cell] = (row, column), (column, row)
        for number, (down, right) in enumerate(OFFSETS):
            near[0, cell, number] = _place(board, row + down, column + right)
            near[1, cell, number] = _place(board, row + right, column + down)
    counts = np.array([(board.rows, board.columns), (board.columns, board.rows)], np.int32)
    sides = np.zeros((2, 2, counts.max()), np.int32)
    for player in (0, 1):
        for kind in (kernel.ROWS, kernel.COLUMNS):
            count = int(counts[player, kind])
            sides[player, kind, :count] = sides_of(count)
    spots = np.stack(
        [
            sides[player, kernel.ROWS, lines[player, :, kernel.ROWS]] * kernel.LINES
            + sides[player, kernel.COLUMNS, lines[player, :, kernel.COLUMNS]]
            for player in (0, 1)
        ]
    )
    places = kernel.PatternPlaces(near, spots, lines, sides, counts)
    for array in places:
        array.flags.writeable = False
    return places


def sides_of(count: int) -> NDArray[np.int32]:
    """Return the distance of each of `count` lines from the nearer edge, coded as 0 to 10.

    0 to 4 count from the first edge, 10 to 6 from the second; 5 is five or more from both.
    """
    before = np.minimum(np.arange(count, dtype=np.int32), kernel.SIDES - 1)
    after = before[::-1]
    nearer = np.arange(count) <= np.arange(count)[::-1]
    return np.where(nearer, before, kernel.LINES - 1 - after)


def _place(board: Board, row: int, column: int) -> int:
    row, column = min(max(row, -1), board.rows), min(max(column, -1), board.columns)
    if not 0 <= row < board.rows and not 0 <= column < board.columns:
        return 0  # all corners share one place
    return (row + 1) * (board.columns + 2) + column + 1


# Learned weights of patterns as a value.

MOST = 127  # the largest number in a signed byte
LARGEST = 64.0  # the largest weight: with such weights no sum overflows

Parts = dict[str, NDArray[np.float32]]

# The shape of each part, in the kernel's order.
LAYOUT: dict[str, tuple[int, ...]] = {
    "codes": (kernel.KEYS, CODE),
    "spots": (kernel.SPOTS, CODE),
    "taps": (2, kernel.SEVEN, CODE),
    "tap_bias": (2, CODE),
    "mix": (CODE, CODE),
    "mix_bias": (CODE,),
    "lines": (2, CODE, CODE),
    "line_bias": (2, kernel.LINES, CODE),
    "hidden": (5 * CODE, HIDDEN),
    "hidden_bias": (HIDDEN,),
    "deeper": (HIDDEN, HIDDEN),
    "deeper_bias": (HIDDEN,),
    "last": (HIDDEN,),
    "plain": (CODE,),
    "bias": (1,),
    "draws": (2 * CODE,),
    "heeds": (HIDDEN, 2 * CODE),
    "replies": (kernel.REPLIES,),
}
IN_BYTES = ("codes", "replies")  # the large parts, with a scale for each column


class PatternError(ValueError):
    """A file without patterns that can be used."""


@dataclass(frozen=True, slots=True, eq=False)
class PatternWeights:
    """Weights of patterns, which value moves and positions on boards of any size.

    arrays  the parts in `LAYOUT` in half precision; those `IN_BYTES` are bytes, and have
            another array with their scales, the value of 1 in a byte
    record  how they were made, in JSON's types

    Raise ValueError when an array is missing, has another type or shape than the kernel's, or
    has a value that is not a number or is too large.
    """

    arrays: Mapping[str, NDArray[Any]]
    record: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        kinds = _kinds()
        if set(self.arrays) != set(kinds):
            raise ValueError("a part is missing or unknown")
        for name, (kind, shape) in kinds.items():
            array = self.arrays[name]
            if array.dtype != kind or array.shape != shape:
                raise ValueError(
                    f"{name}: {array.dtype} {array.shape}, not {np.dtype(kind)} {shape}"
                )
            most = LARGEST / MOST if name.endswith("scale") else LARGEST
            if kind is np.float16 and not (np.abs(array.astype(np.float32)) <= most).all():
                raise ValueError(f"{name}: a value is not a number, or too large")

    @property
    def key(self) -> str:
        """A digest: only weights that value every position equally share it."""
        return npz.digest_of(self.arrays)

    def parts(self) -> Parts:
        """Return the weights by name, in single precision, as the kernel uses them."""
        parts = {name: self.arrays[name].astype(np.float32) for name in LAYOUT}
        for name in IN_BYTES:
            parts[name] *= self.arrays[f"{name}_scale"].astype(np.float32)
        return parts

    def on(self, board: Board) -> kernel.Patterns:
        """Return the weights in the kernel's form for a board, with their own work arrays."""
        return kernel.Patterns(around(board), _kernel_parts(self), room(board))


@cache
def _kinds() -> dict[str, tuple[Any, tuple[int, ...]]]:
    """Return the type and the shape of each array."""
    kinds: dict[str, tuple[Any, tuple[int, ...]]] = {
        name: (np.int8 if name in IN_BYTES else np.float16, shape) for name, shape in LAYOUT.items()
    }
    return kinds | {f"{name}_scale": (np.float16, LAYOUT[name][1:]) for name in IN_BYTES}


@lru_cache(maxsize=4)  # keyed by object: each new player reads its file again
def _kernel_parts(weights: PatternWeights) -> kernel.PatternParts:
    return kernel.PatternParts(**weights.parts())


@cache
def _none() -> kernel.PatternParts:
    return kernel.PatternParts(
        **{name: np.zeros((0,) * len(shape), np.float32) for name, shape in LAYOUT.items()}
    )


def none_on(board: Board) -> kernel.Patterns:
    """Return the kernel's argument for a search without patterns."""
    return kernel.Patterns(around(board), _none(), room(board))


def room(board: Board) -> kernel.PatternRoom:
    """Return the kernel's work arrays for a position."""
    places, lines = (board.columns + 2) * (board.rows + 2), max(board.columns, board.rows)
    shapes = {
        "codes": (places, CODE),
        "seen": (places, CODE),
        "mixed": (places, CODE),
        "sums": (2, lines, CODE),
        "pooled": (5 * CODE,),
        "hidden": (HIDDEN,),
        "deeper": (HIDDEN,),
    }
    arrays = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
    return kernel.PatternRoom(keys=np.zeros(board.size, np.int32), **arrays)


def round_parts(parts: Parts, record: dict[str, Any]) -> PatternWeights:
    """Return weights rounded to the precision of the file."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, part in parts.items():
        if name in IN_BYTES:
            largest = np.maximum(np.abs(part).max(axis=0), 1e-4)
            scale = np.asarray(largest / MOST, np.float16)
            steps = np.round(part / scale.astype(np.float32))
            arrays[name] = np.clip(steps, -MOST, MOST).astype(np.int8)
            arrays[f"{name}_scale"] = scale
        else:
            arrays[name] = part.astype(np.float16)
    return PatternWeights(arrays, record)


# The file of patterns.

SCHEMA = "hsearch/patterns/2"


def write_patterns(path: Path, patterns: PatternWeights) -> None:
    """Write patterns to a file, atomically. Raise OSError, naming it, when that fails."""
    npz.save(path, SCHEMA, {"record": patterns.record}, patterns.arrays)


def read_patterns(path: Path) -> PatternWeights:
    """Return the patterns of a file. Raise PatternError, naming it, when it cannot be used."""
    about, arrays = npz.load(path, SCHEMA, "file of patterns", PatternError)
    record = about.get("record")
    if not isinstance(record, dict):
        raise PatternError(f"{path}: not a file of patterns: the record is missing")
    try:
        return PatternWeights(arrays, record)
    except ValueError as error:
        raise PatternError(f"{path}: not a file of patterns: {error}") from None


# The shipped patterns.


@cache
def load_patterns() -> PatternWeights | None:
    """Return the shipped patterns; None if this copy has none."""
    path = find_shipped("patterns.npz")
    return None if path is None else read_patterns(path)
