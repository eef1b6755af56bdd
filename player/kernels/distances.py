"""How far a player's edges are apart: in chains, in stones, and in two-distance.

Each function sees the board as Black does, who joins north to south: `stones`
has one byte a cell, 0 empty, 1 own, 2 opponent.
"""

import numpy as np
from numba import njit

from player.kernels.rim import EMPTY, OWN, SOUTH, chains, rimmed, steps

FAR = 1 << 20


@njit(cache=True, nogil=True)
def largest_chain(columns, rows, stones):
    """Return the number of stones in the largest chain of own stones."""
    board = rimmed(columns, rows, stones)
    chain = np.empty(board.size, np.int64)
    sizes = np.zeros(chains(columns, board, chain) + 1, np.int64)
    for cell in range(board.size):
        if chain[cell] >= 0:
            sizes[chain[cell]] += 1
    return sizes.max()


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def two_distance(columns, rows, stones, distances):
    """Return the two-distance from south to north, `FAR` if there is none.

    Write the two-distance of each empty cell to north, `FAR` if there is none
    or a stone lies there.

    Two empty cells are neighbors if they touch each other or the same own
    chain. A cell that touches north, or a chain that does, has 1; any other 1
    plus the second smallest of its neighbors, and so does south, whose
    neighbors are the cells that touch it or a chain that does. Cells are
    settled in the order of their distance, each when its second neighbor is.
    """
    board = rimmed(columns, rows, stones)
    around = steps(columns)
    width = columns + 2
    chain = np.empty(board.size, np.int64)
    count = chains(columns, board, chain)
    first, liberties = _liberties(columns, board, chain, count)
    northern = _touching(columns, board, chain, first, liberties, width)
    southern = _touching(columns, board, chain, first, liberties, width * rows)
    settled = np.full(board.size, FAR)
    waiting = np.empty(board.size, np.int64)
    size = 0
    for cell in range(board.size):
        if northern[cell]:
            settled[cell] = 1
            waiting[size] = cell
            size += 1
    met = np.zeros(board.size, np.int64)
    met_by = np.zeros(board.size, np.int64)
    used = np.zeros((count, 2), np.int64)
    near = np.empty(liberties.size + 6, np.int64)
    done, ends, length = 0, 0, FAR
    while done < size:
        cell = waiting[done]
        done += 1
        if southern[cell]:
            ends += 1
            if ends == 2:
                length = settled[cell] + 1
        neighbors = 0
        for step in around:
            other = cell + step
            if board[other] == EMPTY:
                near[neighbors] = other
                neighbors += 1
            elif board[other] == OWN and _is_new(used, chain[other], cell):
                for i in range(first[chain[other]], first[chain[other] + 1]):
                    near[neighbors] = liberties[i]
                    neighbors += 1
        for i in range(neighbors):
            other = near[i]
            if settled[other] != FAR or met_by[other] == cell:
                continue
            met_by[other] = cell
            met[other] += 1
            if met[other] == 2:
                settled[other] = settled[cell] + 1
                waiting[size] = other
                size += 1
    for row in range(rows):
        for column in range(columns):
            distances[row * columns + column] = settled[width * (row + 1) + column + 1]
    return length


@njit(cache=True, nogil=True)
def _is_new(used, own, cell):
    """Note that a chain is met by one of its liberties; return whether that can matter.

    The first two settle all others, so a third need not tell them.
    """
    if used[own, 1] or used[own, 0] == cell:
        return False
    used[own, 0 if used[own, 0] == 0 else 1] = cell
    return True


@njit(cache=True, nogil=True)
def _touching(columns, board, chain, first, liberties, row):
    """Return which empty cells are in the row that starts at `row`, or touch a chain in it."""
    touching = np.zeros(board.size, np.bool_)
    for cell in range(row + 1, row + columns + 1):
        if board[cell] == EMPTY:
            touching[cell] = True
        elif board[cell] == OWN:
            for i in range(first[chain[cell]], first[chain[cell] + 1]):
                touching[liberties[i]] = True
    return touching


@njit(cache=True, nogil=True)
def _liberties(columns, board, chain, count):
    """Return where each chain's liberties start in a list, and the list.

    A liberty stands there once for each stone of the chain that it touches.
    """
    around = steps(columns)
    first = np.zeros(count + 2, np.int64)
    for cell in range(board.size):
        if chain[cell] >= 0:
            for step in around:
                if board[cell + step] == EMPTY:
                    first[chain[cell] + 2] += 1
    for own in range(count):
        first[own + 2] += first[own + 1]
    liberties = np.empty(first[count + 1], np.int64)
    for cell in range(board.size):
        if chain[cell] >= 0:
            own = chain[cell] + 1
            for step in around:
                if board[cell + step] == EMPTY:
                    liberties[first[own]] = cell + step
                    first[own] += 1
    return first, liberties
