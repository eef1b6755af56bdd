"""Make random fillings balanced: a given number of black stones in each.

A fair filling has too many or too few. Then surplus stones change color, the
cells being asked in a random order. As neither order nor filling knows of the
other, all fillings with that number are equally likely. But the fillings of a
batch share their order, but for its beginning, which each 64 draw themselves;
so they are not independent, and errors must be taken from whole batches.

Numbers of stones are held bit by bit: the lowest bit of a batch's 1,024
numbers, LANES words, then the next. `bits` holds BITS such rows and three more.
"""

from hsearch.kernels.cache import kernel
from player.kernels.fillings import GOLDEN, LANES, ONE, ZERO, U, mixed

# A board has up to 26 x 26 cells, which is less than 1,024.
BITS = U(10)
NEGATIVE, CARRY = BITS * LANES, (BITS + ONE) * LANES
ROWS = 12
TWO, THREE = U(2), U(3)
OTHER_STREAM = U(0xD1B54A32D192ED03)


@kernel
def _below(limit, number):
    """Return a number below a limit, made of a random one without a division."""
    return ((number >> U(32)) * limit) >> U(32)


@kernel
def write_orders(order, begins, key, batch):
    """Write the order in which the cells of a batch are asked, and where each lane begins.

    The order stands there twice, so that no lane need turn back.
    """
    cells = U(len(order) >> 1)
    base = (key ^ OTHER_STREAM) + U(batch) * (cells + LANES) * GOLDEN
    for at in range(cells):
        other = _below(at + ONE, mixed(base + (at + ONE) * GOLDEN))
        order[at] = order[other]
        order[other] = at
    for at in range(cells):
        order[cells + at] = order[at]
    for lane in range(LANES):
        begins[lane] = _below(cells, mixed(base + (cells + lane + ONE) * GOLDEN))


@kernel
def _carry_on(bits, first, used):
    """Add the carries to the numbers, from bit `first` on."""
    for bit in range(first, used):
        row = bit * LANES
        for lane in range(LANES):
            old, carry = bits[row + lane], bits[CARRY + lane]
            bits[row + lane] = old ^ carry
            bits[CARRY + lane] = old & carry


@kernel
def _count(words, cells, bits):
    """Write how many words of each lane have their bit set; return the bits that may be set.

    Four words at a time: two full adders make two carries, a third makes one.
    """
    bits[:] = ZERO
    used, fours = ZERO, cells & ~THREE
    while ONE << used <= cells:
        used += ONE
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
        _carry_on(bits, TWO, used)
    for cell in range(fours, cells):
        for lane in range(LANES):
            bits[CARRY + lane] = words[cell * LANES + lane]
        _carry_on(bits, ZERO, used)
    return used


@kernel
def _subtract(blacks, bits):
    """Turn counts into their distance from `blacks`, and write where that is below zero."""
    for bit in range(BITS):
        row, wanted = bit * LANES, ZERO
        if U(blacks) >> bit & ONE:
            wanted = ~ZERO
        for lane in range(LANES):
            old, borrow = bits[row + lane], bits[NEGATIVE + lane]
            bits[row + lane] = old ^ wanted ^ borrow
            bits[NEGATIVE + lane] = (~old & (wanted | borrow)) | (wanted & borrow)
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

    Scratch: `bits`, ROWS rows of LANES words; `order`, twice as many numbers as
    cells; `begins`, LANES numbers.
    """
    cells = U(len(order) >> 1)
    if not cells:
        return
    write_orders(order, begins, key, batch)
    used = _count(words, cells, bits)
    _subtract(blacks, bits)
    for asked in range(cells):
        # The highest bits are the first to be done with.
        while used > ZERO:
            some, row = ZERO, (used - ONE) * LANES
            for lane in range(LANES):
                some |= bits[row + lane]
            if some:
                break
            used -= ONE
        if used == ZERO:
            return
        for lane in range(LANES):
            bits[CARRY + lane] = bits[lane]
        for bit in range(ONE, used):
            row = bit * LANES
            for lane in range(LANES):
                bits[CARRY + lane] |= bits[row + lane]
        for lane in range(LANES):
            at = U(order[asked + U(begins[lane])]) * LANES + lane
            flip = bits[CARRY + lane] & (words[at] ^ bits[NEGATIVE + lane])
            words[at] ^= flip
            bits[CARRY + lane] = flip
        for bit in range(used):
            row = bit * LANES
            for lane in range(LANES):
                old, borrow = bits[row + lane], bits[CARRY + lane]
                bits[row + lane] = old ^ borrow
                bits[CARRY + lane] = borrow & ~old
