"""The connections of both players, kept up to date from move to move.

The derivation of a connection may be older than stones that have been placed
since. Such a derivation is read with today's stones: a semi whose key is an
own stone by now has become a full across it, an OR over such a semi is not
needed any more, and a connection of two points that have become one drops out.
"""

import numpy as np

from hsearch.board import Cell, Color
from hsearch.closure import Limits, closure
from hsearch.closure.search import options
from hsearch.connection import Connection, adjacent, and_rule, or_rule
from hsearch.kernels import lists, update
from hsearch.position import IllegalMoveError, Position
from hsearch.position.frame import Frame
from hsearch.store import Array, Store, rows_for, unpack

_DEFAULT = Limits()


class Connections:
    """The connections of both players as stones come and go. Holds state."""

    def __init__(self, position: Position, limits: Limits = _DEFAULT) -> None:
        """Find the connections of a position from scratch.

        Raise ValueError when the limits stop the search at a win, since what was
        not looked for cannot be kept up to date, or when they ask for templates.
        """
        if limits.stop_at_win:
            raise ValueError("an update needs a closure that does not stop at a win")
        if limits.templates:
            raise ValueError("an update looks for no templates")
        self._positions = [position]
        self._sides = {color: Side(position, color, limits) for color in Color}

    @property
    def position(self) -> Position:
        """The position whose connections these are."""
        return self._positions[-1]

    def play(self, cell: Cell) -> None:
        """Add a stone of the player to move. Raise IllegalMoveError when the cell is not empty."""
        self._advance(self.position.play(cell), cell, self.position.turn)

    def put(self, cell: Cell, color: Color) -> None:
        """Add a stone of either player; the same player is to move.

        Raise IllegalMoveError when the cell is not empty.
        """
        self._advance(self.position.put(cell, color), cell, color)

    def undo(self) -> None:
        """Take back the last stone. Raise IllegalMoveError when there is none."""
        if len(self._positions) == 1:
            raise IllegalMoveError("nothing to undo")
        self._positions.pop()
        for side in self._sides.values():
            side.undo()

    def store(self, color: Color) -> Store:
        """Return a player's connections in the position, as a value of its own."""
        return self._sides[color].store(self.position)

    def _advance(self, position: Position, cell: Cell, color: Color) -> None:
        for owner, side in self._sides.items():
            side.advance(position.board.transpose(cell) if owner else cell, own=owner is color)
        self._positions.append(position)


class Side:
    """One player's connections as stones come and go, in the player's frame. Holds state."""

    def __init__(self, position: Position, color: Color, limits: Limits) -> None:
        """Take over the arrays of a closure from scratch, with room to grow."""
        scratch = closure(position, color, limits)
        self._color = color
        self._columns = Frame.of(position, color).columns
        self._options = options(limits)
        self._layout = scratch.layout
        self._memory = _with_room(scratch.memory, 2)
        self._log = _with_room(scratch.log, 4)
        self._rows = rows_for(self._layout)
        self._before: list[Array] = []

    def advance(self, cell: Cell, *, own: bool) -> None:
        """Add a stone on a cell of the player's frame."""
        before = self._memory[: self._memory[lists.MEMORY_USED]].copy()
        while True:
            arrays = (self._options, self._layout, self._memory, self._log, self._rows)
            if own:
                update.own_stone(cell, self._columns, *arrays)
            else:
                update.opponent_stone(cell, *arrays)
            if not self._memory[lists.OVERFLOW]:
                self._before.append(before)
                return
            self._memory = _with_room(before, 2 * self._memory.size // before.size + 1)
            self._log = _with_room(self._log, 2)
            self._rows = np.zeros((2 * len(self._rows), self._rows.shape[1]), np.int64)

    def undo(self) -> None:
        """Take back the last stone."""
        before = self._before.pop()
        self._memory[: before.size] = before

    @property
    def arrays(self) -> tuple[Array, Array]:
        """The memory and the log as they are now: no copies, and only to be read."""
        return self._memory, self._log

    def tries(self) -> dict[str, int]:
        """Return how often the rules were tried for the last stone."""
        names = {"and_tries": lists.AND_TRIES, "or_tries": lists.OR_TRIES}
        return {name: int(self._memory[place]) for name, place in names.items()}

    def store(self, position: Position) -> Store:
        """Return a copy of the connections."""
        memory = self._memory[: self._memory[lists.MEMORY_USED]].copy()
        log = self._log[: self._memory[lists.LOG_USED]].copy()
        return _UpdatedStore(position, self._color, memory, log)


class _UpdatedStore(Store):
    """A store in which derivations are read with the stones of today."""

    def __init__(self, position: Position, color: Color, memory: Array, log: Array) -> None:
        super().__init__(position.board, color, memory, log)
        self._position = position
        self._read: dict[int, Connection | None] = {}

    def _value(self, node: int) -> Connection:
        value = self._today(node)
        if value is None:
            raise RuntimeError(f"the ends of a kept connection have become one: node {node}")
        return value

    def _today(self, node: int) -> Connection | None:
        """Return what a node promises today; None if its ends have become one point."""
        if node not in self._read:
            self._read[node] = self._derive(node)
        return self._read[node]

    def _derive(self, node: int) -> Connection | None:
        x, y, _, rule, count = unpack(int(self.log[node + lists.FACTS]))
        start = node + lists.CARRIER + len(self.layout.words)
        nodes = self.log[start : start + count].tolist()
        if rule == lists.OWN_STONE:
            return self._today(nodes[0])
        if rule == lists.ADJACENT:
            x, y = self._point_today(x), self._point_today(y)
            return None if x == y else adjacent(x, y, self.board)
        premises = [self._today(premise) for premise in nodes]
        if rule == lists.AND:
            return self._join(nodes, premises)
        semis = [premise for premise in premises if premise is not None]
        if len(semis) < len(premises):
            return None
        fulls = [semi for semi in semis if semi.is_full]
        return min(fulls, key=lambda full: full.carrier.count()) if fulls else or_rule(*semis)

    def _join(self, nodes: list[int], premises: list[Connection | None]) -> Connection | None:
        """Return what AND makes of two premises today."""
        first, second = premises
        if first is None or second is None:
            return first or second
        ends = [set(unpack(int(self.log[node + lists.FACTS]))[:2]) for node in nodes]
        (pivot,) = ends[0] & ends[1]
        via = self._point_today(pivot)
        if first.other_end(via) == second.other_end(via):
            return None
        empty = via < self.board.size and bool(self._position.empty[via])
        return and_rule(first, second, via, self.board, empty=empty)

    def _point_today(self, framed: int) -> int:
        """Return the name that a point of the kernels' frame has today."""
        return self._captains[int(self.memory[self.layout.captain + framed])]


def _with_room(array: Array, times: int) -> Array:
    """Return a copy with room behind."""
    larger = np.zeros(max(times * array.size, 4096), np.int64)
    larger[: array.size] = array
    return larger
