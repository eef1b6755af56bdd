"""Fulls from a group to an edge that H-search misses, found in windows."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from hsearch.board import Cell, Point
from hsearch.connection import Connection, Rule
from hsearch.position import Position
from hsearch.store import Given, Store
from hsearch.window.cut import Size, cut_out
from hsearch.window.derivation import Derivation
from hsearch.window.known import Known
from hsearch.window.search import Answer, Room
from hsearch.window.shape import Placed
from hsearch.window.view import View


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is done for a side.

    budget  most closures in a window
    size    how large windows are

    Raise ValueError when the budget is less than 1.
    """

    budget: int = 20
    size: Size = field(default_factory=Size)

    def __post_init__(self) -> None:
        if self.budget < 1:
            raise ValueError(f"budget out of range: {self.budget} (1 or more)")


_USUAL = Effort()


def strengthen(
    position: Position, store: Store, known: Known, effort: Effort = _USUAL
) -> list[Given]:
    """Return fulls between groups and edges that a finished closure does not have.

    Asked are only groups that have a semi to the edge, for else the answer is
    mostly no. `hsearch.closure.extended` puts what is returned among the others.
    """
    found = []
    for placed, stone in windows(position, store, effort.size):
        answer = known.ask(placed.window, effort.budget)
        if answer.joined:
            found.append(_given(position, store, placed, stone, answer))
    return found


def windows(position: Position, store: Store, size: Size) -> Iterator[tuple[Placed, Cell]]:
    """Yield a stone of each group that may have a full to an edge, and the window between."""
    for view in View.both(position, store.color):
        groups = view.groups()
        for group in groups[1:]:
            row, column = divmod((group & -group).bit_length() - 1, view.stride)
            stone = view.cell(column, row)
            if store.has_full(stone, view.edge) or not store.has_semi(stone, view.edge):
                continue
            placed = cut_out(view, groups, group, size)
            if placed is not None:
                yield placed, stone


def _given(position: Position, store: Store, placed: Placed, stone: Cell, answer: Answer) -> Given:
    """Return what an answer says of the board."""
    edge, carrier = placed.view.edge, position.board.only(*placed.cells(answer.carrier))
    x, y = sorted(point for point in (store.captain(stone), edge) if point is not None)
    step = Connection(x, y, carrier, rule=Rule.TEMPLATE)
    return Given(x, y, carrier, partial(_derived, position, placed, (stone, edge), answer, step))


def _derived(
    position: Position, placed: Placed, ends: tuple[Point, Point], answer: Answer, step: Connection
) -> Connection:
    """Return what was found with all that it follows from.

    A search that was remembered from another version of the program may not
    come out the same again. Then it stands by itself, like a known template.
    """
    room = Room(placed.window)
    again, tree = room.solve(answer.used)
    if again != answer:
        return step
    return Derivation(placed, position, ends, room, tree).full()
