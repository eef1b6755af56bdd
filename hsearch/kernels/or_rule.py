"""The OR rule: semis of the same ends, with no cell common to all, make a full.

`or_rule` in `hsearch.connect.connection` defines it in plain Python.

The arrays are those of `hsearch.kernels.packing`. `process_semi` joins at most K
semis; if that leaves a pair without any full, `greedy_union` may add one.
`join_semis` is the rule for the limits that keep connections with few common cells.
"""

import numpy as np

from hsearch.kernels.bits import bit, has, is_stopped, lowest_bit
from hsearch.kernels.cache import inlined_kernel, kernel
from hsearch.kernels.lists import add, is_subset, mark_processed
from hsearch.kernels.packing import (
    CARRIER,
    COMMON,
    COUNT,
    DONE,
    FULL,
    LIMIT_K,
    LIMIT_SHRINKING,
    NO_ROWS,
    OR,
    OR_TRIES,
    OVERFLOW,
    SEMI,
    entries_of,
    head_of,
    is_dropped,
    is_processed,
    node_of,
)


@inlined_kernel
def process_semi(memory, log, layout, rows, node, x, y, size):
    """Apply the OR rule to a semi and the processed semis of the same ends."""
    options = layout.options
    head = head_of(layout, x, y, FULL)
    start = memory[head + SEMI]
    others = memory[start + DONE]
    meet = 0
    for i in range(len(layout.words)):
        meet |= memory[start + COMMON + i] & log[node + CARRIER + i]
    if others and not meet and options.k > 1:
        _or(memory, log, layout, rows, node, x, y, start)
    elif others and not meet:
        memory[LIMIT_K] = 1
    if is_dropped(log, node):
        return
    mark_processed(memory, log, layout, start, node, size)
    is_open = not memory[head] or not memory[memory[head] + COUNT]
    if others and not meet and is_open and options.greedy_union:
        greedy_union(memory, log, layout, rows, x, y, start)


# The rule is Anshelevich's, the recursion Six's: depth first over the older semis,
# one more at a time. A semi that does not shrink the intersection is skipped, since
# the choice without it does as well. A branch ends when all remaining semis together
# cannot empty the intersection, or when its union holds a known full; the full that the
# last such union held is tried first, as it often is in the next one, too. The whole
# search ends at once if the new semi meets the intersection of all others
# (`process_semi`). benzene joins all semis of a pair in one step instead.
#
# The rows of `rows` during the walk over n older semis, each with one word at the end:
#
#     0 ...         their carriers                            | node
#     n ...         n + 1 intersections, of all from the i-th on
#     2n + 1 + 2i   the intersection of the choice at level i | the semi to try next
#     2n + 2 + 2i   its union


@inlined_kernel
def _or(memory, log, layout, rows, node, x, y, start):
    """Join the new semi with every choice of older ones that leaves no cell in common."""
    width, k = len(layout.words), layout.options.k
    n = _lay_out(memory, layout, rows, start)
    if memory[OVERFLOW]:
        return
    rest, first, full_head = n, 2 * n + 1, head_of(layout, x, y, FULL)
    for i in range(width):
        rows[first, i] = rows[first + 1, i] = log[node + CARRIER + i]
    rows[first, width] = 0
    level = held = 0
    while level >= 0 and not is_stopped(layout.options.flag):
        here = first + 2 * level
        older = rows[here, width]
        if level + 2 >= k:
            place, tries, met = _next_disjoint(layout, rows, here, rest, older, n)
            memory[OR_TRIES] += tries
            if met:
                memory[LIMIT_K] = 1
            if place == n:
                level -= 1
                continue
            older = place
        else:
            meet = 0
            for i in range(width):
                meet |= rows[here, i] & rows[rest + older, i]
            if older == n or meet:
                level -= 1
                continue
            memory[OR_TRIES] += 1
        rows[here, width] = older + 1
        overlap = shrinks = 0
        if level + 2 < k:
            for i in range(width):
                overlap |= rows[here, i] & rows[older, i]
                shrinks |= rows[here, i] & ~rows[older, i]
                rows[here + 2, i] = rows[here, i] & rows[older, i]
                rows[here + 3, i] = rows[here + 1, i] | rows[older, i]
            if not shrinks:
                continue
        for i in range(width):
            memory[layout.conclusion + i] = rows[here + 1, i] | rows[older, i]
        if held and is_subset(layout, memory, held + 1, memory, layout.conclusion):
            continue
        found = _held_full(memory, layout, memory[full_head])
        if found:
            held = found
            continue
        if overlap:
            level += 1
            rows[here + 2, width] = older + 1
            continue
        held = 0
        new_node = add(memory, log, layout, (x, y, -1, OR, level + 2))
        if new_node > 0:
            premises = new_node + CARRIER + width
            log[premises] = node
            for i in range(level + 1):
                log[premises + 1 + i] = rows[rows[first + 2 * i, width] - 1, width]
        if memory[OVERFLOW]:
            return


@inlined_kernel
def _held_full(memory, layout, start):
    """Return the place of the first full of a list that the conclusion holds, 0 if none."""
    entry = entries_of(layout, start)
    for _ in range(memory[start + COUNT] if start else 0):
        if is_subset(layout, memory, entry + 1, memory, layout.conclusion):
            return entry
        entry += 1 + len(layout.words)
    return 0


@inlined_kernel
def _next_disjoint(layout, rows, here, rest, older, n):
    """Find the next semi that shares no cell with the intersection of the choice at `here`.

    Return it, or `n` if there is none; how many were tried; and whether any shared a cell.
    """
    width = len(layout.words)
    tries, met = 0, False
    while older < n:
        meet = overlap = 0
        for i in range(width):
            meet |= rows[here, i] & rows[rest + older, i]
            overlap |= rows[here, i] & rows[older, i]
        if meet:
            break
        tries += 1
        if not overlap:
            return older, tries, met
        met = True
        older += 1
    return n, tries, met


@inlined_kernel
def _lay_out(memory, layout, rows, start):
    """Write the processed semis of a list into the rows, then their intersections.

    Return their number. If the rows are too few, set OVERFLOW.
    """
    width = len(layout.words)
    if memory[start + COUNT] >= rows.shape[0]:
        memory[OVERFLOW] = NO_ROWS
        return 0
    n = 0
    entry = entries_of(layout, start)
    for _ in range(memory[start + COUNT]):
        if is_processed(memory[entry]):
            for i in range(width):
                rows[n, i] = memory[entry + 1 + i]
            rows[n, width] = node_of(memory[entry])
            n += 1
        entry += 1 + width
    if 2 * n + 1 + 2 * min(layout.options.k, layout.cells + 1) + 4 > rows.shape[0]:
        memory[OVERFLOW] = NO_ROWS
        return 0
    for i in range(width):
        rows[2 * n, i] = -1
    for older in range(n - 1, -1, -1):
        for i in range(width):
            rows[n + older, i] = rows[n + older + 1, i] & rows[older, i]
    return n


# If the semis of a pair share no cell, but K kept OR from finding a full, the opponent
# cannot break all of them, yet the pair has no full. Six then adds the union of all
# semis, benzene that of a few. So does this kernel: it walks them by size and takes
# each one that shrinks the intersection. With it 5x5 has its proofs at K = 2, without
# it at K = 5.


@inlined_kernel
def greedy_union(memory, log, layout, rows, x, y, start):
    """Add one full to a pair that has none, if its processed semis share no cell."""
    width = len(layout.words)
    for i in range(width):
        memory[layout.conclusion + i] = 0
        rows[0, i] = -1
    count = 0
    entry = entries_of(layout, start)
    for _ in range(memory[start + COUNT]):
        shrinks = 0
        for i in range(width):
            shrinks |= rows[0, i] & ~memory[entry + 1 + i]
        if shrinks and is_processed(memory[entry]):
            overlap = 0
            for i in range(width):
                memory[layout.conclusion + i] |= memory[entry + 1 + i]
                rows[0, i] &= memory[entry + 1 + i]
                overlap |= rows[0, i]
            rows[count, width] = node_of(memory[entry])
            count += 1
            if not overlap:
                break
        entry += 1 + width
    for i in range(width):
        if rows[0, i]:
            return
    new_node = add(memory, log, layout, (x, y, -1, OR, count))
    if new_node > 0:
        for i in range(count):
            log[new_node + CARRIER + width + i] = rows[i, width]


# The OR rule without M and K: fulls that shrink the intersection.
#
# What matters when fulls of a pair are combined with others is the cells that all of
# them share. So for each such cell the kernel looks for one full that avoids it, by
# one walk over the semis that avoid it.
#
# The idea is Pawlewicz, Hayward, Henderson and Arneson's. On the London games it keeps
# a sixth fewer fulls in about the same time, but proves 93 against 97 (a full counts
# two, a semi one), so M and K with the greedy union are the default.


@kernel
def join_semis(memory, log, layout, rows, node, x, y):
    """Apply the OR rule to all semis of a pair, if `node` is still new there.

    All semis of the pair count as processed then. The rows: 0 the cells still to
    be avoided, 1 the intersection of the chosen semis, 2 that of all semis; the
    last word of a row holds the node of a chosen semi.
    """
    width = len(layout.words)
    head = head_of(layout, x, y, FULL)
    if not _take_new(memory, layout, rows, node, head):
        return
    memory[LIMIT_SHRINKING] = 1  # fulls that avoid none of these cells are not sought
    _cells_to_avoid(memory, layout, rows, head)
    for i in range(width):
        while rows[0, i]:
            place = lowest_bit(rows[0, i])
            rows[0, i] ^= np.int64(1) << place
            count = _avoid(memory, layout, rows, memory[head + SEMI], place + 64 * i)
            if count < 0:
                memory[OVERFLOW] = NO_ROWS
                return
            if not count:
                continue
            for j in range(width):
                rows[0, j] &= memory[layout.conclusion + j]
            new_node = add(memory, log, layout, (x, y, -1, OR, count))
            if memory[OVERFLOW]:
                return
            if new_node > 0:
                for choice in range(count):
                    log[new_node + CARRIER + width + choice] = rows[choice, width]


@kernel
def _take_new(memory, layout, rows, node, head):
    """Mark the semis of a pair as processed; leave in rows[1] the cells that all new ones share.

    Return whether `node` was one of the new ones and no cell is in all semis.
    """
    width = len(layout.words)
    start = memory[head + SEMI]
    entry = entries_of(layout, start)
    is_any, common_to_all = False, False
    for i in range(width):
        rows[1, i] = rows[2, i] = -1
    for _ in range(memory[start + COUNT]):
        is_new = not is_processed(memory[entry])
        is_any |= is_new and node_of(memory[entry]) == node
        for i in range(width):
            rows[2, i] &= memory[entry + 1 + i]
            if is_new:
                rows[1, i] &= memory[entry + 1 + i]
        entry += 1 + width
    if not is_any:
        return False
    entry = entries_of(layout, start)
    for _ in range(memory[start + COUNT]):
        memory[entry] |= 1
        entry += 1 + width
    memory[start + DONE] = memory[start + COUNT]
    for i in range(width):
        memory[start + COMMON + i] = rows[2, i]
        common_to_all |= rows[2, i] != 0
    return not common_to_all


@kernel
def _cells_to_avoid(memory, layout, rows, head):
    """Leave in rows[0] the cells that all fulls share, without those in all new semis (rows[1]).

    Without a full, start from the whole board and an edge, which every semi avoids.
    """
    width = len(layout.words)
    start = memory[head]
    for i in range(width):
        rows[0, i] = 0
    for cell in range(layout.cells + 1):
        rows[0, cell >> 6] |= bit(cell)
    entry = entries_of(layout, start)
    for _ in range(memory[start + COUNT] if start else 0):
        for i in range(width):
            rows[0, i] &= memory[entry + 1 + i]
        entry += 1 + width
    for i in range(width):
        rows[0, i] &= ~rows[1, i]


@kernel
def _avoid(memory, layout, rows, start, cell):
    """Choose semis without `cell` that share no cell; leave their union as the conclusion.

    Walk the list and take each semi that shrinks the intersection of those chosen.
    Return how many were chosen, 0 if there is no such choice, -1 if the rows are
    too few.
    """
    width = len(layout.words)
    for i in range(width):
        memory[layout.conclusion + i] = 0
        rows[1, i] = -1
    count = 0
    entry = entries_of(layout, start)
    for _ in range(memory[start + COUNT]):
        shrinks = 0
        for i in range(width):
            shrinks |= rows[1, i] & ~memory[entry + 1 + i]
        if shrinks and not has(memory, entry + 1, cell):
            memory[OR_TRIES] += 1
            if count == rows.shape[0]:
                return -1
            rows[count, width] = node_of(memory[entry])
            count += 1
            overlap = 0
            for i in range(width):
                memory[layout.conclusion + i] |= memory[entry + 1 + i]
                rows[1, i] &= memory[entry + 1 + i]
                overlap |= rows[1, i]
            if not overlap:
                return count
        entry += 1 + width
    return 0
