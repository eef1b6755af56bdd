"""The OR rule of the engine without M and K: fulls that leave less in common.

Whoever combines a full with others cares only about the cells that all fulls
of a pair share. So for each such cell one full is looked for that avoids it,
by one walk over the semis that do.

The idea is Pawlewicz, Hayward, Henderson and Arneson's. On the London games it keeps
a sixth fewer fulls in about the same time, but proves 93 against 97 (a full counts
two, a semi one), so that M and K with the greedy union are the default.
"""

import numpy as np

from hsearch.kernels.bits import bit, has, lowest_bit
from hsearch.kernels.cache import kernel
from hsearch.kernels.lists import add
from hsearch.kernels.packing import (
    CARRIER,
    COMMON,
    COUNT,
    DONE,
    FULL,
    LIMIT_SHRINKING,
    OR,
    OR_SUCCESSES,
    OR_TRIES,
    OVERFLOW,
    SEMI,
    entries_of,
    head_of,
    is_processed,
    node_of,
)


@kernel
def join_semis(memory, log, layout, rows, node, x, y):
    """Apply the OR rule to all semis of a pair, if `node` is still new there.

    All semis of the pair count as processed then. The rows: 0 the cells that
    are left to be avoided, 1 what the chosen semis have in common, 2 the
    processed ones; the last word of a row holds the node of a chosen semi.
    """
    width = len(layout.words)
    head = head_of(layout, x, y, FULL)
    if not _take_new(memory, layout, rows, node, head):
        return
    memory[LIMIT_SHRINKING] = 1  # what no cell asks for is not looked for
    _cells_to_avoid(memory, layout, rows, head)
    for i in range(width):
        while rows[0, i]:
            place = lowest_bit(rows[0, i])
            rows[0, i] ^= np.int64(1) << place
            chosen = _avoid(memory, layout, rows, memory[head + SEMI], place + 64 * i)
            if chosen < 0:
                memory[OVERFLOW] = 1
                return
            if not chosen:
                continue
            for j in range(width):
                rows[0, j] &= memory[layout.conclusion + j]
            added = add(memory, log, layout, FULL, x, y, -1, OR, chosen)
            if memory[OVERFLOW]:
                return
            if added > 0:
                memory[OR_SUCCESSES] += 1
                for choice in range(chosen):
                    log[added + CARRIER + width + choice] = rows[choice, width]


@kernel
def _take_new(memory, layout, rows, node, head):
    """Mark the semis of a pair as processed; leave in rows[1] what the new ones have in common.

    Return whether `node` was one of them and all semis together have nothing in
    common.
    """
    width = len(layout.words)
    start = memory[head + SEMI]
    entry = entries_of(layout, start)
    found, common_to_all = False, False
    for i in range(width):
        rows[1, i] = rows[2, i] = -1
    for _ in range(memory[start + COUNT]):
        is_new = not is_processed(memory[entry])
        found |= is_new and node_of(memory[entry]) == node
        for i in range(width):
            rows[2, i] &= memory[entry + 1 + i]
            if is_new:
                rows[1, i] &= memory[entry + 1 + i]
        entry += 1 + width
    if not found:
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
    """Leave in rows[0] what all fulls share, less what all new semis (rows[1]) share.

    Without a full that is the whole board, and an edge, which every semi avoids.
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
    """Choose semis without `cell` that have nothing in common; leave their union as conclusion.

    Walks the list and keeps a semi that shrinks what the chosen have in common.
    Return how many were chosen, 0 if there is no such choice, -1 if the rows
    are too few.
    """
    width = len(layout.words)
    for i in range(width):
        memory[layout.conclusion + i] = 0
        rows[1, i] = -1
    chosen = 0
    entry = entries_of(layout, start)
    for _ in range(memory[start + COUNT]):
        shrinks = 0
        for i in range(width):
            shrinks |= rows[1, i] & ~memory[entry + 1 + i]
        if shrinks and not has(memory, entry + 1, cell):
            memory[OR_TRIES] += 1
            if chosen == rows.shape[0]:
                return -1
            rows[chosen, width] = node_of(memory[entry])
            chosen += 1
            left = 0
            for i in range(width):
                memory[layout.conclusion + i] |= memory[entry + 1 + i]
                rows[1, i] &= memory[entry + 1 + i]
                left |= rows[1, i]
            if not left:
                return chosen
        entry += 1 + width
    return 0
