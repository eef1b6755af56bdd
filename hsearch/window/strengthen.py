"""Fulls from a group to an edge that H-search misses, found in windows."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from hsearch.board import Cell, Point
from hsearch.connection import Connection
from hsearch.kernels.window import MOST_POINTS
from hsearch.position import Position
from hsearch.store import Given, Store
from hsearch.window.cut import Size, cut_out
from hsearch.window.derivation import Derivation
from hsearch.window.known import SearchedWindows
from hsearch.window.search import Room, WindowAnswer
from hsearch.window.shape import Placed
from hsearch.window.view import EdgeView


@dataclass(frozen=True, slots=True)
class WindowEffort:
    """Work that may be done for a side.

    work    most work in a window of `MOST_POINTS` points; smaller ones get more, as the
            square of their points, for there a closure costs less
    size    how large windows are
    ladder  most work in a second window where the first is not joined and the group
            is not above the third row: one as wide as may be, for ladders. 0 is none

    Raise ValueError when a number is out of range.
    """

    work: int = 20
    size: Size = field(default_factory=Size)
    ladder: int = 5

    def __post_init__(self) -> None:
        if self.work < 1:
            raise ValueError(f"work out of range: {self.work} (1 or more)")
        if self.ladder < 0:
            raise ValueError(f"ladder out of range: {self.ladder} (0 or more)")

    def windows(
        self, view: EdgeView, groups: list[int], group: int
    ) -> Iterator[tuple[Placed, int]]:
        """Yield the windows between a group of a view and the edge, and how much work each may be.

        The `groups` are all of the view.
        """
        placed = cut_out(view, groups, group, self.size)
        if placed is None:
            return
        points = len(placed.window.points)
        yield placed, self.work * MOST_POINTS**2 // points**2
        if self.ladder and view.lowest_row(group) <= _LADDER_ROW:
            wide = cut_out(view, groups, group, _LADDER)
            if wide is not None and wide.window != placed.window:
                yield wide, self.ladder


_USUAL = WindowEffort()
_LADDER = Size(above=0, detour=2 * MOST_POINTS)
_LADDER_ROW = 3


def strengthen(
    position: Position, store: Store, known: SearchedWindows, effort: WindowEffort = _USUAL
) -> list[Given]:
    """Return fulls between groups and edges that a finished closure does not have.

    Asked are only groups that have a semi to the edge, for else the answer is
    mostly no. `hsearch.closure.extended` puts what is returned among the others.
    """
    found = []
    for view, groups, group in asked(position, store):
        for placed, work in effort.windows(view, groups, group):
            answer = known.ask(placed.window, work)
            if answer.joined:
                found.append(_given(position, store, placed, view.a_cell(group), answer))
                break
    return found


def asked(position: Position, store: Store) -> Iterator[tuple[EdgeView, list[int], int]]:
    """Yield each group that may have a full to an edge, above that edge, with all groups there."""
    if store.has_chain:
        return
    for view in EdgeView.both(position, store.color):
        groups = view.groups()
        for group in groups[1:]:
            stone = view.a_cell(group)
            if store.has_semi(stone, view.edge) and not store.has_full(stone, view.edge):
                yield view, groups, group


def _given(
    position: Position, store: Store, placed: Placed, stone: Cell, answer: WindowAnswer
) -> Given:
    """Return what an answer says of the board."""
    edge, carrier = placed.view.edge, position.board.only(*placed.cells(answer.carrier))
    x, y = sorted(point for point in (store.captain(stone), edge) if point is not None)
    return Given(x, y, carrier, partial(_derived, position, placed, (stone, edge), answer))


def _derived(
    position: Position, placed: Placed, ends: tuple[Point, Point], answer: WindowAnswer
) -> Connection:
    """Return what was found with all that it follows from: the search is done again."""
    room = Room(placed.window)
    _, tree = room.solve(answer.used)
    return Derivation(placed, position, ends, room, tree).full()
