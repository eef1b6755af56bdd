"""A slow twin of patterns, by definition: pattern numbers from the colors around each cell."""

import math
from collections.abc import Iterator

import numpy as np
from hypothesis import strategies as st
from naive_tree import owner
from plain_patterns import forward

from hsearch.hex.board import Cell, Color
from hsearch.hex.position import Position
from player.evaluate.patterns import LAYOUT, OFFSETS, Parts, PatternWeights, round_parts


def some_parts(seed: int) -> Parts:
    """Return random weights, large enough that each affects the result."""
    generator = np.random.default_rng(seed)
    sizes = {"codes": 0.5, "spots": 0.5, "bias": 0.5, "replies": 0.5, "plain": 0.02, "heeds": 0.1}
    return {
        name: generator.normal(0, sizes.get(name, 0.25), shape).astype(np.float32)
        for name, shape in LAYOUT.items()
    }


def some_weights(seed: int) -> PatternWeights:
    """Return such weights in their stored form."""
    return round_parts(some_parts(seed), {})


pattern_weights = st.sampled_from([some_weights(seed) for seed in range(3)])


def seen(position: Position, cell: Cell) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield the digits around a cell, as its mover sees the board, and their places."""
    column, row = position.board.column_and_row(cell)
    for down, right in OFFSETS:
        if position.turn is Color.BLACK:
            place = (column + right, row + down)
        else:
            place = (column + down, row + right)
        color = owner(position, *place)
        yield (0 if color is None else 3 if color == 2 else 1 + (color != position.turn)), place


def key(position: Position, cell: Cell) -> int:
    """Return the number of the pattern around a cell."""
    return int("".join(str(digit) for digit, _ in seen(position, cell))[:7], 4)


def reply(position: Position, cell: Cell, last: Cell | None) -> int:
    """Return the index of the weight of a reply at a cell, by six digits and 19 places."""
    where = 0
    if last is not None:
        places = [place for _, place in seen(position, cell)]
        at = position.board.column_and_row(last)
        where = places.index(at) if at in places else 0
    return key(position, cell) % 4**6 * len(OFFSETS) + where


def worth(weights: PatternWeights, position: Position) -> float:
    """Return the mover's chance to win."""
    return 1 / (1 + math.exp(-forward(weights, position).worth))
