"""The known templates at all places of a board, as rows for the kernels.

A template may be shifted along its edge, reversed, and turned by 180 degrees to
the other edge. The frame is the one in which the owner joins the first two
edges, so the other player's are the transposed ones.
"""

from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Board, Cell, Color, Point
from hsearch.cells import CellSet, to_words
from hsearch.library.known import shipped_templates
from hsearch.library.template import Template

Offset: TypeAlias = tuple[int, int]  # column, and rows above the row at the edge


@cache
def placements(columns: int, rows: int) -> NDArray[np.int64]:
    """Return the placements of the templates that H-search misses, once each.

    The rows are those of `hsearch.kernels.preload`.
    """
    board = Board(columns, rows)
    missed = [known for known in shipped_templates() if not known.is_found]
    templates = [template for known in missed for template in known.members(columns, known.missed)]
    found = {row: None for template in templates for row in placed(template, board)}
    width = -(-(board.size + 2) // 64)
    table = np.zeros((len(found), 2 + 2 * width), np.int64)
    for row, (end, edge, stones, carrier) in zip(table, found, strict=True):
        row[:2] = end, edge
        row[2 : 2 + width] = to_words(stones, width).view(np.int64)
        row[2 + width :] = to_words(carrier, width).view(np.int64)
    return table


def placed(template: Template, board: Board) -> Iterator[tuple[Cell, Point, CellSet, CellSet]]:
    """Yield each placement of a template: its end, edge, further stones and carrier.

    The end itself may be an empty cell, which counts as the owner's. The
    template is Black's at the south edge, as all are that come with the program.
    """
    north, south = board.edges(Color.BLACK)
    for end, stones, carrier in both_ways(template):
        places = [*end, *stones, *carrier]
        left = min(column for column, _ in places)
        wide = max(column for column, _ in places) - left
        if max(height for _, height in places) >= board.rows:
            continue
        for shift in range(-left, board.columns - wide - left):
            parts = [_cells(part, shift, board) for part in (end, stones, carrier)]
            for edge in (south, north):
                yield parts[0][0], edge, board.only(*parts[1]), board.only(*parts[2])
                parts = [[board.rotate(cell) for cell in part] for part in parts]


def both_ways(template: Template) -> Iterator[tuple[list[Offset], list[Offset], list[Offset]]]:
    """Yield the end, the other stones and the carrier as they are, and reversed along the edge."""
    board = template.position.board
    stones = template.position.black & ~board.only(template.stone)
    parts = [[template.stone], stones.search(1), template.carrier.search(1)]
    end, others, carrier = ([offset(cell, board) for cell in part] for part in parts)
    yield end, others, carrier
    yield _reversed(end), _reversed(others), _reversed(carrier)


def offset(cell: Cell, board: Board) -> Offset:
    """Return the column of a cell, and how many rows above the south edge it lies."""
    column, row = board.column_and_row(cell)
    return column, board.rows - 1 - row


def _reversed(places: list[Offset]) -> list[Offset]:
    """Mirror places along the edge; a row further up lies half a cell further right."""
    return [(height - column, height) for column, height in places]


def _cells(places: list[Offset], shift: int, board: Board) -> list[Cell]:
    return [board.at(column + shift, board.rows - 1 - height) for column, height in places]
