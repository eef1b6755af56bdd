"""The OR rule: semis of the same ends, with no cell common to all, make a full.

The arrays are those of `hsearch.kernels.packing`. At most K semis are joined; the
greedy union makes up for that where it left a pair without any full.
"""

from hsearch.kernels.bits import popcount
from hsearch.kernels.cache import kernel
from hsearch.kernels.lists import add, holds_one, mark_processed
from hsearch.kernels.packing import (
    CARRIER,
    COMMON,
    COUNT,
    DONE,
    FULL,
    GREEDY_UNIONS,
    LIMIT_K,
    OR,
    OR_SUCCESSES,
    OR_TRIES,
    OVERFLOW,
    SEMI,
    entries_of,
    head_of,
    is_dropped,
    is_processed,
    node_of,
)


@kernel
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
# one more at a time. A semi that does not shrink the intersection is passed over,
# since the choice without it does as well. A branch ends when all semis that are
# left cannot empty the intersection, or when its union holds a known full; and so
# does the whole at once where the new semi meets what all others have in common
# (`process_semi`). benzene joins all semis of a pair at one go instead.
#
# `rows` while n older semis are walked, each with one word behind:
#
#     0 ...         their carriers                            | node
#     n ...         n + 1 intersections, of all from the i-th on
#     2n + 1 + 2i   what the choice of level i has in common  | the semi to try next
#     2n + 2 + 2i   its union


@kernel
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
    level = 0
    while level >= 0:
        here = first + 2 * level
        older = rows[here, width]
        meet = 0
        for i in range(width):
            meet |= rows[here, i] & rows[rest + older, i]
        if older == n or meet:
            level -= 1
            continue
        rows[here, width] += 1
        memory[OR_TRIES] += 1
        left = shrinks = size = 0
        for i in range(width):
            left |= rows[here, i] & rows[older, i]
        if left and level + 2 >= k:
            memory[LIMIT_K] = 1
            continue
        for i in range(width):
            shrinks |= rows[here, i] & ~rows[older, i]
            rows[here + 2, i] = rows[here, i] & rows[older, i]
            union = rows[here + 1, i] | rows[older, i]
            rows[here + 3, i] = memory[layout.conclusion + i] = union
            size += popcount(union)
        if not shrinks:
            continue
        fulls = memory[full_head]
        if fulls and holds_one(memory, layout, fulls, memory, layout.conclusion, size):
            continue
        if left:
            level += 1
            rows[here + 2, width] = older + 1
            continue
        added = add(memory, log, layout, FULL, x, y, -1, OR, level + 2)
        if added > 0:
            premises = added + CARRIER + width
            log[premises] = node
            for i in range(level + 1):
                log[premises + 1 + i] = rows[rows[first + 2 * i, width] - 1, width]
            memory[OR_SUCCESSES] += 1
        if memory[OVERFLOW]:
            return


@kernel
def _lay_out(memory, layout, rows, start):
    """Write the processed semis of a list into the rows, and their intersections behind.

    Return how many they are; the OVERFLOW flag says that rows are too few.
    """
    width = len(layout.words)
    if memory[start + COUNT] >= rows.shape[0]:
        memory[OVERFLOW] = 1
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
        memory[OVERFLOW] = 1
        return 0
    for i in range(width):
        rows[2 * n, i] = -1
    for older in range(n - 1, -1, -1):
        for i in range(width):
            rows[n + older, i] = rows[n + older + 1, i] & rows[older, i]
    return n


# Where all semis of a pair have nothing in common, but K kept OR from finding a full,
# the opponent has no move against them and no full says so. Six then adds the union
# of all semis, benzene of a few; so does this, walking them by size and keeping what
# shrinks the intersection. With it 5x5 has its proofs at K = 2, without at K = 5.


@kernel
def greedy_union(memory, log, layout, rows, x, y, start):
    """Add one full to a pair that has none, if its processed semis have no cell in common."""
    width = len(layout.words)
    for i in range(width):
        memory[layout.conclusion + i] = 0
        rows[0, i] = -1
    kept = 0
    entry = entries_of(layout, start)
    for _ in range(memory[start + COUNT]):
        shrinks = 0
        for i in range(width):
            shrinks |= rows[0, i] & ~memory[entry + 1 + i]
        if shrinks and is_processed(memory[entry]):
            left = 0
            for i in range(width):
                memory[layout.conclusion + i] |= memory[entry + 1 + i]
                rows[0, i] &= memory[entry + 1 + i]
                left |= rows[0, i]
            rows[kept, width] = node_of(memory[entry])
            kept += 1
            if not left:
                break
        entry += 1 + width
    for i in range(width):
        if rows[0, i]:
            return
    added = add(memory, log, layout, FULL, x, y, -1, OR, kept)
    if added > 0:
        for i in range(kept):
            log[added + CARRIER + width + i] = rows[i, width]
        memory[GREEDY_UNIONS] += 1
