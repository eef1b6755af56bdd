"""Inferior cells: dead, captured and vulnerable ones, and enclosed regions."""

import numpy as np

from hsearch.kernels.bits import copy, put
from hsearch.kernels.cache import kernel
from hsearch.kernels.packing import COUNT, EMPTY, FULL, NOTHING, entries_of, head_of

# Dead, captured and vulnerable cells by the patterns of one ring of neighbors.
#
# `stones` (int8, row by row) is 0 on empty cells, 1 on black and 2 on white
# stones. `dead` has, for each ring, whether the cell inside it is dead. A ring is a
# number to the base 3, one digit for each neighbor in cyclic order. Neighbors beyond
# the board are stones of the edges; the one beyond an obtuse corner belongs to two
# edges and counts as empty, which is right in either case.
#
# A row of `costs` (int64, 64 cells a word) is what a filled stone costs a proof of its
# owner: cells in which the owner must be able to reply, and older stones that must be
# the owner's. It costs the other player's proofs nothing.

CAPTURED_BY_BLACK, CAPTURED_BY_WHITE, DEAD = 1, 2, 3
SEEN = -1  # in `reasons` during the work: examined, and nothing near has changed since
STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


@kernel
def fill_in(columns, stones, dead, reasons, costs):
    """Fill dead and captured cells with stones until there are none; return how many.

    Write into `reasons` (int8) why each cell was filled, 0 where it was not,
    and its costs into its row of `costs`. A dead cell gets the color that
    most of its neighbors have.
    """
    reasons[:] = 0
    return _fill(columns, stones, dead, reasons, costs)


@kernel
def fill_in_after(columns, stones, dead, reasons, costs, cell):
    """Fill as `fill_in` does, after a stone on `cell` of a filled position.

    Only cells near it can change.
    """
    for other in range(stones.size):
        reasons[other] = 0 if stones[other] else SEEN
    _look_again(columns, stones.size, reasons, cell)
    return _fill(columns, stones, dead, reasons, costs)


@kernel
def _fill(columns, stones, dead, reasons, costs):
    """Fill, beginning with the cells that are not SEEN."""
    costs[:] = 0
    count, before = 0, -1
    while before < count:
        before = count
        for cell in range(stones.size):
            if stones[cell] or reasons[cell] == SEEN:
                continue
            ring = ring_of(columns, stones, cell)
            if dead[ring]:
                color = _majority(ring)
                _pay(columns, stones, dead, cell, color, reasons, costs, costs[cell])
                stones[cell] = color
                reasons[cell] = DEAD
                _look_again(columns, stones.size, reasons, cell)
                count += 1
                continue
            reasons[cell] = SEEN
            # The pairs in the other three directions are tried from their other cell.
            for direction in range(3):
                other = neighbor(columns, stones.size, cell, direction)
                if other < 0 or stones[other]:
                    continue
                color = _captor(columns, stones, dead, cell, other)
                if color:
                    put(costs[cell], 0, cell)
                    put(costs[cell], 0, other)
                    for one, two in ((cell, other), (other, cell)):
                        stones[two], reasons[two] = color, color
                        _pay(columns, stones, dead, one, color, reasons, costs, costs[cell])
                        stones[two], reasons[two] = 0, 0
                    copy(costs[cell], costs[other])
                    stones[cell] = stones[other] = color
                    reasons[cell] = reasons[other] = color
                    _look_again(columns, stones.size, reasons, cell)
                    _look_again(columns, stones.size, reasons, other)
                    count += 2
                    break
    for cell in range(stones.size):
        if reasons[cell] == SEEN:
            reasons[cell] = 0
    return count


@kernel
def _look_again(columns, size, reasons, cell):
    """After a change of a cell, mark the cells up to two steps away to be examined again."""
    column, row = cell % columns, cell // columns
    for y in range(max(0, row - 2), min(size // columns, row + 3)):
        left, right = column - 2 - min(0, y - row), column + 2 - max(0, y - row)
        for x in range(max(0, left), min(columns, right + 1)):
            if reasons[y * columns + x] == SEEN:
                reasons[y * columns + x] = 0


@kernel
def vulnerable(columns, stones, dead, opponent, killers):
    """Write for each cell the opponent's move that would make it dead, -1 for none."""
    for cell in range(stones.size):
        killers[cell] = -1
        if stones[cell]:
            continue
        ring = ring_of(columns, stones, cell)
        weight = 1
        for direction in range(6):
            other = neighbor(columns, stones.size, cell, direction)
            if other >= 0 and stones[other] == 0 and dead[ring + weight * opponent]:
                killers[cell] = other
                break
            weight *= 3


@kernel
def ring_of(columns, stones, cell):
    """Return the number of the ring around a cell."""
    rows = stones.size // columns
    row = cell // columns
    column = cell - row * columns
    ring, weight = 0, 1
    for right, down in STEPS:
        x, y = column + right, row + down
        beside = x < 0 or x >= columns
        beyond = y < 0 or y >= rows
        if not beside and not beyond:
            ring += weight * stones[y * columns + x]
        elif not beside:
            ring += weight
        elif not beyond:
            ring += weight * 2
        weight *= 3
    return ring


@kernel
def neighbor(columns, size, cell, direction):
    """Return the cell that lies in a direction, -1 if it is off the board."""
    right, down = STEPS[direction]
    y = cell // columns + down
    x = cell % columns + right
    if x < 0 or x >= columns or y < 0 or y * columns >= size:
        return -1
    return y * columns + x


@kernel
def _captor(columns, stones, dead, one, other):
    """Return the color that captures two adjacent empty cells, 0 for none.

    Each is dead once that color has the other. So the color need not move there: if
    the opponent plays on one, a reply on the other makes that stone dead.
    """
    for color in range(1, 3):
        stones[other] = color
        is_dead = dead[ring_of(columns, stones, one)]
        stones[other] = 0
        if not is_dead:
            continue
        stones[one] = color
        is_dead = dead[ring_of(columns, stones, other)]
        stones[one] = 0
        if is_dead:
            return color
    return 0


@kernel
def _pay(columns, stones, dead, cell, color, reasons, costs, row):
    """Add the costs of a dead cell: as few of a color's stones around it as suffice.

    Filled stones are left out first.
    """
    ring = ring_of(columns, stones, cell)
    for only_filled in (True, False):
        weight = 1
        for direction in range(6):
            other = neighbor(columns, stones.size, cell, direction)
            is_own = other >= 0 and ring // weight % 3 == color
            if is_own and (reasons[other] != 0) == only_filled and dead[ring - weight * color]:
                ring -= weight * color
            weight *= 3
    weight = 1
    for direction in range(6):
        other = neighbor(columns, stones.size, cell, direction)
        if other >= 0 and ring // weight % 3 == color:
            if reasons[other]:
                row |= costs[other]
            else:
                put(row, 0, other)
        weight *= 3


@kernel
def _majority(ring):
    black = white = 0
    for _ in range(6):
        black += ring % 3 == 1
        white += ring % 3 == 2
        ring //= 3
    return np.int8(1 if black >= white else 2)


# Regions that a player's groups enclose, as `hsearch.connect.inferior` defines them.
#
# `stones` (int8, row by row, in the player's frame) is 0 on empty cells, 1 on own
# and 2 on opponent stones; `memory` holds the player's closure of these stones or of
# some with fewer (`hsearch.kernels.packing`). Cells are sets as rows of int64 words.

OWN, TOUCHES, OUTSIDE, RIM = 1, 2, 3, 4
NO_REGION = -1


@kernel
def next_region(memory, layout, columns, stones, start, region, carrier):
    """Find the next region that one or two groups enclose; return where to resume, or NO_REGION.

    `start` is the number of a pair of points, 0 at first. A returned number less 1 is
    y * (cells + 2) + x for the points x <= y of the pair. The empty cells of the region
    are written into `region`, the carrier of a full that joins the groups inside it into
    `carrier`.
    """
    cells = layout.cells
    marks, stack = np.empty(cells, np.int8), np.empty(cells, np.int64)
    points = cells + 2
    for y in range(start // points, points):
        if not is_group(memory, layout, y):
            continue
        for x in range(max(0, start - y * points), y + 1):
            if not is_group(memory, layout, x):
                continue
            carrier[:] = 0
            if x == y:
                if enclose(memory, layout, columns, stones, (x, y), marks, stack, region):
                    return y * points + x + 1
                continue
            first = memory[head_of(layout, x, y, FULL)]
            if not first or not memory[first + COUNT] or (x >= cells and y >= cells):
                continue
            if not enclose(memory, layout, columns, stones, (x, y), marks, stack, region):
                continue
            entry = entries_of(layout, first)
            for _ in range(memory[first + COUNT]):
                outside = 0
                for i in range(len(layout.words)):
                    outside |= memory[entry + 1 + i] & ~region[i]
                if not outside:
                    for i in range(len(layout.words)):
                        carrier[i] = memory[entry + 1 + i]
                    return y * points + x + 1
                entry += 1 + len(layout.words)
    return NO_REGION


@kernel
def is_group(memory, layout, point):
    """Return whether a point names a group of stones, or an edge."""
    kind = memory[layout.kind + point]
    return kind not in (NOTHING, EMPTY)


@kernel
def enclose(memory, layout, columns, stones, pair, marks, stack, region):
    """Write the empty cells that the groups of two points enclose; return whether there are any.

    `marks` (int8) and `stack` (int64), one place for each cell, are scratch space.
    """
    cells, captain = layout.cells, layout.captain
    first, last = memory[captain + cells], memory[captain + cells + 1]
    near_first, near_last = first in pair, last in pair
    for cell in range(cells):
        name = memory[captain + cell]
        marks[cell] = OWN if stones[cell] == 1 and name in pair else 0
    count = 0
    for cell in range(cells):
        if marks[cell] == OWN or stones[cell] == 2:
            continue
        touches = (cell < columns and near_first) or (cell >= cells - columns and near_last)
        for direction in range(6):
            if touches:
                break
            other = neighbor(columns, cells, cell, direction)
            touches = other >= 0 and marks[other] == OWN
        if touches:
            marks[cell] = TOUCHES
    for cell in range(cells):
        if marks[cell] == OWN or stones[cell] == 2:
            continue
        if (cell < columns and not near_first) or (cell >= cells - columns and not near_last):
            count = _reach(cell, marks, stack, count)
    while count:
        count -= 1
        cell = stack[count]
        for direction in range(6):
            other = neighbor(columns, cells, cell, direction)
            if other >= 0 and stones[other] != 2 and marks[other] != OWN:
                count = _reach(other, marks, stack, count)
    region[:] = 0
    is_any = False
    for cell in range(cells):
        if stones[cell] == 0 and (marks[cell] == 0 or marks[cell] == TOUCHES):
            put(region, 0, cell)
            is_any = True
    return is_any


@kernel
def _reach(cell, marks, stack, count):
    """Mark a cell reached from the other edges; the walk continues unless it touches the groups.

    Return how many cells are on the stack.
    """
    if marks[cell] == 0:
        marks[cell] = OUTSIDE
        stack[count] = cell
        return count + 1
    if marks[cell] == TOUCHES:
        marks[cell] = RIM
    return count
