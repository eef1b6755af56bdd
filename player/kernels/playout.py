"""Playouts: the rest of a game by chance, where a threatened bridge is saved.

`stones` is the board in a rim of edge stones, one byte a place: 0 empty, 1 black,
2 white, 3 in the corners, where two edges meet and neither may be counted on.
Rows are `columns` + 2 places apart, and `steps` are the six ways to go from a
place, in cyclic order, and the first two of them once more. `empties` are the empty
places, `left` of them, in any order, and `spots` says where in that list a place
stands.

A bridge of the player to move is threatened when the last stone stands in one of
its two cells: around that stone lie, side by side, an own stone, an empty cell
and an own stone. The empty cell saves it. Arneson, Hayward and Henderson: Monte
Carlo tree search in Hex (2010).
"""

import numpy as np

from hsearch.kernels.cache import kernel
from player.kernels.fillings import GOLDEN, U, mixed

CORNER = 3
AROUND = 8


@kernel
def set_up(columns, rows, cells, stones, steps, empties, spots):
    """Write the board of `cells`, 0, 1 or 2 each, into its rim. Return how many are empty."""
    stride = columns + 2
    for number, step in enumerate((1, 1 - stride, -stride, -1, stride - 1, stride)):
        steps[number] = step
    steps[6], steps[7] = steps[0], steps[1]
    stones[:] = CORNER
    for column in range(1, columns + 1):
        stones[column] = stones[(rows + 1) * stride + column] = 1
    for row in range(1, rows + 1):
        stones[row * stride] = stones[row * stride + columns + 1] = 2
    left = 0
    for cell in range(columns * rows):
        place = place_of(cell, columns)
        stones[place] = cells[cell]
        if cells[cell] == 0:
            empties[left], spots[place] = place, left
            left += 1
    return left


@kernel
def place_of(cell, columns):
    """Return the place of a cell in its rim."""
    return (cell // columns + 1) * (columns + 2) + cell % columns + 1


@kernel
def put(place, color, stones, empties, spots, left):
    """Put a stone, 1 or 2, on an empty place, and return how many empty ones are left."""
    stones[place] = color
    other = empties[left - 1]
    spot = spots[place]
    empties[spot], spots[other] = other, spot
    return left - 1


@kernel
def below(bound, random):
    """Return the next random number from 0 up to a bound; `random` counts them."""
    random[0] += GOLDEN
    return np.int64(((mixed(random[0]) >> U(32)) * U(bound)) >> U(32))


@kernel
def saving(last, color, stones, steps, first):
    """Return the place that saves a bridge from the last stone, -1 if none does.

    Of several the first one around, which begins in the direction `first`.
    """
    for number in range(first, first + 6):
        direction = number if number < 6 else number - 6
        if (
            stones[last + steps[direction]] == color
            and stones[last + steps[direction + 1]] == 0
            and stones[last + steps[direction + 2]] == color
        ):
            return last + steps[direction + 1]
    return -1


@kernel
def playout(turn, last, stones, steps, empties, spots, left, random):
    """Fill the board, the player `turn` to move; `last` is the place of the last stone, or -1."""
    color = 1 + turn
    while left:
        place = -1
        if last >= 0:
            place = saving(last, color, stones, steps, below(6, random))
        if place < 0:
            place = empties[below(left, random)]
        left = put(place, color, stones, empties, spots, left)
        last, color = place, 3 - color
