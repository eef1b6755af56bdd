"""The lists of minimal connections: how they are added, dropped and queued.

`hsearch.kernels.packing` describes their layout in `memory` and `log`.
"""

import numpy as np

from hsearch.kernels.bits import popcount
from hsearch.kernels.cache import inlined_kernel, kernel
from hsearch.kernels.packing import (
    BOUND,
    CARRIER,
    COMMON,
    COUNT,
    DONE,
    FACTS,
    FULL,
    LIMIT_M,
    LIMIT_SHRINKING,
    LOG_USED,
    MEMORY_USED,
    NO_LOG,
    NO_MEMORY,
    NODES,
    OVERFLOW,
    QUEUE,
    QUEUED,
    ROOM,
    SEMI,
    WON,
    drop,
    ends_of,
    entries_of,
    facts_of,
    head_of,
    is_dropped,
    node_of,
    size_of,
    tag_of,
)

SMALLEST = np.int64(-(2**63))


@kernel
def is_subset(layout, one, a, other, b):
    """Return whether the row `a` of array `one` is a subset of the row `b` of array `other`."""
    outside = 0
    for i in range(len(layout.words)):
        outside |= one[a + i] & ~other[b + i]
    return outside == 0


# A connection whose carrier holds another carrier of its pair is weaker, so it is
# dropped: forward and backward subsumption, in the words of SAT solvers. Lists are
# short (M = 20) and sorted by size, so both are plain walks, and the first stops where
# carriers get too large. M is Anshelevich's. Six sets aside the connections beyond it,
# to move up later; here they are dropped, and BOUND records for `update` that there
# were some.


@kernel
def add(memory, log, layout, facts):
    """Add a connection whose carrier is the row `layout.conclusion`, unless a better one is known.

    `facts` are its ends, key, rule and number of premises, a tuple of plain numbers.
    A full is rejected if its carrier holds that of a full of the pair, a semi
    also if it holds that of a semi. Otherwise those of the same kind that hold the
    new carrier are dropped, and so are the semis that hold a new full. Return the
    node, or -1; the caller writes the premises, which follow the carrier.
    """
    x, y, key, _, _ = facts
    size = place = 0
    for i in range(len(layout.words)):
        size += popcount(memory[layout.conclusion + i])
    head = head_of(layout, x, y, FULL)
    full_start, semi_start = memory[head], memory[head + SEMI]
    if full_start:
        place = _place_for(memory, layout, full_start, size)
    if place >= 0 and key >= 0:
        place = _place_for(memory, layout, semi_start, size) if semi_start else 0
    return -1 if place < 0 else _enter(memory, log, layout, facts, size, place)


# AND derives most connections, and every second one is rejected, so `and_rule` has the first half
# of `add` in place: to call it with forty numbers took a twentieth of the time of a closure.
add_inlined = inlined_kernel(add.py_func)


@kernel
def _enter(memory, log, layout, facts, size, place):
    """Add a connection of `size` cells at its place in its list, or later among those as large.

    Return the node, or -1 if a limit keeps it out or an array is too small.
    """
    carrier, options = layout.conclusion, layout.options
    x, y, key, rule, premises = facts
    which = FULL if key < 0 else SEMI
    head = head_of(layout, x, y, which)
    start = memory[head]
    if which == FULL:
        semi_start = memory[head + SEMI]
        if options.shrinking and start and not _leaves_less(memory, layout, start):
            memory[LIMIT_SHRINKING] = memory[start + BOUND] = 1
            return -1
        if semi_start:
            _drop_supersets(memory, log, layout, semi_start, entries_of(layout, semi_start))
    if start:
        _drop_supersets(memory, log, layout, start, place)
        if memory[start + COUNT] >= (options.fulls if which == FULL else options.semis):
            memory[LIMIT_M] = memory[start + BOUND] = 1
            last = _entry(layout, start, memory[start + COUNT] - 1)
            if not _comes_before(memory, layout, size, last):
                return -1
            drop(log, node_of(memory[last]))
            memory[start + COUNT] -= 1
    if not start or memory[start + COUNT] == memory[start + ROOM]:
        start = _make_room(memory, layout, head)
    length = CARRIER + len(layout.words) + premises
    node = memory[LOG_USED]
    if memory[OVERFLOW] or node + length > log.size:
        memory[OVERFLOW] = memory[OVERFLOW] or NO_LOG
        return -1
    memory[LOG_USED] += length
    memory[NODES] += 1
    log[node + FACTS] = facts_of(x, y, key, rule, premises)
    for i in range(len(layout.words)):
        log[node + CARRIER + i] = memory[carrier + i]
    _insert(memory, layout, start, node, size)
    waits = which == SEMI and options.shrinking
    enqueue(memory, log, layout, node, size + waits * (layout.cells + 1))
    if which == FULL and x >= layout.cells and y >= layout.cells:
        memory[WON] = 1
    return node


@kernel
def _place_for(memory, layout, start, size):
    """Return the place of the first entry of a list that is larger than the conclusion.

    That is the end of the list if no entry is larger, and -1 if the conclusion, of `size`
    cells, holds an entry.
    """
    entry = entries_of(layout, start)
    for _ in range(memory[start + COUNT]):
        if size_of(memory[entry]) > size:
            return entry
        if is_subset(layout, memory, entry + 1, memory, layout.conclusion):
            return -1
        entry += 1 + len(layout.words)
    return entry


@kernel
def _leaves_less(memory, layout, start):
    """Return whether the conclusion replaces an entry, or shrinks the list's intersection."""
    stride = 1 + len(layout.words)
    carrier, first = layout.conclusion, entries_of(layout, start)
    end = first + stride * memory[start + COUNT]
    for entry in range(first, end, stride):
        if is_subset(layout, memory, carrier, memory, entry + 1):
            return True
    for i in range(len(layout.words)):
        common = ~memory[carrier + i]
        for entry in range(first, end, stride):
            common &= memory[entry + 1 + i]
        if common:
            return True
    return first == end


# The queue is a bucket for each size of carrier, first come first served within one.
# Every engine has its own order (Six one queue of pairs, benzene AND before OR), and
# once a limit has an effect the result depends on it. By size, small connections, which
# subsume the most, come first. No conclusion is smaller than a premise, so no smaller
# bucket is filled again once it is empty, except when semis wait for all fulls.


@kernel
def enqueue(memory, log, layout, node, size):
    """Put a node at the end of the bucket of its size."""
    first = layout.buckets + 2 * size
    log[node + QUEUE] = -2
    if memory[first] < 0:
        memory[first] = node
    else:
        log[memory[first + 1] + QUEUE] = node << 1 | is_dropped(log, memory[first + 1])
    memory[first + 1] = node
    memory[QUEUED] += 1


@kernel
def mark_processed(memory, log, layout, start, node, size):
    """Record in its list that a node has left the queue."""
    tag = tag_of(node, size)
    entry = entries_of(layout, start)
    for _ in range(memory[start + COUNT]):
        if memory[entry] == tag:
            memory[entry] |= 1
            break
        entry += 1 + len(layout.words)
    for i in range(len(layout.words)):
        carrier = log[node + CARRIER + i]
        memory[start + COMMON + i] &= carrier if memory[start + DONE] else -1
        if not memory[start + DONE]:
            memory[start + COMMON + i] = carrier
    memory[start + DONE] += 1


@kernel
def full_links(memory, log, layout, a, b, common):
    """List the pairs of points that are joined by a full with a carrier. Return their number.

    Fill `a` and `b` with their ends, and `common` with the number of cells that
    all kept fulls of the pair share.
    """
    width, count = len(layout.words), 0
    for head in range(layout.heads, layout.lists, 2):
        start = memory[head]
        if not start or not memory[start + COUNT] or not size_of(memory[_entry(layout, start, 0)]):
            continue
        size = 0
        for i in range(width):
            word = np.int64(-1)
            for place in range(memory[start + COUNT]):
                word &= memory[_entry(layout, start, place) + 1 + i]
            size += popcount(word)
        facts = log[node_of(memory[_entry(layout, start, 0)]) + FACTS]
        a[count], b[count] = ends_of(facts)
        common[count] = size
        count += 1
    return count


@kernel
def _entry(layout, start, place):
    return entries_of(layout, start) + place * (1 + len(layout.words))


@kernel
def _drop_supersets(memory, log, layout, start, entry):
    """Drop from a list, from one of its entries on, the carriers that hold the conclusion."""
    stride = 1 + len(layout.words)
    target, end = entry, _entry(layout, start, memory[start + COUNT])
    while entry < end:
        if is_subset(layout, memory, layout.conclusion, memory, entry + 1):
            drop(log, node_of(memory[entry]))
        else:
            if target < entry:
                for i in range(stride):
                    memory[target + i] = memory[entry + i]
            target += stride
        entry += stride
    if target < end:
        memory[start + COUNT] -= (end - target) // stride


@kernel
def _comes_before(memory, layout, size, entry):
    """Return whether the conclusion comes before an entry: by size, then by its bits."""
    other = size_of(memory[entry])
    if size != other:
        return size < other
    for i in range(len(layout.words) - 1, -1, -1):
        one, other = memory[layout.conclusion + i], memory[entry + 1 + i]
        if one != other:
            return one ^ SMALLEST < other ^ SMALLEST
    return False


@kernel
def _insert(memory, layout, start, node, size):
    """Insert the conclusion at its place in a list that has room."""
    stride = 1 + len(layout.words)
    entry = _entry(layout, start, memory[start + COUNT])
    for _ in range(memory[start + COUNT]):
        if not _comes_before(memory, layout, size, entry - stride):
            break
        for i in range(stride):
            memory[entry + i] = memory[entry - stride + i]
        entry -= stride
    memory[entry] = tag_of(node, size)
    for i in range(len(layout.words)):
        memory[entry + 1 + i] = memory[layout.conclusion + i]
    memory[start + COUNT] += 1


@kernel
def _make_room(memory, layout, head):
    """Move a list to the end of memory with twice the room, or start one there. Return where."""
    old, new, header = memory[head], memory[MEMORY_USED], COMMON + len(layout.words)
    room = 2 * memory[old + ROOM] if old else 2
    end = new + header + room * (1 + len(layout.words))
    if end > memory.size:
        memory[OVERFLOW] = NO_MEMORY
        return old
    if old:
        for i in range(header + memory[old + COUNT] * (1 + len(layout.words))):
            memory[new + i] = memory[old + i]
    else:
        memory[new + COUNT] = memory[new + DONE] = memory[new + BOUND] = 0
    memory[new + ROOM] = room
    memory[head], memory[MEMORY_USED] = new, end
    return new
