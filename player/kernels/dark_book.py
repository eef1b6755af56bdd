"""Policies of Dark Hex in kernels: books, the ends of their games, and plans on trees."""

import numpy as np

from hsearch.kernels.cache import kernel

# The arrays of a policy.
#
# `game` holds the rules: bool[2, 2^cells], which sets of stones join the edges
# of a color; and int64[3]: cells, 1 if abrupt, noise 0 to 2.
#
# A *book* holds a policy of one player. Its *nodes* are histories that end with that
# player to move. It has four arrays: an int64 hash table of keys (-1 is free); an int64
# table of the nodes they lead to; float64[nodes, cells], a realization plan of any total:
# the player's own part of the chance of each attempt; and int8[views, cells], the
# orders for views without a node, in which the player attempts the first cell that may
# be attempted. A view's row is a number in base 3, one digit a cell: 1 for an own stone,
# 2 for a stone that was found; a single row serves all views.
#
# A *slot* is node * cells + cell, or -1 without a node, or -2 before the first attempt,
# which leads to node 0. A *code* is what a player has seen since their last attempt,
# digits in base cells + 2: first 1 for a stone or 2 for a collision, then 1 for a
# noise or 2 + cell for a flash, in order. A key is slot * KEYS + code.

KEYS = 1 << 33


@kernel
def place_of(keys, key):
    """Return the place of a key in the table, or the free place where it would go."""
    mask = keys.size - 1
    slot = (np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)
    place = np.int64(slot & np.uint64(mask))
    while keys[place] != -1 and keys[place] != key:
        place = (place + 1) & mask
    return place


@kernel
def follow(keys, values, slot, code):
    """Return the node after a slot and a code; -1 if there is none."""
    if slot < 0:
        return slot + 2 if slot == -2 else -1
    place = place_of(keys, slot * KEYS + code)
    return values[place] if keys[place] != -1 else -1


@kernel
def row_of(orders, own, known):
    """Return the row of a view in the orders of a player."""
    row = 0
    if orders.shape[0] > 1:
        for cell in range(orders.shape[1] - 1, -1, -1):
            place = np.uint64(cell)
            row = 3 * row + np.int64(own >> place & np.uint64(1))
            row += 2 * np.int64(known >> place & np.uint64(1))
    return row


@kernel
def fall_back(orders, own, known):
    """Return the first cell in the order of a view that may be attempted."""
    row = row_of(orders, own, known)
    for i in range(orders.shape[1]):
        if not (own | known) >> np.uint64(orders[row, i]) & np.uint64(1):
            return np.int64(orders[row, i])
    return -1


@kernel
def sound(game, code, cell):
    """Return a code after its player hears the opponent collide at `cell`."""
    cells, _, noise = game[1]
    if noise == 0:
        return code
    return code * (cells + 2) + (1 if noise == 1 else 2 + cell)


@kernel
def begins_with(code, base):
    """Return the first digit of a code: 1 for a stone, 2 for a collision."""
    while code >= base:
        code //= base
    return code


@kernel
def tabulate(pairs, keys, values):
    """Fill an empty table: row i of `pairs`, int64[n, 2] slot and code, leads to node i + 1."""
    for i in range(pairs.shape[0]):
        key = pairs[i, 0] * KEYS + pairs[i, 1]
        place = place_of(keys, key)
        keys[place] = key
        values[place] = i + 1


@kernel
def realize(above, policy, plan):
    """Set `plan` to the plan of a policy; `above`, int64[n, 2], is that of `Book`."""
    cells = policy.shape[1]
    for node in range(policy.shape[0]):
        slot = above[node, 0]
        reach = 1.0 if slot < 0 else plan[slot // cells, slot % cells]
        for cell in range(cells):
            plan[node, cell] = reach * policy[node, cell]


# All ends of the games between two books.


@kernel
def terminals(game, keys, values, allowed, orders, out):
    """List the ends of all games between two books, by their last slots.

    The four arguments after `game` are pairs, Black's and White's;
    `allowed` is bool[nodes, cells]. A row of `out`, int64[n, 3], has Black's
    slot, White's slot, and 1 if Black wins or -1. Return the number of rows, or -1 if
    there is too little room.
    """
    joins, (cells, abrupt, _) = game[0], game[1]
    deep = 2 * cells + 1
    masks = np.zeros((deep, 4), np.uint64)  # stones, and what was found
    slots, codes = np.full((deep, 2), -2), np.zeros((deep, 2), np.int64)
    turns, node, only = np.zeros(deep, np.int64), np.zeros(deep, np.int64), np.zeros(deep, np.int64)
    cursor = np.full(deep, -1)
    number, d = 0, 0
    while d >= 0:
        turn = turns[d]
        other = 1 - turn
        if cursor[d] < 0:
            cursor[d] = 0
            slot, code = slots[d, turn], codes[d, turn]
            if turn == 0:
                node[d] = follow(keys[0], values[0], slot, code)
            else:
                node[d] = follow(keys[1], values[1], slot, code)
            only[d] = -1
            if node[d] < 0:
                own, known = masks[d, turn], masks[d, 2 + turn]
                only[d] = fall_back(orders[0] if turn == 0 else orders[1], own, known)
        cell = cursor[d]
        while cell < cells:
            if node[d] < 0:
                if cell == only[d]:
                    break
            elif (allowed[0] if turn == 0 else allowed[1])[node[d], cell]:
                break
            cell += 1
        cursor[d] = cell + 1
        if cell >= cells:
            d -= 1
            continue
        bit = np.uint64(1) << np.uint64(cell)
        e = d + 1
        for k in range(4):
            masks[e, k] = masks[d, k]
        for k in range(2):
            slots[e, k], codes[e, k] = slots[d, k], codes[d, k]
        # After a player leaves the book, the last slot there still identifies the payoff.
        if node[d] >= 0:
            slots[e, turn] = node[d] * cells + cell
        elif slots[e, turn] >= 0:
            slots[e, turn] = -3 - slots[e, turn]
        if masks[d, other] & bit:
            masks[e, 2 + turn] |= bit
            codes[e, turn] = 2
            codes[e, other] = sound(game, codes[d, other], cell)
            turns[e] = other if abrupt else turn
        else:
            masks[e, turn] |= bit
            codes[e, turn] = 1
            if joins[turn, masks[e, turn]]:
                if number == out.shape[0]:
                    return -1
                for k in range(2):
                    out[number, k] = slots[e, k] if slots[e, k] >= -2 else -3 - slots[e, k]
                out[number, 2] = 1 - 2 * turn
                number += 1
                continue
            turns[e] = other
        cursor[e] = -1
        d = e
    return number


# Sweeps over a player's information sets, and products with the payoff matrix.
#
# `sets` is a tuple of three int64 arrays, one entry an information set, parents
# before children: the parent sequence, the first of its own sequences, and their
# number; they are consecutive. Sequence 0 is the empty one. A policy, a
# plan, a gradient and regrets are float64 arrays, one entry a sequence.
# `payoff` is a sparse matrix by rows: start of each row, columns, entries.


@kernel
def multiply(payoff, plan, out):
    """Set `out` to the product of the matrix and a plan."""
    start, column, entry = payoff
    for row in range(start.size - 1):
        total = 0.0
        for i in range(start[row], start[row + 1]):
            total += entry[i] * plan[column[i]]
        out[row] = total


@kernel
def realize_plan(sets, policy, plan):
    """Set `plan` to the realization plan of a policy."""
    parent, first, count = sets
    plan[0] = 1.0
    for j in range(parent.size):
        reach = plan[parent[j]]
        for s in range(first[j], first[j] + count[j]):
            plan[s] = reach * policy[s]


@kernel
def evaluate(sets, policy, gradient, regret):
    """Add the value of each information set to its parent sequence in `gradient`.

    Set `regret` to the counterfactual regrets. `gradient[0]` becomes the value
    of the policy.
    """
    parent, first, count = sets
    for j in range(parent.size - 1, -1, -1):
        value = 0.0
        for s in range(first[j], first[j] + count[j]):
            value += policy[s] * gradient[s]
        for s in range(first[j], first[j] + count[j]):
            regret[s] = gradient[s] - value
        gradient[parent[j]] += value


@kernel
def respond(sets, gradient, choice):
    """Set `choice` to the best sequence of each information set, the first among equals.

    `gradient` changes as in `evaluate`; `gradient[0]` becomes the value of the
    best response.
    """
    parent, first, count = sets
    for j in range(parent.size - 1, -1, -1):
        best = first[j]
        for s in range(first[j] + 1, first[j] + count[j]):
            if gradient[s] > gradient[best]:
                best = s
        choice[j] = best
        gradient[parent[j]] += gradient[best]


@kernel
def match(sets, weight, tiny, policy):
    """Set `policy` proportional to the positive weights; uniform where none is positive.

    Weights up to `tiny` count as zero: regrets that are zero in theory come
    out near 1e-17, and a ratio of such numbers is noise.
    """
    _, first, count = sets
    for j in range(first.size):
        total = 0.0
        for s in range(first[j], first[j] + count[j]):
            if weight[s] > tiny:
                total += weight[s]
        for s in range(first[j], first[j] + count[j]):
            if total > 0.0:
                policy[s] = weight[s] / total if weight[s] > tiny else 0.0
            else:
                policy[s] = 1.0 / count[j]


@kernel
def behave(sets, plan, policy):
    """Set `policy` to the behavior strategy of a plan; uniform where its reach is 0."""
    parent, first, count = sets
    for j in range(parent.size):
        reach = plan[parent[j]]
        for s in range(first[j], first[j] + count[j]):
            policy[s] = plan[s] / reach if reach > 0.0 else 1.0 / count[j]


@kernel
def accumulate(regret, more, positive, negative, floor):
    """Scale each regret by a factor for its sign, add `more`, and raise it to `floor`."""
    for s in range(regret.size):
        value = regret[s]
        value *= positive if value > 0.0 else negative
        value += more[s]
        regret[s] = max(value, floor)
