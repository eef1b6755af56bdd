"""Patterns, what they say of a move and of who wins; and playouts, the rest of a game by chance.

A cell and its six neighbors make a pattern. The player to move sees them as the one
who joins top and bottom (White by way of the transposed board), a place as a digit: 0 empty,
1 own, 2 the other's, 3 out of two edges at once. What is out of one edge is a stone of
its owner.

Every pattern has a code, some numbers, to which those of the spot on the board are added.
What each cell *sees* is a weighed sum of the seven codes around it, number by number.
Means of what is seen along each row, and along each column, are mixed to numbers of that line;
their means and largest, over all rows and all columns, make what a small layer, and one more, turn
into the logit of the mover's chance: what a position is *worth*. How a move *draws* is a sum over
the code of its cell and what that sees at two looks, weighed by what the layer found, and
what its six neighbors say of an answer to the last stone. `forward` in
`tests/support/plain_patterns.py` defines it all in plain Python.

The numbers of one cell lie side by side, so that a processor works on several at once.
`stones` is the board in a rim, as it is described at the playouts below. Sums are made as in
`player.kernels.net`, in one order.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hsearch.kernels.cache import fused_kernel, kernel
from player.kernels.fillings import GOLDEN, U, mixed

PLACES, SEVEN = 19, 7  # around a cell; of these, with itself, in a pattern
KEYS = 1 << (2 * SEVEN)
REPLIES = PLACES << 12  # six digits, and at which of the places the last stone is, 0 for none
SIDES = 6  # distances from an edge that count as different
LINES = 2 * SIDES - 1
SPOTS = LINES * LINES
CODE = HIDDEN = 32  # numbers of a code, and of what a layer makes
LARGEST = 30.0  # logit of a chance
ROWS, COLUMNS = 0, 1
ZERO = np.float32(0.0)

Numbers = NDArray[np.float32]


class PatternPlaces(NamedTuple):
    """Where the places of patterns are on one board, as each player sees it.

    near    player x cell x 19: the places around a cell in the rim, its own first
    spots   player x cell: where on the board that is
    lines   player x cell x 2: its row and its column
    sides   player x 2 x line: how far rows and columns are from their edges
    counts  player x 2: how many rows and columns there are
    """

    near: NDArray[np.int32]
    spots: NDArray[np.int32]
    lines: NDArray[np.int32]
    sides: NDArray[np.int32]
    counts: NDArray[np.int32]


class PatternParts(NamedTuple):
    """The weights, as `player.net.patterns.LAYOUT` has them, bytes made numbers."""

    codes: Numbers
    spots: Numbers
    taps: Numbers
    tap_bias: Numbers
    mix: Numbers
    mix_bias: Numbers
    lines: Numbers
    line_bias: Numbers
    hidden: Numbers
    hidden_bias: Numbers
    deeper: Numbers
    deeper_bias: Numbers
    last: Numbers
    plain: Numbers
    bias: Numbers
    draws: Numbers
    heeds: Numbers
    replies: Numbers


class PatternRoom(NamedTuple):
    """Room for what is made of a position.

    codes, seen, mixed  place of the rim x number; zeros where no cell is
    keys                cell
    sums                2 x line x number
    """

    codes: Numbers
    seen: Numbers
    mixed: Numbers
    keys: NDArray[np.int32]
    sums: Numbers
    pooled: Numbers
    hidden: Numbers
    deeper: Numbers


class Patterns(NamedTuple):
    """All that is needed to ask patterns about positions on one board; `parts` may be empty."""

    places: PatternPlaces
    parts: PatternParts
    room: PatternRoom


@kernel
def worth(patterns, stones, turn):
    """Return the chance of the player to move."""
    look(patterns, stones, turn)
    return 1 / (1 + np.exp(-min(LARGEST, max(-LARGEST, np.float64(judge(patterns, turn))))))


@kernel
def draw(patterns, stones, turn, last, logits):
    """Write how a move at each empty cell draws, as a logit; 0 at other cells.

    last  the place of the last stone; -1 where that is not known
    """
    parts, room = patterns.parts, patterns.room
    look(patterns, stones, turn)
    judge(patterns, turn)
    near = patterns.places.near[turn]
    bias, seen, mixed = parts.mix_bias, room.seen, room.mixed
    for cell in range(0, near.shape[0] - 1, 2):
        one, two = near[cell, 0], near[cell + 1, 0]
        mix(parts.mix, bias, seen[one], seen[two], mixed[one], mixed[two])
    if near.shape[0] % 2:
        place = near[near.shape[0] - 1, 0]
        layer(parts.mix, bias, seen[place], mixed[place])
    see(parts.taps[1], parts.tap_bias[1], near, room.mixed, room.seen)
    weights = parts.draws.copy()
    for number in range(HIDDEN):
        for each in range(weights.size):
            weights[each] += room.hidden[number] * parts.heeds[number, each]
    for cell in range(near.shape[0]):
        place = near[cell, 0]
        logits[cell] = 0.0
        if stones[place] == 0:
            total = parts.replies[reply_of(near[cell], room.keys[cell], last)]
            for each in range(CODE):
                total += weights[each] * room.codes[place, each]
                total += weights[CODE + each] * room.seen[place, each]
            logits[cell] = total


@fused_kernel
def look(patterns, stones, turn):
    """Write the code of each cell, and what it sees at the first look."""
    places, parts, room = patterns.places, patterns.parts, patterns.room
    near = places.near[turn]
    for cell in range(near.shape[0]):
        key = key_of(near[cell], stones, turn)
        room.keys[cell] = key
        code, spot = parts.codes[key], parts.spots[places.spots[turn, cell]]
        into = room.codes[near[cell, 0]]
        for each in range(CODE):
            into[each] = code[each] + spot[each]
    room.seen[:] = ZERO
    see(parts.taps[0], parts.tap_bias[0], near, room.codes, room.seen)


@kernel
def key_of(near, stones, turn):
    """Return the number of a pattern."""
    key = 0
    for number in range(SEVEN):
        color = np.int64(stones[near[number]])
        if turn == 1 and 0 < color < CORNER:
            color = 3 - color
        key = 4 * key + color
    return key


@kernel
def reply_of(near, key, last):
    """Return where the weight of an answer at a cell is."""
    where = 0
    for number in range(1, PLACES):
        if near[number] == last:
            where = number
    return (key & ((1 << 12) - 1)) * PLACES + where


@fused_kernel
def see(taps, bias, near, source, into):
    """Add to each cell's numbers what it sees of those around it, where that is above zero."""
    t0, t1, t2, t3, t4, t5, t6 = taps[0], taps[1], taps[2], taps[3], taps[4], taps[5], taps[6]
    for cell in range(near.shape[0]):
        at = near[cell]
        s0, s1, s2, s3 = source[at[0]], source[at[1]], source[at[2]], source[at[3]]
        s4, s5, s6 = source[at[4]], source[at[5]], source[at[6]]
        target = into[at[0]]
        for each in range(CODE):
            seen = bias[each] + t0[each] * s0[each] + t1[each] * s1[each] + t2[each] * s2[each]
            seen += t3[each] * s3[each] + t4[each] * s4[each]
            seen += t5[each] * s5[each] + t6[each] * s6[each]
            target[each] += max(seen, ZERO)


@fused_kernel
def layer(weights, bias, source, into):
    """Write what a layer makes of some numbers, four at a time; none is below zero."""
    for each in range(HIDDEN):
        into[each] = bias[each]
    for at in range(0, source.size, 4):
        w0, w1, w2, w3 = weights[at], weights[at + 1], weights[at + 2], weights[at + 3]
        x0, x1, x2, x3 = source[at], source[at + 1], source[at + 2], source[at + 3]
        for each in range(HIDDEN):
            into[each] += x0 * w0[each] + x1 * w1[each] + x2 * w2[each] + x3 * w3[each]
    for each in range(HIDDEN):
        into[each] = max(into[each], ZERO)


@fused_kernel
def mix(weights, bias, source, other, into, others):
    """Do the same for a code and for another one, so that weights are read once for two."""
    for each in range(CODE):
        into[each] = others[each] = bias[each]
    for at in range(0, CODE, 4):
        w0, w1, w2, w3 = weights[at], weights[at + 1], weights[at + 2], weights[at + 3]
        x0, x1, x2, x3 = source[at], source[at + 1], source[at + 2], source[at + 3]
        y0, y1, y2, y3 = other[at], other[at + 1], other[at + 2], other[at + 3]
        for each in range(CODE):
            into[each] += x0 * w0[each] + x1 * w1[each] + x2 * w2[each] + x3 * w3[each]
            others[each] += y0 * w0[each] + y1 * w1[each] + y2 * w2[each] + y3 * w3[each]
    for each in range(CODE):
        into[each], others[each] = max(into[each], ZERO), max(others[each], ZERO)


@fused_kernel
def judge(patterns, turn):
    """Return the logit of the mover's chance, by what was seen; leave the layers as they were."""
    places, parts, room = patterns.places, patterns.parts, patterns.room
    near, lines = places.near[turn], places.lines[turn]
    sides, counts = places.sides[turn], places.counts[turn]
    pooled, line = room.pooled, np.zeros(CODE, np.float32)
    room.sums[:], pooled[:] = ZERO, ZERO
    for cell in range(near.shape[0]):
        code, seen = room.codes[near[cell, 0]], room.seen[near[cell, 0]]
        row, column = room.sums[ROWS, lines[cell, 0]], room.sums[COLUMNS, lines[cell, 1]]
        for each in range(CODE):
            row[each] += seen[each]
            column[each] += seen[each]
            line[each] += code[each]
    logit = parts.bias[0]
    for each in range(CODE):
        logit += parts.plain[each] * line[each]
    for kind in (ROWS, COLUMNS):
        share, across = np.float32(1 / counts[kind]), np.float32(1 / counts[1 - kind])
        mean, largest = (1 + 2 * kind) * CODE, (2 + 2 * kind) * CODE
        weights, biases = parts.lines[kind], parts.line_bias[kind]
        for number in range(counts[kind]):
            total = room.sums[kind, number]
            for each in range(CODE):
                total[each] *= across
                if kind == ROWS:
                    pooled[each] += total[each] * share
            layer(weights, biases[sides[kind, number]], total, line)
            for each in range(CODE):
                pooled[mean + each] += line[each] * share
                pooled[largest + each] = max(pooled[largest + each], line[each])
    layer(parts.hidden, parts.hidden_bias, pooled, room.hidden)
    layer(parts.deeper, parts.deeper_bias, room.hidden, room.deeper)
    for each in range(HIDDEN):
        logit += parts.last[each] * room.deeper[each]
    return logit


# Playouts: the rest of a game by chance, where a threatened bridge is saved.
#
# `stones` is the board in a rim of edge stones, one byte a place: 0 empty, 1 black,
# 2 white, 3 in the corners, where two edges meet and neither may be counted on.
# Rows are `columns` + 2 places apart, and `steps` are the six ways to go from a
# place, in cyclic order, and the first two of them once more. `empties` are the empty
# places, `left` of them, in any order, and `spots` says where in that list a place
# stands.
#
# A bridge of the player to move is threatened when the last stone stands in one of
# its two cells: around that stone lie, side by side, an own stone, an empty cell
# and an own stone. The empty cell saves it. Arneson, Hayward and Henderson: Monte
# Carlo tree search in Hex (2010).

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
