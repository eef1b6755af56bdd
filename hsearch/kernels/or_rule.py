"""The OR rule: semis of the same ends, with no cell common to all, make a full.

With the switch `captured` the ends may capture what is common. The arrays are
those of `hsearch.kernels.packing`. At most K semis are joined; the
greedy union makes up for that where it left a pair without any full.
"""

from hsearch.kernels.bits import popcount
from hsearch.kernels.cache import kernel
from hsearch.kernels.captured import allow, take_pairs, write_pairs
from hsearch.kernels.lists import add, holds_one, mark_processed
from hsearch.kernels.packing import (
    CAPTURED_OR,
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
def process_semi(node, x, y, size, options, layout, memory, log, rows):
    """Apply the OR rule to a semi and the processed semis of the same ends."""
    head = head_of(layout, x, y, FULL)
    start = memory[head + SEMI]
    others = memory[start + DONE]
    allow(memory, layout, options, x, y)
    meet = 0
    for i in range(len(layout.words)):
        common = memory[start + COMMON + i] & ~memory[layout.allowed + i]
        meet |= common & log[node + CARRIER + i]
    if others and not meet and options.k > 1:
        _or(node, x, y, start, options, layout, memory, log, rows)
    elif others and not meet:
        memory[LIMIT_K] = 1
    if is_dropped(log, node):
        return
    mark_processed(memory, log, layout, start, node, size)
    is_open = not memory[head] or not memory[memory[head] + COUNT]
    if others and not meet and is_open and options.greedy_union:
        greedy_union(x, y, start, options, layout, memory, log, rows)


@kernel
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
        if is_processed(memory[entry]):
            for i in range(width):
                rows[n, i] = memory[entry + 1 + i]
            rows[n, width] = node_of(memory[entry])
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
            meet |= rows[here, i] & rows[rest + older, i] & ~memory[layout.allowed + i]
        if older == n or meet:
            level -= 1
            continue
        rows[here, width] += 1
        memory[OR_TRIES] += 1
        left = uncaptured = 0
        for i in range(width):
            left |= rows[here, i] & rows[older, i]
            uncaptured |= rows[here, i] & rows[older, i] & ~memory[layout.allowed + i]
        if uncaptured and level + 2 >= options.k:
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
        if not uncaptured:
            added = add_or(rows, here + 2, x, y, level + 2, options, layout, memory, log)
            if added > 0:
                premises = added + CARRIER + width
                log[premises] = node
                for i in range(level + 1):
                    log[premises + 1 + i] = rows[rows[levels + 2 * i, width] - 1, width]
                memory[OR_SUCCESSES] += 1
            if memory[OVERFLOW]:
                return
        if left and level + 2 < options.k:
            level += 1
            rows[here + 2, width] = older + 1
        elif left:
            memory[LIMIT_K] = 1


@kernel
def add_or(rows, common, x, y, chosen, options, layout, memory, log):
    """Add the full that this many semis make whose union is the conclusion; return as `add` does.

    What they have in common stands in a row of `rows`; the ends have to capture it.
    """
    left = pairs = 0
    for i in range(len(layout.words)):
        memory[layout.meet + i] = rows[common, i]
        left |= rows[common, i]
    if left:
        pairs = take_pairs(memory, layout, x, y, -1)
        if pairs < 0:
            return -1
    rule = CAPTURED_OR if left else OR
    added = add(memory, log, layout, options, FULL, x, y, -1, rule, chosen + pairs)
    if added > 0:
        place = added + CARRIER + len(layout.words) + chosen
        write_pairs(log, place, memory, layout, pairs)
    return added


@kernel
def greedy_union(x, y, start, options, layout, memory, log, rows):
    """Add one full to a pair that has none, if its processed semis have no cell in common.

    Walks the semis by size and keeps those that shrink the intersection.
    """
    width = len(layout.words)
    allow(memory, layout, options, x, y)
    for i in range(width):
        memory[layout.conclusion + i] = 0
        rows[0, i] = -1
    kept = 0
    entry = entries_of(start, layout)
    for _ in range(memory[start + COUNT]):
        shrinks = 0
        for i in range(width):
            shrinks |= rows[0, i] & ~memory[entry + 1 + i]
        if shrinks and is_processed(memory[entry]):
            left = 0
            for i in range(width):
                memory[layout.conclusion + i] |= memory[entry + 1 + i]
                rows[0, i] &= memory[entry + 1 + i]
                left |= rows[0, i] & ~memory[layout.allowed + i]
            rows[kept, width] = node_of(memory[entry])
            kept += 1
            if not left:
                break
        entry += 1 + width
    for i in range(width):
        if rows[0, i] & ~memory[layout.allowed + i]:
            return
    added = add_or(rows, 0, x, y, kept, options, layout, memory, log)
    if added > 0:
        for i in range(kept):
            log[added + CARRIER + width + i] = rows[i, width]
        memory[GREEDY_UNIONS] += 1
