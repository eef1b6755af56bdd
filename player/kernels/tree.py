"""Best-first search in a tree of flat arrays: choose, play out, back up, prove.

A node is a number, 0 is the root, and the children of a node are consecutive, in the
order of their cells. `visits` and `wins` count simulations through a node, wins
for the player who moved into it; `rave_visits` and `rave_wins` count those
through its parent in which that player got the cell at any time (all moves as
first). `state` is OPEN, WON or LOST for the player to move at the node. `stage` records
whether a net or H-search has evaluated the node; `estimates` has
Black's chance by either, else -1. `current` is the current of the weak link at a node's
cell, from the last evaluation by H-search on the way to it.

A simulation descends to the first node without visits or without children. Its value is
a mixture: the winner of its playout, the estimate of the last node on its way that has
one, and, if there are patterns, their chance for the last position; a half if there is
none of these. The mover takes the child that maximizes

    (wins + w * rave) / (visits + w) + c * prior * sqrt(visits of the parent) / (1 + visits)

where `rave` is the share of wins among the all-moves-as-first, with weight w,
which grows with their number up to a limit; a child with neither kind of visits gets
the share of its parent. A root without visits counts as one with 1, so that the first
simulation follows the priors. Gelly and Silver: Monte-Carlo tree search and rapid action value
estimation in computer Go (2011). Rosin: Multi-armed bandits with episode context
(2011). Winands, Björnsson and Saito: Monte-Carlo tree search solver (2008).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hsearch.kernels.bits import copy
from hsearch.kernels.cache import kernel
from player.kernels.fillings import is_won_by_black
from player.kernels.patterns import Patterns, draw, playout, put, worth

OPEN, WON, LOST = 0, 1, 2
UNSEEN, ASKED, LOOKED = 0, 1, 2
DONE, LOOK, FULL, ASK = 0, 1, 2, 3  # why `simulate` returned
NO_LOOKS = NO_NET = NO_ROOM = -1


class SearchTree(NamedTuple):
    """The arrays, one entry a node; `counts` has the number of nodes and of simulations."""

    counts: NDArray[np.int64]
    parent: NDArray[np.int32]
    first: NDArray[np.int32]
    children: NDArray[np.int16]
    cell: NDArray[np.int16]
    state: NDArray[np.int8]
    stage: NDArray[np.int8]
    visits: NDArray[np.int32]
    wins: NDArray[np.float64]
    rave_visits: NDArray[np.int32]
    rave_wins: NDArray[np.float64]
    prior: NDArray[np.float64]
    estimates: NDArray[np.float64]
    current: NDArray[np.float32]


class RootPosition(NamedTuple):
    """The position at the root, as `set_up` of `patterns` writes it, and room for a path.

    last      the place of the last stone, -1 if it is not known
    patterns  to estimate moves and positions; without weights if none are used
    """

    columns: int
    rows: int
    turn: int
    remaining: int
    stones: NDArray[np.int8]
    places: NDArray[np.int64]
    steps: NDArray[np.int64]
    empties: NDArray[np.int64]
    spots: NDArray[np.int64]
    path: NDArray[np.int64]
    last: int
    patterns: Patterns


class SimulationRules(NamedTuple):
    """Rules for simulations.

    look_at      visits of a node before H-search evaluates it, at the root none; below 0,
                 H-search evaluates no node
    expand_at    visits of a node before it gets children; below 0, no node gets any more, and
                 H-search skips nodes without children
    ask_at       visits of a node before a net evaluates it, at the root none; the net always
                 comes before H-search; below 0, there is no net
    playouts     whether games are played out; else only estimates count
    blend        weight of an estimate in the mixture, from 0 to 1
    prior        weight of a prior: c
    rave         most weight of all moves as first
    worth        weight of the chance by patterns in the mixture, from 0 to 1; 0 without patterns
    heat         with patterns, the current of a weak link that adds 1 to the logit of its move
    """

    look_at: int
    expand_at: int
    ask_at: int
    playouts: int
    blend: float
    prior: float
    rave: float
    worth: float
    heat: float


@kernel
def simulate(tree, root, rules, random, count):
    """Run simulations; return why it ended, how many were run, and the length of the path.

    It ends early with LOOK if H-search is to evaluate the last node of `root.path`, with
    ASK if a net is to evaluate it, with FULL if there is no room for the children of
    that node, and with DONE if the root is proved.
    """
    size = root.columns * root.rows
    stones = np.empty_like(root.stones)
    empties, spots = np.empty_like(root.empties), np.empty_like(root.spots)
    colors = np.empty(size, np.bool_)
    path = root.path
    for number in range(count):
        if tree.state[0] != OPEN:
            return DONE, number, 0
        copy(root.stones, stones)
        copy(root.empties, empties)
        copy(root.spots, spots)
        remaining, turn, last, node, length = root.remaining, root.turn, -1, 0, 1
        path[0] = 0
        estimate, source = -1.0, -1
        while True:
            visits, stage = tree.visits[node], tree.stage[node]
            looks = rules.look_at >= 0 and stage != LOOKED
            looks = looks and (visits >= rules.look_at or node == 0)
            may_expand = rules.expand_at >= 0 and tree.children[node] == 0
            looks = looks and (may_expand or tree.children[node] > 0)
            expands = may_expand and (looks or visits >= rules.expand_at or node == 0)
            if expands and tree.counts[0] + remaining > tree.parent.size:
                return FULL, number, length
            if expands:
                expand(tree, node, source, stones, root.places, remaining)
                if root.patterns.parts.codes.size:
                    set_pattern_priors(
                        tree, node, root, stones, turn, last if length > 1 else root.last, rules
                    )
            asks = looks or visits >= rules.ask_at or node == 0
            asks = asks and rules.ask_at >= 0 and stage == UNSEEN
            if asks and tree.children[node]:
                return ASK, number, length
            if looks:
                return LOOK, number, length
            if tree.estimates[node] >= 0.0:
                estimate, source = tree.estimates[node], node
            if tree.children[node] == 0 or (visits == 0 and node):
                break
            node = select(tree, node, rules)
            last = root.places[tree.cell[node]]
            remaining = put(last, 1 + turn, stones, empties, spots, remaining)
            turn = 1 - turn
            path[length] = node
            length += 1
        value = estimate
        own = 0.0
        if rules.worth > 0.0:
            own = worth(root.patterns, stones, turn)
            own = own if turn == 0 else 1 - own
        if rules.playouts:
            playout(turn, last, stones, root.steps, empties, spots, remaining, random)
            for cell in range(size):
                colors[cell] = stones[root.places[cell]] == 1
            result = 1.0 if is_won_by_black(colors, root.columns, root.rows) else 0.0
            value = (
                result if estimate < 0.0 else (1 - rules.blend) * result + rules.blend * estimate
            )
            back_up_all(tree, root.turn, length, path, colors, result)
        if rules.worth > 0.0:
            value = own if value < 0.0 else (1 - rules.worth) * value + rules.worth * own
        if value < 0.0:  # there is no playout and no estimate
            value = 0.5
        back_up(tree, root.turn, length, path, value)
        tree.counts[1] += 1
    return DONE, count, 0


@kernel
def select(tree, node, rules):
    """Return the child that the mover takes; at least one child must be open."""
    best, best_child = -np.inf, -1
    exploring = rules.prior * np.sqrt(max(tree.visits[node], 1))
    # The mover's share; `wins` are those of the opponent, who moved into the node.
    share = 1 - tree.wins[node] / tree.visits[node] if tree.visits[node] else 0.5
    for child in range(tree.first[node], tree.first[node] + tree.children[node]):
        if tree.state[child] != OPEN:
            continue
        visits, raves = tree.visits[child], tree.rave_visits[child]
        weight = raves * rules.rave / (raves + rules.rave)
        value = share
        if visits or raves:
            rave = tree.rave_wins[child] * weight / raves if raves else 0.0
            value = (tree.wins[child] + rave) / (visits + weight)
        value += exploring * tree.prior[child] / (1 + visits)
        if best_child < 0 or value > best:
            best, best_child = value, child
    return best_child


@kernel
def expand(tree, node, source, stones, places, count):
    """Create the children of a node; there must be room for them.

    Their priors are those of the children of `source`, the last node on the way that
    has an estimate, for cells that are still empty. They are equal if all of those are 0,
    or if there is no such node (-1).
    """
    start = tree.counts[0]
    shared = source >= 0 and source != node
    like = tree.first[source] if shared else 0
    total, child = 0.0, start
    for cell in range(places.size):
        if stones[places[cell]]:
            continue
        prior, current = 1.0, np.float32(0.0)
        if shared:
            while tree.cell[like] != cell:
                like += 1
            prior, current = tree.prior[like], tree.current[like]
        tree.current[child] = current
        tree.parent[child], tree.cell[child], tree.prior[child] = node, cell, prior
        total += prior
        child += 1
    for child in range(start, start + count):
        tree.prior[child] = tree.prior[child] / total if total > 0.0 else 1.0 / count
    tree.first[node], tree.children[node] = start, count
    tree.counts[0] = start + count


@kernel
def set_pattern_priors(tree, node, root, stones, turn, last, rules):
    """Set the priors of a node's children from patterns and weak links together."""
    children = range(tree.first[node], tree.first[node] + tree.children[node])
    most, total, logits = -np.inf, 0.0, np.empty(root.places.size)
    draw(root.patterns, stones, turn, last, logits)
    for child in children:
        tree.prior[child] = logits[tree.cell[child]] + tree.current[child] / rules.heat
        most = max(most, tree.prior[child])
    for child in children:
        tree.prior[child] = np.exp(tree.prior[child] - most)
        total += tree.prior[child]
    for child in children:
        tree.prior[child] /= total


@kernel
def back_up(tree, turn, length, path, value):
    """Add the outcome of a simulation, Black's share, to each node of its path."""
    for depth in range(length):
        node = path[depth]
        mover = 1 - turn if depth % 2 == 0 else turn
        tree.visits[node] += 1
        tree.wins[node] += value if mover == 0 else 1 - value


@kernel
def back_up_all(tree, turn, length, path, colors, outcome):
    """Add the outcome of a playout to every child along its path whose cell the mover got."""
    for depth in range(length):
        node = path[depth]
        is_black = (turn + depth) % 2 == 0
        result = outcome if is_black else 1 - outcome
        for child in range(tree.first[node], tree.first[node] + tree.children[node]):
            if colors[tree.cell[child]] == is_black:
                tree.rave_visits[child] += 1
                tree.rave_wins[child] += result


@kernel
def stones_after(tree, path, length, turn, stones, there):
    """Write the stones at the last node of a path, given those at the root; return who moves."""
    copy(stones, there)
    for depth in range(1, length):
        there[tree.cell[path[depth]]] = 1 + turn
        turn = 1 - turn
    return turn


@kernel
def set_net_priors(tree, node, policy):
    """Set the priors of a node's children from a net's policy, one chance a cell.

    Return whether all of them are chances.
    """
    are_chances = True
    for child in range(tree.first[node], tree.first[node] + tree.children[node]):
        prior = policy[tree.cell[child]]
        are_chances = are_chances and 0.0 <= prior <= 1.0
        tree.prior[child] = prior
    tree.stage[node] = ASKED
    return are_chances


@kernel
def record_estimate(tree, length, path, turn, blend, estimate):
    """Store the estimate of the last node of a path, Black's chance, and apply it backward.

    The simulations through the node used its earlier estimate, or that of the nearest
    ancestor with one; its wins are corrected. Those of its ancestors stay as they are:
    otherwise a node would look better for the player who moved into it, the more bad moves of
    the opponent were evaluated below it.
    """
    node, depth = path[length - 1], length - 1
    while depth >= 0 and tree.estimates[path[depth]] < 0.0:
        depth -= 1
    before = tree.estimates[path[depth]] if depth >= 0 else estimate
    tree.estimates[node] = estimate
    more = tree.visits[node] * blend * (estimate - before)
    is_black = (turn + length) % 2 == 0
    tree.wins[node] += more if is_black else -more


@kernel
def prove(tree, node):
    """Propagate a decided node to its ancestors: won with a lost child, lost if all are won."""
    while node:
        node, is_lost = tree.parent[node], tree.state[node] == LOST
        if tree.state[node] != OPEN:
            return
        if is_lost:
            tree.state[node] = WON
            continue
        for child in range(tree.first[node], tree.first[node] + tree.children[node]):
            if tree.state[child] != WON:
                return
        tree.state[node] = LOST


@kernel
def transplant(tree, root, into):
    """Copy the subtree of a node into an empty tree with as much room; the node becomes root."""
    queue = np.empty(tree.counts[0], np.int64)
    queue[0] = root
    into.counts[0] = head = 0
    count = 1
    while head < count:
        node = queue[head]
        into.state[head], into.estimates[head] = tree.state[node], tree.estimates[node]
        into.stage[head], into.current[head] = tree.stage[node], tree.current[node]
        into.visits[head], into.wins[head] = tree.visits[node], tree.wins[node]
        into.rave_visits[head] = tree.rave_visits[node]
        into.rave_wins[head] = tree.rave_wins[node]
        into.prior[head], into.cell[head] = tree.prior[node], tree.cell[node]
        into.first[head], into.children[head] = 0, tree.children[node]
        if tree.children[node]:
            into.first[head] = count
            for child in range(tree.first[node], tree.first[node] + tree.children[node]):
                queue[count] = child
                into.parent[count] = head
                count += 1
        head += 1
    into.counts[0], into.counts[1] = count, 0
