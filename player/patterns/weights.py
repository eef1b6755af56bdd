"""Learned weights of patterns as a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Board
from hsearch.files import arrays as files
from player.kernels import patterns as kernel
from player.kernels.patterns import CODE, HIDDEN, KEYS, LINES, REPLIES, SEVEN, SPOTS
from player.patterns.around import around

MOST = 127  # in a byte
LARGEST = 64.0  # of a weight: what is made of such on the way is a number still

Parts = dict[str, NDArray[np.float32]]

# The shape of each part, in the order in which the kernel has them.
LAYOUT: dict[str, tuple[int, ...]] = {
    "codes": (KEYS, CODE),
    "spots": (SPOTS, CODE),
    "taps": (2, SEVEN, CODE),
    "tap_bias": (2, CODE),
    "mix": (CODE, CODE),
    "mix_bias": (CODE,),
    "lines": (2, CODE, CODE),
    "line_bias": (2, LINES, CODE),
    "hidden": (5 * CODE, HIDDEN),
    "hidden_bias": (HIDDEN,),
    "deeper": (HIDDEN, HIDDEN),
    "deeper_bias": (HIDDEN,),
    "last": (HIDDEN,),
    "plain": (CODE,),
    "bias": (1,),
    "draws": (2 * CODE,),
    "heeds": (HIDDEN, 2 * CODE),
    "replies": (REPLIES,),
}
IN_BYTES = ("codes", "replies")  # the large ones, with a scale for all numbers in a column


class PatternError(ValueError):
    """A file that has no patterns, or none that can be used."""


@dataclass(frozen=True, slots=True, eq=False)
class PatternWeights:
    """What patterns of stones say of a move and of who wins, on boards of any size.

    arrays  `LAYOUT` in half precision, but for those `IN_BYTES`, which have their scales beside
            them: what one in a byte is
    record  how they were made, in JSON's types

    Raise ValueError when an array is missing, is of another kind or size than the kernel has, or
    has what is no number or a large one.
    """

    arrays: Mapping[str, NDArray[Any]]
    record: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        kinds = _kinds()
        if set(self.arrays) != set(kinds):
            raise ValueError("a part is missing, or one too many")
        for name, (kind, shape) in kinds.items():
            array = self.arrays[name]
            if array.dtype != kind or array.shape != shape:
                raise ValueError(
                    f"{name}: {array.dtype} {array.shape}, not {np.dtype(kind)} {shape}"
                )
            most = LARGEST / MOST if name.endswith("scale") else LARGEST
            if kind is np.float16 and not (np.abs(array.astype(np.float32)) <= most).all():
                raise ValueError(f"{name}: what is no number, or too large")

    @property
    def key(self) -> str:
        """A digest that weights share only when they say the same of every position."""
        return files.digest_of(self.arrays)

    def parts(self) -> Parts:
        """Return the weights by name, in single precision, as it computes with them."""
        parts = {name: self.arrays[name].astype(np.float32) for name in LAYOUT}
        for name in IN_BYTES:
            parts[name] *= self.arrays[f"{name}_scale"].astype(np.float32)
        return parts

    def on(self, board: Board) -> kernel.Patterns:
        """Return them as the kernel takes them for a board, with room of their own."""
        return kernel.Patterns(around(board), _kept(self), room(board))


@cache
def _kinds() -> dict[str, tuple[Any, tuple[int, ...]]]:
    """Return of what kind and shape each array is."""
    kinds: dict[str, tuple[Any, tuple[int, ...]]] = {
        name: (np.int8 if name in IN_BYTES else np.float16, shape) for name, shape in LAYOUT.items()
    }
    return kinds | {f"{name}_scale": (np.float16, LAYOUT[name][1:]) for name in IN_BYTES}


@cache
def _kept(weights: PatternWeights) -> kernel.PatternParts:
    return kernel.PatternParts(**weights.parts())


@cache
def _none() -> kernel.PatternParts:
    return kernel.PatternParts(
        **{name: np.zeros((0,) * len(shape), np.float32) for name, shape in LAYOUT.items()}
    )


def none_on(board: Board) -> kernel.Patterns:
    """Return what the kernel takes where there are no patterns."""
    return kernel.Patterns(around(board), _none(), room(board))


def room(board: Board) -> kernel.PatternRoom:
    """Return room for what the kernel makes of a position."""
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


def rounded(parts: Parts, record: dict[str, Any]) -> PatternWeights:
    """Return weights as they are kept."""
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
