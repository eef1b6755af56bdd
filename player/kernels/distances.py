"""Distance of a player's edges, and size of the player's chains.

Each function sees the board as Black does, who joins north to south: `stones`
has one byte a cell, 0 empty, 1 own, 2 opponent.
"""

import numpy as np

from hsearch.kernels.cache import kernel
from player.kernels.rim import EMPTY, OWN, SOUTH, chains, rimmed, steps

FAR = 1 << 20


@kernel
def largest_chain(columns, rows, stones):
    """Return the number of stones in the largest chain of own stones."""
    board = rimmed(columns, rows, stones)
    chain = np.empty(board.size, np.int64)
    sizes = np.zeros(chains(columns, board, chain) + 1, np.int64)
    for cell in range(board.size):
        if chain[cell] >= 0:
            sizes[chain[cell]] += 1
    return sizes.max()


@kernel
def path_length(columns, rows, stones, distances):
    """Return the fewest empty cells on a path from north to south, `FAR` without a path.

    Write for each cell the fewest on a path from north to it, itself counted;
    `FAR` in cells that no path reaches. Each level is one front: own stones
    join the front they are met by, empty cells the next.
    """
    board = rimmed(columns, rows, stones)
    around = steps(columns)
    width = columns + 2
    reached = np.full(board.size, FAR)
    front = np.empty(board.size, np.int64)
    later = np.empty(board.size, np.int64)
    for column in range(columns):
        front[column] = column + 1
    size, level, length = columns, 0, FAR
    while size:
        waiting = 0
        while size:
            size -= 1
            cell = front[size]
            for step in around:
                other = cell + step
                # The rim above has no row above it; the stones it meets lie below.
                if other < width or reached[other] != FAR:
                    continue
                if board[other] == OWN:
                    reached[other] = level
                    front[size] = other
                    size += 1
                elif board[other] == EMPTY:
                    reached[other] = level + 1
                    later[waiting] = other
                    waiting += 1
                elif board[other] == SOUTH:
                    length = min(length, level)
        front, later = later, front
        size = waiting
        level += 1
    for row in range(rows):
        for column in range(columns):
            distances[row * columns + column] = reached[width * (row + 1) + column + 1]
    return length
