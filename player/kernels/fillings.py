"""Random fillings: 1,024 at a time, balanced ones, and one at a time as a check."""

from typing import NamedTuple

import numpy as np

from hsearch.kernels.cache import kernel

# Random fillings, 1,024 at a time, and who wins them.
#
# A *word* holds one cell of 64 fillings, a bit each, 1 for black. LANES words make
# a cell of a *batch*. A *plane* is a board of such cells with a ring around it,
# STRIDE words a row: cell (column, row) starts at
# (row + 1) * STRIDE + (column + 1) * LANES. `space` is one array of planes. All
# offsets inside it are constants, and all indices unsigned: this shows the compiler
# that no store overlaps a load, so it uses the widest registers there are.

U = np.uint64
LANES = U(16)
BATCH = 1024
SIDE = 28
STRIDE = U(SIDE) * LANES
PLANE = U(SIDE) * STRIDE
PLANES = 7
# The filling, two planes of scratch, and behind them those of `critical`.
FILLING, WORK, WORK_TOO = (U(k) * PLANE for k in range(3))
ONE, ZERO = U(1), U(0)
GOLDEN, MIX_ONE, MIX_TWO = U(0x9E3779B97F4A7C15), U(0xBF58476D1CE4E5B9), U(0x94D049BB133111EB)


class Batches(NamedTuple):
    """Which batches of fillings are drawn.

    key          of the stream of random numbers
    first, stop  the number of the first batch, and that behind the last
    blacks       how many of the empty cells become black; -1 if a fair coin decides each cell
    """

    key: np.uint64
    first: int
    stop: int
    blacks: int


@kernel
def splitmix(number):
    """Return the output of splitmix64 for a counter."""
    number = (number ^ (number >> U(30))) * MIX_ONE
    number = (number ^ (number >> U(27))) * MIX_TWO
    return number ^ (number >> U(31))


@kernel
def popcount(word):
    """Return the number of set bits, written so that LLVM compiles it to one instruction."""
    word = word - ((word >> ONE) & U(0x5555555555555555))
    word = (word & U(0x3333333333333333)) + ((word >> U(2)) & U(0x3333333333333333))
    word = (word + (word >> U(4))) & U(0x0F0F0F0F0F0F0F0F)
    return (word * U(0x0101010101010101)) >> U(56)


@kernel
def write_words(words, key, batch):
    """Write the random words of a batch; each depends on the key, the batch and its number."""
    base = key + U(batch) * U(len(words)) * GOLDEN
    for at in range(U(len(words))):
        words[at] = splitmix(base + (at + ONE) * GOLDEN)


@kernel
def spread(words, places, space):
    """Write the words of the empty cells into the filling."""
    for cell in range(U(len(places))):
        start, first = FILLING + U(places[cell]), cell * LANES
        for lane in range(LANES):
            space[start + lane] = words[first + lane]


@kernel
def _majorities(source, target, start, length):
    """Write the majority of each cell, the one below and the one to the right."""
    for at in range(start, start + length):
        own, below, right = source[at], source[at + STRIDE], source[at + LANES]
        target[at] = (own & below) | (right & (own | below))


@kernel
def write_winners(space, columns, rows, winners):
    """Write who wins each filling, by Y-reduction: a bit each, 1 for Black.

    The board is a corner of a Y triangle that is black below the last row and
    white past the last column, so Black wins Y exactly if Black wins Hex. Replacing
    every small triangle by its majority gives a Y one smaller with the same winner.
    One row of the black part and one column of the white part are enough, because
    they never change.
    """
    columns, rows = U(columns), U(rows)
    filling = space[FILLING : FILLING + PLANE]
    source, target = space[WORK : WORK + PLANE], space[WORK_TOO : WORK_TOO + PLANE]
    first = STRIDE + LANES
    sides = columns + rows - ONE
    if sides == ONE:
        source = filling
    for step in range(ONE, sides):
        side = sides - step
        for row in range(min(rows, side)):
            # Round up to an even number of cells: the compiled loop then has no remainder.
            length = ((min(columns, side - row) + ONE) & ~ONE) * LANES
            if step == ONE:
                _majorities(filling, source, first + row * STRIDE, length)
            else:
                _majorities(source, target, first + row * STRIDE, length)
        if step > ONE:
            source, target = target, source
    for lane in range(LANES):
        winners[lane] = source[first + lane]


@kernel
def count_losing(space, words, places, columns, rows, batches, counts):
    """Draw batches by fair coins; count losing cells and Black's wins.

    Add to `counts` how often each empty cell gets the losing color and, in the last
    entry, how often Black wins.
    """
    winners = np.empty(LANES, np.uint64)
    for batch in range(U(batches.first), U(batches.stop)):
        write_words(words, batches.key, batch)
        spread(words, places, space)
        write_winners(space, columns, rows, winners)
        for lane in range(LANES):
            counts[len(places)] += popcount(winners[lane])
        for cell in range(U(len(places))):
            start, losing = cell * LANES, ZERO
            for lane in range(LANES):
                losing += popcount(words[start + lane] ^ winners[lane])
            counts[cell] += losing


# Balanced fillings: a given number of black stones in each.
#
# A filling by fair coins has too many black stones or too few. Surplus stones change
# color, in a random order of the cells. Order and filling are independent, so
# all fillings with that number are equally likely. But all fillings of a
# batch share one cyclic order, and only its start is drawn anew for each lane of 64;
# so they are not independent, and errors must be computed from whole batches.
#
# Numbers of stones are stored bit by bit: the lowest bit of a batch's 1,024
# numbers, LANES words, then the next. `bits` has BITS such rows, and two more:
# NEGATIVE and CARRY.

# A board has up to 26 x 26 cells, which is less than 1,024.
BITS = U(10)
NEGATIVE, CARRY = BITS * LANES, (BITS + ONE) * LANES
ROWS = 12
TWO, THREE = U(2), U(3)
OTHER_STREAM = U(0xD1B54A32D192ED03)


@kernel
def _below(limit, number):
    """Return a random number scaled to below a limit, without a division."""
    return ((number >> U(32)) * limit) >> U(32)


@kernel
def write_orders(order, begins, key, batch):
    """Write the order of the cells of a batch, and where each lane starts in it.

    The order is written twice in a row, so no lane has to wrap around.
    """
    cells = U(len(order) >> 1)
    base = (key ^ OTHER_STREAM) + U(batch) * (cells + LANES) * GOLDEN
    for at in range(cells):
        other = _below(at + ONE, splitmix(base + (at + ONE) * GOLDEN))
        order[at] = order[other]
        order[other] = at
    for at in range(cells):
        order[cells + at] = order[at]
    for lane in range(LANES):
        begins[lane] = _below(cells, splitmix(base + (cells + lane + ONE) * GOLDEN))


@kernel
def _carry_on(bits, first, width):
    """Add the carries to the numbers, from bit `first` up to `width`."""
    for bit in range(first, width):
        row = bit * LANES
        for lane in range(LANES):
            old, carry = bits[row + lane], bits[CARRY + lane]
            bits[row + lane] = old ^ carry
            bits[CARRY + lane] = old & carry


@kernel
def _count(words, cells, bits):
    """Count the black cells of each filling; return how many bits the counts may need.

    Four words at a time: two full adders make two carries, and a third adds those up.
    """
    bits[:] = ZERO
    width, fours = ZERO, cells & ~THREE
    while ONE << width <= cells:
        width += ONE
    for start in range(ZERO, fours * LANES, U(4) * LANES):
        for lane in range(LANES):
            one, two = words[start + lane], words[start + LANES + lane]
            three, four = words[start + TWO * LANES + lane], words[start + THREE * LANES + lane]
            old = bits[lane]
            half = old ^ one
            carry, full = (old & one) | (half & two), half ^ two
            half = full ^ three
            carry_too = (full & three) | (half & four)
            bits[lane] = half ^ four
            old = bits[LANES + lane]
            half = old ^ carry
            bits[CARRY + lane] = (old & carry) | (half & carry_too)
            bits[LANES + lane] = half ^ carry_too
        _carry_on(bits, TWO, width)
    for cell in range(fours, cells):
        for lane in range(LANES):
            bits[CARRY + lane] = words[cell * LANES + lane]
        _carry_on(bits, ZERO, width)
    return width


@kernel
def _subtract(blacks, bits):
    """Replace each count by its distance from `blacks`; mark in NEGATIVE those below it."""
    for bit in range(BITS):
        row, mask = bit * LANES, ZERO
        if U(blacks) >> bit & ONE:
            mask = ~ZERO
        for lane in range(LANES):
            old, borrow = bits[row + lane], bits[NEGATIVE + lane]
            bits[row + lane] = old ^ mask ^ borrow
            bits[NEGATIVE + lane] = (~old & (mask | borrow)) | (mask & borrow)
    for lane in range(LANES):
        bits[CARRY + lane] = bits[NEGATIVE + lane]
    for bit in range(BITS):
        row = bit * LANES
        for lane in range(LANES):
            old, carry = bits[row + lane] ^ bits[NEGATIVE + lane], bits[CARRY + lane]
            bits[row + lane] = old ^ carry
            bits[CARRY + lane] = old & carry


@kernel
def balance(words, blacks, key, batch, bits, order, begins):
    """Change the words of a batch so that `blacks` cells of every filling are black.

    Scratch: `bits`, ROWS rows of LANES words; `order`, two numbers per
    cell; `begins`, LANES numbers.
    """
    cells = U(len(order) >> 1)
    if not cells:
        return
    write_orders(order, begins, key, batch)
    width = _count(words, cells, bits)
    _subtract(blacks, bits)
    for step in range(cells):
        # The highest bits reach zero first: stop computing with them.
        while width > ZERO:
            some, row = ZERO, (width - ONE) * LANES
            for lane in range(LANES):
                some |= bits[row + lane]
            if some:
                break
            width -= ONE
        if width == ZERO:
            return
        for lane in range(LANES):
            bits[CARRY + lane] = bits[lane]
        for bit in range(ONE, width):
            row = bit * LANES
            for lane in range(LANES):
                bits[CARRY + lane] |= bits[row + lane]
        for lane in range(LANES):
            at = U(order[step + U(begins[lane])]) * LANES + lane
            flip = bits[CARRY + lane] & (words[at] ^ bits[NEGATIVE + lane])
            words[at] ^= flip
            bits[CARRY + lane] = flip
        for bit in range(width):
            row = bit * LANES
            for lane in range(LANES):
                old, borrow = bits[row + lane], bits[CARRY + lane]
                bits[row + lane] = old ^ borrow
                bits[CARRY + lane] = borrow & ~old


# One filling at a time: colors drawn cell by cell, the winner found by a walk.
#
# This is the method of Payne and Robeva (2008), kept to check the faster ones above
# and to compare their speed.

# The directions around a cell in cyclic order: each touches the one before and after it.
RIGHT = (1, 1, 0, -1, -1, 0)
DOWN = (0, -1, -1, 0, 1, 1)


@kernel
def is_won_by_black(colors, columns, rows):
    """Return whether Black wins a full board, in which true cells are black.

    Walk from the corner of the north and west edges, between black on one hand and
    white on the other. Black wins if the walk ends where the west edge meets the south.
    """
    black_column, black_row, step = 0, -1, 4
    while True:
        # White lies in direction `step` from the black point; `ahead` is the next direction.
        ahead = step + 1 if step < 5 else 0
        column, row = black_column + RIGHT[ahead], black_row + DOWN[ahead]
        if column == columns and row == -1:
            return False
        if column == -1 and row == rows:
            return True
        if 0 <= column < columns and 0 <= row < rows:
            black = colors[row * columns + column]
        else:
            black = not 0 <= row < rows
        if black:
            black_column, black_row = column, row
            step = step - 1 if step > 0 else 5
        else:
            step = ahead


@kernel
def count_losing_by_walk(colors, empties, columns, rows, key, fillings, counts):
    """Draw and count like `count_losing`, one filling at a time; return Black's wins.

    `colors` holds the stones; its empty cells are scratch.
    """
    wins, counter = 0, key
    for _ in range(fillings):
        bits, remaining = U(0), 0
        for cell in empties:
            if remaining == 0:
                counter += GOLDEN
                bits, remaining = splitmix(counter), 64
            colors[cell] = bits & ONE
            bits >>= ONE
            remaining -= 1
        black = is_won_by_black(colors, columns, rows)
        wins += black
        for place in range(len(empties)):
            counts[place] += colors[empties[place]] != black
    return wins
