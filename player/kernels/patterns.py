"""Patterns: the stones around each cell, and what they say of a move and of who wins.

Nineteen places make a pattern: a cell, its six neighbors, the six at the other ends
of its bridges, and the six two steps straight on. The player to move sees them as
the one who joins top and bottom (White by way of the transposed board), a place as
a digit: 0 empty, 1 own, 2 the other's, 3 out of two edges at once. What is out of one
edge is a stone of its owner.

Four tables know a pattern: by its first 7 digits; by these and where on the board the cell
is; by 13; and by all 19. The last three are found by hashing, and what falls together
shares its weight. A position is *worth* the sum of the worths of all its cells, as the
logit of the mover's chance; a move *draws* by the sum of the draws of its cell, and of what
its six neighbors say of an answer to the last stone. `stones` is the board in a rim,
as `player.kernels.playout` has it. Stern, Herbrich and Graepel: Bayesian pattern
ranking for move prediction in the game of Go (2006); Lucas: Learning to play Othello with
n-tuple systems (2008).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hsearch.kernels.cache import kernel
from player.kernels.fillings import GOLDEN, U
from player.kernels.playout import CORNER

PLACES = 19
SEVEN, THIRTEEN = 7, 13  # digits of the smaller patterns
TABLES = 4
BITS = 17  # of a slot that is found by hashing
SMALL, LARGE = 1 << (2 * SEVEN), 1 << BITS  # slots of the first table, and of each other
SLOTS = SMALL + 3 * LARGE
REPLIES = PLACES << 12  # six digits, and at which of the places the last stone is, 0 for none
SIDES = 6  # distances from an edge that are told apart
SPOTS = (2 * SIDES - 1) ** 2
WORTH, DRAW = 0, 1
LARGEST = 30.0  # logit of a chance


class Patterns(NamedTuple):
    """Weights of patterns, as bytes, and where their places are on one board.

    near     player x cell x 19: the places around a cell in the rim, as the player sees them
    spots    player x cell: where on the board that is
    weights  worth and draw x slot
    replies  what an answer to the last stone draws, by the six neighbors and where the stone is
    scales   worth and draw x table: what one in a byte is
    reply    the same of replies
    bias     logit of the mover's chance where nothing else is known
    """

    near: NDArray[np.int32]
    spots: NDArray[np.int32]
    weights: NDArray[np.int8]
    replies: NDArray[np.int8]
    scales: NDArray[np.float64]
    reply: float
    bias: float


@kernel
def find(near, spots, stones, turn, cell, slots):
    """Write where the weights of the pattern around a cell are, a slot for each table."""
    key = np.int64(0)
    for number in range(PLACES):
        color = np.int64(stones[near[turn, cell, number]])
        if turn == 1 and 0 < color < CORNER:
            color = 3 - color
        key = 4 * key + color
        if number == SEVEN - 1:
            slots[0] = key
            slots[1] = SMALL + hashed(key * SPOTS + spots[turn, cell])
        elif number == THIRTEEN - 1:
            slots[2] = SMALL + LARGE + hashed(key)
    slots[3] = SMALL + 2 * LARGE + hashed(key)


@kernel
def hashed(key):
    """Return a slot of a table for a number."""
    return np.int64((U(key) * GOLDEN) >> U(64 - BITS))


@kernel
def reply_slot(near, turn, cell, seven, last):
    """Return where the weight of an answer at an empty cell is.

    seven  its slot of the first table, whose first digit is 0
    last   the place of the last stone; -1 where that is not known
    """
    where = 0
    for number in range(1, PLACES):
        if near[turn, cell, number] == last:
            where = number
    return seven * PLACES + where


@kernel
def worth(patterns, stones, turn, cells):
    """Return the chance of the player to move, by the patterns of all cells."""
    slots = np.empty(TABLES, np.int64)
    sums = np.zeros(TABLES, np.int64)
    for cell in range(cells):
        find(patterns.near, patterns.spots, stones, turn, cell, slots)
        for table in range(TABLES):
            sums[table] += patterns.weights[WORTH, slots[table]]
    logit = patterns.bias
    for table in range(TABLES):
        logit += patterns.scales[WORTH, table] * sums[table]
    return 1 / (1 + np.exp(-min(LARGEST, max(-LARGEST, logit))))


@kernel
def draw(patterns, stones, turn, cell, last):
    """Return how a move at an empty cell draws, as a logit; `last` is as in `reply_slot`."""
    slots = np.empty(TABLES, np.int64)
    find(patterns.near, patterns.spots, stones, turn, cell, slots)
    reply = reply_slot(patterns.near, turn, cell, slots[0], last)
    total = patterns.reply * patterns.replies[reply]
    for table in range(TABLES):
        total += patterns.scales[DRAW, table] * patterns.weights[DRAW, slots[table]]
    return total
