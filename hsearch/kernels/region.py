"""Regions that a player's groups enclose: see `hsearch.inferior.region` for what they are.

`stones` (int8, row by row, in the player's frame) is 0 on empty cells, 1 on own
and 2 on opponent stones; `memory` and `log` hold the player's closure of these
stones or of some with fewer (`hsearch.kernels.packing`). Cells are sets as rows
of int64 words.
"""

from hsearch.kernels.bits import put
from hsearch.kernels.cache import kernel
from hsearch.kernels.inferior import neighbor
from hsearch.kernels.packing import COUNT, EMPTY, FULL, NOTHING, entries_of, head_of

OWN, TOUCHES, OUTSIDE, RIM = 1, 2, 3, 4
NO_REGION = -1


@kernel
def next_region(memory, layout, columns, stones, start, marks, stack, region, carrier):
    """Find the next region that two groups enclose, or one; return where to go on, or NO_REGION.

    `start` numbers pairs of points, 0 at first. The empty cells of the region
    are written into `region`, and into `carrier` what joins the groups inside it.
    `marks` (int8) and `stack` (int64), a place a cell, are room to work in.
    """
    cells = layout.cells
    points = cells + 2
    for pair in range(start, points * points):
        y = pair // points
        x = pair - y * points
        if x > y or not is_group(memory, layout, x) or not is_group(memory, layout, y):
            continue
        carrier[:] = 0
        if x == y:
            if enclose(memory, layout, columns, stones, x, y, marks, stack, region):
                return pair + 1
            continue
        first = memory[head_of(layout, x, y, FULL)]
        if not first or not memory[first + COUNT] or (x >= cells and y >= cells):
            continue
        if not enclose(memory, layout, columns, stones, x, y, marks, stack, region):
            continue
        entry = entries_of(layout, first)
        for _ in range(memory[first + COUNT]):
            outside = 0
            for i in range(len(layout.words)):
                outside |= memory[entry + 1 + i] & ~region[i]
            if not outside:
                for i in range(len(layout.words)):
                    carrier[i] = memory[entry + 1 + i]
                return pair + 1
            entry += 1 + len(layout.words)
    return NO_REGION


@kernel
def is_group(memory, layout, point):
    """Return whether a point names a group of stones, or an edge."""
    kind = memory[layout.kind + point]
    return kind not in (NOTHING, EMPTY)


@kernel
def enclose(memory, layout, columns, stones, x, y, marks, stack, region):
    """Write the empty cells that the groups of two points enclose; return whether there are any."""
    cells, captain = layout.cells, layout.captain
    first, last = memory[captain + cells], memory[captain + cells + 1]
    near_first, near_last = first in (x, y), last in (x, y)
    for cell in range(cells):
        name = memory[captain + cell]
        marks[cell] = OWN if stones[cell] == 1 and name in (x, y) else 0
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
    found = False
    for cell in range(cells):
        if stones[cell] == 0 and (marks[cell] == 0 or marks[cell] == TOUCHES):
            put(region, 0, cell)
            found = True
    return found


@kernel
def _reach(cell, marks, stack, count):
    """Mark a cell that the other edges reach; it is gone on from unless it touches the groups.

    Return how many cells are on the stack.
    """
    if marks[cell] == 0:
        marks[cell] = OUTSIDE
        stack[count] = cell
        return count + 1
    if marks[cell] == TOUCHES:
        marks[cell] = RIM
    return count
