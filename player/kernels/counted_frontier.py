"""The frontier pass with a count of stones: every filling with a given number of black cells.

As in `player.kernels.frontier`, but a state goes with the number of empty cells
that are black so far. Given that number the rest of the filling is as likely
to hold any of the cells that are still to become black, so that the next one is
black with chance (black cells to come) / (empty cells to come). A vector of
chances is indexed by state and by that number, and holds sense only from the least
to the greatest one that can be: the other entries are never asked for, or
with a chance of 0.

A cell is critical when its color decides, all others being as they are: of the
fillings in which it is black, and of those in which it is white, the rest has its
own number of black cells.
"""

from hsearch.kernels.bits import copy
from hsearch.kernels.cache import kernel
from player.kernels.frontier import BLACK, EMPTY


@kernel
def _cell(stones, seen, onward, cell):
    """Return what steps go by: the stone, the states after either color, and empty cells.

    Of those, some lie before the cell, and as many as the last number says do not.
    """
    column = cell % onward.shape[1]
    return stones[cell], onward[0, column], onward[1, column], seen[cell], seen[-1] - seen[cell]


@kernel
def _step_back(cell, blacks, after, before):
    """Write Black's chances before a cell is colored from those after it."""
    stone, black, white, seen, left = cell
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
        onward = black if stone == BLACK else white
        for state in range(len(before)):
            for count in range(least, most + 1):
                before[state, count] = after[onward[state], count]


@kernel
def _step_on(cell, blacks, now, after, later):
    """Move the weights `now` on to `later`, and return how often the cell is critical.

    `after` is Black's chance once the cell is colored.
    """
    stone, black, white, seen, left = cell
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
def weigh(stones, seen, onward, blacks, ends, row_chances, steps, critical):
    """Return Black's chance, and write how often each cell is critical.

    stones       EMPTY, BLACK or WHITE of each cell, row by row
    seen         how many empty cells lie before each cell; one more for all
    blacks       how many of the empty cells are black
    ends         zeros, the chances of each state and count at the end of each row
    row_chances  zeros, the same for each cell of a row and one more
    steps        zeros, two such vectors

    The forward pass finds the chances inside a row again, as in `frontier.weigh`.
    """
    columns = onward.shape[1]
    ends[-1, :, blacks] = 1.0
    ends[-1, -1, blacks] = 0.0
    for row in range(len(ends) - 1, 0, -1):
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
        for column in range(columns):
            cell = first + column
            critical[cell] = _step_on(
                _cell(stones, seen, onward, cell),
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
    _copy(end, row_chances[-1])
    for column in range(onward.shape[1] - 1, -1, -1):
        cell = _cell(stones, seen, onward, first + column)
        _step_back(cell, blacks, row_chances[column + 1], row_chances[column])


@kernel
def _copy(chances, target):
    """Copy the chances of all states and counts."""
    for state in range(len(target)):
        copy(chances[state], target[state])
