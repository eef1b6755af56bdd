"""The AND rule: two fulls that meet in a point, with carriers apart.

Across a group of own stones they make a full, across an empty cell a semi. With
the switch `captured` the carriers may share what the ends capture, or the empty
cell. The arrays are those of `hsearch.kernels.packing`; a conclusion whose carrier
holds an end is no connection, and ends that touch need none.
"""

import numpy as np

from hsearch.kernels.bits import has, lowest_bit, put
from hsearch.kernels.cache import kernel
from hsearch.kernels.captured import meet_of, take_pairs, write_pairs
from hsearch.kernels.lists import add, mark_processed
from hsearch.kernels.packing import (
    AND,
    AND_SUCCESSES,
    AND_TRIES,
    CAPTURED_AND,
    CARRIER,
    COMMON,
    COUNT,
    EDGE,
    EMPTY,
    FULL,
    OVERFLOW,
    SEMI,
    entries_of,
    head_of,
    is_processed,
    node_of,
)


@kernel
def process_full(node, x, y, size, options, layout, memory, log):
    """Apply the AND rule to a full and all processed fulls that share an end."""
    width = len(layout.words)
    start = memory[head_of(layout, x, y, FULL)]
    mark_processed(memory, log, layout, start, node, size)
    put(memory, layout.partners + x * width, y)
    put(memory, layout.partners + y * width, x)
    if size == 0:
        put(memory, layout.touching + x * width, y)
        put(memory, layout.touching + y * width, x)
    _and(node, x, y, options, layout, memory, log)
    _and(node, y, x, options, layout, memory, log)


@kernel
def _and(node, end, pivot, options, layout, memory, log):
    """Join the full of `node` with those that leave `pivot` for other points."""
    kind = memory[layout.kind + pivot]
    if kind == EDGE and not options.edge_pivot:
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
            if meet and options.captured:
                meet = 0
                for j in range(width):
                    captured = memory[layout.captures + end * width + j]
                    captured |= memory[layout.captures + other * width + j]
                    captured |= memory[layout.captures + pivot * width + j]
                    meet |= log[carrier + j] & memory[start + COMMON + j] & ~captured
            if not meet:
                _and_list(node, end, pivot, other, start, kind, options, layout, memory, log)
                if memory[OVERFLOW]:
                    return


@kernel
def and_pair(x, y, options, layout, memory, log):
    """Join all processed fulls of `x` with those of `y` that meet them in a third point."""
    width = len(layout.words)
    for i in range(width):
        pivots = memory[layout.partners + x * width + i] & memory[layout.partners + y * width + i]
        while pivots:
            place = lowest_bit(pivots)
            pivots ^= np.int64(1) << place
            pivot = place + 64 * i
            kind = memory[layout.kind + pivot]
            if kind == EDGE and not options.edge_pivot:
                continue
            start = memory[head_of(layout, pivot, y, FULL)]
            first = memory[head_of(layout, x, pivot, FULL)]
            entry = entries_of(first, layout)
            for _ in range(memory[first + COUNT]):
                if is_processed(memory[entry]) and not has(memory, entry + 1, y):
                    node = node_of(memory[entry])
                    _and_list(node, x, pivot, y, start, kind, options, layout, memory, log)
                entry += 1 + width


@kernel
def _and_list(node, end, pivot, other, start, kind, options, layout, memory, log):
    """Join the full of `node` with each processed full of the list from `pivot` to `other`."""
    carrier, conclusion = node + CARRIER, layout.conclusion
    width = len(layout.words)
    entry = entries_of(start, layout) - 1 - width
    for _ in range(memory[start + COUNT]):
        entry += 1 + width
        if not is_processed(memory[entry]):
            continue
        memory[AND_TRIES] += 1
        meet = has(memory, entry + 1, end)
        for i in range(width):
            meet |= log[carrier + i] & memory[entry + 1 + i]
        if meet and (not options.captured or has(memory, entry + 1, end)):
            continue
        for i in range(width):
            memory[conclusion + i] = log[carrier + i] | memory[entry + 1 + i]
        pairs = 0
        if meet:
            meet_of(memory, layout, log, node, entry)
            pairs = take_pairs(memory, layout, end, other, pivot)
            if pairs < 0:
                continue
        second = node_of(memory[entry])
        rule = CAPTURED_AND if meet else AND
        if kind == EMPTY:
            put(memory, conclusion, pivot)
            added = add(memory, log, layout, options, SEMI, end, other, pivot, rule, 2 + pairs)
        else:
            added = add(memory, log, layout, options, FULL, end, other, -1, rule, 2 + pairs)
        if added > 0:
            log[added + CARRIER + width] = node
            log[added + CARRIER + width + 1] = second
            write_pairs(log, added + CARRIER + width + 2, memory, layout, pairs)
            memory[AND_SUCCESSES] += 1
        if memory[OVERFLOW]:
            return
