"""Beliefs in Dark Hex: what an attempt and the opponent's answers make of them.

The opponent plays by a book, see `player.dark.kernels.book`. A world is what may
be hidden: int64 slot, code, and whether the opponent is to move; uint64 the
opponent's stones and what they found; a weight, its chance, as the plan of the
book has it. No weights are multiplied: where a plan is of whole numbers to
2^53, the search is exact.
"""

import numpy as np

from hsearch.kernels.cache import kernel
from player.dark.kernels.book import fall_back, follow, sound


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
