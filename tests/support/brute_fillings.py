"""All fillings of a position one by one, and positions to try them on."""

import numpy as np

from hsearch.hex.board import Board, cell_set
from hsearch.hex.position import Position
from player.evaluate import plain_fillings
from player.evaluate.fillings import black_share


def winners(position):
    """Return whether Black wins, for each filling: bit k of its number colors empty cell k."""
    empty = position.empty.count()
    bits = np.arange(max(64, 2**empty)) >> np.arange(empty)[:, None] & 1
    words = np.packbits(bits.astype(np.uint8), axis=1, bitorder="little").view(np.uint64)
    if not empty:
        words = words.reshape(0, 1)
    won = plain_fillings.winners_by_flood(plain_fillings.filled(position, words))
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
