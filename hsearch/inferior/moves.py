"""Moves that need not be tried, because another one does at least as well."""

from collections.abc import Container

import numpy as np

from hsearch.board import Board, Cell, Color
from hsearch.inferior.filling import fill_in
from hsearch.inferior.patterns import dead_rings
from hsearch.kernels import inferior as kernel
from hsearch.position import Position
from hsearch.position.frame import Frame


def vulnerable(position: Position) -> dict[Cell, Cell]:
    """Return the moves that one reply makes dead, each with that reply.

    Whoever moves there has given a stone for nothing: if they win, they win with
    another move too, and not all of those are vulnerable.
    """
    frame = Frame.of(position, Color.BLACK)
    killers = np.empty(position.board.size, np.int64)
    opponent = 1 + position.turn.opponent
    kernel.vulnerable(position.board.columns, frame.stones.copy(), dead_rings(), opponent, killers)
    return {cell: int(killers[cell]) for cell in np.flatnonzero(killers >= 0).tolist()}


def dominated(position: Position, apart: Container[Cell] = ()) -> dict[Cell, Cell]:
    """Return the moves that another one includes, each with one that is not dominated.

    A move includes another if it leaves that cell dead or captured by the
    mover. Of several that include each other the first one stays. Dead and
    captured cells of the position itself are not looked at. Neither are those set
    `apart`, which are left out for another reason: else one move could be left out for
    the other, and the other for the one.
    """
    found: dict[Cell, Cell] = {}
    filled = fill_in(position).position.empty
    for move in position.empty.search(1):
        if not filled[move] or move in found or move in apart:
            continue
        after = fill_in(position.play(move))
        gained = filled & (after.dead | after.captured(position.turn))
        for cell in gained.search(1):
            found.setdefault(cell, move)
        found = {cell: move if by in found else by for cell, by in found.items()}
    return found


def reversible(position: Position) -> dict[Cell, Cell]:
    """Return the moves that a reply and its fill-in make dead, each with that reply.

    All that is filled then is the opponent's, so that the move has gained
    nothing and lost a turn: if it wins, another one does too, and not all
    of those are reversible. The vulnerable moves are among them.
    """
    board, mover = position.board, position.turn
    dead, found = dead_rings(), vulnerable(position)
    for move in position.empty.search(1):
        if move in found:
            continue
        after = position.play(move)
        for reply in _near(board, move):
            if not after.empty[reply]:
                continue
            filled = fill_in(after.play(reply)).position
            if filled.stones(mover) != after.stones(mover):
                continue
            stones = Frame.of(filled, Color.BLACK).stones.copy()
            if dead[kernel.ring_of(board.columns, stones, move)]:
                found[move] = reply
                break
    return found


def _near(board: Board, cell: Cell) -> list[Cell]:
    """Return the cells one and two steps away, the nearest first."""
    steps: list[Cell] = [point for point in board.neighbors(cell) if not board.is_edge(point)]
    for near in tuple(steps):
        steps += [
            other
            for other in board.neighbors(near)
            if not board.is_edge(other) and other != cell and other not in steps
        ]
    return steps
