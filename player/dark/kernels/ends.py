"""All ends of the games between two books; see `player.dark.kernels.book`."""

import numpy as np

from hsearch.kernels.cache import kernel
from player.dark.kernels.book import fall_back, follow, sound


@kernel
def terminals(game, keys, values, allowed, orders, out):
    """List the ends of the games between two books, by their last slots.

    The four arguments after `game` are pairs, Black's and White's;
    `allowed` is bool[nodes, cells]. A row of `out`, int64[n, 3], is Black's
    slot, White's slot and 1 or -1. Return the number of rows, or -1 when room
    ran out.
    """
    connected, (cells, abrupt, _) = game[0], game[1]
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
                mine, found = masks[d, turn], masks[d, 2 + turn]
                only[d] = fall_back(orders[0] if turn == 0 else orders[1], mine, found)
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
        # Where a book has no node, its last slot stays for the payoff.
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
            if connected[turn, masks[e, turn]]:
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
