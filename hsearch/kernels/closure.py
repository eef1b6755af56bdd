"""H-search: the AND and OR rules, applied until nothing new appears.

Everything is seen by the owner of the connections, who joins the first two of
the four edges. Points are numbered as on a `Board`: cells row by row, then the
edges. The arrays `memory` and `log` are those of `hsearch.kernels.lists`.

The queue is ordered by size of carrier, first come first served within a size.
No conclusion is smaller than a premise, so what has left the queue stays, and
the result does not depend on chance.
"""

import numpy as np
from numba import njit

from hsearch.kernels.bits import has, lowest_bit, popcount, put
from hsearch.kernels.lists import (
    ADJACENT,
    AND,
    AND_SUCCESSES,
    AND_TRIES,
    CARRIER,
    COMMON,
    COUNT,
    COUNTS,
    DONE,
    FACTS,
    FULL,
    GREEDY_UNIONS,
    LIMIT_K,
    LIMIT_STEPS,
    LOG_USED,
    MEMORY_USED,
    OR,
    OR_SUCCESSES,
    OR_TRIES,
    OVERFLOW,
    QUEUE,
    QUEUED,
    SEMI,
    WON,
    add,
    entries_of,
    head_of,
    holds_one,
    mark_processed,
)
from hsearch.kernels.shrinking import join_semis

NOTHING, EMPTY, STONE, EDGE = 0, 1, 2, 3  # what a point is; only captains are points


@njit(cache=True, nogil=True)
def closure(columns, stones, options, layout, memory, log, rows):
    """Find all connections of the owner, from scratch.

    `stones` (int8, row by row) is 0 on empty cells, 1 on own and 2 on opponent
    stones. `rows` (int64, two-dimensional, as wide as a row of words) is room
    for the OR rule. If memory[OVERFLOW] is set in the end, an array was too
    small and they hold nothing of use.
    """
    memory[:COUNTS] = 0
    memory[layout.partners : layout.buckets] = 0
    memory[layout.buckets : layout.conclusion] = -1
    memory[layout.conclusion : layout.lists] = 0
    memory[MEMORY_USED] = layout.lists
    memory[LOG_USED] = 1  # no node is 0
    set_up(columns, stones, layout, memory)
    _add_adjacent(columns, options, layout, memory, log)
    run(options, layout, memory, log, rows)


@njit(cache=True, nogil=True)
def run(options, layout, memory, log, rows):
    """Process the queue until it is empty, or a limit or a win stops it."""
    bucket = 0
    while bucket <= 2 * layout.cells + 1:
        node = memory[layout.buckets + 2 * bucket]
        if node < 0:
            bucket += 1
            continue
        if memory[AND_TRIES] + memory[OR_TRIES] >= options.steps:
            memory[LIMIT_STEPS] = 1
            return
        memory[layout.buckets + 2 * bucket] = log[node + QUEUE] >> 1
        memory[QUEUED] -= 1
        if log[node + QUEUE] & 1:
            continue
        facts = log[node + FACTS]
        x, y = facts & 0xFFF, facts >> 12 & 0xFFF
        if not facts >> 24 & 0xFFF:
            _process_full(node, x, y, bucket, options, layout, memory, log)
        elif not options.shrinking:
            _process_semi(node, x, y, bucket, options, layout, memory, log, rows)
        else:
            join_semis(node, x, y, options, layout, memory, log, rows)
            bucket = 0  # fulls come first
        if memory[OVERFLOW] or (memory[WON] and options.stop_at_win):
            return


@njit(cache=True, nogil=True)
def set_up(columns, stones, layout, memory):
    """Find the captain of each own point, -1 for an opponent stone, and what each point is."""
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


@njit(cache=True, nogil=True)
def _root(memory, layout, point):
    while point >= 0 and memory[layout.captain + point] != point:
        point = memory[layout.captain + point]
    return point


@njit(cache=True, nogil=True)
def _join(memory, layout, x, y):
    """Join two groups; the captain is north before south before the smallest cell."""
    x, y = _root(memory, layout, x), _root(memory, layout, y)
    is_first = x < y if (x < layout.cells) == (y < layout.cells) else x > y
    memory[layout.captain + (y if is_first else x)] = x if is_first else y


@njit(cache=True, nogil=True)
def _add_adjacent(columns, options, layout, memory, log):
    """Add the connections of touching points, at least one of them an empty cell."""
    cells = layout.cells
    for i in range(len(layout.words)):
        memory[layout.conclusion + i] = 0
    for cell in range(cells):
        column = cell % columns
        if cell < columns:
            _add_link(cell, cells, options, layout, memory, log)
        if cell >= cells - columns:
            _add_link(cell, cells + 1, options, layout, memory, log)
        if column < columns - 1:
            _add_link(cell, cell + 1, options, layout, memory, log)
        if cell < cells - columns:
            _add_link(cell, cell + columns, options, layout, memory, log)
            if column:
                _add_link(cell, cell + columns - 1, options, layout, memory, log)


@njit(cache=True, nogil=True)
def _add_link(x, y, options, layout, memory, log):
    x, y = memory[layout.captain + x], memory[layout.captain + y]
    if x < 0 or y < 0:
        return
    if memory[layout.kind + x] == EMPTY or memory[layout.kind + y] == EMPTY:
        add(memory, log, layout, options, FULL, x, y, -1, ADJACENT, 0)


@njit(cache=True, nogil=True)
def _process_full(node, x, y, size, options, layout, memory, log):
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


@njit(cache=True, nogil=True)
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
            if not meet:
                _and_list(node, end, pivot, other, start, kind, options, layout, memory, log)
                if memory[OVERFLOW]:
                    return


@njit(cache=True, nogil=True)
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
                if memory[entry] & 1 and not has(memory, entry + 1, y):
                    node = memory[entry] >> 20
                    _and_list(node, x, pivot, y, start, kind, options, layout, memory, log)
                entry += 1 + width


@njit(cache=True, nogil=True)
def _and_list(node, end, pivot, other, start, kind, options, layout, memory, log):
    """Join the full of `node` with each processed full of the list from `pivot` to `other`."""
    carrier, conclusion = node + CARRIER, layout.conclusion
    width = len(layout.words)
    entry = entries_of(start, layout) - 1 - width
    for _ in range(memory[start + COUNT]):
        entry += 1 + width
        if not memory[entry] & 1:
            continue
        memory[AND_TRIES] += 1
        meet = has(memory, entry + 1, end)
        for i in range(width):
            meet |= log[carrier + i] & memory[entry + 1 + i]
        if meet:
            continue
        for i in range(width):
            memory[conclusion + i] = log[carrier + i] | memory[entry + 1 + i]
        second = memory[entry] >> 20
        if kind == EMPTY:
            put(memory, conclusion, pivot)
            added = add(memory, log, layout, options, SEMI, end, other, pivot, AND, 2)
        else:
            added = add(memory, log, layout, options, FULL, end, other, -1, AND, 2)
        if added > 0:
            log[added + CARRIER + width] = node
            log[added + CARRIER + width + 1] = second
            memory[AND_SUCCESSES] += 1
        if memory[OVERFLOW]:
            return


@njit(cache=True, nogil=True)
def _process_semi(node, x, y, size, options, layout, memory, log, rows):
    """Apply the OR rule to a semi and the processed semis of the same ends."""
    head = head_of(layout, x, y, FULL)
    start = memory[head + SEMI]
    others = memory[start + DONE]
    meet = 0
    for i in range(len(layout.words)):
        meet |= memory[start + COMMON + i] & log[node + CARRIER + i]
    if others and not meet:
        _or(node, x, y, start, options, layout, memory, log, rows)
    if log[node + QUEUE] & 1:
        return
    mark_processed(memory, log, layout, start, node, size)
    is_open = not memory[head] or not memory[memory[head] + COUNT]
    if others and not meet and is_open and options.greedy_union:
        greedy_union(x, y, start, options, layout, memory, log, rows)


@njit(cache=True, nogil=True)
def _or(node, x, y, start, options, layout, memory, log, rows):
    """Join the new semi with every choice of older ones that leaves no cell in common.

    Depth first over the older semis. A semi that does not shrink the
    intersection is passed over, since the choice without it does as well. A
    branch ends when all semis that are left cannot empty the intersection, or
    when its union holds a known full. In `rows` stand the carriers of the n
    older semis, then n + 1 intersections of all from the i-th on, then for
    each level what its choice has in common, and its union. The last word
    of a row holds the node of a semi, and for each level the semi to try next.
    """
    width = len(layout.words)
    full_head = head_of(layout, x, y, FULL)
    if memory[start + COUNT] >= rows.shape[0]:
        memory[OVERFLOW] = 1
        return
    n = 0
    entry = entries_of(start, layout)
    for _ in range(memory[start + COUNT]):
        if memory[entry] & 1:
            for i in range(width):
                rows[n, i] = memory[entry + 1 + i]
            rows[n, width] = memory[entry] >> 20
            n += 1
        entry += 1 + width
    rest, levels = n, 2 * n + 1
    if levels + 2 * min(options.k, layout.cells + 1) + 4 > rows.shape[0]:
        memory[OVERFLOW] = 1
        return
    for i in range(width):
        rows[rest + n, i] = -1
        rows[levels, i] = rows[levels + 1, i] = log[node + CARRIER + i]
    for older in range(n - 1, -1, -1):
        for i in range(width):
            rows[rest + older, i] = rows[rest + older + 1, i] & rows[older, i]
    rows[levels, width] = 0
    level = 0
    while level >= 0:
        here = levels + 2 * level
        older = rows[here, width]
        meet = 0
        for i in range(width):
            meet |= rows[here, i] & rows[rest + older, i]
        if older == n or meet:
            level -= 1
            continue
        rows[here, width] += 1
        memory[OR_TRIES] += 1
        left = 0
        for i in range(width):
            left |= rows[here, i] & rows[older, i]
        if left and level + 2 >= options.k:
            memory[LIMIT_K] = 1
            continue
        shrinks = size = 0
        for i in range(width):
            shrinks |= rows[here, i] & ~rows[older, i]
            rows[here + 2, i] = rows[here, i] & rows[older, i]
            union = rows[here + 1, i] | rows[older, i]
            rows[here + 3, i] = union
            memory[layout.conclusion + i] = union
            size += popcount(union)
        if not shrinks:
            continue
        full_start = memory[full_head]
        if full_start and holds_one(memory, memory, layout.conclusion, full_start, size, layout):
            continue
        if left:
            level += 1
            rows[here + 2, width] = older + 1
            continue
        added = add(memory, log, layout, options, FULL, x, y, -1, OR, level + 2)
        if added > 0:
            premises = added + CARRIER + width
            log[premises] = node
            for i in range(level + 1):
                log[premises + 1 + i] = rows[rows[levels + 2 * i, width] - 1, width]
            memory[OR_SUCCESSES] += 1
        if memory[OVERFLOW]:
            return


@njit(cache=True, nogil=True)
def greedy_union(x, y, start, options, layout, memory, log, rows):
    """Add one full to a pair that has none, if its processed semis have no cell in common.

    Walks the semis by size and keeps those that shrink the intersection.
    """
    width = len(layout.words)
    for i in range(width):
        memory[layout.conclusion + i] = 0
        rows[0, i] = -1
    kept = 0
    entry = entries_of(start, layout)
    for _ in range(memory[start + COUNT]):
        shrinks = 0
        for i in range(width):
            shrinks |= rows[0, i] & ~memory[entry + 1 + i]
        if shrinks and memory[entry] & 1:
            left = 0
            for i in range(width):
                memory[layout.conclusion + i] |= memory[entry + 1 + i]
                rows[0, i] &= memory[entry + 1 + i]
                left |= rows[0, i]
            rows[kept, width] = memory[entry] >> 20
            kept += 1
            if not left:
                break
        entry += 1 + width
    for i in range(width):
        if rows[0, i]:
            return
    added = add(memory, log, layout, options, FULL, x, y, -1, OR, kept)
    if added > 0:
        for i in range(kept):
            log[added + CARRIER + width + i] = rows[i, width]
        memory[GREEDY_UNIONS] += 1
