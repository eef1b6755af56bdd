"""Best responses in Dark Hex by search over beliefs.

`game` tells the rules: bool[2, 2^cells], which sets of stones join the edges
of a color; and int64[3]: cells, 1 if abrupt, noise 0 to 2.

A *book* holds a policy of one player by *nodes*, histories that end in his
turn: int64 hash table of keys (-1 is free), int64 table of the nodes they lead
to, float64[nodes, cells] the chances to attempt each cell, and int64[cells]
the order in which he attempts cells where there is no node. A *slot* is
node * cells + cell, or -1 without a node, or -2 before the first attempt; node
0 comes first. A key is slot * KEYS + code. A *code* is what a player has seen
since his last attempt, digits in base cells + 2: first 1 for a stone or 2 for
a collision, then 1 for a noise or 2 + cell for a flash, in order.

A world is what may be hidden: int64 slot, code, and whether the opponent is to
move; uint64 the opponent's stones and what he found; a weight, its chance.
"""

import numpy as np
from numba import njit

KEYS = 1 << 33
EPSILON = 1e-11


@njit(cache=True, nogil=True)
def place_of(keys, key):
    """Return where a key is, or where it would go."""
    mask = keys.size - 1
    slot = (np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)
    place = np.int64(slot & np.uint64(mask))
    while keys[place] != -1 and keys[place] != key:
        place = (place + 1) & mask
    return place


@njit(cache=True, nogil=True)
def follow(keys, values, slot, code):
    """Return the node after a slot and a code, or -1."""
    if slot < 0:
        return slot + 2 if slot == -2 else -1
    place = place_of(keys, slot * KEYS + code)
    return values[place] if keys[place] != -1 else -1


@njit(cache=True, nogil=True)
def fall_back(order, unavailable):
    """Return the first cell of an order that may be attempted."""
    for i in range(order.size):
        if not unavailable >> np.uint64(order[i]) & np.uint64(1):
            return order[i]
    return -1


@njit(cache=True, nogil=True)
def sound(game, code, cell):
    """Return a code after its player heard of a collision at `cell`."""
    cells, _, noise = game[1]
    if noise == 0:
        return code
    return code * (cells + 2) + (1 if noise == 1 else 2 + cell)


@njit(cache=True, nogil=True)
def begins_with(code, base):
    """Return the first digit of a code: 1 for a stone, 2 for a collision."""
    while code >= base:
        code //= base
    return code


@njit(cache=True, nogil=True)
def move(game, book, color, mine, worlds, codes, top, end):
    """Let the opponent of `color` move in the worlds from `top` to `end` where he is to.

    `mine` are the stones of `color`, `codes` what he has seen in each world.
    Worlds that the opponent wins are dropped. Return the new end, or -1 when
    room ran out.
    """
    numbers, masks, weights = worlds
    keys, values, chances, order = book
    connected, abrupt, cells = game[0], game[1][1], game[1][0]
    i = top
    while i < end:
        if not numbers[i, 2]:
            i += 1
            continue
        node = follow(keys, values, numbers[i, 0], numbers[i, 1])
        taken = masks[i, 0] | masks[i, 1]
        only = fall_back(order, taken) if node < 0 else -1
        if end + cells > codes.size:
            return -1
        for cell in range(cells):
            chance = 1.0 if cell == only else (chances[node, cell] if node >= 0 else 0.0)
            if chance <= 0.0:
                continue
            bit = np.uint64(1) << np.uint64(cell)
            numbers[end, 0] = node * cells + cell if node >= 0 else -1
            masks[end, 0], masks[end, 1] = masks[i, 0], masks[i, 1]
            weights[end] = weights[i] * chance
            if mine & bit:
                masks[end, 1] |= bit
                numbers[end, 1] = 2
                numbers[end, 2] = not abrupt
                codes[end] = sound(game, codes[i], cell)
            else:
                masks[end, 0] |= bit
                if connected[1 - color, masks[end, 0]]:
                    continue
                numbers[end, 1] = 1
                numbers[end, 2] = 0
                codes[end] = codes[i]
            end += 1
        weights[i] = 0.0
        i += 1
    # Close the gaps of the worlds that were moved in.
    kept = top
    for i in range(top, end):
        if numbers[i, 2] == 0:
            if kept < i:
                copy_world(worlds, codes, i, kept)
            kept += 1
    return kept


@njit(cache=True, nogil=True)
def copy_world(worlds, codes, old, new):
    """Copy a world to another row."""
    numbers, masks, weights = worlds
    for k in range(3):
        numbers[new, k] = numbers[old, k]
    masks[new, 0], masks[new, 1] = masks[old, 0], masks[old, 1]
    weights[new], codes[new] = weights[old], codes[old]


@njit(cache=True, nogil=True)
def expand(game, book, color, own, cell, worlds, codes, start, stop, top):
    """Write the worlds that follow an attempt at `cell` behind `top`.

    Return their end, and the weight of those that are won at once. The end is
    -1 when the attempt is a collision for sure that costs nothing and is not
    heard, and -2 when room ran out.
    """
    numbers, masks, weights = worlds
    abrupt, noise = game[1][1], game[1][2]
    bit = np.uint64(1) << np.uint64(cell)
    connects = game[0][color, own | bit]
    hits = 0
    for i in range(start, stop):
        hits += masks[i, 0] & bit != 0
    if hits == stop - start and not abrupt and not noise:
        return -1, 0.0
    if top + stop - start > codes.size:
        return -2, 0.0
    end, won = top, 0.0
    for hit in range(2):
        first = end
        for i in range(start, stop):
            if (masks[i, 0] & bit != 0) != hit:
                continue
            if connects and not hit:
                won += weights[i]
                continue
            copy_world(worlds, codes, i, end)
            codes[end] = 1 + hit
            if hit:
                numbers[end, 1] = sound(game, numbers[end, 1], cell)
            numbers[end, 2] = not hit or abrupt
            end += 1
        if first < end:
            mine = own if hit else own | bit
            end = move(game, book, color, mine, worlds, codes, first, end)
            if end < 0:
                return -2, 0.0
    return end, won


@njit(cache=True, nogil=True)
def group(worlds, codes, start, end):
    """Sort worlds by code; an insertion sort, for there are few codes."""
    spare = end
    for i in range(start + 1, end):
        if codes[i] < codes[i - 1]:
            copy_world(worlds, codes, i, spare)
            j = i
            while j > start and codes[j - 1] > codes[spare]:
                copy_world(worlds, codes, j - 1, j)
                j -= 1
            copy_world(worlds, codes, spare, j)


@njit(cache=True, nogil=True)
def respond(game, book, color, worlds, codes, tries, out):
    """Search a best response of `color` to the policy of a book.

    `tries` are the cells in the order to try, which breaks ties. The response
    is written to `out`, int64[n, 3], in preorder: code, cell, size of the part
    of the tree. Return the weight won, and the length of `out`; a length of -1
    says that room ran out. A kernel that calls itself crashes when it comes
    from the cache, hence the stack of arrays, one entry a decision under way.
    """
    cells = game[1][0]
    deep = 2 * cells + 2
    own, known = np.zeros(deep, np.uint64), np.zeros(deep, np.uint64)
    start, stop = np.zeros(deep, np.int64), np.zeros(deep, np.int64)  # its worlds
    index = np.zeros(deep, np.int64)  # in `tries`
    busy = np.zeros(deep, np.bool_)  # whether that cell is under way
    after, end = np.zeros(deep, np.int64), np.zeros(deep, np.int64)  # worlds not yet entered
    free = np.zeros(deep, np.int64)  # where new worlds go
    head, kept = np.zeros(deep, np.int64), np.zeros(deep, np.int64)  # of `out`: entry, best part
    written = np.zeros(deep, np.int64)  # of `out`: end of the cell under way
    best_cell = np.zeros(deep, np.int64)
    weight, best, value = np.zeros(deep), np.zeros(deep), np.zeros(deep)
    left = np.zeros(deep)  # weight of the worlds not yet entered
    floor = np.zeros(deep)  # values up to this do not help the decision before
    numbers, masks, weights = worlds
    # White decides first after Black's first stone, which cannot collide.
    numbers[0, 0], numbers[0, 1], numbers[0, 2] = -2, 0, color
    masks[0, 0], masks[0, 1] = 0, 0
    weights[0], codes[0] = 1.0, 0
    stop[0] = move(game, book, color, np.uint64(0), worlds, codes, 0, 1)
    free[0] = stop[0]
    kept[0] = 1
    best[0] = floor[0] = -1.0
    for i in range(stop[0]):
        weight[0] += weights[i]
    d = 0
    while True:
        if not busy[d]:
            taken = own[d] | known[d]
            while index[d] < cells and taken >> np.uint64(tries[index[d]]) & np.uint64(1):
                index[d] += 1
            if index[d] == cells or best[d] >= weight[d] - EPSILON:
                out[head[d], 1] = best_cell[d]
                out[head[d], 2] = kept[d] - head[d]
                if d == 0:
                    return best[0], kept[0]
                d -= 1
                value[d] += max(best[d + 1], 0.0)
                written[d] = kept[d + 1]
                continue
            if kept[d] + 64 > out.shape[0]:
                return 0.0, -1
            end[d], value[d] = expand(
                game, book, color, own[d], tries[index[d]],
                worlds, codes, start[d], stop[d], free[d],
            )  # fmt: skip
            if end[d] == -2 or end[d] == codes.size:
                return 0.0, -1
            if end[d] == -1:
                index[d] += 1
                continue
            group(worlds, codes, free[d], end[d])
            after[d] = free[d]
            left[d] = 0.0
            for i in range(free[d], end[d]):
                left[d] += weights[i]
            written[d] = kept[d]
            busy[d] = True
        if after[d] == end[d] or value[d] + left[d] <= max(best[d], floor[d]) + EPSILON:
            if after[d] == end[d] and value[d] > best[d] + EPSILON:
                for i in range(written[d] - kept[d]):
                    for k in range(3):
                        out[head[d] + 1 + i, k] = out[kept[d] + i, k]
                kept[d] = head[d] + 1 + written[d] - kept[d]
                best[d], best_cell[d] = value[d], tries[index[d]]
            busy[d] = False
            index[d] += 1
            continue
        # Enter the next worlds that sound alike.
        first = last = after[d]
        heavy = 0.0
        while last < end[d] and codes[last] == codes[first]:
            heavy += weights[last]
            last += 1
        after[d] = last
        left[d] -= heavy
        bit = np.uint64(1) << np.uint64(tries[index[d]])
        e = d + 1
        own[e], known[e] = own[d], known[d]
        if begins_with(codes[first], cells + 2) == 2:
            known[e] |= bit
        else:
            own[e] |= bit
        start[e], stop[e], index[e], busy[e], free[e] = first, last, 0, False, end[d]
        head[e], kept[e], best_cell[e] = written[d], written[d] + 1, -1
        out[head[e], 0] = codes[first]
        weight[e], best[e] = heavy, -1.0
        floor[e] = max(best[d], floor[d]) - value[d] - left[d]
        d = e


@njit(cache=True, nogil=True)
def terminals(game, keys, values, allowed, order, out):
    """List the ends of the games between two books, by their last slots.

    The first four arguments after `game` are pairs, Black's and White's;
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
        taken = masks[d, turn] | masks[d, 2 + turn]
        if cursor[d] < 0:
            cursor[d] = 0
            slot, code = slots[d, turn], codes[d, turn]
            if turn == 0:
                node[d] = follow(keys[0], values[0], slot, code)
            else:
                node[d] = follow(keys[1], values[1], slot, code)
            only[d] = fall_back(order, taken) if node[d] < 0 else -1
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


@njit(cache=True, nogil=True)
def tabulate(pairs, keys, values):
    """Fill an empty table: row i of `pairs`, int64[n, 2], slot and code, leads to node i + 1."""
    for i in range(pairs.shape[0]):
        key = pairs[i, 0] * KEYS + pairs[i, 1]
        place = place_of(keys, key)
        keys[place] = key
        values[place] = i + 1
