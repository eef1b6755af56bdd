"""Best responses in Dark Hex by search over beliefs; see `player.dark.kernels.book`.

A world is what may be hidden: int64 slot, code, and whether the opponent is to
move; uint64 the opponent's stones and what they found; a weight, its chance, as
the plan of the book has it. No weights are multiplied: where a plan is of whole
numbers to 2^53, the search is exact.
"""

import numpy as np

from hsearch.kernels.cache import kernel
from player.dark.kernels.book import begins_with, fall_back, follow, row_of, sound

EPSILON = 1e-11


@kernel
def move(game, book, color, mine, worlds, codes, top, end):
    """Let the opponent of `color` move in the worlds from `top` to `end` where they are to.

    `mine` are the stones of `color`, `codes` what they have seen in each world.
    Worlds that the opponent wins are dropped. Return the new end, or -1 when
    room ran out.
    """
    numbers, masks, weights = worlds
    keys, values, plan, orders = book
    connected, abrupt, cells = game[0], game[1][1], game[1][0]
    i = top
    while i < end:
        if not numbers[i, 2]:
            i += 1
            continue
        node = follow(keys, values, numbers[i, 0], numbers[i, 1])
        only = fall_back(orders, masks[i, 0], masks[i, 1]) if node < 0 else -1
        if end + cells > codes.size:
            return -1
        for cell in range(cells):
            weight = weights[i] if cell == only else 0.0
            if node >= 0:
                weight = plan[node, cell]
            if weight <= 0.0:
                continue
            bit = np.uint64(1) << np.uint64(cell)
            numbers[end, 0] = node * cells + cell if node >= 0 else -1
            masks[end, 0], masks[end, 1] = masks[i, 0], masks[i, 1]
            weights[end] = weight
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


@kernel
def copy_world(worlds, codes, old, new):
    """Copy a world to another row."""
    numbers, masks, weights = worlds
    for k in range(3):
        numbers[new, k] = numbers[old, k]
    masks[new, 0], masks[new, 1] = masks[old, 0], masks[old, 1]
    weights[new], codes[new] = weights[old], codes[old]


@kernel
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


@kernel
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


@kernel
def respond(game, book, color, worlds, codes, tries, slack, out):
    """Search a best response of `color` to the policy of a book.

    `tries` are the cells in the order to try, by view as in a book; it breaks ties. The response
    is written to `out`, int64[n, 3], in preorder: code, cell, size of the part
    of the tree. With a `slack` it has several attempts in one place, each with its part:
    those that win less than the best by no more than this share of what may be
    won there; nothing is beside a sure win. Return the weight won, and the length
    of `out`; a length of -1 says that room ran out. A kernel that calls itself
    crashes when it comes from the cache, hence the stack of arrays, one entry a
    decision under way.
    """
    cells = game[1][0]
    deep = 2 * cells + 2
    own, known = np.zeros(deep, np.uint64), np.zeros(deep, np.uint64)
    start, stop = np.zeros(deep, np.int64), np.zeros(deep, np.int64)  # its worlds
    index, row = np.zeros(deep, np.int64), np.zeros(deep, np.int64)  # in `tries`
    busy = np.zeros(deep, np.bool_)  # whether that cell is under way
    after, end = np.zeros(deep, np.int64), np.zeros(deep, np.int64)  # worlds not yet entered
    free = np.zeros(deep, np.int64)  # where new worlds go
    head, kept = np.zeros(deep, np.int64), np.zeros(deep, np.int64)  # of `out`: entry, best part
    written = np.zeros(deep, np.int64)  # of `out`: end of the cell under way
    weight, best, value = np.zeros(deep), np.zeros(deep), np.zeros(deep)
    left = np.zeros(deep)  # weight of the worlds not yet entered
    floor = np.zeros(deep)  # values up to this do not help the decision before
    numbers, masks, weights = worlds
    # White decides first after Black's first stone, which cannot collide.
    numbers[0, 0], numbers[0, 1], numbers[0, 2] = -2, 0, color
    masks[0, 0], masks[0, 1] = 0, 0
    weights[0], codes[0] = 0.0, 0
    for cell in range(cells):
        weights[0] += book[2][0, cell]
    stop[0] = move(game, book, color, np.uint64(0), worlds, codes, 0, 1)
    free[0] = stop[0]
    kept[0] = 0
    best[0] = floor[0] = -1.0
    for i in range(stop[0]):
        weight[0] += weights[i]
    d = 0
    while True:
        if not busy[d]:
            taken = own[d] | known[d]
            while index[d] < cells and taken >> np.uint64(tries[row[d], index[d]]) & np.uint64(1):
                index[d] += 1
            if index[d] == cells or best[d] >= weight[d] - EPSILON:
                if d == 0:
                    return max(best[0], 0.0), kept[0]
                d -= 1
                value[d] += max(best[d + 1], 0.0)
                written[d] = kept[d + 1]
                continue
            if kept[d] + 64 > out.shape[0]:
                return 0.0, -1
            end[d], value[d] = expand(
                game, book, color, own[d], tries[row[d], index[d]],
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
            written[d] = kept[d] + 1
            busy[d] = True
        near = slack * weight[d]
        if after[d] == end[d] or value[d] + left[d] <= max(best[d] - near, floor[d]) + EPSILON:
            if after[d] == end[d]:
                size = written[d] - kept[d]
                out[kept[d], 0] = codes[start[d]]
                out[kept[d], 1] = tries[row[d], index[d]]
                out[kept[d], 2] = size
                if value[d] > best[d] + near + EPSILON:
                    for i in range(size):
                        for k in range(3):
                            out[head[d] + i, k] = out[kept[d] + i, k]
                    kept[d] = head[d] + size
                    best[d] = value[d]
                elif slack > 0.0 and value[d] > max(best[d] - near, EPSILON):
                    kept[d] += size
                    best[d] = max(best[d], value[d])
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
        bit = np.uint64(1) << np.uint64(tries[row[d], index[d]])
        e = d + 1
        own[e], known[e] = own[d], known[d]
        if begins_with(codes[first], cells + 2) == 2:
            known[e] |= bit
        else:
            own[e] |= bit
        start[e], stop[e], index[e], busy[e], free[e] = first, last, 0, False, end[d]
        row[e] = row_of(tries, own[e], known[e])
        head[e] = kept[e] = written[d]
        weight[e], best[e] = heavy, -1.0
        floor[e] = max(best[d] - near, floor[d]) - value[d] - left[d]
        d = e
