"""Lemmas that decided positions give for others: see `player.solve.lemmas`.

A lemma is a row of int64: the stones that its owner has to have, then the cells
that must not be the opponent's, each as wide as a set of cells.
"""

import numpy as np

from hsearch.kernels.bits import lowest_bit, popcount
from hsearch.kernels.cache import kernel
from hsearch.kernels.inferior import DEAD, fill_in, neighbor, ring_of

NOTHING, NEEDED, UNREACHED = 0, 1, 2


@kernel
def consult(lemmas, own, other, is_mover, common, union, carrier):
    """Ask a player's lemmas who wins. Return how many stones the owner lacks for it, and the last.

    `own` and `other` are the stones of the owner and of the opponent. None is
    lacking in a position that the owner wins whoever moves, and one, which is
    returned as a cell, where they win if they move first; `carrier` takes the empty
    cells of the win. If they do not, the number is 2; where the opponent is to move,
    `common` loses what is outside a threat, and `union` gains the threats that
    made it smaller.
    """
    width = own.size
    for row in range(lemmas.shape[0]):
        taken = lacking = 0
        for i in range(width):
            taken |= (lemmas[row, i] | lemmas[row, width + i]) & other[i]
        if taken:
            continue
        last = -1
        for i in range(width):
            missing = lemmas[row, i] & ~own[i]
            if missing:
                lacking += popcount(missing)
                last = 64 * i + lowest_bit(missing)
        if lacking > 1:
            continue
        if not lacking or is_mover:
            for i in range(width):
                carrier[i] = (lemmas[row, i] | lemmas[row, width + i]) & ~own[i]
            return lacking, last
        outside = 0
        for i in range(width):
            outside |= common[i] & ~(lemmas[row, i] | lemmas[row, width + i])
        if outside:
            for i in range(width):
                threat = (lemmas[row, i] | lemmas[row, width + i]) & ~own[i]
                common[i] &= threat
                union[i] |= threat
    return 2, -1


@kernel
def reduce(columns, owner, dead, stones, cells, board, filled, costs, stack):
    """Leave of a lemma what the owner needs if the opponent has all else.

    What does not hang together with an edge of the owner goes, then their stones that
    are dead, and then cells that are dead or that the opponent has captured.
    The last four arrays are room to work in: int8 twice, `costs` of
    `hsearch.kernels.inferior`, and int64, a place a cell.
    """
    size = board.size
    own, other = np.int8(1 + owner), np.int8(2 - owner)
    changed = True
    while changed:
        changed = False
        _reach(columns, owner, stones, cells, board, stack)
        for cell in range(size):
            is_stone = stones[cell >> 6] >> (cell & 63) & 1
            board[cell] = other if board[cell] != NEEDED else own if is_stone else 0
        for cell in range(size):
            if board[cell] == own and dead[ring_of(columns, board, cell)]:
                board[cell] = other
        for cell in range(size):
            if board[cell] == other:
                changed |= _drop(stones, cell) | _drop(cells, cell)
        fill_in(columns, board, dead, filled, costs)
        for cell in range(size):
            if filled[cell] == DEAD or (filled[cell] and board[cell] == other):
                changed |= _drop(cells, cell)


@kernel
def _reach(columns, owner, stones, cells, board, stack):
    """Mark in `board` what hangs together with the first edge of the owner as NEEDED."""
    count = 0
    for cell in range(board.size):
        board[cell] = NOTHING
        if (stones[cell >> 6] | cells[cell >> 6]) >> (cell & 63) & 1:
            board[cell] = UNREACHED
            if cell < columns if owner == 0 else cell % columns == 0:
                board[cell] = NEEDED
                stack[count] = cell
                count += 1
    while count:
        count -= 1
        cell = stack[count]
        for direction in range(6):
            near = neighbor(columns, board.size, cell, direction)
            if near >= 0 and board[near] == UNREACHED:
                board[near] = NEEDED
                stack[count] = near
                count += 1


@kernel
def _drop(row, cell):
    """Take a cell out of a row; return whether it was there."""
    bit = np.int64(1) << (cell & 63)
    was_there = row[cell >> 6] & bit != 0
    row[cell >> 6] &= ~bit
    return was_there
