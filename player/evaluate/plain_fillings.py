"""Random fillings in plain numpy: the slow twin of the kernels.

It uses the same random words. Each word holds one cell of 64 fillings, a bit each, 1 for black.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsearch.hex import Color, Position
from hsearch.hex.board import DIRECTIONS
from player.evaluate.fillings import Odds
from player.kernels import fillings as boundary

LaneWords: TypeAlias = NDArray[np.uint64]

LANES = 16
GOLDEN = 0x9E3779B97F4A7C15
NONE, ALL = np.uint64(0), ~np.uint64(0)


def random_words(key: int, first: int, batches: int, cells: int) -> LaneWords:
    """Return the random words of some batches as [cell, lane], the batches side by side."""
    counter = np.arange(first * cells * LANES + 1, (first + batches) * cells * LANES + 1)
    number = np.uint64(key) + counter.astype(np.uint64) * np.uint64(GOLDEN)
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    number ^= number >> np.uint64(31)
    by_batch = number.reshape(batches, cells, LANES)
    return np.ascontiguousarray(by_batch.transpose(1, 0, 2)).reshape(cells, batches * LANES)


def fill(position: Position, words: LaneWords) -> LaneWords:
    """Return the board with words in its empty cells, as [row, column, lane]."""
    board = position.board
    filling = np.full((board.size, words.shape[1]), NONE)
    filling[list(position.black.search(1))] = ALL
    filling[list(position.empty.search(1))] = words
    return filling.reshape(board.rows, board.columns, -1)


def winners_by_reduction(filling: LaneWords) -> LaneWords:
    """Return who wins each filling, as [lane], a bit each, 1 for Black.

    This repeats Y-reduction: the majority of each small triangle. The Y triangle continues
    black below the last row and white right of the last column; one row and one column of
    that are enough.
    """
    rows, columns, lanes = filling.shape
    triangle = np.full((rows + 1, columns + 1, lanes), NONE)
    triangle[rows, :columns] = ALL
    triangle[:rows, :columns] = filling
    for side in range(rows + columns - 2, 0, -1):
        down, across = min(rows, side), min(columns, side)
        own = triangle[:down, :across]
        below, right = triangle[1 : down + 1, :across], triangle[:down, 1 : across + 1]
        triangle[:down, :across] = (own & below) | (right & (own | below))
    winners: LaneWords = triangle[0, 0]
    return winners


def critical_cells(filling: LaneWords, winners: LaneWords) -> LaneWords:
    """Return in which fillings each cell is critical, as [row, column, lane]."""
    losers = filling ^ winners
    one = flood(losers, north=~winners, west=winners)
    two = flood(losers[::-1, ::-1], north=~winners, west=winners)[::-1, ::-1]
    first = _neighbors(one, north=~winners, south=NONE, west=winners, east=NONE)
    second = _neighbors(two, north=NONE, south=~winners, west=NONE, east=winners)
    critical: LaneWords = first & second & ~losers
    return critical


def sample(position: Position, batches: int, key: int) -> Odds:
    """Draw fair fillings and count critical cells, as `player.evaluate.fillings.sample` does."""
    cells = list(position.empty.search(1))
    filling = fill(position, random_words(key, 0, batches, len(cells)))
    winners = winners_by_reduction(filling)
    critical = critical_cells(filling, winners).reshape(position.board.size, -1)
    count = 64 * winners.size
    shares = popcount(critical).sum(axis=1) / count
    black = int(popcount(winners).sum()) / count
    return Odds(position, black, {cell: float(shares[cell]) for cell in cells}, count)


def count_losing(position: Position, batches: int, key: int) -> tuple[int, NDArray[np.int64]]:
    """Return how many fillings Black wins, and how often each empty cell has the losing color."""
    words = random_words(key, 0, batches, position.empty.count())
    winners = winners_by_reduction(fill(position, words))
    return int(popcount(winners).sum()), popcount(words ^ winners).sum(axis=1)


def count_losing_by_walk(
    position: Position, fillings: int, key: int
) -> tuple[int, NDArray[np.int64]]:
    """Return the counts of `count_losing` from other fillings, each decided by a walk."""
    board = position.board
    colors = np.array([position.color_at(cell) is Color.BLACK for cell in board.cells])
    empties = np.fromiter(position.empty.search(1), np.int64)
    counts = np.zeros(len(empties), np.int64)
    walk = (board.columns, board.rows, np.uint64(key), fillings, counts)
    return int(boundary.count_losing_by_walk(colors, empties, *walk)), counts


def popcount(words: LaneWords) -> NDArray[np.int64]:
    """Return how many bits of each word are set."""
    one, two, four = np.uint64(1), np.uint64(2), np.uint64(4)
    pairs = words - ((words >> one) & np.uint64(0x5555555555555555))
    fours = np.uint64(0x3333333333333333)
    nibbles = (pairs & fours) + ((pairs >> two) & fours)
    octets = (nibbles + (nibbles >> four)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    ones: LaneWords = (octets * np.uint64(0x0101010101010101)) >> np.uint64(56)
    return ones.astype(np.int64)


def flood(
    stones: LaneWords, *, north: LaneWords | np.uint64, west: LaneWords | np.uint64
) -> LaneWords:
    """Return the stones connected to the north or the west edge, in fillings with that edge on."""
    region = np.zeros_like(stones)
    while True:
        onward = stones & _neighbors(region, north=north, south=NONE, west=west, east=NONE)
        if np.array_equal(onward | region, region):
            return region
        region |= onward


def _neighbors(
    cells: LaneWords,
    *,
    north: LaneWords | np.uint64,
    south: LaneWords | np.uint64,
    west: LaneWords | np.uint64,
    east: LaneWords | np.uint64,
) -> LaneWords:
    """Return the cells that touch one of `cells`, or an edge that is on in that filling."""
    rows, columns, lanes = cells.shape
    ring = np.full((rows + 2, columns + 2, lanes), NONE)
    ring[1:-1, 1:-1] = cells
    ring[0, 1:-1], ring[-1, 1:-1] = north, south
    ring[1:-1, 0], ring[1:-1, -1] = west, east
    neighbors = np.zeros_like(cells)
    for right, down in DIRECTIONS:
        neighbors |= ring[1 + down : 1 + down + rows, 1 + right : 1 + right + columns]
    return neighbors
