"""All fillings of a position one by one, random ones in plain numpy, positions to try them on."""

import numpy as np

from hsearch.hex.board import Board, cell_set
from hsearch.hex.position import Position
from player.evaluate import plain_fillings
from player.evaluate.fillings import black_share
from player.kernels import fillings as boundary


def winners_by_flood(filling):
    """Return who wins, by flooding Black's stones from the north until nothing changes."""
    reached = plain_fillings.flood(filling, north=plain_fillings.ALL, west=plain_fillings.NONE)
    return np.bitwise_or.reduce(reached[-1], axis=0)


def winners_by_walk(filling):
    """Return who wins, by a walk along the boundary of each filling."""
    rows, columns, _ = filling.shape
    bits = np.unpackbits(filling.view(np.uint8), axis=2, bitorder="little").astype(bool)
    fillings = np.ascontiguousarray(bits.reshape(rows * columns, -1).T)
    won = [boundary.is_won_by_black(colors, columns, rows) for colors in fillings]
    return np.packbits(won, bitorder="little").view(np.uint64)


def balanced_words(words, blacks, orders):
    """Return words with exactly `blacks` black cells in each filling.

    Cells of the surplus color change color, in the order given for each lane.
    """
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little").astype(np.int64)
    by_lane = bits.reshape(*words.shape, 64)
    for lane, order in enumerate(orders):
        surplus = by_lane[:, lane].sum(axis=0) - blacks
        for cell in order:
            flip = np.where(by_lane[cell, lane] == 1, surplus > 0, surplus < 0)
            surplus -= np.where(flip, np.sign(surplus), 0)
            by_lane[cell, lane] ^= flip
    return np.packbits(bits.astype(bool), axis=1, bitorder="little").view(np.uint64)


def winners(position):
    """Return whether Black wins, for each filling: bit k of its number colors empty cell k."""
    empty = position.empty.count()
    bits = np.arange(max(64, 2**empty)) >> np.arange(empty)[:, None] & 1
    words = np.packbits(bits.astype(np.uint8), axis=1, bitorder="little").view(np.uint64)
    if not empty:
        words = words.reshape(0, 1)
    won = winners_by_flood(plain_fillings.fill(position, words))
    return np.unpackbits(won.view(np.uint8), bitorder="little")[: 2**empty].astype(bool)


def counts(position):
    """Return the fillings Black wins, and those in which each cell is critical, by flipping it."""
    won = winners(position)
    number = np.arange(len(won))
    flipped = {
        cell: int((won != won[number ^ (1 << bit)]).sum())
        for bit, cell in enumerate(position.empty.search(1))
    }
    return int(won.sum()), flipped


def balanced(position):
    """Return the share of the balanced fillings in which each cell is critical."""
    empty = position.empty.count()
    won = winners(position)
    number = np.arange(len(won))
    blacks = (number[:, None] >> np.arange(empty) & 1).sum(axis=1)
    number = number[blacks == black_share(position)]
    return {
        cell: float((won[number] != won[number ^ (1 << bit)]).mean())
        for bit, cell in enumerate(position.empty.search(1))
    }


def random_position(rng, *, columns, rows, empty):
    """Return a position with so many empty cells, or all if there are fewer."""
    board = Board(columns, rows)
    cells = rng.permutation(board.size)[min(empty, board.size) :]
    black = rng.random(len(cells)) < 0.5
    return Position(board, cell_set(cells[black], board.size), cell_set(cells[~black], board.size))
