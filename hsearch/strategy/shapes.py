"""The names of well-known shapes: bridges, and the edge templates that hsearch brings along.

A shape is known by its cells alone, wherever it lies along whichever edge, and
also reversed along it. Distances count from the edge, so that a cell is
(along, away)::

         (1,2)  B          B   is reversed to   B   with along -> away - along
        (0,1)(1,1)        * *                  * *
      (-1,0)(0,0)(1,0)   * * *                * * *
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from hsearch.board import Board, Color, Point
from hsearch.cells import CellSet
from hsearch.connection import Connection
from hsearch.formats import suite
from hsearch.formats.shipped import shipped
from hsearch.position import Position, groups

TEMPLATES = "templates/edge.txt"
BRIDGE, EITHER = "bridge", "either"

Offset = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Form:
    """An edge template, as far as its name depends on it.

    carrier  the empty cells, the least `along` being 0
    stone    the stone that is joined to the edge
    others   further stones of the owner that it needs
    """

    carrier: frozenset[Offset]
    stone: Offset
    others: frozenset[Offset]


def shape(connection: Connection, position: Position, color: Color) -> str | None:
    """Return the name of a full connection; None if it has none.

    Two cells that touch are a `bridge`, two that do not are `either`. Others
    are edge templates, by their ids in `positions/templates/edge.txt`.
    """
    cells = list(connection.carrier.search(1))
    if not connection.is_full or len(cells) < 2:
        return None
    if len(cells) == 2:
        return BRIDGE if cells[1] in position.board.neighbors(cells[0]) else EITHER
    for edge in position.board.edges(color):
        for end in connection.ends:
            if _reaches(connection.other_end(end), edge, position, color):
                found = _template(position, color, edge, end, connection.carrier)
                if found is not None:
                    return found
    return None


def _template(
    position: Position, color: Color, edge: Point, end: Point, carrier: CellSet
) -> str | None:
    """Return the name of the template that joins a group or an empty cell to an edge."""
    board = position.board
    stones = _stones(end, position, color)
    for reverse in (False, True):
        places = [_place(board, cell, edge, reverse=reverse) for cell in carrier.search(1)]
        start = min(along for along, _ in places)
        own = _shifted((_place(board, s, edge, reverse=reverse) for s in stones), start)
        all_own = _shifted(
            (_place(board, s, edge, reverse=reverse) for s in position.stones(color).search(1)),
            start,
        )
        for form, name in _templates().get(_shifted(places, start), ()):
            if form.stone in own and form.others <= all_own:
                return name
    return None


def _shifted(places: Iterator[Offset] | list[Offset], start: int) -> frozenset[Offset]:
    return frozenset((along - start, away) for along, away in places)


def _place(board: Board, cell: Point, edge: Point, *, reverse: bool) -> Offset:
    """Return how far along an edge a cell lies, and how far away from it."""
    color = next(color for color in Color if edge in board.edges(color))
    if color is Color.WHITE:
        board, cell, edge = board.transposed, board.transpose(cell), board.transpose(edge)
    if edge == board.edges(Color.BLACK)[0]:
        cell = board.rotate(cell)
    column, row = board.column_and_row(cell)
    away = board.rows - 1 - row
    return (away - column if reverse else column), away


def _reaches(end: Point, edge: Point, position: Position, color: Color) -> bool:
    return any(end == group.captain and edge in group.edges for group in groups(position, color))


def _stones(end: Point, position: Position, color: Color) -> list[Point]:
    """Return the stones of the group that an end names, or the empty cell that it is."""
    for group in groups(position, color):
        if group.captain == end:
            return list(group.stones.search(1))
    return [end]


@cache
def _templates() -> dict[frozenset[Offset], list[tuple[Form, str]]]:
    """Return the templates by their carriers; bridges are known without them."""
    file = shipped(TEMPLATES)
    known: dict[frozenset[Offset], list[tuple[Form, str]]] = {}
    for entry in suite.read(file.read_text(encoding="utf-8")) if file is not None else ():
        position = entry.game.position()
        board = position.board
        edge = board.point(entry.values("edge")[0])
        stone = next(entry.cells("stone").search(1))
        cells = [
            _place(board, cell, edge, reverse=False) for cell in entry.cells("carrier").search(1)
        ]
        start = min(along for along, _ in cells)
        others = [
            _place(board, cell, edge, reverse=False)
            for cell in position.black.search(1)
            if cell != stone
        ]
        (place,) = _shifted([_place(board, stone, edge, reverse=False)], start)
        form = Form(_shifted(cells, start), place, _shifted(others, start))
        known.setdefault(form.carrier, []).append((form, entry.id))
    return known
