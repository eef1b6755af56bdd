"""Random fillings, 1,024 at a time, and who wins them.

A *word* holds one cell of 64 fillings, a bit each, 1 for black. LANES words make
a cell of a *batch*. A *plane* is a board of such cells with a ring around it,
STRIDE words a row, so that cell (column, row) starts at
(row + 1) * STRIDE + (column + 1) * LANES. `space` is one array of planes. All
distances inside it are constants, and all indices unsigned: the compiler then
knows that no store hides a load, and uses the widest registers there are.
"""

import numpy as np

from hsearch.kernels.cache import kernel

U = np.uint64
LANES = U(16)
BATCH = 1024
SIDE = 28
STRIDE = U(SIDE) * LANES
PLANE = U(SIDE) * STRIDE
PLANES = 7
# The filling, two planes to work in, and those of `critical`.
FILLING, WORK, WORK_TOO = (U(k) * PLANE for k in range(3))
ONE, ZERO = U(1), U(0)
GOLDEN, MIX_ONE, MIX_TWO = U(0x9E3779B97F4A7C15), U(0xBF58476D1CE4E5B9), U(0x94D049BB133111EB)


@kernel
def mixed(number):
    """Return the number that splitmix64 makes of a counter."""
    number = (number ^ (number >> U(30))) * MIX_ONE
    number = (number ^ (number >> U(27))) * MIX_TWO
    return number ^ (number >> U(31))


@kernel
def popcount(word):
    """Return how many bits are set, in the form that LLVM knows for one instruction."""
    word = word - ((word >> ONE) & U(0x5555555555555555))
    word = (word & U(0x3333333333333333)) + ((word >> U(2)) & U(0x3333333333333333))
    word = (word + (word >> U(4))) & U(0x0F0F0F0F0F0F0F0F)
    return (word * U(0x0101010101010101)) >> U(56)


@kernel
def write_words(words, key, batch):
    """Write the random words of a batch: they depend on key, batch and their number alone."""
    base = key + U(batch) * U(len(words)) * GOLDEN
    for at in range(U(len(words))):
        words[at] = mixed(base + (at + ONE) * GOLDEN)


@kernel
def spread(words, places, space):
    """Write the words of the empty cells into the filling."""
    for cell in range(U(len(places))):
        start, first = FILLING + U(places[cell]), cell * LANES
        for lane in range(LANES):
            space[start + lane] = words[first + lane]


@kernel
def _majorities(source, target, start, length):
    for at in range(start, start + length):
        own, below, right = source[at], source[at + STRIDE], source[at + LANES]
        target[at] = (own & below) | (right & (own | below))


@kernel
def write_winners(space, columns, rows, winners):
    """Write who wins each filling, by Y-reduction.

    The board is a corner of a Y triangle that is black below the last row and
    white behind the last column, so that Black wins Y just when Black wins
    Hex. The majority of every small triangle makes a Y one smaller with the
    same winner. Of the black part one row is enough and of the white part one
    column: they stay what they are.
    """
    columns, rows = U(columns), U(rows)
    filling = space[FILLING : FILLING + PLANE]
    source, target = space[WORK : WORK + PLANE], space[WORK_TOO : WORK_TOO + PLANE]
    first = STRIDE + LANES
    sides = columns + rows - ONE
    if sides == ONE:
        source = filling
    for gone in range(ONE, sides):
        side = sides - gone
        for row in range(min(rows, side)):
            # An even number of cells: the compiler's loop has no remainder then.
            length = ((min(columns, side - row) + ONE) & ~ONE) * LANES
            if gone == ONE:
                _majorities(filling, source, first + row * STRIDE, length)
            else:
                _majorities(source, target, first + row * STRIDE, length)
        if gone > ONE:
            source, target = target, source
    for lane in range(LANES):
        winners[lane] = source[first + lane]


@kernel
def count_losing(space, words, places, columns, rows, key, first, last, counts):
    """Fill from batch `first` up to `last`; count who loses which cell, and what Black wins.

    Add to `counts` how often each empty cell gets the losing color, and as the
    last of all how often Black wins.
    """
    winners = np.empty(LANES, np.uint64)
    for batch in range(U(first), U(last)):
        write_words(words, key, batch)
        spread(words, places, space)
        write_winners(space, columns, rows, winners)
        for lane in range(LANES):
            counts[-1] += popcount(winners[lane])
        for cell in range(U(len(places))):
            start, losing = cell * LANES, ZERO
            for lane in range(LANES):
                losing += popcount(words[start + lane] ^ winners[lane])
            counts[cell] += losing
