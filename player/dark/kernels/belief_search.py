"""Best responses in Dark Hex by search over beliefs; see `player.dark.kernels.belief`."""

import numpy as np

from hsearch.kernels.cache import kernel
from player.dark.kernels.belief import expand, group, move
from player.dark.kernels.book import begins_with, row_of

EPSILON = 1e-11
MOST_ATTEMPTS = 64  # that may be written before there is a look whether room is left

# A decision under way: where what is known of it so far begins and ends.
DECISION = np.dtype(
    [
        ("own", np.uint64),  # its stones, and the opponent's that it knows
        ("known", np.uint64),
        ("start", np.int64),  # its worlds, by their rows
        ("stop", np.int64),
        ("free", np.int64),  # where new worlds go
        ("index", np.int64),  # the cell to try, in the order of the row of `tries`
        ("row", np.int64),
        ("is_busy", np.int64),  # whether that cell is under way
        ("after", np.int64),  # worlds that this cell leads to and that are not yet entered
        ("end", np.int64),
        ("head", np.int64),  # its part of `out`: where it begins, and where what is kept ends
        ("kept", np.int64),
        ("written", np.int64),  # where the part of the cell under way ends
        ("weight", np.float64),  # of its worlds
        ("left", np.float64),  # of the worlds not yet entered
        ("value", np.float64),  # of the cell under way so far
        ("best", np.float64),  # of the cells before; -1 if there is none
        ("floor", np.float64),  # values up to this do not help the decision before
    ]
)


@kernel
def respond(game, book, color, worlds, codes, tries, slack, decisions, out):
    """Search a best response of `color` to the policy of a book.

    `tries` are the cells in the order to try, by view as in a book; it breaks ties. The response
    is written to `out`, int64[n, 3], in preorder: code, cell, size of the part
    of the tree. With a `slack` it has several attempts in one place, each with its part:
    those that win less than the best by no more than this share of what may be
    won there; nothing is beside a sure win. Return the weight won, and the length
    of `out`; a length of -1 says that room ran out. A kernel that calls itself
    crashes when it comes from the cache, hence the `decisions`: two for each cell and
    two more are enough.
    """
    begin(game, book, color, worlds, codes, decisions[0])
    d = 0
    while True:
        at = decisions[d]
        if not at.is_busy:
            if find_cell(at, tries):
                if not attempt(game, book, color, worlds, codes, tries, at, out):
                    return 0.0, -1
            elif d:
                d -= 1
                go_back(at, decisions[d])
            else:
                return max(at.best, 0.0), at.kept
        elif is_settled(at, slack):
            keep(at, codes, tries, slack, out)
        else:
            d += 1
            enter(worlds, codes, tries, slack, at, decisions[d])


@kernel
def begin(game, book, color, worlds, codes, first):
    """Begin the first decision; White's comes after Black's first stone, which cannot collide."""
    numbers, masks, weights = worlds
    numbers[0, 0], numbers[0, 1], numbers[0, 2] = -2, 0, color
    masks[0, 0], masks[0, 1] = 0, 0
    weights[0], codes[0] = 0.0, 0
    for cell in range(game[1][0]):
        weights[0] += book[2][0, cell]
    stop = move(game, book, color, np.uint64(0), worlds, codes, 0, 1)
    first.own, first.known, first.row = 0, 0, 0
    first.start, first.stop, first.free = 0, stop, stop
    first.index, first.is_busy = 0, 0
    first.head, first.kept = 0, 0
    first.best, first.floor, first.weight = -1.0, -1.0, 0.0
    for i in range(stop):
        first.weight += weights[i]


@kernel
def find_cell(at, tries):
    """Go to the next cell to try; return whether there is one that may be better."""
    taken = at.own | at.known
    while at.index < tries.shape[1] and taken >> np.uint64(tries[at.row, at.index]) & np.uint64(1):
        at.index += 1
    return at.index < tries.shape[1] and at.best < at.weight - EPSILON


@kernel
def attempt(game, book, color, worlds, codes, tries, at, out):
    """Try the cell that was found, or leave it if it tells nothing; return whether room is left."""
    if at.kept + MOST_ATTEMPTS > out.shape[0]:
        return False
    cell = tries[at.row, at.index]
    end, won = expand(game, book, color, at.own, cell, worlds, codes, at.start, at.stop, at.free)
    if end in (-2, codes.size):
        return False
    if end == -1:
        at.index += 1
        return True
    group(worlds, codes, at.free, end)
    at.after, at.end = at.free, end
    at.value, at.left = won, 0.0
    for i in range(at.free, end):
        at.left += worlds[2][i]
    at.written = at.kept + 1
    at.is_busy = 1
    return True


@kernel
def bar(at, slack):
    """Return what a cell has to be worth to be kept, or to help the decision before."""
    return max(at.best - slack * at.weight, at.floor)


@kernel
def is_settled(at, slack):
    """Return whether all worlds of the cell under way were entered, or it is too late for it."""
    return at.after == at.end or at.value + at.left <= bar(at, slack) + EPSILON


@kernel
def keep(at, codes, tries, slack, out):
    """Leave the cell under way; keep its part of `out` if it is the best, or near it."""
    if at.after == at.end:
        size, near = at.written - at.kept, slack * at.weight
        out[at.kept, 0] = codes[at.start]
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
def enter(worlds, codes, tries, slack, at, below):
    """Begin the decision below, in the next worlds that sound alike."""
    first = last = at.after
    weight = 0.0
    while last < at.end and codes[last] == codes[first]:
        weight += worlds[2][last]
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
def go_back(done, before):
    """Take a decision that is done into the cell under way of the one before."""
    before.value += max(done.best, 0.0)
    before.written = done.kept
