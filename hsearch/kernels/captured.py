"""Cells that the owner captures once an end of a connection is theirs.

Two touching cells below one of them, three own cells in a row below those: if
the opponent enters one of the two, the owner takes the other, and the intruder
has four own neighbors in a row, which makes them dead. So carriers may share
such a pair (Hayward et al. 2005; benzene does the same)::

      top             the cell that will be the owner's
      * *             none of them the opponent's, one of them empty at least
     O O O            own stones or the own edge

The row of a point in `layout.captures` holds the cells of all its pairs, and
`layout.pairs` the pairs themselves. A pair whose other cell is an own stone
already is the empty cell twice.
"""

import numpy as np

from hsearch.kernels.bits import has, put
from hsearch.kernels.cache import kernel
from hsearch.kernels.lists import enqueue
from hsearch.kernels.packing import (
    CARRIER,
    COMMON,
    COUNT,
    DONE,
    EMPTY,
    PAIRS,
    entries_of,
    is_processed,
    node_of,
    size_of,
)

RIGHT = (1, 1, 0, -1, -1, 0)
DOWN = (0, -1, -1, 0, 1, 1)
OWN, FREE, NEITHER = 0, 1, 2


@kernel
def set_up_captures(columns, layout, memory):
    """Note the pairs below every empty cell."""
    width = len(layout.words)
    memory[layout.pairs : layout.meet] = 0
    for top in range(layout.cells):
        if memory[layout.kind + top] != EMPTY:
            continue
        found = layout.pairs + PAIRS * top
        row = layout.captures + top * width
        for side in range(6):
            x, y = top % columns + RIGHT[side], top // columns + DOWN[side]
            z, w = top % columns + RIGHT[(side + 1) % 6], top // columns + DOWN[(side + 1) % 6]
            one = _state(x, y, columns, layout, memory)
            other = _state(z, w, columns, layout, memory)
            if max(one, other) != FREE:
                continue
            is_closed = True
            for a, b, way in ((x, y, side), (z, w, side), (z, w, side + 1)):
                right, down = RIGHT[way % 6], DOWN[way % 6]
                is_closed &= _state(a + right, b + down, columns, layout, memory) == OWN
            if is_closed:
                first, second = y * columns + x, w * columns + z
                memory[found] = (second if one == OWN else first) + 1
                memory[found + 1] = (first if other == OWN else second) + 1
                put(memory, row, memory[found] - 1)
                put(memory, row, memory[found + 1] - 1)
                found += 2


@kernel
def _state(column, row, columns, layout, memory):
    """Return what lies at a place; beyond the edges at top and bottom it is all the owner's."""
    if column < 0 or column >= columns:
        return NEITHER
    if row < 0 or row * columns >= layout.cells:
        return OWN
    captain = memory[layout.captain + row * columns + column]
    if captain < 0:
        return NEITHER
    return FREE if memory[layout.kind + captain] == EMPTY else OWN


@kernel
def allow(memory, layout, options, x, y):
    """Leave in the row `layout.allowed` what carriers may share between two ends."""
    width = len(layout.words)
    for i in range(width if options.captured else 0):
        one = memory[layout.captures + x * width + i]
        memory[layout.allowed + i] = one | memory[layout.captures + y * width + i]


@kernel
def take_pairs(memory, layout, x, y, pivot):
    """Add the pairs that hold a cell of the row `layout.meet` to the conclusion.

    The pairs of the two ends, and of the pivot, -1 for none, the smallest point
    and its first pair first. Return how many were taken, -1 if they do not hold
    all that is met, or if they hold one of the three points. The pairs are
    left at `layout.used`, packed as the log has them.
    """
    width, taken = len(layout.words), 0
    middle = max(min(x, y), min(max(x, y), pivot))
    last = max(x, y, pivot)
    for top in (min(x, y, pivot), middle, last):
        if top < 0:
            continue
        pair = layout.pairs + PAIRS * top
        end = pair + PAIRS
        while pair < end and memory[pair]:
            one, other = memory[pair] - 1, memory[pair + 1] - 1
            pair += 2
            if has(memory, layout.meet, one) or has(memory, layout.meet, other):
                if one in (x, y, pivot) or other in (x, y, pivot):
                    return -1
                for cell in (one, other):
                    memory[layout.meet + (cell >> 6)] &= ~(np.int64(1) << (cell & 63))
                    put(memory, layout.conclusion, cell)
                memory[layout.used + taken] = -1 - (one | other << 12)
                taken += 1
    for i in range(width):
        if memory[layout.meet + i]:
            return -1
    return taken


@kernel
def requeue_meeting(cells, options, layout, memory, log):
    """Put the processed entries of all lists that hold one of the cells back into the queue."""
    width = len(layout.words)
    for head in range(layout.heads, layout.lists):
        start = memory[head]
        if not start:
            continue
        waits = (head - layout.heads) % 2 * options.shrinking * (layout.cells + 1)
        memory[start + DONE] = 0
        entry = entries_of(start, layout)
        for _ in range(memory[start + COUNT]):
            meets = 0
            for i in range(width):
                meets |= cells[i] & memory[entry + 1 + i]
            if meets and is_processed(memory[entry]):
                memory[entry] ^= 1
                size = size_of(memory[entry])
                enqueue(memory, log, layout, node_of(memory[entry]), size + waits)
            if is_processed(memory[entry]):
                for i in range(width):
                    common = memory[start + COMMON + i] if memory[start + DONE] else -1
                    memory[start + COMMON + i] = common & memory[entry + 1 + i]
                memory[start + DONE] += 1
            entry += 1 + width


@kernel
def meet_of(memory, layout, log, node, entry):
    """Leave in the row `layout.meet` what the carriers of a node and an entry share."""
    for i in range(len(layout.words)):
        memory[layout.meet + i] = log[node + CARRIER + i] & memory[entry + 1 + i]


@kernel
def write_pairs(log, place, memory, layout, taken):
    """Write the pairs taken last behind the premises of a node."""
    for i in range(taken):
        log[place + i] = memory[layout.used + i]
