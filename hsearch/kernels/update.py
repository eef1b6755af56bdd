"""The closure after one more stone, from the closure before it.

The arrays are those of `hsearch.kernels.packing`, changed in place. To undo a
stone, restore a copy of `memory` from before it: the log only grows, and the
QUEUE words of nodes that have left the queue do not matter.

An opponent's stone removes the connections that need its cell. An own stone
shrinks the carriers that hold its cell, joins the groups around it, and makes
new work for the rules. A connection that an own stone has changed is a new node
by the rule OWN_STONE, whose premises are the old node and the cell of the stone.
"""

import numpy as np

from hsearch.kernels.and_rule import and_pair
from hsearch.kernels.bits import bit, has, put
from hsearch.kernels.cache import kernel
from hsearch.kernels.closure import run
from hsearch.kernels.lists import add, enqueue
from hsearch.kernels.or_rule import greedy_union
from hsearch.kernels.packing import (
    ADJACENT,
    AND_TRIES,
    BOUND,
    CARRIER,
    COMMON,
    COUNT,
    DONE,
    EDGE,
    EMPTY,
    FACTS,
    FULL,
    NOTHING,
    OR_TRIES,
    OVERFLOW,
    OWN_STONE,
    SEMI,
    STONE,
    WON,
    drop,
    entries_of,
    head_of,
    is_processed,
    key_of,
    node_of,
    rule_of,
    size_of,
)

LOST_ENTRIES = 2  # added to BOUND while an update runs
NODE, NEW_X, NEW_Y, NEW_KEY, SIZE = range(5)


# One more stone changes few connections, so engines update them in a search: Six (G. Melis)
# copies the whole connector for each node, benzene its lists for each move, and older
# versions of benzene log each change. Here a copy of `memory` is enough to undo a stone,
# as long as the queue was empty.
#
# The solver computes each closure from scratch, though updates were tried: on 7x7 one stone
# takes 129 microseconds instead of 232, but a node gets 2.35 stones by fill-in, which take
# 176 instead of 203 on average, and three or more take longer than from scratch. A search
# that jumps would also have to store the arrays of each position on its path
# (`positions/results/solving.md`).


# After an opponent's stone no rule is applied unless a limit had an effect: every
# premise has its carrier and its pivot inside the conclusion's carrier, so exactly the
# connections of a closure from scratch remain (computed on random positions of 3x3
# and 4x4). A full that is hit leaves a semi whose key is unknown. It is not added: the
# semis that avoid the stone are still in the list, as OR does not remove them.


@kernel
def opponent_stone(memory, log, layout, rows, cell):
    """Update the owner's connections after the opponent's stone on an empty cell.

    If M had kept connections out of a list and the stone has made room there, the
    rules are tried again.
    """
    _start(memory, layout)
    memory[layout.captain + cell] = -1
    memory[layout.kind + cell] = NOTHING
    for y in range(1, layout.cells + 2):
        for x in range(y):
            head = head_of(layout, x, y, FULL)
            if not memory[head] and not memory[head + SEMI]:
                continue
            if cell in (x, y):
                _drop_all(memory, log, layout, head)
                _drop_all(memory, log, layout, head + SEMI)
                continue
            for which in (FULL, SEMI):
                start = memory[head + which]
                if start and _drop_holders(memory, log, layout, start, cell):
                    memory[start + BOUND] |= LOST_ENTRIES
            _note_partners(memory, layout, x, y, head)
    _refill(memory, log, layout, rows)
    run(memory, log, layout, rows)


# Six drops the connections that hold the stone and finds them again. Here carriers
# shrink: a full stays a full, a semi whose key is played becomes a full, any other
# keeps its key. All of these are new work for the rules, and so are the pairs of a
# group that has grown.
#
# With edges as pivots and no limits the result is that of a closure from scratch.
# Without such pivots there may be more: a connection across a group stays when the
# group comes to touch an edge, while a closure from scratch would not find it.


@kernel
def own_stone(memory, log, layout, rows, cell, columns):
    """Update the owner's connections after an own stone on an empty cell."""
    _start(memory, layout)
    group = _group_points(memory, layout, cell, columns)
    captain = _rename(memory, layout, group)
    is_new = captain == cell
    most = (memory.size - layout.lists) // (1 + len(layout.words))
    changes = np.empty((most, 5), np.int64)
    n = 0
    for y in range(1, layout.cells + 2):
        for x in range(y):
            head = head_of(layout, x, y, FULL)
            if not memory[head] and not memory[head + SEMI]:
                continue
            if group[x] and group[y]:
                _drop_all(memory, log, layout, head)
                _drop_all(memory, log, layout, head + SEMI)
                continue
            new_x = captain if group[x] else x
            new_y = captain if group[y] else y
            moves = new_x != x or new_y != y or (is_new and (group[x] or group[y]))
            for which in (FULL, SEMI):
                start = memory[head + which]
                if not start:
                    continue
                first = n
                n = _note_changed(memory, log, layout, start, cell, moves, changes, n)
                changes[first:n, NEW_X] = new_x
                changes[first:n, NEW_Y] = new_y
                if moves:
                    _drop_all(memory, log, layout, head + which)
                else:
                    _drop_holders(memory, log, layout, start, cell)
            if not moves:
                _note_partners(memory, layout, x, y, head)
    for place in _by_size(changes[:n], layout.cells):
        _add_changed(memory, log, layout, changes[place], cell)
        if memory[OVERFLOW]:
            return
    run(memory, log, layout, rows)


# LIMIT_STEPS is left as it is: a later run processes what is still in the queue. An update then
# changes the queue's links and drops its nodes, both in the log, so undoing it must restore the
# log as well as the memory (`Side` in `hsearch.connect.closure`).


@kernel
def _start(memory, layout):
    memory[AND_TRIES] = memory[OR_TRIES] = memory[WON] = 0
    memory[layout.partners : layout.buckets] = 0


@kernel
def _group_points(memory, layout, cell, columns):
    """Return, for each point, whether a stone on `cell` makes it part of one group."""
    cells = layout.cells
    group = np.zeros(cells + 2, np.bool_)
    group[cell] = True
    column = cell % columns
    touching = np.full(8, cell)
    if column:
        touching[0] = cell - 1
    if column < columns - 1:
        touching[1] = cell + 1
    if cell >= columns:
        touching[2] = cell - columns
        touching[3] = cell - columns + 1 if column < columns - 1 else cell
    else:
        touching[4] = cells
    if cell < cells - columns:
        touching[5] = cell + columns
        touching[6] = cell + columns - 1 if column else cell
    else:
        touching[7] = cells + 1
    for point in touching:
        captain = memory[layout.captain + point]
        if captain >= 0 and memory[layout.kind + captain] != EMPTY:
            group[captain] = True
    return group


@kernel
def _rename(memory, layout, group):
    """Give the joined points one captain and return it: north, south, or the smallest cell."""
    cells = layout.cells
    captain = cells if group[cells] else cells + 1 if group[cells + 1] else -1
    for point in range(cells):
        if captain < 0 and group[point]:
            captain = point
    for point in range(cells + 2):
        old = memory[layout.captain + point]
        if old >= 0 and group[old]:
            memory[layout.captain + point] = captain
    for point in range(cells + 2):
        if group[point]:
            memory[layout.kind + point] = NOTHING
    memory[layout.kind + captain] = EDGE if captain >= cells else STONE
    return captain


@kernel
def _note_changed(memory, log, layout, start, cell, moves, changes, n):
    """List the entries that hold the cell, or all if the list moves. Return their total."""
    stride = 1 + len(layout.words)
    entry = entries_of(layout, start)
    for _ in range(memory[start + COUNT]):
        holds = has(memory, entry + 1, cell)
        if moves or holds:
            node = node_of(memory[entry])
            key = key_of(log[node + FACTS])
            changes[n, NODE] = node
            changes[n, NEW_KEY] = -1 if key == cell else key
            changes[n, SIZE] = size_of(memory[entry]) - holds
            n += 1
        entry += stride
    return n


@kernel
def _by_size(changes, cells):
    """Return the indices of the rows sorted by size; rows of a size stay in order."""
    starts = np.zeros(cells + 2, np.int64)
    for place in range(len(changes)):
        starts[changes[place, SIZE] + 1] += 1
    starts = np.cumsum(starts)
    order = np.empty(len(changes), np.int64)
    for place in range(len(changes)):
        order[starts[changes[place, SIZE]]] = place
        starts[changes[place, SIZE]] += 1
    return order


@kernel
def _add_changed(memory, log, layout, row, cell):
    """Add a connection as an own stone on `cell` has changed it."""
    node = row[NODE]
    for i in range(len(layout.words)):
        memory[layout.conclusion + i] = log[node + CARRIER + i]
    memory[layout.conclusion + (cell >> 6)] &= ~bit(cell)
    x, y, key = row[NEW_X], row[NEW_Y], row[NEW_KEY]
    if rule_of(log[node + FACTS]) == ADJACENT:
        add(memory, log, layout, (x, y, key, ADJACENT, 0))
        return
    new_node = add(memory, log, layout, (x, y, key, OWN_STONE, 2))
    if new_node > 0:
        log[new_node + CARRIER + len(layout.words)] = node
        log[new_node + CARRIER + len(layout.words) + 1] = cell


@kernel
def _drop_all(memory, log, layout, head):
    """Drop a list."""
    start = memory[head]
    if start:
        entry = entries_of(layout, start)
        for _ in range(memory[start + COUNT]):
            drop(log, node_of(memory[entry]))
            entry += 1 + len(layout.words)
        memory[head] = 0


@kernel
def _drop_holders(memory, log, layout, start, cell):
    """Drop the connections of a list whose carriers hold a cell. Return their number."""
    stride = 1 + len(layout.words)
    entry = target = entries_of(layout, start)
    memory[start + DONE] = 0
    for _ in range(memory[start + COUNT]):
        if has(memory, entry + 1, cell):
            drop(log, node_of(memory[entry]))
        else:
            if target < entry:
                for i in range(stride):
                    memory[target + i] = memory[entry + i]
            if is_processed(memory[target]):
                _add_to_common(memory, layout, start, target + 1)
            target += stride
        entry += stride
    count = (entry - target) // stride
    memory[start + COUNT] -= count
    return count


@kernel
def _add_to_common(memory, layout, start, carrier):
    """Count a carrier as processed, and intersect it with those before."""
    for i in range(len(layout.words)):
        common = memory[start + COMMON + i] if memory[start + DONE] else -1
        memory[start + COMMON + i] = common & memory[carrier + i]
    memory[start + DONE] += 1


@kernel
def _note_partners(memory, layout, x, y, head):
    """Add a pair to the rows of partners, if it has processed fulls."""
    start, width = memory[head], len(layout.words)
    if not start or not memory[start + DONE] or not memory[start + COUNT]:
        return
    put(memory, layout.partners + x * width, y)
    put(memory, layout.partners + y * width, x)
    if size_of(memory[entries_of(layout, start)]) == 0:
        put(memory, layout.touching + x * width, y)
        put(memory, layout.touching + y * width, x)
    if x >= layout.cells and y >= layout.cells:
        memory[WON] = 1


@kernel
def _refill(memory, log, layout, rows):
    """Try the rules again in pairs that lost connections after M had kept some out."""
    for y in range(1, layout.cells + 2):
        for x in range(y):
            head = head_of(layout, x, y, FULL)
            losses = 0
            for which in (FULL, SEMI):
                start = memory[head + which]
                if start and memory[start + BOUND] & LOST_ENTRIES:
                    memory[start + BOUND] &= ~LOST_ENTRIES
                    losses |= 1 << which + 2 * memory[start + BOUND]
            if losses & 0b1100:
                and_pair(memory, log, layout, x, y)
            if losses & 0b0100 and memory[head + SEMI]:
                _requeue(memory, log, layout, memory[head + SEMI])
            is_open = losses & 0b0101 and not memory[memory[head] + COUNT]
            if is_open and layout.options.greedy_union and memory[head + SEMI]:
                greedy_union(memory, log, layout, rows, x, y, memory[head + SEMI])
            if memory[OVERFLOW]:
                return


@kernel
def _requeue(memory, log, layout, start):
    """Put all processed entries of a list back into the queue."""
    entry = entries_of(layout, start)
    for _ in range(memory[start + COUNT]):
        if is_processed(memory[entry]):
            memory[entry] ^= 1
            enqueue(memory, log, layout, node_of(memory[entry]), size_of(memory[entry]))
        entry += 1 + len(layout.words)
    memory[start + DONE] = 0
