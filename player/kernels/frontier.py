"""The frontier pass: every filling of a board counted, cell after cell.

The cells are colored row by row. What the colored part says about the rest is
seen along its *frontier*, the last cell of every column: their colors, and
which of the white ones hang together, or on the west or east edge, behind it.
A *code* holds that, 4 bits a column, the first column lowest::

    0 black    1 white, joined to west    2 white, joined to east
    3, 4, ... further white chains, numbered by their first column

West joined to east ends the filling: White has won. Whatever lives to the last
cell Black has won, for one of the two always wins. So Black needs no chains.

A *state* is the number of a code. `onward[color, column, state]` is the state
after a stone in a column; the state `len(codes)` stands for White has won.
"""

import numpy as np

from hsearch.kernels.bits import copy
from hsearch.kernels.cache import kernel

WEST, EAST, FIRST, FRESH = 1, 2, 3, 15
WON, FULL = -1, -1
BLACK, WHITE, EMPTY = 0, 1, 2


@kernel
def _placed(code, width, column, white, labels, renamed):
    """Return the code after a stone in `column`, or WON; both arrays are scratch."""
    for other in range(width):
        labels[other] = code >> (4 * other) & 15
    if white:
        for label in range(16):
            renamed[label] = label
        west, east = column == 0, column == width - 1
        for other in range(max(0, column - 1), min(width, column + 2)):
            west = west or labels[other] == WEST
            east = east or labels[other] == EAST
        if west and east:
            return WON
        own = WEST if west else EAST if east else FRESH
        for other in range(max(0, column - 1), min(width, column + 2)):
            if labels[other]:
                renamed[labels[other]] = own
        for other in range(width):
            labels[other] = renamed[labels[other]]
        labels[column] = own
    else:
        labels[column] = 0
    renamed[:] = 0
    renamed[WEST], renamed[EAST] = WEST, EAST
    fresh = FIRST
    code = 0
    for other in range(width):
        label = labels[other]
        if label and not renamed[label]:
            renamed[label] = fresh
            fresh += 1
        code |= renamed[label] << (4 * other)
    return code


@kernel
def _slot(code, keys):
    """Return where a code lies in the hash table, or where it would."""
    mask = len(keys) - 1
    slot = (code * 0x2545F4914F6CDD1D >> 29) & mask
    while keys[slot] not in (WON, code):
        slot = (slot + 1) & mask
    return slot


@kernel
def enumerate_codes(width, codes, keys):
    """Write all codes that any order of moves leads to; return how many, or FULL.

    `keys` is a hash table, a power of two long, of codes; -1 marks a free slot.
    """
    labels, renamed = np.zeros(width, np.int64), np.zeros(16, np.int64)
    keys[:] = WON
    keys[_slot(0, keys)] = 0
    codes[0] = 0
    found, done = 1, 0
    while done < found:
        for column in range(width):
            for white in range(2):
                code = _placed(codes[done], width, column, white, labels, renamed)
                if code == WON:
                    continue
                slot = _slot(code, keys)
                if keys[slot] == code:
                    continue
                if found == len(codes):
                    return FULL
                keys[slot] = code
                codes[found] = code
                found += 1
        done += 1
    return found


@kernel
def link_codes(width, codes, keys, onward):
    """Fill `onward` for sorted codes; `keys` is scratch as in `enumerate_codes`."""
    labels, renamed = np.zeros(width, np.int64), np.zeros(16, np.int64)
    states = np.zeros(len(keys), np.int32)
    keys[:] = WON
    for state in range(len(codes)):
        slot = _slot(codes[state], keys)
        keys[slot] = codes[state]
        states[slot] = state
    for column in range(width):
        for white in range(2):
            for state in range(len(codes)):
                code = _placed(codes[state], width, column, white, labels, renamed)
                to = len(codes) if code == WON else states[_slot(code, keys)]
                onward[white, column, state] = to
            onward[white, column, len(codes)] = len(codes)


@kernel
def _step_back(stone, black, white, after, before):
    """Write Black's chance before a cell is colored from the chance after it."""
    if stone == EMPTY:
        for state in range(len(before)):
            before[state] = 0.5 * (after[black[state]] + after[white[state]])
    else:
        onward = black if stone == BLACK else white
        for state in range(len(before)):
            before[state] = after[onward[state]]


@kernel
def _step_on(stone, black, white, now, after, later):
    """Move the weights `now` on to `later`, and return how often the cell is critical.

    `after` is Black's chance once the cell is colored.
    """
    later[:] = 0.0
    critical = 0.0
    for state in range(len(now) - 1):
        weight = now[state]
        if weight == 0.0:
            continue
        to_black, to_white = black[state], white[state]
        critical += weight * (after[to_black] - after[to_white])
        if stone == EMPTY:
            later[to_black] += 0.5 * weight
            later[to_white] += 0.5 * weight
        elif stone == BLACK:
            later[to_black] += weight
        else:
            later[to_white] += weight
    return critical


@kernel
def chances_in_row(stones, onward, end, row_chances):
    """Write Black's chance before each cell of a row, given those at its end.

    stones       EMPTY, BLACK or WHITE of each cell of the row
    row_chances  a vector of states for each cell of the row and one more
    """
    copy(end, row_chances[-1])
    for column in range(len(stones) - 1, -1, -1):
        black, white = onward[0, column], onward[1, column]
        _step_back(stones[column], black, white, row_chances[column + 1], row_chances[column])


@kernel
def critical_in_row(stones, onward, row_chances, weights, critical):
    """Move the weights of the states on over a row, and write how often its cells are critical.

    `weights` is a vector of states before the row, and scratch for another.
    """
    now, later = weights[0], weights[1]
    for column in range(len(stones)):
        black, white = onward[0, column], onward[1, column]
        after = row_chances[column + 1]
        critical[column] = _step_on(stones[column], black, white, now, after, later)
        now, later = later, now
    if len(stones) % 2:
        copy(weights[1], weights[0])
