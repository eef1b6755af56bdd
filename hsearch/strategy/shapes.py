"""The names of well-known shapes: bridges, and the edge templates that hsearch brings along.

A shape is known by its cells alone, wherever it lies along whichever edge, and
also reversed along it. Distances count from the edge, so that a cell is
(along, away)::

         (1,2)  B          B   is reversed to   B   with along -> away - along
        (0,1)(1,1)        * *                  * *
      (-1,0)(0,0)(1,0)   * * *                * * *
"""

from collections.abc import Iterable
from functools import cache

from hsearch.board import Board, Color, Point
from hsearch.cells import CellSet
from hsearch.connection import Connection
from hsearch.library.known import templates_in
from hsearch.library.placements import Offset, both_ways, offset
from hsearch.position import Position, groups

BRIDGE, EITHER = "bridge", "either"


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
    places = [_place(board, cell, edge) for cell in carrier.search(1)]
    start = min(along for along, _ in places)
    stones = _stones(end, position, color), position.stones(color).search(1)
    own, all_own = (
        _shifted((_place(board, cell, edge) for cell in cells), start) for cells in stones
    )
    for stone, others, name in _templates().get(_shifted(places, start), ()):
        if stone <= own and others <= all_own:
            return name
    return None


def _shifted(places: Iterable[Offset], start: int) -> frozenset[Offset]:
    return frozenset((along - start, away) for along, away in places)


def _place(board: Board, cell: Point, edge: Point) -> Offset:
    """Return how far along an edge a cell lies, and how far away from it."""
    color = next(color for color in Color if edge in board.edges(color))
    if color is Color.WHITE:
        board, cell, edge = board.transposed, board.transpose(cell), board.transpose(edge)
    if edge == board.edges(Color.BLACK)[0]:
        cell = board.rotate(cell)
    return offset(cell, board)


def _reaches(end: Point, edge: Point, position: Position, color: Color) -> bool:
    return any(end == group.captain and edge in group.edges for group in groups(position, color))


def _stones(end: Point, position: Position, color: Color) -> list[Point]:
    """Return the stones of the group that an end names, or the empty cell that it is."""
    for group in groups(position, color):
        if group.captain == end:
            return list(group.stones.search(1))
    return [end]


@cache
def _templates() -> dict[frozenset[Offset], list[tuple[frozenset[Offset], frozenset[Offset], str]]]:
    """Return the stone, the other stones and the name of templates, by their carriers.

    All as they are stand before all reversed.
    """
    known: dict[frozenset[Offset], list[tuple[frozenset[Offset], frozenset[Offset], str]]] = {}
    templates = [each.template for each in templates_in("edge")]
    for ways in zip(*map(both_ways, templates), strict=True):
        for template, (stone, others, carrier) in zip(templates, ways, strict=True):
            start = min(along for along, _ in carrier)
            form = _shifted(stone, start), _shifted(others, start), template.id
            known.setdefault(_shifted(carrier, start), []).append(form)
    return known
