"""Learned weights of patterns as a value."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Board
from hsearch.files import arrays as files
from player.kernels import patterns as kernel
from player.patterns.around import around

MOST = 127  # in a byte


class PatternError(ValueError):
    """A file that has no patterns, or none that can be used."""


@dataclass(frozen=True, slots=True, eq=False)
class PatternWeights:
    """What patterns of stones say of a move and of who wins, on boards of any size.

    weights  worth and draw x slot
    replies  a slot each
    scales   what one is in a byte: of worth and draw x table, then of replies; the last number is
             the bias. Nine and one, in a row
    record   how they were made, in JSON's types

    Raise ValueError when arrays are not of the size that the kernel has, or no finite numbers.
    """

    weights: NDArray[np.int8]
    replies: NDArray[np.int8]
    scales: NDArray[np.float64]
    record: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, kind, shape in (
            ("weights", np.int8, (2, kernel.SLOTS)),
            ("replies", np.int8, (kernel.REPLIES,)),
            ("scales", np.float64, (2 * kernel.TABLES + 2,)),
        ):
            array = getattr(self, name)
            if array.dtype != kind or array.shape != shape:
                raise ValueError(
                    f"{name}: {array.dtype} {array.shape}, not {np.dtype(kind)} {shape}"
                )
        if not np.isfinite(self.scales).all() or np.abs(self.scales).max() > MOST:
            raise ValueError("a scale is no number, or too large")

    @property
    def key(self) -> str:
        """A digest that weights share only when they say the same of every position."""
        return files.digest_of({"0": self.weights, "1": self.replies, "2": self.scales})

    def on(self, board: Board) -> kernel.Patterns:
        """Return them as the kernel takes them for a board."""
        near, spots = around(board)
        *scales, reply, bias = self.scales.tolist()
        tables = np.array(scales).reshape(2, kernel.TABLES)
        return kernel.Patterns(near, spots, self.weights, self.replies, tables, reply, bias)


def none_on(board: Board) -> kernel.Patterns:
    """Return what the kernel takes where there are no patterns."""
    near, spots = around(board)
    weights, replies = np.zeros((2, 0), np.int8), np.zeros(0, np.int8)
    return kernel.Patterns(near, spots, weights, replies, np.zeros((2, kernel.TABLES)), 0.0, 0.0)


def in_bytes(
    tables: NDArray[np.float32], replies: NDArray[np.float32], bias: float, record: dict[str, Any]
) -> PatternWeights:
    """Return weights as they are kept: bytes, with a scale for each table."""
    starts = [0, *(kernel.SMALL + number * kernel.LARGE for number in range(kernel.TABLES))]
    scales = np.empty(2 * kernel.TABLES + 2)
    weights = np.empty(tables.shape, np.int8)
    for kind in (kernel.WORTH, kernel.DRAW):
        for table in range(kernel.TABLES):
            part = slice(starts[table], starts[table + 1])
            number = kind * kernel.TABLES + table
            weights[kind, part], scales[number] = _rounded(tables[kind, part])
    small, scales[-2] = _rounded(replies)
    scales[-1] = bias
    return PatternWeights(weights, small, scales, record)


def _rounded(weights: NDArray[np.float32]) -> tuple[NDArray[np.int8], float]:
    """Return numbers as bytes, and the number that one stands for."""
    scale = max(float(np.abs(weights).max(initial=0)), 1e-6) / MOST
    return np.round(weights / scale).astype(np.int8), scale
