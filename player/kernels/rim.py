"""The board with a rim of one cell, so that no neighbor needs a test for the border.

Kernels see the board as Black does, who joins north to south. A cell of the
rimmed board is one of the five bytes below; the six neighbors of the cell at
`i` are at `i + STEPS`, where a row has `columns + 2` cells.
"""

import numpy as np

from hsearch.kernels.cache import kernel

EMPTY, OWN, OPPONENT, NORTH, SOUTH = range(5)


@kernel
def rimmed(columns, rows, stones):
    """Return the stones with a rim: the own edges above and below, the opponent's beside."""
    width = columns + 2
    board = np.full(width * (rows + 2), OPPONENT, np.int8)
    for column in range(1, columns + 1):
        board[column] = NORTH
        board[width * (rows + 1) + column] = SOUTH
    for row in range(rows):
        for column in range(columns):
            board[width * (row + 1) + column + 1] = stones[row * columns + column]
    return board


@kernel
def steps(columns):
    """Return the steps to the six neighbors on the rimmed board."""
    width = columns + 2
    return (-width, 1 - width, -1, 1, width - 1, width)


@kernel
def chains(columns, board, chain):
    """Return how many chains of own stones there are; write each stone's, counted from 0.

    Write -1 in other cells. Edges belong to no chain and join none.
    """
    around = steps(columns)
    chain[:] = -1
    waiting = np.empty(board.size, np.int64)
    count = 0
    for start in range(board.size):
        if board[start] != OWN or chain[start] >= 0:
            continue
        chain[start] = count
        waiting[0] = start
        size = 1
        while size:
            size -= 1
            cell = waiting[size]
            for step in around:
                if board[cell + step] == OWN and chain[cell + step] < 0:
                    chain[cell + step] = count
                    waiting[size] = cell + step
                    size += 1
        count += 1
    return count
