"""Policies of Dark Hex as kernels take them.

`game` tells the rules: bool[2, 2^cells], which sets of stones join the edges
of a color; and int64[3]: cells, 1 if abrupt, noise 0 to 2.

A *book* holds a policy of one player by *nodes*, histories that end in their
turn: int64 hash table of keys (-1 is free), int64 table of the nodes they lead
to, float64[nodes, cells] how likely each attempt comes as far as the player
decides it (a realization plan, of any total), and int8[views,
cells] what they attempt where there is no node: the first cell of the row of
their view that may be attempted. A view's row is its number in base 3, a digit
a cell, 1 for an own stone and 2 for one that was found; a single row is that of
all views. A *slot* is
node * cells + cell, or -1 without a node, or -2 before the first attempt; node
0 comes first. A key is slot * KEYS + code. A *code* is what a player has seen
since their last attempt, digits in base cells + 2: first 1 for a stone or 2 for
a collision, then 1 for a noise or 2 + cell for a flash, in order.
"""

import numpy as np

from hsearch.kernels.cache import kernel

KEYS = 1 << 33


@kernel
def place_of(keys, key):
    """Return where a key is, or where it would go."""
    mask = keys.size - 1
    slot = (np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)
    place = np.int64(slot & np.uint64(mask))
    while keys[place] != -1 and keys[place] != key:
        place = (place + 1) & mask
    return place


@kernel
def follow(keys, values, slot, code):
    """Return the node after a slot and a code, or -1."""
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
    """Return the first cell of a view's order that may be attempted."""
    row = row_of(orders, own, known)
    for i in range(orders.shape[1]):
        if not (own | known) >> np.uint64(orders[row, i]) & np.uint64(1):
            return np.int64(orders[row, i])
    return -1


@kernel
def sound(game, code, cell):
    """Return a code after its player heard of a collision at `cell`."""
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
    """Fill an empty table: row i of `pairs`, int64[n, 2], slot and code, leads to node i + 1."""
    for i in range(pairs.shape[0]):
        key = pairs[i, 0] * KEYS + pairs[i, 1]
        place = place_of(keys, key)
        keys[place] = key
        values[place] = i + 1


@kernel
def realize(above, policy, plan):
    """Set `plan` to the plan of a policy; `above` is as in `player.dark.book`, int64[n, 2]."""
    cells = policy.shape[1]
    for node in range(policy.shape[0]):
        slot = above[node, 0]
        reach = 1.0 if slot < 0 else plan[slot // cells, slot % cells]
        for cell in range(cells):
            plan[node, cell] = reach * policy[node, cell]
