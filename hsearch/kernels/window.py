"""Search for a proof that the ends of a window are joined even if the opponent moves first.

A proof-number search with H-search at every node. The sides alternate: the opponent
tries the cells that all known semis share, the owner the cells that a full or a semi
joins to each end. If H-search finds no semi where the opponent is to move, the owner
counts as having lost, which may be wrong. That the ends are joined is always proved.

A window has at most `exhaustive.MOST_POINTS` points: its empty cells, and own stones that
belong to neither end. Sets of them are int64 words, `own` and `free`; points in
neither are the opponent's. The ends are the next two points, as edges are on a
board. `graph` (int64) has the points that touch the first end, the second, and
then each point.

A row of `tree` (int64) is a node; its fields are named below. The children of a node
are a linked list of rows. Row 0 is the root, where the opponent moves.
"""

import numpy as np

from hsearch.kernels.bits import lowest_bit
from hsearch.kernels.cache import kernel
from hsearch.kernels.closure import clear, run
from hsearch.kernels.exhaustive import NEIGHBORS, TO_FIRST, TO_SECOND, reach
from hsearch.kernels.lists import add
from hsearch.kernels.packing import (
    ADJACENT,
    COUNT,
    EDGE,
    EMPTY,
    FULL,
    NOTHING,
    OVERFLOW,
    SEMI,
    STONE,
    entries_of,
    head_of,
)

HOPELESS = 3
INFINITE = 1 << 40
# A node: whose turn it is, the owner's points and the free ones, the move that led here, its
# parent, first child and next sibling, its proof and disproof numbers, its state.
OWNER_MOVES, OWN, FREE, MOVE, PARENT, CHILD, NEXT, PROOF, DISPROOF, STATE = range(10)
# The cells that all semis share, the carrier of the proof so far, and the child that proves a node.
SHARED, CARRIER, BY = range(10, 13)
FIELDS = 13
NEW, OPEN, JOINED, CUT, MOOT = range(5)
BY_SEMI, BY_FULL = -1, -2  # instead of a child


# The search is the must-play deduction of Rasmussen and Maire (2004), best first. They
# answer the intrusions one after the other, to a fixed depth, as
# `hsearch.connect.deduction` does on a whole board. Here proof numbers (Allis, 1994)
# choose the position to expand, and only the budget limits the depth. One reply often
# answers many intrusions, so where the opponent moves, the proof number is not the sum of
# the children's, but the largest, plus the number of the others, as in the weak
# proof-number search of Ueda and others (2008).
#
# With M=20 and K=4 at the nodes, instead of shrinking intersections, windows added 5
# proofs and 11 semi proofs on 696 sides of games, instead of 8 and 12, and took 1.7 times
# as long. A search that gives up when three times the proof number of the root exceeds the
# budget misses one of 58 joined windows. Of 1,542 windows between two groups, none was
# joined that H-search had not joined. Groups without a semi to the edge added nothing.
# Windows that end at an empty cell took too long. The solver does not ask windows: on 11x11
# they saved a fifth of its nodes, and it took 3.5 times as long
# (`positions/results/proofs.md`, `solving.md`).


@kernel
def solve(memory, log, layout, rows, tree, graph, position, budget):
    """Search until the root is decided or the budget is spent. Return how much work it was.

    `position` has the owner's points and the free ones.

    Work is the number of closures, or `HOPELESS` times the largest proof number of
    the root if that is more: if many intrusions are left to answer, as in most
    windows, the ends are hardly ever joined. The answer is the state of the root. A
    negative number means that an array was too small.
    """
    tree[0] = 0
    tree[0, OWN], tree[0, FREE] = position
    tree[0, MOVE] = tree[0, PARENT] = tree[0, CHILD] = tree[0, NEXT] = -1
    nodes, closures, work = 1, 0, 0
    while tree[0, STATE] <= OPEN:
        if closures >= budget or work > budget:
            return budget
        node = 0
        while tree[node, STATE] == OPEN:
            node = _best(tree, node)
        closures += 1
        stones, empty = tree[node, OWN], tree[node, FREE]
        closure(memory, log, layout, rows, graph, stones, empty)
        if memory[OVERFLOW] or nodes + layout.cells > tree.shape[0]:
            return -1
        if tree[node, OWNER_MOVES]:
            nodes = _open_owner(memory, layout, tree, node, nodes)
        else:
            nodes = _open_opponent(memory, layout, tree, node, nodes)
        while node >= 0:
            _update(tree, node)
            node = tree[node, PARENT]
        if tree[0, STATE] == OPEN:
            work = max(work, HOPELESS * tree[0, PROOF])
    return max(closures, work)


@kernel
def _best(tree, node):
    """Return the child that the side to move tries next."""
    which = PROOF if tree[node, OWNER_MOVES] else DISPROOF
    best, child = -1, tree[node, CHILD]
    while child >= 0:
        is_undecided = tree[child, STATE] <= OPEN
        if is_undecided and (best < 0 or tree[child, which] < tree[best, which]):
            best = child
        child = tree[child, NEXT]
    return best


@kernel
def _update(tree, node):
    """Update a node from its children; a node that is decided gets its final numbers."""
    if tree[node, STATE] != OPEN:
        decided = tree[node, STATE] == JOINED
        tree[node, PROOF] = 0 if decided else INFINITE
        tree[node, DISPROOF] = INFINITE if decided else 0
        return
    if tree[node, OWNER_MOVES]:
        _update_owner(tree, node)
    else:
        _update_opponent(tree, node)


@kernel
def _update_owner(tree, node):
    proof, disproof = INFINITE, 0
    child = tree[node, CHILD]
    while child >= 0:
        if tree[child, STATE] == JOINED:
            tree[node, STATE] = JOINED
            tree[node, BY] = child
            tree[node, CARRIER] = tree[child, CARRIER] | 1 << tree[child, MOVE]
            tree[node, PROOF], tree[node, DISPROOF] = 0, INFINITE
            return
        if tree[child, STATE] != CUT:
            proof = min(proof, tree[child, PROOF])
            disproof += tree[child, DISPROOF]
        child = tree[child, NEXT]
    if proof == INFINITE:
        tree[node, STATE] = CUT
        disproof = 0
    tree[node, PROOF], tree[node, DISPROOF] = proof, disproof


@kernel
def _update_opponent(tree, node):
    """Join the semis that have been proved, until no cell is in all of them."""
    child = tree[node, CHILD]
    while child >= 0:
        if tree[child, STATE] == JOINED and tree[node, SHARED] >> tree[child, MOVE] & 1:
            if tree[child, BY] == BY_FULL:
                tree[node, SHARED] = 0
                tree[node, CARRIER] = tree[child, CARRIER]
                tree[node, BY] = child
                break
            tree[node, SHARED] &= tree[child, CARRIER]
            tree[node, CARRIER] |= tree[child, CARRIER]
        child = tree[child, NEXT]
    if not tree[node, SHARED]:
        tree[node, STATE] = JOINED
        tree[node, PROOF], tree[node, DISPROOF] = 0, INFINITE
        return
    proof, disproof, others = 0, INFINITE, -1
    child = tree[node, CHILD]
    while child >= 0:
        if tree[child, STATE] <= OPEN and not tree[node, SHARED] >> tree[child, MOVE] & 1:
            tree[child, STATE] = MOOT
        if tree[child, STATE] == CUT:
            tree[node, STATE] = CUT
            tree[node, PROOF], tree[node, DISPROOF] = INFINITE, 0
            return
        if tree[child, STATE] <= OPEN:
            # One reply often answers many intrusions, so proof numbers are not added up.
            proof = max(proof, tree[child, PROOF])
            disproof = min(disproof, tree[child, DISPROOF])
            others += 1
        child = tree[child, NEXT]
    tree[node, PROOF], tree[node, DISPROOF] = proof + others, disproof


@kernel
def _open_opponent(memory, layout, tree, node, nodes):
    """Expand a node where the opponent is to move, by H-search. Return the number of nodes."""
    first = layout.cells
    head = head_of(layout, first, first + 1, FULL)
    fulls, semis = memory[head], memory[head + SEMI]
    if fulls and memory[fulls + COUNT]:
        tree[node, STATE] = JOINED
        tree[node, BY] = BY_FULL
        tree[node, CARRIER] = memory[entries_of(layout, fulls) + 1]
        return nodes
    if not semis or not memory[semis + COUNT]:
        tree[node, STATE] = CUT
        return nodes
    common, union = np.int64(-1), np.int64(0)
    entry = entries_of(layout, semis)
    for _ in range(memory[semis + COUNT]):
        carrier = memory[entry + 1]
        if common & ~carrier:
            common &= carrier
            union |= carrier
        entry += 1 + len(layout.words)
    tree[node, STATE] = OPEN
    tree[node, SHARED], tree[node, CARRIER], tree[node, BY] = common, union, BY_SEMI
    last = -1
    while common:
        move = lowest_bit(common)
        common &= common - 1
        last = _add_node(tree, node, nodes, move, last)
        tree[nodes, OWNER_MOVES] = 1
        tree[nodes, OWN], tree[nodes, FREE] = tree[node, OWN], tree[node, FREE] & ~(1 << move)
        nodes += 1
    return nodes


@kernel
def _open_owner(memory, layout, tree, node, nodes):
    """Expand a node where the owner is to move, by H-search. Return the number of nodes."""
    first = layout.cells
    head = head_of(layout, first, first + 1, FULL)
    for which in (FULL, SEMI):
        start = memory[head + which]
        if start and memory[start + COUNT]:
            tree[node, STATE] = JOINED
            tree[node, BY] = BY_SEMI if which == SEMI else BY_FULL
            tree[node, CARRIER] = memory[entries_of(layout, start) + 1]
            return nodes
    tree[node, STATE] = OPEN
    remaining, last = tree[node, FREE], -1
    for far in range(2, 5):
        rest = remaining
        while rest:
            move = lowest_bit(rest)
            rest &= rest - 1
            if _far(memory, layout, move, first) + _far(memory, layout, move, first + 1) != far:
                continue
            remaining &= ~(1 << move)
            last = _add_node(tree, node, nodes, move, last)
            tree[nodes, OWN] = tree[node, OWN] | 1 << move
            tree[nodes, FREE] = tree[node, FREE] & ~(1 << move)
            tree[nodes, PROOF] = far - 1
            nodes += 1
    return nodes


@kernel
def _far(memory, layout, point, end):
    """Return 1 for a full, 2 for a semi, and 9 for neither."""
    head = head_of(layout, point, end, FULL)
    fulls, semis = memory[head], memory[head + SEMI]
    if fulls and memory[fulls + COUNT]:
        return 1
    return 2 if semis and memory[semis + COUNT] else 9


@kernel
def _add_node(tree, parent, node, move, last):
    """Add a child after the last one. Return it."""
    tree[node] = 0
    tree[node, MOVE], tree[node, PARENT] = move, parent
    tree[node, CHILD] = tree[node, NEXT] = -1
    tree[node, PROOF] = tree[node, DISPROOF] = 1
    if last < 0:
        tree[parent, CHILD] = node
    else:
        tree[last, NEXT] = node
    return node


@kernel
def closure(memory, log, layout, rows, graph, own, free):
    """Find the connections of a window, as `hsearch.kernels.closure` does on a board."""
    clear(memory, layout)
    _set_up(memory, layout, graph, own, free)
    _add_adjacent(memory, log, layout, graph, free)
    run(memory, log, layout, rows)


@kernel
def _set_up(memory, layout, graph, own, free):
    """Find the captain of each own point, -1 for the opponent's, and the kind of each point."""
    captain, kind = layout.captain, layout.kind
    first = layout.cells
    for point in range(first):
        is_free = free >> point & 1
        memory[captain + point] = point if is_free else -1
        memory[kind + point] = EMPTY if is_free else NOTHING
    for end in (first, first + 1):
        memory[captain + end] = end
        memory[kind + end] = EDGE
    rest = own
    while rest:
        group = reach(rest & -rest, own, graph) & own
        leader = lowest_bit(group)
        memory[kind + leader] = STONE
        for which, end in ((TO_FIRST, first), (TO_SECOND, first + 1)):
            if group & graph[which]:
                memory[kind + leader] = NOTHING
                leader = end
                break
        rest &= ~group
        while group:
            memory[captain + lowest_bit(group)] = leader
            group &= group - 1


@kernel
def _add_adjacent(memory, log, layout, graph, free):
    """Add the connections of touching points, at least one of them free."""
    for i in range(len(layout.words)):
        memory[layout.conclusion + i] = 0
    rest = free
    while rest:
        point = lowest_bit(rest)
        rest &= rest - 1
        for which, end in ((TO_FIRST, layout.cells), (TO_SECOND, layout.cells + 1)):
            if graph[which] >> point & 1:
                add(memory, log, layout, (point, end, -1, ADJACENT, 0))
        near = graph[NEIGHBORS + point]
        while near:
            other = memory[layout.captain + lowest_bit(near)]
            near &= near - 1
            if other >= 0:
                add(memory, log, layout, (point, other, -1, ADJACENT, 0))
