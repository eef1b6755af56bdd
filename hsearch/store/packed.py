"""The places of things in the arrays of the kernels, and connections read from them.

See `hsearch.kernels.packing` for the memory and the log.
"""

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Board, Cell, Point
from hsearch.cells import CellSet, from_words
from hsearch.connection import Connection, Rule
from hsearch.kernels import packing
from hsearch.kernels.packing import CARRIER, COMMON, COUNT, FACTS, Layout

Array = NDArray[np.int64]

RULES = {
    packing.ADJACENT: Rule.ADJACENT,
    packing.AND: Rule.AND,
    packing.OR: Rule.OR,
    packing.TEMPLATE: Rule.TEMPLATE,
}


def unpack(facts: int) -> tuple[Point, Point, Cell | None, int, int]:
    """Return the ends, key, rule and number of premises of a node, as the kernels name them."""
    key = (facts >> 24 & 0xFFF) - 1
    ends = facts & 0xFFF, facts >> 12 & 0xFFF
    return *ends, None if key < 0 else key, facts >> 36 & 0x3F, facts >> 42


@cache
def layout(cells: int) -> Layout:
    """Return where things stand in memory on boards of this many cells."""
    points = cells + 2
    width = -(-points // 64)
    rows = points * width
    regions = (points, points, rows, rows, 4 * (cells + 1), width)
    starts = np.cumsum([packing.COUNTS, *regions, points * (points - 1)]).tolist()
    return Layout((0,) * width, cells, *starts)


def rows_for(layout: Layout) -> Array:
    """Return room for the OR rule."""
    return np.zeros((4 * layout.cells + 200, len(layout.words) + 1), np.int64)


def entries_at(memory: Array, layout: Layout, start: int) -> Array:
    """Return the entries of the list that starts there: rows of a tag and a carrier."""
    stride = 1 + len(layout.words)
    first = start + COMMON + len(layout.words)
    count = int(memory[start + COUNT]) if start else 0
    return memory[first : first + count * stride].reshape(-1, stride)


def entries(memory: Array, layout: Layout, x: Point, y: Point, which: int) -> Array:
    """Return the entries of the list of two points as the kernels name them, x < y."""
    start = int(memory[layout.heads + y * (y - 1) + 2 * x + which])
    return entries_at(memory, layout, start)


def has_chain(memory: Array, layout: Layout) -> bool:
    """Return whether stones join the player's edges."""
    captains = memory[layout.captain + layout.cells : layout.captain + layout.cells + 2]
    return bool(captains[0] == captains[1])


class Reading:
    """Connections in the arrays of a finished closure, read as values. Holds those it has read."""

    def __init__(
        self,
        board: Board,
        memory: Array,
        log: Array,
        ends: Mapping[Point, Point] | Sequence[Point],
        cells: Sequence[Point] | None,
        size: int,
    ) -> None:
        """Take the arrays of a board of `size` cells, and what `board` calls its points.

        `ends` names the captains, `cells` the cells; None if those are the same.
        """
        self.board = board
        self.memory = memory
        self.log = log
        self.layout = layout(size)
        self._ends = ends
        self._cell_names = cells
        self._values: dict[int, Connection] = {}

    def between(self, x: Point, y: Point, which: int) -> list[Connection]:
        """Return the fulls or semis of two points as the kernels name them, small ones first."""
        return list(map(self._value, self._nodes(entries(self.memory, self.layout, x, y, which))))

    def _nodes(self, found: Array) -> list[int]:
        nodes: list[int] = (found[:, 0] >> 20).tolist()
        return nodes

    def _value(self, node: int) -> Connection:
        """Return a node as a value, with all that it was derived from."""
        if node not in self._values:
            x, y, key, rule, premises = unpack(int(self.log[node + FACTS]))
            start = node + CARRIER + len(self.layout.words)
            x, y = sorted((self._ends[x], self._ends[y]))
            carrier = self._cells(self.log[node + CARRIER : start])
            nodes = self.log[start : start + premises].tolist()
            given = self._derived(x, y, carrier) if rule == packing.TEMPLATE else None
            self._values[node] = given or Connection(
                x,
                y,
                carrier,
                None if key is None else self._unframed(key),
                RULES[rule],
                tuple(map(self._value, nodes)),
            )
        return self._values[node]

    def _derived(self, _x: Point, _y: Point, _carrier: CellSet) -> Connection | None:
        """Return a better reason for a connection than that it is known; None if there is none."""
        return None

    def _cells(self, row: Array) -> CellSet:
        return self.unframed(from_words(row.view(np.uint64), self.layout.cells))

    def unframed(self, cells: CellSet) -> CellSet:
        """Return where cells of the kernels' board lie."""
        if self._cell_names is None:
            return cells
        return self.board.only(*map(self._cell_names.__getitem__, cells.search(1)))

    def _unframed(self, point: Point) -> Point:
        return point if self._cell_names is None else self._cell_names[point]
