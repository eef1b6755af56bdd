"""Equality of puzzles: up to the symmetries of the board, and a shift.

What a puzzle turns on are the cells of the winner's proof and of the threats
against it. Only these and what touches them count: two positions in which they
look alike, wherever on a board they lie and whoever is to move, are one puzzle.
"""

from hsearch.board import Board, Cell, Color
from hsearch.cells import CellSet
from hsearch.position import Position

Signature = tuple[tuple[int, int, str], ...]

_WHO = {Color.BLACK: "mover", Color.WHITE: "other"}


def signature(position: Position, region: CellSet) -> Signature:
    """Return what is equal for two puzzles that turn on the same; `region` are their cells."""
    if position.turn is Color.WHITE:
        board = position.board
        region = board.transposed.only(*(board.transpose(cell) for cell in region.search(1)))
        position = position.transposed()
    board = position.board
    turned = board.only(*(board.rotate(cell) for cell in region.search(1)))
    return min(_shape(position, region), _shape(position.rotated(), turned))


def _shape(position: Position, region: CellSet) -> Signature:
    """Return the cells of a region and what touches them, shifted to the corner."""
    board = position.board
    seen: dict[Cell, str] = {}
    edges: set[tuple[int, int, str]] = set()
    for cell in region.search(1):
        seen[cell] = _what(position, cell)
        for point in board.neighbors(cell):
            if not board.is_edge(point):
                seen.setdefault(point, _what(position, point))
            else:
                edges.add((*board.column_and_row(cell), board.name(point)))
    places = [(*board.column_and_row(cell), what) for cell, what in seen.items()]
    if not places:
        return ()
    left, top = _corner(places)
    return tuple(sorted((x - left, y - top, what) for x, y, what in (*places, *edges)))


def _what(position: Position, cell: Cell) -> str:
    color = position.color_at(cell)
    return "empty" if color is None else _WHO[color]


def _corner(places: list[tuple[int, int, str]]) -> tuple[int, int]:
    return min(x for x, _, _ in places), min(y for _, y, _ in places)


def whole(board: Board) -> CellSet:
    """Return all cells, for puzzles that are compared as they lie."""
    return board.only(*board.cells)
