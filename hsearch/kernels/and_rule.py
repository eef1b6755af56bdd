"""The AND rule: two fulls that share an end, with disjoint carriers.

Across a group of own stones they make a full, across an empty cell a semi. The
arrays are those of `hsearch.kernels.packing`. A conclusion whose carrier holds an
end is not a connection, and ends that touch need none. `process_full` combines
one full with all others; `and_pair` combines all fulls of two points with the
same third one, where an update has lost connections.
"""

import numpy as np

from hsearch.kernels.bits import has, lowest_bit, put
from hsearch.kernels.cache import inlined_kernel, kernel
from hsearch.kernels.lists import add_inlined, mark_processed
from hsearch.kernels.packing import (
    AND,
    AND_TRIES,
    CARRIER,
    COMMON,
    COUNT,
    EDGE,
    EMPTY,
    FULL,
    OVERFLOW,
    entries_of,
    head_of,
    is_processed,
    node_of,
)


@inlined_kernel
def process_full(memory, log, layout, node, x, y, size):
    """Apply the AND rule to a full and all processed fulls that share an end."""
    width = len(layout.words)
    start = memory[head_of(layout, x, y, FULL)]
    mark_processed(memory, log, layout, start, node, size)
    put(memory, layout.partners + x * width, y)
    put(memory, layout.partners + y * width, x)
    if size == 0:
        put(memory, layout.touching + x * width, y)
        put(memory, layout.touching + y * width, x)
    for _ in range(2):
        _and(memory, log, layout, node, x, y)
        x, y = y, x


# The rule is Anshelevich's (2000). A new full is combined with the processed fulls of
# all pairs that share an end. Six's precheck skips a whole list: if the new carrier
# meets the cells that all carriers of the list share, it meets each of them. A list is
# not even looked up if its other end touches the new full's other end, or lies in the
# new full's carrier.
#
# A group that touches an edge is not a pivot unless `edge_pivot` is set, as in
# benzene. Six uses edges, which suits its style of play; on 11x11 with a stone on f6
# that takes 9.4 million tries instead of 7,300 (M=20, K=4), on middle games 6 to 150
# million instead of 5 thousand to 2 million (M=25).
#
# Tried and lost: carriers that share cells which an end captures, as in benzene. Of
# 277,238 fulls on both London games 519 were new. They gave no proof between edges,
# and one of 45 edge templates; see `positions/results/beyond.md`.


@inlined_kernel
def _and(memory, log, layout, node, end, pivot):
    """Join the full of `node` with those that leave `pivot` for other points."""
    kind = memory[layout.kind + pivot]
    if kind == EDGE and not layout.options.edge_pivot:
        return
    carrier = node + CARRIER
    width = len(layout.words)
    for i in range(width):
        others = memory[layout.partners + pivot * width + i]
        others &= ~(log[carrier + i] | memory[layout.touching + end * width + i])
        while others:
            place = lowest_bit(others)
            others ^= np.int64(1) << place
            other = place + 64 * i
            if other == end:
                continue
            start = memory[head_of(layout, pivot, other, FULL)]
            meet = 0
            for j in range(width):
                meet |= log[carrier + j] & memory[start + COMMON + j]
            if not meet:
                _and_list(memory, log, layout, node, end, pivot, other, start)
                if memory[OVERFLOW]:
                    return


@kernel
def and_pair(memory, log, layout, x, y):
    """Join all processed fulls of `x` with those of `y` that share a third point with them."""
    width = len(layout.words)
    for i in range(width):
        pivots = memory[layout.partners + x * width + i] & memory[layout.partners + y * width + i]
        while pivots:
            place = lowest_bit(pivots)
            pivots ^= np.int64(1) << place
            pivot = place + 64 * i
            if memory[layout.kind + pivot] == EDGE and not layout.options.edge_pivot:
                continue
            start = memory[head_of(layout, pivot, y, FULL)]
            first = memory[head_of(layout, x, pivot, FULL)]
            entry = entries_of(layout, first)
            for _ in range(memory[first + COUNT]):
                if is_processed(memory[entry]) and not has(memory, entry + 1, y):
                    _and_list(memory, log, layout, node_of(memory[entry]), x, pivot, y, start)
                entry += 1 + width


@inlined_kernel
def _and_list(memory, log, layout, node, end, pivot, other, start):
    """Join the full of `node` with each processed full of the list from `pivot` to `other`."""
    carrier, conclusion = node + CARRIER, layout.conclusion
    width = len(layout.words)
    is_empty = memory[layout.kind + pivot] == EMPTY
    key = pivot if is_empty else -1
    entry = entries_of(layout, start) - 1 - width
    for _ in range(memory[start + COUNT]):
        entry += 1 + width
        if not is_processed(memory[entry]):
            continue
        memory[AND_TRIES] += 1
        meet = has(memory, entry + 1, end)
        for i in range(width):
            meet |= log[carrier + i] & memory[entry + 1 + i]
        if meet:
            continue
        for i in range(width):
            memory[conclusion + i] = log[carrier + i] | memory[entry + 1 + i]
        second = node_of(memory[entry])
        if is_empty:
            put(memory, conclusion, pivot)
        new_node = add_inlined(memory, log, layout, (end, other, key, AND, 2))
        if new_node > 0:
            log[new_node + CARRIER + width] = node
            log[new_node + CARRIER + width + 1] = second
        if memory[OVERFLOW]:
            return
