"""Sources of a player's connections in a search, after each move and each undo.

Kept up to date, which is several times as fast, or found from scratch. Both
work in the player's frame, see `hsearch.position.frame`. The arrays are those
of `hsearch.kernels.packing`. Under limits the two may differ, and what is kept up
to date may depend on the order of the moves.
"""

from dataclasses import replace
from typing import Protocol

from hsearch.board import Cell, Color
from hsearch.closure import Limits
from hsearch.closure.search import limited_by
from hsearch.kernels import closure as kernel
from hsearch.kernels.packing import OVERFLOW
from hsearch.position import Position
from hsearch.position.frame import Frame
from hsearch.store import Array, Workspace
from hsearch.update import Mark
from hsearch.update import Side as Updating

OWN, OPPONENT = 1, 2


class Connections(Protocol):
    """One player's connections in a position that changes move by move."""

    def put(self, cell: Cell, *, own: bool) -> None:
        """Put a stone on an empty cell."""

    def take(self) -> None:
        """Take back the stone that was put last."""

    def arrays(self) -> tuple[Array, Array]:
        """Return memory and log of the connections, not to be kept or changed."""
        ...

    def mark(self) -> Mark:
        """Return what to come back to from anywhere."""
        ...

    def restore(self, mark: Mark) -> None:
        """Come back to where a mark was set; what was before it cannot be taken back then."""


class KeptUp:
    """Connections kept up to date; the work is put off until they are asked for."""

    def __init__(self, position: Position, color: Color, limits: Limits) -> None:
        """Start from a position; nothing is computed yet."""
        self._root = position, color, limits
        self._side: Updating | None = None
        self._waiting: list[tuple[Cell, bool]] = []

    def put(self, cell: Cell, *, own: bool) -> None:
        """Put a stone on an empty cell."""
        self._waiting.append((cell, own))

    def take(self) -> None:
        """Take back the stone that was put last."""
        if self._waiting:
            self._waiting.pop()
        elif self._side is not None:
            self._side.undo()

    def arrays(self) -> tuple[Array, Array]:
        """Return memory and log of the connections."""
        if self._side is None:
            self._side = Updating(*self._root)
        for cell, own in self._waiting:
            self._side.advance(cell, own=own)
        self._waiting.clear()
        return self._side.arrays

    def mark(self) -> Mark:
        """Return what to come back to from anywhere."""
        self.arrays()
        assert self._side is not None  # noqa: S101 - it was made just now
        return self._side.mark()

    def restore(self, mark: Mark) -> None:
        """Come back to where a mark was set."""
        self._waiting.clear()
        assert self._side is not None  # noqa: S101 - it set the mark
        self._side.restore(mark)


class FromScratch:
    """Connections found anew whenever they are asked for, up to the first win."""

    def __init__(self, position: Position, color: Color, limits: Limits) -> None:
        """Start from a position; nothing is computed yet."""
        frame = Frame.of(position, color)
        self._columns = frame.columns
        self._stones = frame.stones.copy()
        # A win ends a node, so nothing beyond the first is looked for.
        self._space = Workspace(position.board.size)
        self._layout = limited_by(replace(limits, stop_at_win=True), self._space.layout)
        self._put: list[Cell] = []

    def put(self, cell: Cell, *, own: bool) -> None:
        """Put a stone on an empty cell."""
        self._stones[cell] = OWN if own else OPPONENT
        self._put.append(cell)

    def take(self) -> None:
        """Take back the stone that was put last."""
        self._stones[self._put.pop()] = 0

    def arrays(self) -> tuple[Array, Array]:
        """Return memory and log of the connections."""
        space = self._space
        while True:
            arrays = space.memory, space.log, self._layout, space.rows
            kernel.closure(*arrays, self._columns, self._stones)
            if not space.memory[OVERFLOW]:
                return space.memory, space.log
            space.grow()

    def mark(self) -> Mark:
        """Return what to come back to from anywhere."""
        memory, log = self._space.memory[:0], self._space.log[:0]
        return Mark(self._stones.copy(), memory, log)

    def restore(self, mark: Mark) -> None:
        """Come back to where a mark was set."""
        self._put.clear()
        self._stones[:] = mark.stones
