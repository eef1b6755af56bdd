"""Every filling of a board counted, cell after cell; all, or those with a number of black cells."""

import numpy as np

from hsearch.kernels.bits import copy, is_stopped
from hsearch.kernels.cache import kernel

# The frontier pass: every filling of a board counted, cell after cell.
#
# The cells are colored row by row. What the colored part says about the rest is
# seen along its *frontier*, the last cell of every column: their colors, and
# which of the white ones are connected behind it, to each other or to the west or east edge.
# A *code* holds that, 4 bits a column, the first column lowest::
#
#     0 black    1 white, joined to west    2 white, joined to east
#     3, 4, ... further white chains, numbered by their first column
#
# West joined to east ends the filling: White has won. Whatever lives to the last
# cell Black has won, for one of the two always wins. So Black needs no chains.
#
# A *state* is the number of a code. `onward[color, column, state]` is the state
# after a stone in a column; the state `len(codes)` stands for White has won.

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
def enumerate_codes(width, codes, keys, flag):
    """Write all codes that any order of moves leads to; return how many, or FULL.

    `keys` is a hash table, a power of two long, of codes; -1 marks a free slot. `flag` is the
    address of what stops it.
    """
    labels, renamed = np.zeros(width, np.int64), np.zeros(16, np.int64)
    keys[:] = WON
    keys[_slot(0, keys)] = 0
    codes[0] = 0
    count, done = 1, 0
    while done < count and not is_stopped(flag):
        for column in range(width):
            for white in range(2):
                code = _placed(codes[done], width, column, white, labels, renamed)
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
        done += 1
    return count


@kernel
def link_codes(width, codes, keys, onward, flag):
    """Fill `onward` for sorted codes; `keys` and `flag` are as in `enumerate_codes`."""
    labels, renamed = np.zeros(width, np.int64), np.zeros(16, np.int64)
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
    copy(end, row_chances[len(stones)])
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


# The frontier pass with a count of stones: every filling with a given number of black cells.
#
# As above, but a state goes with the number of empty cells
# that are black so far. Given that number the rest of the filling is as likely
# to hold any of the cells that are still to become black, so that the next one is
# black with chance (black cells to come) / (empty cells to come). A vector of
# chances is indexed by state and by that number, and holds sense only from the least
# to the greatest one that can be: the other entries are never asked for, or
# with a chance of 0.
#
# A cell is critical when its color decides, all others being as they are: of the
# fillings in which it is black, and of those in which it is white, the rest has its
# own number of black cells.


@kernel
def _cell(stones, seen, columns, cell):
    """Return what steps go by: the stone, the column, and empty cells before this one and not."""
    return stones[cell], cell % columns, seen[cell], seen[len(stones)] - seen[cell]


@kernel
def _counted_step_back(cell, onward, blacks, after, before):
    """Write Black's chances before a cell is colored from those after it."""
    stone, column, seen, left = cell
    black, white = onward[0, column], onward[1, column]
    least, most = max(0, blacks - left), min(seen, blacks)
    if stone == EMPTY:
        for state in range(len(before)):
            for count in range(least, most + 1):
                share = (blacks - count) / left
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
def _counted_step_on(cell, onward, blacks, now, after, later):
    """Move the weights `now` on to `later`, and return how often the cell is critical.

    `after` is Black's chance once the cell is colored.
    """
    stone, column, seen, left = cell
    black, white = onward[0, column], onward[1, column]
    least, most = max(0, blacks - left), min(seen, blacks)
    later[:] = 0.0
    critical = 0.0
    for state in range(len(now) - 1):
        to_black, to_white = black[state], white[state]
        for count in range(least, most + 1):
            weight = now[state, count]
            if weight == 0.0:
                continue
            if stone == EMPTY:
                share = (blacks - count) / left
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
def weigh(stones, seen, onward, blacks, ends, row_chances, steps, critical, flag):
    """Return Black's chance, and write how often each cell is critical.

    stones       EMPTY, BLACK or WHITE of each cell, row by row
    seen         how many empty cells lie before each cell; one more for all
    blacks       how many of the empty cells are black
    ends         zeros, the chances of each state and count at the end of each row
    row_chances  zeros, the same for each cell of a row and one more
    steps        zeros, two such vectors
    flag         the address of what stops it; nothing of use is left then

    The forward pass computes the chances inside a row again, so that few are kept.
    """
    columns = onward.shape[1]
    ends[len(ends) - 1, :, blacks] = 1.0
    ends[len(ends) - 1, ends.shape[1] - 1, blacks] = 0.0
    for row in range(len(ends) - 1, 0, -1):
        if is_stopped(flag):
            return 0.0
        _fill_row(stones, seen, row * columns, onward, blacks, ends[row], row_chances)
        _copy(row_chances[0], ends[row - 1])
    now, later = steps[0], steps[1]
    now[0, 0] = 1.0
    chance = 0.0
    for row in range(len(ends)):
        first = row * columns
        _fill_row(stones, seen, first, onward, blacks, ends[row], row_chances)
        if row == 0:
            chance = row_chances[0, 0, 0]
        if is_stopped(flag):
            return chance
        for column in range(columns):
            cell = first + column
            critical[cell] = _counted_step_on(
                _cell(stones, seen, columns, cell),
                onward,
                blacks,
                now,
                row_chances[column + 1],
                later,
            )
            now, later = later, now
    return chance


@kernel
def _fill_row(stones, seen, first, onward, blacks, end, row_chances):
    """Write the chances before each cell of the row from `first` on, given those at its end."""
    _copy(end, row_chances[onward.shape[1]])
    for column in range(onward.shape[1] - 1, -1, -1):
        cell = _cell(stones, seen, onward.shape[1], first + column)
        _counted_step_back(cell, onward, blacks, row_chances[column + 1], row_chances[column])


@kernel
def _copy(chances, target):
    """Copy the chances of all states and counts."""
    for state in range(len(target)):
        copy(chances[state], target[state])
