"""What patterns compute for a position: the definition that the kernel must match.

A net whose first layer is a table, as in Nasu: Efficiently updatable neural-network-based
evaluation functions for computer shogi (2018), here of patterns of seven cells. Moves are weighed
by features of the whole board as in Rapfi, by Jin et al.: Distilling efficient neural networks for
Gomoku (2025). Rows and columns are as the two players must cross them.
"""

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from hsearch.hex.board import Cell, Color
from hsearch.hex.position import Position
from player.evaluate.patterns import NEIGHBORS, OFFSETS, Parts, PatternWeights, sides_of
from player.kernels.patterns import CODE, LINES

Values = NDArray[np.float32]
Number = TypeVar("Number", bound=np.generic)


class PatternOutput(NamedTuple):
    """The outputs of patterns, as logits.

    worth  the mover's chance to win
    draws  the attraction of each cell of the board; stones are not left out
    """

    worth: float
    draws: Values


def forward(weights: PatternWeights, position: Position, last: Cell | None = None) -> PatternOutput:
    """Return the outputs of patterns for a position; `last` is the last move, if known."""
    parts, keys = weights.parts(), keys_of(digits_of(position))
    rows, columns = (sides_of(count) for count in keys.shape)
    codes = parts["codes"][keys] + parts["spots"][rows[:, None] * LINES + columns]
    seen = looked(codes, parts["taps"][0], parts["tap_bias"][0])
    hidden, worth = judged(parts, codes, seen)
    mixed = np.maximum(seen @ parts["mix"] + parts["mix_bias"], 0)
    seen = seen + looked(mixed, parts["taps"][1], parts["tap_bias"][1])
    weighed = parts["draws"] + hidden @ parts["heeds"]
    draws = codes @ weighed[:CODE] + seen @ weighed[CODE:]
    last_at = None if last is None else divmod(last, position.board.columns)
    if position.turn is Color.WHITE:
        draws += parts["replies"][replies_of(keys, last_at and last_at[::-1])]
        return PatternOutput(worth, draws.T.ravel())
    draws += parts["replies"][replies_of(keys, last_at)]
    return PatternOutput(worth, draws.ravel())


def digits_of(position: Position) -> NDArray[np.int_]:
    """Return the board as its mover sees it: 0 empty, 1 own, 2 the opponent's."""
    own, other = (
        np.array(position.stones(color).tolist()).reshape(position.board.rows, -1)
        for color in (position.turn, position.turn.opponent)
    )
    digits: NDArray[np.int_] = own + 2 * other
    return digits.T if position.turn is Color.WHITE else digits


def keys_of(digits: NDArray[np.int_]) -> NDArray[np.int_]:
    """Return the number of the pattern around each cell of a board in the digits of the mover."""
    rim = np.pad(digits, 1)
    rim[[0, -1]], rim[:, [0, -1]] = 1, 2
    rim[[0, 0, -1, -1], [0, -1, 0, -1]] = 3
    keys = np.zeros_like(digits)
    for offset in ((0, 0), *NEIGHBORS):
        keys = 4 * keys + shifted(rim, offset)
    return keys


def shifted(rim: NDArray[Number], offset: tuple[int, int]) -> NDArray[Number]:
    """Return the values at an offset from each cell, from an array with a rim of one place."""
    down, right = offset
    return rim[1 + down : rim.shape[0] - 1 + down, 1 + right : rim.shape[1] - 1 + right]


def looked(numbers: Values, taps: Values, bias: Values) -> Values:
    """Return each cell's sum over its own numbers and those of its neighbors."""
    around = np.pad(numbers, [(1, 1), (1, 1), (0, 0)])
    total = np.tile(bias, (*numbers.shape[:2], 1))
    for tap, place in zip(taps, ((0, 0), *NEIGHBORS), strict=True):
        total += tap * shifted(around, place)
    return np.maximum(total, 0)


def judged(parts: Parts, codes: Values, seen: Values) -> tuple[Values, float]:
    """Return the layer's features of the whole board, and the logit of the mover's chance."""
    pooled = [seen.mean(axis=(0, 1))]
    for kind in (0, 1):
        means = seen.mean(axis=1 - kind)
        lines = means @ parts["lines"][kind] + parts["line_bias"][kind, sides_of(len(means))]
        lines = np.maximum(lines, 0)
        pooled += [lines.mean(axis=0), lines.max(axis=0)]
    hidden = np.maximum(np.concatenate(pooled) @ parts["hidden"] + parts["hidden_bias"], 0)
    deeper = np.maximum(hidden @ parts["deeper"] + parts["deeper_bias"], 0)
    logit = deeper @ parts["last"] + codes.sum(axis=(0, 1)) @ parts["plain"] + parts["bias"][0]
    return hidden, float(logit)


def replies_of(keys: NDArray[np.int_], last: tuple[int, int] | None) -> NDArray[np.int_]:
    """Return the index of each cell's reply weight: by six digits, and by the place of `last`."""
    where = np.zeros_like(keys)
    if last is not None:
        for number, (down, right) in enumerate(OFFSETS):
            row, column = last[0] - down, last[1] - right
            if 0 <= row < keys.shape[0] and 0 <= column < keys.shape[1]:
                where[row, column] = number
    return keys % 4**6 * len(OFFSETS) + where
