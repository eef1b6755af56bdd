"""Derivation of a connection found in a window, on the board where the window lies.

The search's tree is its proof. Where the opponent moves and H-search has a full,
that is the reason. Else semis are joined by OR: some that H-search has, and for
each other intrusion one that starts with the owner's answer and rests on the
full that holds then, by the must-play rule.
"""

from collections.abc import Iterator

from hsearch.board import Point
from hsearch.connection import Connection, few_of, mustplay_rule, or_rule
from hsearch.kernels import window as kernel
from hsearch.kernels.packing import FULL, SEMI
from hsearch.position import Position, captains
from hsearch.store import Array, Reading
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
        semis = few_of((*self._found(node, here, SEMI), *self._answers(node, here)))
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
        names, first = self._names(here), len(self._cells)
        reading = Reading(here.board, memory, log, names, names, first)
        yield from reading.between(first, first + 1, which)

    def _names(self, here: Position) -> list[Point]:
        """Return what the board calls the window's points and both ends."""
        named = captains(here, self._color)
        return [named.get(point, -1) for point in (*self._cells, *self._ends)]
