"""The closure of a position, executed by the kernels."""

import sys
from collections.abc import Iterable

import numpy as np

from hsearch.board import Board, Color, Point
from hsearch.cells import to_words
from hsearch.closure.limits import NO_LIMIT, Limits
from hsearch.kernels import closure as kernel
from hsearch.kernels.packing import OVERFLOW, Layout, Options
from hsearch.kernels.preload import preload
from hsearch.library.placements import placements
from hsearch.position import Position
from hsearch.position.frame import Frame
from hsearch.store import Given, Store, workspace

_DEFAULT = Limits()


def closure(position: Position, color: Color, limits: Limits = _DEFAULT) -> Store:
    """Return all connections of a player, from scratch.

    White's are found as Black's on the transposed position, so that mirror
    positions get mirror connections under any limits.
    """
    frame = Frame.of(position, color)
    space = workspace(position.board.size)
    limited = limited_by(limits, space.layout)
    while True:
        arrays = space.memory, space.log, limited, space.rows
        kernel.closure(*arrays, frame.columns, frame.stones)
        if limits.templates and not space.memory[OVERFLOW]:
            preload(*arrays, frame.stones, placements(frame.columns, frame.rows))
        if not space.memory[OVERFLOW]:
            return space.store(position.board, color)
        space.grow()


def closure_of_both(position: Position, limits: Limits = _DEFAULT) -> dict[Color, Store]:
    """Return the connections of both players."""
    return {color: closure(position, color, limits) for color in Color}


def extended(position: Position, store: Store, given: Iterable[Given], limits: Limits) -> Store:
    """Return a position's connections with some given ones and all that follows from them.

    The limits are those of the store. What it was given before stays given.
    """
    board, color = position.board, store.color
    given = tuple(given)
    space = workspace(board.size)
    width = len(space.layout.words)
    rows = np.zeros((len(given), 2 + 2 * width), np.int64)
    for row, connection in zip(rows, given, strict=True):
        row[0], row[1] = (_framed(board, color, end) for end in (connection.x, connection.y))
        cells = board.only(*(_framed(board, color, cell) for cell in connection.carrier.search(1)))
        row[2 + width :] = to_words(cells, width).view(np.int64)
    stones, limited = Frame.of(position, color).stones, limited_by(limits, space.layout)
    while True:
        space.load(store)
        preload(space.memory, space.log, limited, space.rows, stones, rows)
        if not space.memory[OVERFLOW]:
            return space.store(board, color, (*store.given, *given))
        space.grow()


def _framed(board: Board, color: Color, point: Point) -> Point:
    """Return where a point lies on the board that the kernels see."""
    return point if color is Color.BLACK else board.transpose(point)


def limited_by(limits: Limits, layout: Layout) -> Layout:
    """Return a layout with limits as the kernels take them."""
    endless = limits.shrinking
    options = Options(
        fulls=NO_LIMIT if endless else limits.M or NO_LIMIT,
        semis=NO_LIMIT if endless else limits.most_semis or NO_LIMIT,
        k=limits.K or NO_LIMIT,
        edge_pivot=int(limits.edge_pivot),
        greedy_union=int(limits.greedy_union and not limits.shrinking),
        stop_at_win=int(limits.stop_at_win),
        steps=limits.steps or sys.maxsize,
        shrinking=int(limits.shrinking),
    )
    return layout._replace(options=options)
