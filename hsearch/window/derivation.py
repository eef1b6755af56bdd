"""Derivation of a connection found in a window, on the board where the window lies.

The search's tree is its proof. Where the opponent moves and H-search has a full,
that is the reason. Else semis are joined by OR: some that H-search has, and for
each other intrusion one that starts with the owner's answer and rests on the
full that holds then, by the must-play rule.
"""

from collections.abc import Iterable, Iterator

from bitarray.util import subset

from hsearch.board import Point
from hsearch.cells import CellSet
from hsearch.connection import Connection, mustplay_rule, or_rule
from hsearch.kernels import lists
from hsearch.kernels import window as kernel
from hsearch.kernels.lists import CARRIER, COUNT, FACTS, FULL, SEMI
from hsearch.position import Position, captains
from hsearch.store import RULES, Array, layout, unpack
from hsearch.window.search import Room
from hsearch.window.shape import Placed


class Derivation:
    """The derivation of what a search has found in a window. Holds state: its arrays."""

    def __init__(
        self, placed: Placed, position: Position, ends: tuple[Point, Point], room: Room, tree: Array
    ) -> None:
        """Prepare to derive what a search has found; `tree` is what it left."""
        self._color = placed.view.color
        self._position = position
        self._ends = ends
        self._room = room
        self._tree = tree
        self._cells = [placed.cell(place) for place in placed.window.points]

    def full(self) -> Connection:
        """Return the connection that the search has found."""
        return self._full(0, self._position)

    def _full(self, node: int, here: Position) -> Connection:
        """Return the full that holds at a node where the opponent moves."""
        by = int(self._tree[node, kernel.BY])
        if by != kernel.BY_SEMI:
            # It may be seen only once the opponent has intruded elsewhere.
            return next(self._found(node if by == kernel.BY_FULL else by, here, FULL))
        semis = _few((*self._found(node, here, SEMI), *self._answers(node, here)))
        full = or_rule(*semis)
        assert full is not None  # noqa: S101 - the search has joined just these
        return full

    def _answers(self, node: int, here: Position) -> Iterator[Connection]:
        """Yield the semis that answer the intrusions of a node."""
        named = captains(here, self._color)
        x, y = (named[end] for end in self._ends)
        child = int(self._tree[node, kernel.CHILD])
        while child >= 0:
            by = int(self._tree[child, kernel.BY])
            if self._tree[child, kernel.STATE] == kernel.JOINED and by >= 0:
                key = self._cells[self._tree[by, kernel.MOVE]]
                after = self._full(by, here.put(key, self._color))
                semi = mustplay_rule(after, x, y, key, here, self._color)
                assert semi is not None  # noqa: S101 - the window has the groups of the board
                yield semi
            elif self._tree[child, kernel.STATE] == kernel.JOINED:
                yield next(self._found(child, here, SEMI))
            child = int(self._tree[child, kernel.NEXT])

    def _found(self, node: int, here: Position, which: int) -> Iterator[Connection]:
        """Yield what H-search has between the ends at a node, small ones first."""
        own, free = self._tree[node, kernel.OWN], self._tree[node, kernel.FREE]
        memory, log = self._room.closure(int(own), int(free))
        reading = Reading(self._names(here), here, memory, log)
        first = len(self._cells)
        yield from reading.between(first, first + 1, which)

    def _names(self, here: Position) -> list[Point]:
        """Return what the board calls the window's points and both ends."""
        named = captains(here, self._color)
        return [named.get(point, -1) for point in (*self._cells, *self._ends)]


class Reading:
    """Connections read from the arrays of a closure in a window. Holds state."""

    def __init__(self, names: list[Point], position: Position, memory: Array, log: Array) -> None:
        """Take the arrays, and what the board calls each point."""
        self._names = names
        self._board = position.board
        self._memory = memory
        self._log = log
        self._layout = layout(len(names) - 2)
        self._values: dict[int, Connection] = {}

    def between(self, x: int, y: int, which: int) -> list[Connection]:
        """Return the fulls or the semis of two points, small ones first."""
        start = int(self._memory[lists.head_of(self._layout, x, y, which)])
        if not start:
            return []
        stride = 1 + len(self._layout.words)
        first = lists.entries_of(start, self._layout)
        tags = self._memory[first : first + int(self._memory[start + COUNT]) * stride : stride]
        return [self._value(int(tag) >> 20) for tag in tags]

    def _value(self, node: int) -> Connection:
        if node not in self._values:
            x, y, key, rule, count = unpack(int(self._log[node + FACTS]))
            start = node + CARRIER + len(self._layout.words)
            words = self._log[start : start + count].tolist()
            ends = sorted((self._names[x], self._names[y]))
            self._values[node] = Connection(
                ends[0],
                ends[1],
                self._carrier(int(self._log[node + CARRIER])),
                None if key is None else self._names[key],
                RULES[rule],
                tuple(self._value(word) for word in words if word >= 0),
                tuple(self._pair(-1 - word) for word in words if word < 0),
            )
        return self._values[node]

    def _carrier(self, bits: int) -> CellSet:
        points = range(len(self._names) - 2)
        return self._board.only(*(self._names[point] for point in points if bits >> point & 1))

    def _pair(self, pair: int) -> CellSet:
        return self._board.only(self._names[pair & 0xFFF], self._names[pair >> 12])


def _few(semis: Iterable[Connection]) -> Iterator[Connection]:
    """Yield semis that each leave fewer cells in common with those before."""
    common: CellSet | None = None
    for semi in semis:
        if common is None or not subset(common, semi.carrier):
            common = semi.carrier if common is None else common & semi.carrier
            yield semi
