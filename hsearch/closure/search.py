"""The closure of a position, executed by the kernels."""

import sys

from hsearch.board import Color
from hsearch.closure.limits import NO_LIMIT, Limits
from hsearch.kernels import closure as kernel
from hsearch.kernels.lists import OVERFLOW, Options
from hsearch.kernels.preload import preload
from hsearch.library.placements import placements
from hsearch.position import Position
from hsearch.position.frame import Frame
from hsearch.store import Store, workspace

_DEFAULT = Limits()


def closure(position: Position, color: Color, limits: Limits = _DEFAULT) -> Store:
    """Return all connections of a player, from scratch.

    White's are found as Black's on the transposed position, so that mirror
    positions get mirror connections under any limits.
    """
    frame = Frame.of(position, color)
    space = workspace(position.board.size)
    while True:
        kernel.closure(
            frame.columns,
            frame.stones,
            options(limits),
            space.layout,
            space.memory,
            space.log,
            space.rows,
        )
        if limits.templates and not space.memory[OVERFLOW]:
            preload(
                placements(frame.columns, frame.rows),
                frame.stones,
                options(limits),
                space.layout,
                space.memory,
                space.log,
                space.rows,
            )
        if not space.memory[OVERFLOW]:
            return space.store(position.board, color)
        space.grow()


def closure_of_both(position: Position, limits: Limits = _DEFAULT) -> dict[Color, Store]:
    """Return the connections of both players."""
    return {color: closure(position, color, limits) for color in Color}


def options(limits: Limits) -> Options:
    """Return limits as the kernels take them."""
    endless = limits.shrinking
    return Options(
        fulls=NO_LIMIT if endless else limits.M or NO_LIMIT,
        semis=NO_LIMIT if endless else limits.most_semis or NO_LIMIT,
        k=limits.K or NO_LIMIT,
        edge_pivot=int(limits.edge_pivot),
        greedy_union=int(limits.greedy_union and not limits.shrinking),
        stop_at_win=int(limits.stop_at_win),
        steps=limits.steps or sys.maxsize,
        shrinking=int(limits.shrinking),
        captured=int(limits.captured),
    )
