"""One player's connections and circuit in a position that changes move by move."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsearch.analysis.circuit import HEXY, WIRINGS
from hsearch.connect import Limits
from hsearch.connect.closure import Mark, heeding, with_limits
from hsearch.connect.closure import Side as Updating
from hsearch.connect.store import Array, Workspace, entries, has_chain, layout
from hsearch.hex import Cell, Color, Position
from hsearch.hex.frame import Frame
from hsearch.kernels import closure as kernel
from hsearch.kernels import stop
from hsearch.kernels.circuit import Links, solve
from hsearch.kernels.lists import full_links
from hsearch.kernels.packing import FULL, SEMI

# Sources of a player's connections in a search, after each move and each undo.
#
# `Incremental` updates them, which is several times as fast; `FromScratch` computes them anew.
# Both work in the player's frame, see `hsearch.hex.frame`, with the arrays of
# `hsearch.kernels.packing`. Under limits the two may differ, and updated connections may
# depend on the order of the moves.

OWN, OPPONENT = 1, 2


class Incremental:
    """Connections that are updated, but only when `arrays` needs them. Holds state."""

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
        """Return memory and log of the connections, which callers may not keep or change."""
        return self._update().arrays

    def mark(self) -> Mark:
        """Return a mark of the position."""
        return self._update().mark()

    def restore(self, mark: Mark) -> None:
        """Return to a marked position; earlier stones can no longer be taken back."""
        self._waiting.clear()
        self._update().restore(mark)

    def _update(self) -> Updating:
        """Return the connections of the current position."""
        side = self._side = self._side or Updating(*self._root)
        while self._waiting:
            cell, own = self._waiting[0]
            side.advance(cell, own=own)
            del self._waiting[0]
        return side


class FromScratch:
    """Connections that `arrays` computes anew, up to the first win. Holds state."""

    def __init__(self, position: Position, color: Color, limits: Limits) -> None:
        """Start from a position; nothing is computed yet."""
        frame = Frame.of(position, color)
        self._columns = frame.columns
        self._stones = frame.stones.copy()
        # A win decides a node, so the closure ends at the first.
        self._space = Workspace(position.board.size)
        self._layout = with_limits(replace(limits, stop_at_win=True), self._space.layout)
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
        self._layout = heeding(self._layout)
        for arrays in space.attempts(self._layout):
            kernel.closure(*arrays, self._columns, self._stones)
            stop.check(late=True)
        return space.memory, space.log

    def mark(self) -> Mark:
        """Return a mark of the position."""
        memory, log = self._space.memory[:0], self._space.log[:0]
        return Mark(self._stones.copy(), memory, log)

    def restore(self, mark: Mark) -> None:
        """Return to a marked position."""
        self._put.clear()
        self._stones[:] = mark.stones


# A side: its connections and its circuit.
#
# Everything here is in the player's frame (`hsearch.hex.frame`): White's side is the
# transposed board. A `SearchSide` holds state and works in its own memory, so the two
# sides of a position could be computed in two threads. They are not: handing over work
# takes 20 to 25 microseconds, and a closure may take less. On two shared cores (load 5) a
# search of two plies at 11x11 took 1.27 s with two threads and 1.25 with one; with a free
# second core the closures alone took 0.80 ms a node instead of 1.35.


class SearchSide:
    """One player's view of the position under search."""

    def __init__(
        self,
        position: Position,
        color: Color,
        limits: Limits,
        *,
        incremental: bool,
        wiring: str = HEXY,
    ) -> None:
        """Start from a position; `incremental` chooses `Incremental`, not `FromScratch`."""
        frame = Frame.of(position, color)
        size = position.board.size
        self.color = color
        self._wiring = wiring
        source = Incremental if incremental else FromScratch
        self._connections: Incremental | FromScratch = source(position, color, limits)
        self._columns, self._rows = frame.columns, frame.rows
        self._stones = frame.stones.copy()
        self._layout = layout(size)
        self._places: list[int] = frame.into(np.arange(size)).tolist()
        self._links = np.empty((3, (size + 2) * (size + 1) // 2), np.int64)
        self._potentials, self._flows = np.empty(size), np.empty(size)
        self._memory = self._log = np.empty(0, np.int64)

    @property
    def stones(self) -> NDArray[np.int8]:
        """The current stones in the player's frame: 0 empty, 1 own, 2 opponent."""
        return self._stones

    def put(self, cell: Cell, color: Color) -> None:
        """Put a stone on an empty cell."""
        place, own = self._places[cell], color is self.color
        self._stones[place] = OWN if own else OPPONENT
        self._connections.put(place, own=own)

    def take(self, cell: Cell) -> None:
        """Take back the stone that was put last, on this cell."""
        self._stones[self._places[cell]] = 0
        self._connections.take()

    def mark(self) -> Mark:
        """Return a mark of the position."""
        return self._connections.mark()

    def restore(self, mark: Mark) -> None:
        """Return to a marked position."""
        self._stones[:] = mark.stones
        self._connections.restore(mark)

    def close(self) -> None:
        """Compute the player's connections in the current position."""
        self._memory, self._log = self._connections.arrays()

    @property
    def has_chain(self) -> bool:
        """Whether stones join the player's edges. Needs `close`."""
        return bool(has_chain(self._memory, self._layout))

    def carriers(self, which: int) -> NDArray[np.bool_] | None:
        """Return the carriers of the edge-to-edge fulls or semis, smallest first.

        Each row is a carrier, with a truth value for each cell of the board; None if
        there are none. Needs `close`, and that no chain joins the edges.
        """
        cells = self._layout.cells
        words = entries(self._memory, self._layout, cells, cells + 1, which)[:, 1:]
        if not len(words):
            return None
        bytes_ = np.ascontiguousarray(words).view(np.uint8)
        bits = np.unpackbits(bytes_, axis=1, count=cells, bitorder="little")
        return np.ascontiguousarray(self._back(bits)).astype(bool)

    @property
    def fulls(self) -> NDArray[np.bool_] | None:
        """The carriers of the fulls between the edges."""
        return self.carriers(FULL)

    @property
    def semis(self) -> NDArray[np.bool_] | None:
        """The carriers of the semis between the edges."""
        return self.carriers(SEMI)

    def solve(self) -> tuple[float, NDArray[np.float64]]:
        """Return the resistance between the edges, and the current through each cell."""
        a, b, common = self._links
        count = full_links(self._memory, self._log, self._layout, a, b, common)
        resistance = solve(
            self._columns,
            self._rows,
            self._stones,
            Links(a[:count], b[:count], common[:count]),
            WIRINGS[self._wiring],
            self._potentials,
            self._flows,
        )
        return resistance, self._back(self._flows[np.newaxis])[0].copy()

    def _back(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Return rows of values, one for each cell of the frame, in the order of the board."""
        if self.color is Color.BLACK:
            return rows
        grid = rows.reshape(len(rows), self._rows, self._columns)
        return grid.transpose(0, 2, 1).reshape(len(rows), -1)
