"""H-search: the AND and OR rules, applied until nothing new appears.

Everything is seen by the owner of the connections, who joins the first two of
the four edges. Points are numbered as on a `Board`: cells row by row, then the
edges. The arrays are those of `hsearch.kernels.packing`.

The queue is ordered by size of carrier, first come first served within a size.
No conclusion is smaller than a premise, so no smaller connection appears later,
and the result does not depend on chance.
"""

import numpy as np

from hsearch.kernels.and_rule import process_full
from hsearch.kernels.bits import is_stopped, put
from hsearch.kernels.cache import kernel
from hsearch.kernels.lists import add
from hsearch.kernels.or_rule import join_semis, process_semi
from hsearch.kernels.packing import (
    ADJACENT,
    AND_TRIES,
    BY_FLAG,
    BY_STEPS,
    COUNTS,
    EDGE,
    EMPTY,
    FACTS,
    LIMIT_STEPS,
    LOG_USED,
    MEMORY_USED,
    NOTHING,
    OR_TRIES,
    OVERFLOW,
    QUEUED,
    STONE,
    TEMPLATE,
    WON,
    ends_of,
    is_dropped,
    key_of,
    next_in_queue,
)


@kernel
def closure(memory, log, layout, rows, columns, stones):
    """Find all connections of the owner, from scratch.

    `stones` (int8, row by row) is 0 on empty cells, 1 on own and 2 on opponent
    stones. If memory[OVERFLOW] is set in the end, an array was too small and the
    result is of no use.
    """
    clear(memory, layout)
    set_up(memory, layout, columns, stones)
    _add_adjacent(memory, log, layout, columns)
    run(memory, log, layout, rows)


@kernel
def clear(memory, layout):
    """Remove all connections, and empty the queue."""
    memory[:COUNTS] = 0
    memory[layout.partners : layout.buckets] = 0
    memory[layout.buckets : layout.conclusion] = -1
    memory[layout.conclusion : layout.lists] = 0
    memory[MEMORY_USED] = layout.lists
    memory[LOG_USED] = 1  # no node is 0


# HEXY works in generations: it combines all new connections with all others. A queue
# does the same in small steps, and never combines a connection that a better one has
# replaced meanwhile. The clock is not read: the number of tries (`steps`) bounds the
# work, so that the result is the same on any machine.


@kernel
def run(memory, log, layout, rows):
    """Process the queue until it is empty, or a limit, a win or the flag stops it."""
    options, bucket = layout.options, 0
    while bucket <= 2 * layout.cells + 1:
        node = memory[layout.buckets + 2 * bucket]
        if node < 0:
            bucket += 1
            continue
        if memory[AND_TRIES] + memory[OR_TRIES] >= options.steps:
            memory[LIMIT_STEPS] = BY_STEPS
            return
        memory[layout.buckets + 2 * bucket] = next_in_queue(log, node)
        memory[QUEUED] -= 1
        if is_dropped(log, node):
            continue
        facts = log[node + FACTS]
        x, y = ends_of(facts)
        if key_of(facts) < 0:
            process_full(memory, log, layout, node, x, y, bucket)
        elif not options.shrinking:
            process_semi(memory, log, layout, rows, node, x, y, bucket)
        else:
            join_semis(memory, log, layout, rows, node, x, y)
            bucket = 0  # fulls come first
        if memory[OVERFLOW] or (memory[WON] and options.stop_at_win):
            return
        if is_stopped(options.flag):
            memory[LIMIT_STEPS] = BY_FLAG
            return


@kernel
def set_up(memory, layout, columns, stones):
    """Find the captain of each own point, -1 for an opponent stone, and the kind of each point."""
    cells, captain, kind = layout.cells, layout.captain, layout.kind
    for point in range(cells + 2):
        memory[captain + point] = -1 if point < cells and stones[point] == 2 else point
    for cell in range(cells):
        if stones[cell] != 1:
            continue
        column = cell % columns
        if cell < columns:
            _join(memory, layout, cell, cells)
        if cell >= cells - columns:
            _join(memory, layout, cell, cells + 1)
        if column and stones[cell - 1] == 1:
            _join(memory, layout, cell, cell - 1)
        if cell >= columns and stones[cell - columns] == 1:
            _join(memory, layout, cell, cell - columns)
        if cell >= columns and column < columns - 1 and stones[cell - columns + 1] == 1:
            _join(memory, layout, cell, cell - columns + 1)
    for point in range(cells + 2):
        root = _root(memory, layout, point)
        memory[captain + point] = root
        memory[kind + point] = NOTHING
        if root == point:
            memory[kind + point] = EDGE if point >= cells else STONE if stones[point] else EMPTY


@kernel
def _root(memory, layout, point):
    while point >= 0 and memory[layout.captain + point] != point:
        point = memory[layout.captain + point]
    return point


@kernel
def _join(memory, layout, x, y):
    """Join two groups; the captain is north before south before the smallest cell."""
    x, y = _root(memory, layout, x), _root(memory, layout, y)
    is_first = x < y if (x < layout.cells) == (y < layout.cells) else x > y
    memory[layout.captain + (y if is_first else x)] = x if is_first else y


@kernel
def _add_adjacent(memory, log, layout, columns):
    """Add the connections of touching points, at least one of them an empty cell."""
    cells = layout.cells
    for i in range(len(layout.words)):
        memory[layout.conclusion + i] = 0
    for cell in range(cells):
        column = cell % columns
        if cell < columns:
            _add_link(memory, log, layout, cell, cells)
        if cell >= cells - columns:
            _add_link(memory, log, layout, cell, cells + 1)
        if column < columns - 1:
            _add_link(memory, log, layout, cell, cell + 1)
        if cell < cells - columns:
            _add_link(memory, log, layout, cell, cell + columns)
            if column:
                _add_link(memory, log, layout, cell, cell + columns - 1)


@kernel
def _add_link(memory, log, layout, x, y):
    x, y = memory[layout.captain + x], memory[layout.captain + y]
    if x < 0 or y < 0:
        return
    if memory[layout.kind + x] == EMPTY or memory[layout.kind + y] == EMPTY:
        add(memory, log, layout, (x, y, -1, ADJACENT, 0))


# Known full connections, added to those that H-search found, and all that follows from them.
#
# A *placement* is a template at one place of the board, a row of int64 words::
#
#     end, edge      the points it joins; the end may be empty
#     stones         the cells that must be the owner's, as a row of words
#     carrier        the cells that must not be the opponent's, as a row of words

PLACED_END, PLACED_EDGE, PLACED_STONES = 0, 1, 2


@kernel
def preload(memory, log, layout, rows, stones, placements):
    """Add the placements that match as fulls, and continue the search. Return how many were added.

    The arrays hold a finished closure; if nothing matches, they stay as they are.
    """
    width = len(layout.words)
    own, opponent = np.zeros(width, np.int64), np.zeros(width, np.int64)
    for cell in range(layout.cells):
        if stones[cell] == 1:
            put(own, 0, cell)
        elif stones[cell] == 2:
            put(opponent, 0, cell)
    count = 0
    for number in range(placements.shape[0]):
        placement = placements[number]
        carrier = PLACED_STONES + width
        misfits = 0
        for i in range(width):
            misfits |= placement[PLACED_STONES + i] & ~own[i]
            misfits |= placement[carrier + i] & opponent[i]
            memory[layout.conclusion + i] = placement[carrier + i] & ~own[i]
        x = memory[layout.captain + placement[PLACED_END]]
        y = memory[layout.captain + placement[PLACED_EDGE]]
        if misfits or x < 0 or x == y:
            continue
        count += add(memory, log, layout, (x, y, -1, TEMPLATE, 0)) > 0
    if count:
        run(memory, log, layout, rows)
    return count
