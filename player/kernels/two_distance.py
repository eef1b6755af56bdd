"""Distance of a player's edges when the opponent blocks the best way at each step.

The board is seen as Black does, who joins north to south: `stones` has one byte
a cell, 0 empty, 1 own, 2 opponent.

Two empty cells are neighbors if they touch each other or the same own chain. A
cell that touches the first edge, or a chain that does, has distance 1; any
other 1 plus the second smallest of its neighbors, and so does the other edge,
whose neighbors are the cells that touch it or a chain that does.
"""

import numpy as np

from hsearch.kernels.cache import kernel
from player.kernels.rim import EMPTY, OWN, rimmed, steps

FAR = 1 << 20
NORTHERN, SOUTHERN = 1, 2


@kernel
def two_distances(columns, rows, stones, to_north, to_south):
    """Return the two-distance from south to north, and that from north to south.

    `FAR` if there is none. Write the two-distance of each empty cell to either
    edge, `FAR` if there is none or a stone lies there.
    """
    ground = _ground(columns, rows, stones)
    found = np.empty((2, ground[0].size), np.int32)
    lengths = (
        _sweep(columns, rows, ground, NORTHERN, found[0]),
        _sweep(columns, rows, ground, SOUTHERN, found[1]),
    )
    for row in range(rows):
        for column in range(columns):
            cell, at = row * columns + column, (columns + 2) * (row + 1) + column + 1
            to_north[cell], to_south[cell] = found[0, at], found[1, at]
    return lengths


@kernel
def two_distance(columns, rows, stones, averaged):
    """Return the two-distance from south to north, infinite if there is none.

    With `averaged` the mean of that and the one from north to south.
    """
    ground = _ground(columns, rows, stones)
    found = np.empty(ground[0].size, np.int32)
    one = _sweep(columns, rows, ground, NORTHERN, found)
    other = _sweep(columns, rows, ground, SOUTHERN, found) if averaged and one != FAR else one
    return np.inf if FAR in (one, other) else (one + other) / 2


@kernel
def _ground(columns, rows, stones):
    """Return what both ways go over.

    That is the board with its rim; each stone's chain; where the liberties of
    each chain start in a list, and the list; and which edges each empty cell
    touches, itself or by a chain.
    """
    board = rimmed(columns, rows, stones)
    around = steps(columns)
    width = columns + 2
    last = width * rows
    memory = np.empty(10 * board.size, np.int32)
    # Chains count from 1; an empty cell remembers the last chain that had it.
    mark, touches = memory[: board.size], memory[board.size : 2 * board.size]
    mark[:] = 0
    touches[:] = 0
    first, waiting = (
        memory[2 * board.size : 3 * board.size],
        memory[3 * board.size : 4 * board.size],
    )
    liberties = memory[4 * board.size :]
    for column in range(1, columns + 1):
        touches[width + column] |= NORTHERN
        touches[last + column] |= SOUTHERN
    count, end = 0, 0
    first[0] = first[1] = 0
    for start in range(width, last + width):
        if board[start] != OWN or mark[start]:
            continue
        count += 1
        mark[start] = count
        waiting[0] = start
        size, edges = 1, 0
        while size:
            size -= 1
            cell = waiting[size]
            edges |= touches[cell]
            for step in around:
                other = cell + step
                if mark[other] == count:
                    continue
                if board[other] == OWN:
                    mark[other] = count
                    waiting[size] = other
                    size += 1
                elif board[other] == EMPTY:
                    mark[other] = count
                    liberties[end] = other
                    end += 1
        first[count + 1] = end
        if edges:
            for i in range(first[count], end):
                touches[liberties[i]] |= edges
    return board, mark, first, liberties, touches


@kernel
def _sweep(columns, rows, ground, edge, settled):
    """Write each empty cell's two-distance to an edge; return that of the other edge.

    Cells are settled in the order of their distance, each when its second
    neighbor is.
    """
    board, mark, first, liberties, touches = ground
    around = steps(columns)
    width = columns + 2
    opposite = NORTHERN + SOUTHERN - edge
    # The first neighbor settled of each cell, and of each chain; -1 after the second.
    memory = np.empty(3 * board.size, np.int32)
    met, used = memory[: board.size], memory[board.size : 2 * board.size]
    waiting = memory[2 * board.size :]
    met[:] = 0
    used[:] = 0
    size = 0
    settled[:] = FAR
    for cell in range(width, width * (rows + 1)):
        if touches[cell] & edge and board[cell] == EMPTY:
            settled[cell] = 1
            waiting[size] = cell
            size += 1
    done, ends, length = 0, 0, FAR
    while done < size:
        cell = waiting[done]
        done += 1
        if touches[cell] & opposite:
            ends += 1
            if ends == 2:
                length = settled[cell] + 1
        further = settled[cell] + 1
        for step in around:
            other = cell + step
            if board[other] == EMPTY:
                size = _meet(other, cell, further, settled, met, waiting, size)
            elif board[other] == OWN:
                own = mark[other]
                if used[own] == -1 or used[own] == cell:
                    continue
                # The first two settle all others of a chain, so a third need not tell them.
                used[own] = -1 if used[own] else cell
                for i in range(first[own], first[own + 1]):
                    size = _meet(liberties[i], cell, further, settled, met, waiting, size)
    return length


@kernel
def _meet(other, cell, further, settled, met, waiting, size):
    """Tell a cell of a neighbor that is settled; return how many cells wait or did."""
    if settled[other] != FAR or met[other] == cell:
        return size
    if met[other] == 0:
        met[other] = cell
        return size
    settled[other] = further
    waiting[size] = other
    return size + 1
