"""Patterns, which estimate moves and who wins, and playouts, which finish a game at random.

A cell and its six neighbors make a pattern, seen from the player to move, who joins top
and bottom (for White, on the transposed board). Each place is a digit: 0 empty, 1 own,
2 the opponent's, 3 beyond two edges at once. A place beyond one edge is a stone of
the edge's owner.

Every pattern has a code, a vector, to which the vector of its spot on the board is added.
What each cell *sees* is a weighted sum of the seven codes around it, number by number.
The means of that along each row and along each column pass through a layer of that line; the
mean and the largest of these, over all rows and all columns, pass through two small layers to
the logit of the mover's chance: what a position is *worth*. How strongly a move *draws* is a
sum over the code of its cell and what that cell sees at two looks, with weights from the first
of these layers, plus a term for its neighbors and the place of the last stone. `forward` in
`tests/support/plain_patterns.py` defines all of it in plain Python.

The numbers of one cell lie side by side, so a processor works on several at once.
`stones` is the board in its rim, as described at the playouts below. Sums are made as in
`player.kernels.net`, in a fixed order.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hsearch.kernels.cache import fused_kernel, kernel
from player.kernels.fillings import GOLDEN, U, splitmix

PLACES, SEVEN = 19, 7  # places around a cell, itself included; the first 7 make its pattern
KEYS = 1 << (2 * SEVEN)
REPLIES = PLACES << 12  # six digits, and the place of the last stone among the 19, 0 for none
SIDES = 6  # distances from an edge that are distinguished
LINES = 2 * SIDES - 1
SPOTS = LINES * LINES
CODE = HIDDEN = 32  # numbers of a code, and of the output of a layer
LARGEST = 30.0  # the largest logit of a chance
ROWS, COLUMNS = 0, 1
ZERO = np.float32(0.0)

Numbers = NDArray[np.float32]


class PatternPlaces(NamedTuple):
    """The places of patterns on one board, as each player sees it.

    near    player x cell x 19: the places around a cell in the rim, its own first
    spots   player x cell: which kind of spot on the board that is
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
    """The weights in the layout of `player.evaluate.patterns.LAYOUT`, bytes converted to floats."""

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
    """Room for the activations of a position.

    codes, seen, mixed  place of the rim x number; zeros outside the board
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
    """The arrays that evaluate positions on one board; `parts` may be empty."""

    places: PatternPlaces
    parts: PatternParts
    room: PatternRoom


@kernel
def worth(patterns, stones, turn):
    """Return the chance of the player to move to win."""
    look(patterns, stones, turn)
    return 1 / (1 + np.exp(-min(LARGEST, max(-LARGEST, np.float64(judge(patterns, turn))))))


@kernel
def draw(patterns, stones, turn, last, logits):
    """Write the logit of a move at each empty cell; 0 at other cells.

    last  the place of the last stone; -1 if it is not known
    """
    parts, room = patterns.parts, patterns.room
    look(patterns, stones, turn)
    judge(patterns, turn)
    near = patterns.places.near[turn]
    bias, sights, mixes = parts.mix_bias, room.seen, room.mixed
    for cell in range(0, near.shape[0] - 1, 2):
        one, two = near[cell, 0], near[cell + 1, 0]
        mix(parts.mix, bias, sights[one], sights[two], mixes[one], mixes[two])
    if near.shape[0] % 2:
        place = near[near.shape[0] - 1, 0]
        layer(parts.mix, bias, sights[place], mixes[place])
    see(parts.taps[1], parts.tap_bias[1], near, room.mixed, room.seen)
    weights = parts.draws.copy()
    for number in range(HIDDEN):
        for i in range(weights.size):
            weights[i] += room.hidden[number] * parts.heeds[number, i]
    for cell in range(near.shape[0]):
        place = near[cell, 0]
        logits[cell] = 0.0
        if stones[place] == 0:
            total = parts.replies[reply_of(near[cell], room.keys[cell], last)]
            for i in range(CODE):
                total += weights[i] * room.codes[place, i]
                total += weights[CODE + i] * room.seen[place, i]
            logits[cell] = total


@fused_kernel
def look(patterns, stones, turn):
    """Write the code of each cell, and what the cell sees at the first look."""
    places, parts, room = patterns.places, patterns.parts, patterns.room
    near = places.near[turn]
    for cell in range(near.shape[0]):
        key = key_of(near[cell], stones, turn)
        room.keys[cell] = key
        code, spot = parts.codes[key], parts.spots[places.spots[turn, cell]]
        into = room.codes[near[cell, 0]]
        for i in range(CODE):
            into[i] = code[i] + spot[i]
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
    """Return the index of the weight for a cell as a reply to the last stone."""
    where = 0
    for number in range(1, PLACES):
        if near[number] == last:
            where = number
    return (key & ((1 << 12) - 1)) * PLACES + where


@fused_kernel
def see(taps, bias, near, source, into):
    """Add to each cell's numbers what it sees of those around it, rectified."""
    t0, t1, t2, t3, t4, t5, t6 = taps[0], taps[1], taps[2], taps[3], taps[4], taps[5], taps[6]
    for cell in range(near.shape[0]):
        at = near[cell]
        s0, s1, s2, s3 = source[at[0]], source[at[1]], source[at[2]], source[at[3]]
        s4, s5, s6 = source[at[4]], source[at[5]], source[at[6]]
        target = into[at[0]]
        for i in range(CODE):
            total = bias[i] + t0[i] * s0[i] + t1[i] * s1[i] + t2[i] * s2[i]
            total += t3[i] * s3[i] + t4[i] * s4[i]
            total += t5[i] * s5[i] + t6[i] * s6[i]
            target[i] += max(total, ZERO)


@fused_kernel
def layer(weights, bias, source, into):
    """Write the rectified output of a layer, taking four inputs at a time."""
    for i in range(HIDDEN):
        into[i] = bias[i]
    for at in range(0, source.size, 4):
        w0, w1, w2, w3 = weights[at], weights[at + 1], weights[at + 2], weights[at + 3]
        x0, x1, x2, x3 = source[at], source[at + 1], source[at + 2], source[at + 3]
        for i in range(HIDDEN):
            into[i] += x0 * w0[i] + x1 * w1[i] + x2 * w2[i] + x3 * w3[i]
    for i in range(HIDDEN):
        into[i] = max(into[i], ZERO)


@fused_kernel
def mix(weights, bias, source, other, into, others):
    """Write the rectified output of a layer for two codes at once.

    This reads the weights once for both.
    """
    for i in range(CODE):
        into[i] = others[i] = bias[i]
    for at in range(0, CODE, 4):
        w0, w1, w2, w3 = weights[at], weights[at + 1], weights[at + 2], weights[at + 3]
        x0, x1, x2, x3 = source[at], source[at + 1], source[at + 2], source[at + 3]
        y0, y1, y2, y3 = other[at], other[at + 1], other[at + 2], other[at + 3]
        for i in range(CODE):
            into[i] += x0 * w0[i] + x1 * w1[i] + x2 * w2[i] + x3 * w3[i]
            others[i] += y0 * w0[i] + y1 * w1[i] + y2 * w2[i] + y3 * w3[i]
    for i in range(CODE):
        into[i], others[i] = max(into[i], ZERO), max(others[i], ZERO)


@fused_kernel
def judge(patterns, turn):
    """Return the logit of the mover's chance, from what is seen; leave the layers in the room."""
    places, parts, room = patterns.places, patterns.parts, patterns.room
    near, lines = places.near[turn], places.lines[turn]
    sides, counts = places.sides[turn], places.counts[turn]
    summary, line = room.pooled, np.zeros(CODE, np.float32)
    room.sums[:], summary[:] = ZERO, ZERO
    for cell in range(near.shape[0]):
        code, sights = room.codes[near[cell, 0]], room.seen[near[cell, 0]]
        row, column = room.sums[ROWS, lines[cell, 0]], room.sums[COLUMNS, lines[cell, 1]]
        for i in range(CODE):
            row[i] += sights[i]
            column[i] += sights[i]
            line[i] += code[i]
    logit = parts.bias[0]
    for i in range(CODE):
        logit += parts.plain[i] * line[i]
    for kind in (ROWS, COLUMNS):
        share, across = np.float32(1 / counts[kind]), np.float32(1 / counts[1 - kind])
        mean, largest = (1 + 2 * kind) * CODE, (2 + 2 * kind) * CODE
        weights, biases = parts.lines[kind], parts.line_bias[kind]
        for number in range(counts[kind]):
            total = room.sums[kind, number]
            for i in range(CODE):
                total[i] *= across
                if kind == ROWS:
                    summary[i] += total[i] * share
            layer(weights, biases[sides[kind, number]], total, line)
            for i in range(CODE):
                summary[mean + i] += line[i] * share
                summary[largest + i] = max(summary[largest + i], line[i])
    layer(parts.hidden, parts.hidden_bias, summary, room.hidden)
    layer(parts.deeper, parts.deeper_bias, room.hidden, room.deeper)
    for i in range(HIDDEN):
        logit += parts.last[i] * room.deeper[i]
    return logit


# Playouts: finish a game at random, but save threatened bridges.
#
# `stones` is the board in a rim of edge stones, one byte a place: 0 empty, 1 black,
# 2 white, 3 in the corners, where two edges meet and neither color may count on the place.
# Rows are `columns` + 2 places apart; `steps` are the six steps from a
# place to its neighbors in cyclic order, then the first two again. `empties` lists the
# empty places, `count` of them, in any order; `spots` has the index of each place there.
#
# A bridge of the player to move is threatened if the last stone is in one of
# its two cells: around that stone lie, side by side, an own stone, an empty cell
# and an own stone. The empty cell saves it. Arneson, Hayward and Henderson: Monte
# Carlo tree search in Hex (2010).

CORNER = 3
AROUND = 8


@kernel
def set_up(columns, rows, cells, stones, steps, empties, spots):
    """Write `cells`, 0, 1 or 2 each, and the rim around them; return how many are empty."""
    stride = columns + 2
    for number, step in enumerate((1, 1 - stride, -stride, -1, stride - 1, stride)):
        steps[number] = step
    steps[6], steps[7] = steps[0], steps[1]
    stones[:] = CORNER
    for column in range(1, columns + 1):
        stones[column] = stones[(rows + 1) * stride + column] = 1
    for row in range(1, rows + 1):
        stones[row * stride] = stones[row * stride + columns + 1] = 2
    count = 0
    for cell in range(columns * rows):
        place = place_of(cell, columns)
        stones[place] = cells[cell]
        if cells[cell] == 0:
            empties[count], spots[place] = place, count
            count += 1
    return count


@kernel
def place_of(cell, columns):
    """Return the place of a cell on the board in its rim."""
    return (cell // columns + 1) * (columns + 2) + cell % columns + 1


@kernel
def put(place, color, stones, empties, spots, count):
    """Put a stone, 1 or 2, on an empty place; return how many empty places are left."""
    stones[place] = color
    other = empties[count - 1]
    spot = spots[place]
    empties[spot], spots[other] = other, spot
    return count - 1


@kernel
def below(bound, random):
    """Return the next random number from 0 to below a bound; `random` is the counter."""
    random[0] += GOLDEN
    return np.int64(((splitmix(random[0]) >> U(32)) * U(bound)) >> U(32))


@kernel
def saving(last, color, stones, steps, first):
    """Return a place that saves a bridge from the last stone; -1 if there is none.

    Among several, it is the first one in cyclic order, starting at direction `first`.
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
def playout(turn, last, stones, steps, empties, spots, remaining, random):
    """Fill the board with `turn` to move; `last` is the place of the last stone, or -1."""
    color = 1 + turn
    while remaining:
        place = -1
        if last >= 0:
            place = saving(last, color, stones, steps, below(6, random))
        if place < 0:
            place = empties[below(remaining, random)]
        remaining = put(place, color, stones, empties, spots, remaining)
        last, color = place, 3 - color
