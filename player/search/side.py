"""One player's connections and circuit in a position that changes move by move.

Everything here is seen as in `hsearch.position.frame`: White's side is the
transposed board. A `Side` holds state and works in its own memory, so the two
sides of a position can be worked out at the same time.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Cell, Color
from hsearch.circuit import WIRINGS
from hsearch.closure import Limits
from hsearch.closure.search import options
from hsearch.kernels import closure as kernel
from hsearch.kernels.circuit import solve
from hsearch.kernels.lists import COMMON, COUNT, FULL, OVERFLOW, SEMI, full_links
from hsearch.position import Position
from hsearch.position.frame import Frame
from hsearch.store import Workspace

OWN, OPPONENT = 1, 2


class Side:
    """One player's view of the position under search.

    `put`, `take` and `close` are the seam for an incremental closure: what
    `close` computes from scratch, `put` and `take` could keep up to date.
    """

    def __init__(self, position: Position, color: Color, limits: Limits) -> None:
        """Start from a position; nothing is computed yet."""
        frame = Frame.of(position, color)
        size = position.board.size
        self.color = color
        self._columns, self._rows = frame.columns, frame.rows
        self._stones = frame.stones.copy()
        cells = np.arange(size)
        self._framed: list[int] = frame.into(cells).tolist()
        self._options = options(limits)
        self._space = Workspace(size)
        self._links = np.empty((3, (size + 2) * (size + 1) // 2), np.int64)
        self._potentials, self._flows = np.empty(size), np.empty(size)

    @property
    def stones(self) -> NDArray[np.int8]:
        """The stones as they are now, in the frame: 0 empty, 1 own, 2 opponent."""
        return self._stones

    def put(self, cell: Cell, color: Color) -> None:
        """Put a stone on an empty cell."""
        self._stones[self._framed[cell]] = OWN if color is self.color else OPPONENT

    def take(self, cell: Cell) -> None:
        """Take the stone away that was put last, on this cell."""
        self._stones[self._framed[cell]] = 0

    def close(self) -> None:
        """Find the player's connections in the position as it is now."""
        space = self._space
        while True:
            kernel.closure(
                self._columns,
                self._stones,
                self._options,
                space.layout,
                space.memory,
                space.log,
                space.rows,
            )
            if not space.memory[OVERFLOW]:
                return
            space.grow()

    @property
    def has_chain(self) -> bool:
        """Whether stones join the player's edges. Needs `close`."""
        captain, cells = self._space.layout.captain, self._space.layout.cells
        captains = self._space.memory[captain + cells : captain + cells + 2]
        return bool(captains[0] == captains[1])

    def carriers(self, which: int) -> NDArray[np.bool_] | None:
        """Return the carriers of the edge-to-edge fulls or semis, smallest first.

        A row a carrier, a truth value a cell of the board; None if there are
        none. Needs `close`, and that the edges are no chain.
        """
        layout, memory = self._space.layout, self._space.memory
        x, y = layout.cells, layout.cells + 1
        start = int(memory[layout.heads + y * (y - 1) + 2 * x + which])
        if not start or not memory[start + COUNT]:
            return None
        width = len(layout.words)
        first = start + COMMON + width
        entries = memory[first : first + int(memory[start + COUNT]) * (1 + width)]
        words = np.ascontiguousarray(entries.reshape(-1, 1 + width)[:, 1:])
        bits = np.unpackbits(words.view(np.uint8), axis=1, count=layout.cells, bitorder="little")
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
        space, (a, b, common) = self._space, self._links
        found = full_links(space.memory, space.log, space.layout, a, b, common)
        resistance = solve(
            self._columns,
            self._rows,
            self._stones,
            a[:found],
            b[:found],
            common[:found],
            WIRINGS["hexy"],
            self._potentials,
            self._flows,
        )
        return resistance, self._back(self._flows[np.newaxis])[0].copy()

    def _back(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Return rows of values, a value a cell of the frame, in the order of the board."""
        if self.color is Color.BLACK:
            return rows
        grid = rows.reshape(len(rows), self._rows, self._columns)
        return grid.transpose(0, 2, 1).reshape(len(rows), -1)
