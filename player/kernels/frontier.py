"""Count all fillings of a board cell by cell, or those with a given number of black cells."""

import numpy as np

from hsearch.kernels.bits import copy, is_stopped
from hsearch.kernels.cache import kernel

# The frontier pass: count all fillings of a board cell by cell.
#
# The cells are colored row by row. The colored part affects the rest only through
# its *frontier*, the last cell of every column: their colors, and
# which of the white ones are connected behind it, to each other or to the west or east edge.
# A *code* stores that, 4 bits a column, the first column lowest::
#
#     0 black    1 white, joined to west    2 white, joined to east
#     3, 4, ... other white chains, numbered by their first column
#
# If west is joined to east, White has won and the filling ends. One of the two always
# wins, so Black has won every filling that reaches the last cell, and Black's chains
# need not be tracked.
#
# A *state* is the number of a code. `onward[color, column, state]` is the state
# after a stone in a column; the state `len(codes)` means that White has won.

WEST, EAST, FIRST, FRESH = 1, 2, 3, 15
WON, FULL = -1, -1
BLACK, WHITE, EMPTY = 0, 1, 2


@kernel
def _place(code, width, column, white, labels, names):
    """Return the code after a stone in `column`, or WON; the two arrays are scratch."""
    for other in range(width):
        labels[other] = code >> (4 * other) & 15
    if white:
        for label in range(16):
            names[label] = label
        west, east = column == 0, column == width - 1
        for other in range(max(0, column - 1), min(width, column + 2)):
            west = west or labels[other] == WEST
            east = east or labels[other] == EAST
        if west and east:
            return WON
        own = WEST if west else EAST if east else FRESH
        for other in range(max(0, column - 1), min(width, column + 2)):
            if labels[other]:
                names[labels[other]] = own
        for other in range(width):
            labels[other] = names[labels[other]]
        labels[column] = own
    else:
        labels[column] = 0
    names[:] = 0
    names[WEST], names[EAST] = WEST, EAST
    fresh = FIRST
    code = 0
    for other in range(width):
        label = labels[other]
        if label and not names[label]:
            names[label] = fresh
            fresh += 1
        code |= names[label] << (4 * other)
    return code


@kernel
def _slot(code, keys):
    """Return the slot of a code in the hash table, or the free slot where it would go."""
    mask = len(keys) - 1
    slot = (code * 0x2545F4914F6CDD1D >> 29) & mask
    while keys[slot] not in (WON, code):
        slot = (slot + 1) & mask
    return slot


@kernel
def enumerate_codes(width, codes, keys, flag):
    """Write all codes that stones in any order of columns lead to; return how many, or FULL.

    `keys` is a hash table of codes, its length a power of two; -1 marks a free slot. `flag` is
    the address of the flag that stops it.
    """
    labels, names = np.zeros(width, np.int64), np.zeros(16, np.int64)
    keys[:] = WON
    keys[_slot(0, keys)] = 0
    codes[0] = 0
    count, head = 1, 0
    while head < count and not is_stopped(flag):
        for column in range(width):
            for white in range(2):
                code = _place(codes[head], width, column, white, labels, names)
                if code == WON:
                    continue
                slot = _slot(code, keys)
                if keys[slot] == code:
                    continue
                if count == len(codes):
                    return FULL
                keys[slot] = code
                codes[count] = code
                count += 1
        head += 1
    return count


@kernel
def link_codes(width, codes, keys, onward, flag):
    """Fill `onward` for sorted codes; `keys` and `flag` are as in `enumerate_codes`."""
    labels, names = np.zeros(width, np.int64), np.zeros(16, np.int64)
    states = np.zeros(len(keys), np.int32)
    keys[:] = WON
    for state in range(len(codes)):
        slot = _slot(codes[state], keys)
        keys[slot] = codes[state]
        states[slot] = state
    for column in range(width):
        for white in range(2):
            if is_stopped(flag):
                return
            for state in range(len(codes)):
                code = _place(codes[state], width, column, white, labels, names)
                to = len(codes) if code == WON else states[_slot(code, keys)]
                onward[white, column, state] = to
            onward[white, column, len(codes)] = len(codes)


@kernel
def _step_back(stone, black, white, after, before):
    """Write Black's chances before a cell is colored from those after it."""
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

    `after` has Black's chances once the cell is colored.
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
    """Write Black's chances before each cell of a row, given those at its end.

    stones       EMPTY, BLACK or WHITE for each cell of the row
    row_chances  a vector of states for each cell of the row, and one more
    """
    copy(end, row_chances[len(stones)])
    for column in range(len(stones) - 1, -1, -1):
        black, white = onward[0, column], onward[1, column]
        _step_back(stones[column], black, white, row_chances[column + 1], row_chances[column])


@kernel
def critical_in_row(stones, onward, row_chances, weights, critical):
    """Move the weights of the states on over a row; write how often its cells are critical.

    `weights` is a vector of states before the row, and room for a second one.
    """
    now, later = weights[0], weights[1]
    for column in range(len(stones)):
        black, white = onward[0, column], onward[1, column]
        after = row_chances[column + 1]
        critical[column] = _step_on(stones[column], black, white, now, after, later)
        now, later = later, now
    if len(stones) % 2:
        copy(weights[1], weights[0])


# The frontier pass with a count of stones: all fillings with a given number of black cells.
#
# As above, but each state comes with the number of empty cells that became black
# so far. Given that number, all ways to place the remaining black cells are equally
# likely, so the next empty cell is black with chance
# (black cells to come) / (empty cells to come). A vector of chances is indexed by
# state and by that number. Only entries from the least to the greatest possible number
# are valid; the others are never read, or only multiplied by 0.
#
# A cell is critical if changing its color alone changes the winner. The rest of the
# filling then keeps its own number of black cells, which depends on the color that
# the cell had.


@kernel
def _count_step_back(cell, black, white, blacks, after, before):
    """Write Black's chances before a cell is colored from those after it.

    `cell` is its stone, and the numbers of empty cells before it and from it on.
    """
    stone, behind, ahead = cell
    least, most = max(0, blacks - ahead), min(behind, blacks)
    if stone == EMPTY:
        for state in range(len(before)):
            for count in range(least, most + 1):
                share = (blacks - count) / ahead
                more = min(count + 1, blacks)
                before[state, count] = (
                    share * after[black[state], more] + (1.0 - share) * after[white[state], count]
                )
    else:
        states = black if stone == BLACK else white
        for state in range(len(before)):
            for count in range(least, most + 1):
                before[state, count] = after[states[state], count]


@kernel
def _count_step_on(cell, black, white, blacks, now, after, later):
    """Move the weights `now` on to `later`, and return how often the cell is critical.

    `cell` is as above; `after` has Black's chances once the cell is colored.
    """
    stone, behind, ahead = cell
    least, most = max(0, blacks - ahead), min(behind, blacks)
    later[:] = 0.0
    critical = 0.0
    for state in range(len(now) - 1):
        to_black, to_white = black[state], white[state]
        for count in range(least, most + 1):
            weight = now[state, count]
            if weight == 0.0:
                continue
            if stone == EMPTY:
                share = (blacks - count) / ahead
                more = min(count + 1, blacks)
                if_black = after[to_black, more] - after[to_white, more]
                if_white = after[to_black, count] - after[to_white, count]
                critical += weight * (share * if_black + (1.0 - share) * if_white)
                later[to_black, more] += weight * share
                later[to_white, count] += weight * (1.0 - share)
            else:
                later[to_black if stone == BLACK else to_white, count] += weight
    return critical


@kernel
def count_chances_in_row(stones, onward, counts, end, row_chances):
    """Write Black's chances as `chances_in_row` does, by state and number of black cells.

    `counts` are the numbers of empty cells before each cell of the row, the number of all empty
    cells, and that of those which become black.
    """
    before, empty, blacks = counts
    _copy(end, row_chances[len(stones)])
    for column in range(len(stones) - 1, -1, -1):
        cell = stones[column], before[column], empty - before[column]
        black, white = onward[0, column], onward[1, column]
        after = row_chances[column + 1]
        _count_step_back(cell, black, white, blacks, after, row_chances[column])


@kernel
def count_critical_in_row(stones, onward, counts, row_chances, weights, critical):
    """Move the weights on over a row, and write how often its cells are critical, as above."""
    before, empty, blacks = counts
    now, later = weights[0], weights[1]
    for column in range(len(stones)):
        cell = stones[column], before[column], empty - before[column]
        black, white = onward[0, column], onward[1, column]
        after = row_chances[column + 1]
        critical[column] = _count_step_on(cell, black, white, blacks, now, after, later)
        now, later = later, now
    if len(stones) % 2:
        _copy(weights[1], weights[0])


@kernel
def _copy(chances, target):
    """Copy the chances of all states and counts."""
    for state in range(len(target)):
        copy(chances[state], target[state])
