r"""The maximum flow between a player's edges, as a shortest path across it.

On a planar network whose source and sink lie outside, the maximum flow is the
minimum cut, and a cut is a path in the dual network: from face to face, west to
east, each step across a wire at the price of its capacity (Hassin 1981). The
faces are the triangles between three cells that touch each other; those of the
rimmed board are numbered::

    a - b        cell at i (a): face 2 i is a b c, face 2 i + 1 is b c d
     \ / \
      c - d
"""

import numpy as np

from hsearch.kernels.cache import kernel
from player.kernels.rim import NORTH, OPPONENT, OWN, rimmed

FAR = 1 << 20
WALL = 2


@kernel
def max_flow(columns, rows, stones, across):
    """Return the maximum flow from north to south, `FAR` if it has no bound.

    `stones` has one byte a cell, 0 empty, 1 own, 2 opponent. Two own stones
    that touch, and a border cell and its edge, pass any flow, other two cells
    that touch 1, the opponent's none. Write to `across` each face's distance
    from the west: 2 (columns + 2) (rows + 2) values, `FAR` where none leads.
    The flow between two cells that touch is the difference of the faces beside
    them.
    """
    board = rimmed(columns, rows, stones)
    width = columns + 2
    across[:] = FAR
    front = np.empty(across.size, np.int64)
    later = np.empty(across.size, np.int64)
    front[0] = 2 * width
    across[2 * width] = 0
    size, level = 1, 0
    while size:
        waiting = 0
        while size:
            size -= 1
            face = front[size]
            a = face // 2
            b, c, d = a + 1, a + width, a + width + 1
            # The wire that each of a face's three neighbors lies behind.
            if face % 2 == 0:
                sides = ((a, b, face + 1 - 2 * width), (a, c, face - 1), (b, c, face + 1))
            else:
                sides = ((b, c, face - 1), (b, d, face + 1), (c, d, face - 1 + 2 * width))
            for x, y, other in sides:
                if not _is_inside(other, width, rows) or across[other] <= level:
                    continue
                price = _capacity(board[x], board[y])
                if price == 0:
                    across[other] = level
                    front[size] = other
                    size += 1
                elif price == 1 and across[other] > level + 1:
                    across[other] = level + 1
                    later[waiting] = other
                    waiting += 1
        size = 0
        level += 1
        for i in range(waiting):
            if across[later[i]] == level:
                front[size] = later[i]
                size += 1
    # Any face between the last column and the rim beside it.
    return across[2 * (2 * width - 2)]


@kernel
def _is_inside(face, width, rows):
    """Return whether a face lies between four cells of the rimmed board."""
    a = face // 2
    return a >= 0 and a < width * (rows + 1) and a % width != width - 1


@kernel
def _capacity(x, y):
    """Return 0, 1, or `WALL` for no bound."""
    if OPPONENT in (x, y):
        return 0
    if (x == OWN and y == OWN) or x >= NORTH or y >= NORTH:
        return WALL
    return 1
