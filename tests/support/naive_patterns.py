"""Patterns by their definition: the colors around a cell, one after the other, and sums."""

import math
from collections.abc import Iterator

import numpy as np
from hypothesis import strategies as st
from naive_tree import owner

from hsearch.board import Cell, Color
from hsearch.position import Position
from player.kernels.patterns import BITS, LARGE, REPLIES, SIDES, SLOTS, SMALL, TABLES
from player.patterns.around import OFFSETS
from player.patterns.weights import PatternWeights

WORD = (1 << 64) - 1


def some_weights(seed: int) -> PatternWeights:
    """Return weights by chance."""
    generator = np.random.default_rng(seed)
    weights = generator.integers(-127, 128, (2, SLOTS)).astype(np.int8)
    replies = generator.integers(-127, 128, REPLIES).astype(np.int8)
    return PatternWeights(weights, replies, generator.normal(0, 0.001, 2 * TABLES + 2))


pattern_weights = st.sampled_from([some_weights(seed) for seed in range(3)])


def seen(position: Position, cell: Cell) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield the digits around a cell, as its mover sees the board, and where they are."""
    column, row = position.board.column_and_row(cell)
    for down, right in OFFSETS:
        if position.turn is Color.BLACK:
            place = (column + right, row + down)
        else:
            place = (column + down, row + right)
        color = owner(position, *place)
        yield (0 if color is None else 3 if color == 2 else 1 + (color != position.turn)), place


def slots(position: Position, cell: Cell) -> list[int]:
    """Return where the weights of the pattern around a cell are."""
    digits = "".join(str(digit) for digit, _ in seen(position, cell))
    board, (column, row) = position.board, position.board.column_and_row(cell)
    spot = [sided(row, board.rows), sided(column, board.columns)]
    if position.turn is Color.WHITE:
        spot.reverse()
    seven = int(digits[:7], 4)
    numbers = seven * (2 * SIDES - 1) ** 2 + spot[0] * (2 * SIDES - 1) + spot[1]
    keys = [numbers, int(digits[:13], 4), int(digits, 4)]
    return [seven, *(SMALL + n * LARGE + hashed(key) for n, key in enumerate(keys))]


def sided(number: int, count: int) -> int:
    """Return 0 to 5 for a line in the first half, by its distance; 10 down to 5 in the second."""
    below, above = number, count - 1 - number
    return min(below, 5) if below <= above else 10 - min(above, 5)


def hashed(key: int) -> int:
    """Return the upper bits of a product by the golden ratio."""
    return (key * 0x9E3779B97F4A7C15 & WORD) >> (64 - BITS)


def worth(weights: PatternWeights, position: Position) -> float:
    """Return the mover's chance: the sum over all cells and tables, as a logit."""
    logit = weights.scales[-1]
    for cell in position.board.cells:
        for table, slot in enumerate(slots(position, cell)):
            logit += weights.scales[table] * int(weights.weights[0, slot])
    return 1 / (1 + math.exp(-logit))


def draw(weights: PatternWeights, position: Position, cell: Cell, last: Cell | None) -> float:
    """Return how a move draws: the sum over tables, and that of an answer to the last stone."""
    found = slots(position, cell)
    total = 0.0
    for table, slot in enumerate(found):
        total += weights.scales[TABLES + table] * int(weights.weights[1, slot])
    where = 0
    if last is not None:
        places = [place for _, place in seen(position, cell)]
        at = position.board.column_and_row(last)
        where = places.index(at) if at in places else 0
    return total + weights.scales[-2] * int(weights.replies[found[0] * len(OFFSETS) + where])
