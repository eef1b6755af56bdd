"""Fulls from a group to an edge that H-search misses, found in windows and derived on the board."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from hsearch.connect.connection import Connection, few_of, mustplay_rule, or_rule
from hsearch.connect.store import Array, ClosureReading, Given, Store
from hsearch.connect.window_answers import SearchedWindows, WindowAnswer, WindowRoom
from hsearch.connect.window_shape import EdgeView, Placement, Size, cut_out
from hsearch.hex import Cell, Point, Position, captains
from hsearch.hex.face import expect_range
from hsearch.kernels import window as kernel
from hsearch.kernels.exhaustive import MOST_POINTS
from hsearch.kernels.packing import FULL, SEMI

# The derivation, on the board, of a connection found in a window.
#
# The search tree is the proof. If H-search has a full at a node where the opponent
# moves, that is the conclusion. Otherwise OR joins semis: some of H-search, and for
# each other intrusion one that starts with the owner's reply and follows, by the
# must-play rule, from the full that holds then.


class Derivation:
    """The derivation of a connection found in a window. Holds state: its arrays."""

    def __init__(
        self,
        placement: Placement,
        position: Position,
        ends: tuple[Point, Point],
        room: WindowRoom,
        tree: Array,
    ) -> None:
        """Prepare to derive the connection; `tree` is that of the search that found it."""
        self._color = placement.view.color
        self._position = position
        self._ends = ends
        self._room = room
        self._tree = tree
        self._cells = [placement.cell(place) for place in placement.window.points]

    def full(self) -> Connection:
        """Return the connection that the search found."""
        return self._full(0, self._position)

    def _full(self, node: int, here: Position) -> Connection:
        """Return the full that holds at a node where the opponent moves."""
        by = int(self._tree[node, kernel.BY])
        if by != kernel.BY_SEMI:
            # The search may have found it only after the opponent intruded elsewhere.
            return next(self._connections(node if by == kernel.BY_FULL else by, here, FULL))
        semis = few_of((*self._connections(node, here, SEMI), *self._answers(node, here)))
        full = or_rule(*semis)
        assert full is not None  # noqa: S101 - the search joined exactly these
        return full

    def _answers(self, node: int, here: Position) -> Iterator[Connection]:
        """Yield the semis that answer the intrusions at a node."""
        captain_of = captains(here, self._color)
        x, y = (captain_of[end] for end in self._ends)
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
                yield next(self._connections(child, here, SEMI))
            child = int(self._tree[child, kernel.NEXT])

    def _connections(self, node: int, here: Position, which: int) -> Iterator[Connection]:
        """Yield H-search's connections of the ends at a node, small ones first."""
        own, free = self._tree[node, kernel.OWN], self._tree[node, kernel.FREE]
        memory, log = self._room.closure(int(own), int(free))
        names, first = self._names(here), len(self._cells)
        reading = ClosureReading(here.board, memory, log, names, names, first)
        yield from reading.between(first, first + 1, which)

    def _names(self, here: Position) -> list[Point]:
        """Return the board's captains of the window's points and of both ends."""
        captain_of = captains(here, self._color)
        return [captain_of.get(point, -1) for point in (*self._cells, *self._ends)]


# Fulls from a group to an edge that H-search misses, found in windows.


@dataclass(frozen=True, slots=True)
class WindowEffort:
    """Limits on the work for a player.

    work    most work, counted in closures as in `WindowAnswer`, in a window of
            `MOST_POINTS` points; smaller windows get more, in inverse proportion to the
            square of their points, as a closure costs less there
    size    how large windows are
    ladder  most work in a second window, as wide as possible, for ladders: used if the
            first is not joined and the group is on the third row or below. 0: none

    Raise ValueError when a number is out of range.
    """

    work: int = 20
    size: Size = field(default_factory=Size)
    ladder: int = 5

    def __post_init__(self) -> None:
        expect_range("work", self.work, 1)
        expect_range("ladder", self.ladder, 0)

    def windows(
        self, view: EdgeView, groups: list[int], group: int
    ) -> Iterator[tuple[Placement, int]]:
        """Yield the windows between a group of a view and the edge, each with its most work.

        `groups` are all groups of the view.
        """
        placement = cut_out(view, groups, group, self.size)
        if placement is None:
            return
        points = len(placement.window.points)
        yield placement, self.work * MOST_POINTS**2 // points**2
        if self.ladder and view.lowest_row(group) <= _LADDER_ROW:
            wide = cut_out(view, groups, group, _LADDER)
            if wide is not None and wide.window != placement.window:
                yield wide, self.ladder


_USUAL = WindowEffort()
_LADDER = Size(above=0, detour=2 * MOST_POINTS)
_LADDER_ROW = 3


def strengthen(
    position: Position, store: Store, windows: SearchedWindows, effort: WindowEffort = _USUAL
) -> list[Given]:
    """Return fulls between groups and edges that a finished closure does not have.

    Only groups with a semi to the edge are tried, since others are mostly not
    connected. `hsearch.connect.closure.extend` adds these fulls to the store.
    """
    connections = []
    for view, groups, group in candidates(position, store):
        for placement, work in effort.windows(view, groups, group):
            answer = windows.ask(placement.window, work)
            if answer.joined:
                connections.append(
                    _full_of_answer(position, store, placement, view.a_cell(group), answer)
                )
                break
    return connections


def candidates(position: Position, store: Store) -> Iterator[tuple[EdgeView, list[int], int]]:
    """Yield, for each group that may have a full to an edge, what a search for it takes.

    That is the view of the edge, the groups of the view, and that group.
    """
    if store.has_chain:
        return
    for view in EdgeView.both(position, store.color):
        groups = view.groups()
        for group in groups[1:]:
            stone = view.a_cell(group)
            if store.has_semi(stone, view.edge) and not store.has_full(stone, view.edge):
                yield view, groups, group


def _full_of_answer(
    position: Position, store: Store, placement: Placement, stone: Cell, answer: WindowAnswer
) -> Given:
    """Return an answer of a window as a full of the board."""
    edge, carrier = placement.view.edge, position.board.only(*placement.cells(answer.carrier))
    x, y = sorted(point for point in (store.captain(stone), edge) if point is not None)
    return Given(x, y, carrier, partial(_derive, position, placement, (stone, edge), answer))


def _derive(
    position: Position, placement: Placement, ends: tuple[Point, Point], answer: WindowAnswer
) -> Connection:
    """Return the connection with its derivation, by repeating the search."""
    room = WindowRoom(placement.window)
    _, tree = room.solve(answer.work)
    return Derivation(placement, position, ends, room, tree).full()
