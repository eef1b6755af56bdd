"""Beliefs in Dark Hex, and best responses by a search over beliefs."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hsearch.kernels.bits import is_stopped
from hsearch.kernels.cache import kernel
from player.kernels.dark_book import begins_with, fall_back, follow, row_of, sound

# Beliefs in Dark Hex: how an attempt and the opponent's answers change them.
#
# The opponent plays by a book, see `player.kernels.dark_book`. A world is one possible
# hidden state. Weights are never multiplied: if the plan of the book has whole numbers
# up to 2^53, the search is exact.


class Worlds(NamedTuple):
    """Possible hidden states, a row of each array for each.

    numbers  slot and code in the book, and whether the opponent is to move
    masks    the opponent's stones, and the stones they found
    weights  the chance by the plan of the book
    codes    what the player has seen
    """

    numbers: NDArray[np.int64]
    masks: NDArray[np.uint64]
    weights: NDArray[np.float64]
    codes: NDArray[np.int64]


class Opponent(NamedTuple):
    """The opponent of a player in a game of Dark Hex.

    game    the rules, as `player.dark.book.game` returns them
    book    the opponent's policy, see `player.kernels.dark_book`
    player  the color of the player who answers it
    """

    game: Any
    book: Any
    player: int


@kernel
def move(opponent, mine, worlds, top, end):
    """Let the opponent move in each world from `top` to `end` that awaits them.

    `mine` are the player's stones. Worlds that the opponent wins are dropped. Return
    the new end, or -1 if there is too little room.
    """
    game, book, color = opponent
    numbers, masks, weights, codes = worlds
    keys, values, plan, orders = book
    joins, abrupt, cells = game[0], game[1][1], game[1][0]
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
                if joins[1 - color, masks[end, 0]]:
                    continue
                numbers[end, 1] = 1
                numbers[end, 2] = 0
                codes[end] = codes[i]
            end += 1
        weights[i] = 0.0
        i += 1
    # Close the gaps left by the worlds in which the opponent has moved.
    count = top
    for i in range(top, end):
        if numbers[i, 2] == 0:
            if count < i:
                copy_world(worlds, i, count)
            count += 1
    return count


@kernel
def copy_world(worlds, old, new):
    """Copy a world to another row."""
    numbers, masks, weights, codes = worlds
    for k in range(3):
        numbers[new, k] = numbers[old, k]
    masks[new, 0], masks[new, 1] = masks[old, 0], masks[old, 1]
    weights[new], codes[new] = weights[old], codes[old]


@kernel
def expand(opponent, own, cell, worlds, start, stop, top):
    """Write the worlds that follow an attempt at `cell`, from row `top` on.

    Return their end, and the weight of the worlds that are won at once. The end is
    -1 if the attempt changes nothing: a certain collision that neither costs the turn
    nor makes a noise. It is -2 if there is too little room.
    """
    game, _, color = opponent
    numbers, masks, weights, codes = worlds
    abrupt, noise = game[1][1], game[1][2]
    bit = np.uint64(1) << np.uint64(cell)
    connects = game[0][color, own | bit]
    hits = 0
    for i in range(start, stop):
        hits += masks[i, 0] & bit != 0
    if hits == stop - start and not abrupt and not noise:
        return -1, 0.0
    end, wins = top, 0.0
    for hit in range(2):
        if end + (hits if hit else stop - start - hits) > codes.size:
            return -2, 0.0
        first = end
        for i in range(start, stop):
            if (masks[i, 0] & bit != 0) != hit:
                continue
            if connects and not hit:
                wins += weights[i]
                continue
            copy_world(worlds, i, end)
            codes[end] = 1 + hit
            if hit:
                numbers[end, 1] = sound(game, numbers[end, 1], cell)
            numbers[end, 2] = not hit or abrupt
            end += 1
        if first < end:
            mine = own if hit else own | bit
            end = move(opponent, mine, worlds, first, end)
            if end < 0:
                return -2, 0.0
    return end, wins


@kernel
def group(worlds, start, end):
    """Sort worlds by code with a stable merge sort.

    It needs as much room again behind them. Return whether there is that much.
    """
    codes = worlds.codes
    if 2 * end - start > codes.size:
        return False
    width = 1
    while width < end - start:
        for low in range(start, end, 2 * width):
            middle, high = min(low + width, end), min(low + 2 * width, end)
            if middle == high or codes[middle - 1] <= codes[middle]:
                continue
            i, j = low, middle
            for k in range(low, high):
                if j == high or (i < middle and codes[i] <= codes[j]):
                    copy_world(worlds, i, end + k - start)
                    i += 1
                else:
                    copy_world(worlds, j, end + k - start)
                    j += 1
            for k in range(low, high):
                copy_world(worlds, end + k - start, k)
        width *= 2
    return True


# Best responses, by a depth-first search over these beliefs.
#
# Double oracle (McMahan, Gordon and Blum, 2003) answers a policy by the best of all policies
# of the other player. On a tree that is one sweep, but the tree of 3x3 abrupt has
# 29,311,526,419 nodes. So the search follows only the worlds that are possible against the
# book, and decides once for all worlds that the player cannot tell apart.
# `player.dark.certificate` has the same in plain Python with fractions, as a twin.
#
# The weight of the worlds that are not yet entered bounds what a cell can still win. A cell
# is left when that cannot exceed the best cell before it, or what the decision above needs
# (its `floor`). After a sure win no other cell is tried.
#
# A response to the present policy has only a few new attempts, hence the slack: without it,
# noisy 3x3 stalls with bounds 0.0099 apart (`positions/results/dark.md`).
# Decisions as a named tuple of 18 arrays took a tenth longer than as records. Sorting the
# worlds one by one instead of merging took a double oracle from 2.6 to 3.6 s.

EPSILON = 1e-11
TOO_LONG = -2  # in place of a length
MOST_ATTEMPTS = 64  # rows of `out` that must be free before a cell is tried

# A decision in progress.
DECISION = np.dtype(
    [
        ("own", np.uint64),  # the player's stones, and the opponent's that are known
        ("known", np.uint64),
        ("start", np.int64),  # first row of its worlds, and the row behind the last
        ("stop", np.int64),
        ("free", np.int64),  # first free row, for new worlds
        ("index", np.int64),  # the cell to try, as a place in this row of `tries`
        ("row", np.int64),
        ("is_busy", np.int64),  # whether that cell is being tried
        ("after", np.int64),  # worlds that the cell leads to and that are not yet entered
        ("end", np.int64),
        ("head", np.int64),  # its part of `out`: the start, and the end of what is kept
        ("kept", np.int64),
        ("written", np.int64),  # the end of the part of the cell being tried
        ("weight", np.float64),  # total weight of its worlds
        ("left", np.float64),  # weight of the worlds not yet entered
        ("value", np.float64),  # value of the cell being tried, so far
        ("best", np.float64),  # largest value of the cells before it; -1 if there is none
        ("floor", np.float64),  # values up to this do not help the decision above
    ]
)


@kernel
def respond(opponent, worlds, tries, slack, decisions, out, most, flag):
    """Find a best response to the policy of an opponent.

    `tries` are the cells in the order to try, by view as in a book; the order breaks ties.
    The response is written to `out`, int64[n, 3], in preorder: code, cell, size of the
    subtree. With a `slack`, a decision has every attempt that wins less than the best by no
    more than this share of its weight, each with its subtree, and perhaps worse ones tried
    before the best; no cell is tried after a sure win. Return the weight won, and the length
    of `out`. The length is -1 if there is too little room, `TOO_LONG` if the search looked at
    more than `most` worlds, each counted every time, and 0 if the `flag` at that address
    is set. A kernel that calls itself crashes when it is loaded from the cache, hence the
    stack of `decisions`: two for each cell and two more are enough.
    """
    begin(opponent, worlds, decisions[0])
    d, looks = 0, 0
    while not is_stopped(flag):
        at = decisions[d]
        looks += 1 + at.stop - at.start
        if looks > most:
            return 0.0, TOO_LONG
        if not at.is_busy:
            if find_cell(at, tries):
                if not attempt(opponent, worlds, tries, at, out):
                    return 0.0, -1
            elif d:
                d -= 1
                go_back(at, decisions[d])
            else:
                return max(at.best, 0.0), at.kept
        elif is_settled(at, slack):
            keep(at, worlds, tries, slack, out)
        else:
            d += 1
            enter(worlds, tries, slack, at, decisions[d])
    return 0.0, 0


@kernel
def begin(opponent, worlds, first):
    """Set up the first decision; White's follows Black's first stone, which cannot collide."""
    game, book, color = opponent
    numbers, masks, weights, codes = worlds
    numbers[0, 0], numbers[0, 1], numbers[0, 2] = -2, 0, color
    masks[0, 0], masks[0, 1] = 0, 0
    weights[0], codes[0] = 0.0, 0
    for cell in range(game[1][0]):
        weights[0] += book[2][0, cell]
    stop = move(opponent, np.uint64(0), worlds, 0, 1)
    first.own, first.known, first.row = 0, 0, 0
    first.start, first.stop, first.free = 0, stop, stop
    first.index, first.is_busy = 0, 0
    first.head, first.kept = 0, 0
    first.best, first.floor, first.weight = -1.0, -1.0, 0.0
    for i in range(stop):
        first.weight += weights[i]


@kernel
def find_cell(at, tries):
    """Move on to the next cell to try; return whether there is one that may be better."""
    mask = at.own | at.known
    while at.index < tries.shape[1] and mask >> np.uint64(tries[at.row, at.index]) & np.uint64(1):
        at.index += 1
    return at.index < tries.shape[1] and at.best < at.weight - EPSILON


@kernel
def attempt(opponent, worlds, tries, at, out):
    """Try the next cell, or skip it if that changes nothing; return whether there is room."""
    if at.kept + MOST_ATTEMPTS > out.shape[0]:
        return False
    cell = tries[at.row, at.index]
    end, wins = expand(opponent, at.own, cell, worlds, at.start, at.stop, at.free)
    if end in (-2, worlds.codes.size):
        return False
    if end == -1:
        at.index += 1
        return True
    if not group(worlds, at.free, end):
        return False
    at.after, at.end = at.free, end
    at.value, at.left = wins, 0.0
    for i in range(at.free, end):
        at.left += worlds.weights[i]
    at.written = at.kept + 1
    at.is_busy = 1
    return True


@kernel
def bar(at, slack):
    """Return the value that a cell must exceed to be kept, or to help the decision above."""
    return max(at.best - slack * at.weight, at.floor)


@kernel
def is_settled(at, slack):
    """Return whether the cell being tried is done: all worlds entered, or no chance left."""
    return at.after == at.end or at.value + at.left <= bar(at, slack) + EPSILON


@kernel
def keep(at, worlds, tries, slack, out):
    """Finish the cell being tried; keep its part of `out` if it is the best, or near it."""
    if at.after == at.end:
        size, near = at.written - at.kept, slack * at.weight
        out[at.kept, 0] = worlds.codes[at.start]
        out[at.kept, 1] = tries[at.row, at.index]
        out[at.kept, 2] = size
        if at.value > at.best + near + EPSILON:
            for i in range(size):
                for k in range(3):
                    out[at.head + i, k] = out[at.kept + i, k]
            at.kept = at.head + size
            at.best = at.value
        elif slack > 0.0 and at.value > max(at.best - near, EPSILON):
            at.kept += size
            at.best = max(at.best, at.value)
    at.is_busy = 0
    at.index += 1


@kernel
def enter(worlds, tries, slack, at, below):
    """Set up the decision below, in the next worlds that the player cannot tell apart."""
    codes = worlds.codes
    first = last = at.after
    weight = 0.0
    while last < at.end and codes[last] == codes[first]:
        weight += worlds.weights[last]
        last += 1
    at.after = last
    at.left -= weight
    bit = np.uint64(1) << np.uint64(tries[at.row, at.index])
    below.own, below.known = at.own, at.known
    if begins_with(codes[first], tries.shape[1] + 2) == 2:
        below.known |= bit
    else:
        below.own |= bit
    below.start, below.stop, below.free = first, last, at.end
    below.index, below.is_busy = 0, 0
    below.row = row_of(tries, below.own, below.known)
    below.head = below.kept = at.written
    below.weight, below.best = weight, -1.0
    below.floor = bar(at, slack) - at.value - at.left


@kernel
def go_back(child, before):
    """Add a finished decision to the cell being tried in the decision above."""
    before.value += max(child.best, 0.0)
    before.written = child.kept
