"""Pairs of cells that a player captures once the cell above them is theirs.

If the opponent enters one of the two, the player takes the other, and the
intruder is dead: four of their neighbors in a row are the player's. So they may
count both as theirs. One pattern is known, in all its six directions::

      top             the cell above; the player's in the end
      * *             none of them the opponent's, one of them empty at least
     O O O            the player's stones, or their edge
"""

from collections.abc import Iterator
from dataclasses import replace

from hsearch.board import DIRECTIONS, Cell, Color
from hsearch.cells import CellSet
from hsearch.position import Position

Offset = tuple[int, int]
_ROW = 4  # own neighbors in a row that make a cell dead


def captures(position: Position, color: Color) -> dict[Cell, list[CellSet]]:
    """Return the pairs that each empty cell captures for a player, in the order of their frame.

    Of a pair that has a stone of theirs already, the empty cell alone.
    """
    view = _View(position, color)
    found = {top: list(view.below(top)) for top in view.in_order(position.empty)}
    return {top: pairs for top, pairs in found.items() if pairs}


def is_captured(position: Position, color: Color, pair: CellSet, tops: CellSet) -> bool:
    """Return whether a pair is captured below one of some cells, or below a stone."""
    view = _View(position, color)
    near = {other for cell in pair.search(1) for other in position.board.neighbors(cell)}
    above = position.stones(color) | tops
    return any(pair in view.below(top) for top in near if position.board.contains(above, top))


def without_dead(position: Position, color: Color) -> Position:
    """Return the position with opponent's stones recolored that four of a player's make dead.

    Their color does not matter: who passes through them may pass beside them.
    """
    while True:
        view = _View(position, color)
        opponent = position.stones(color.opponent)
        dead = position.board.only(*filter(view.is_enclosed, opponent.search(1)))
        if not dead.any():
            return position
        own, other = position.stones(color) | dead, opponent & ~dead
        black, white = (own, other) if color is Color.BLACK else (other, own)
        position = replace(position, black=black, white=white)


class _View:
    """A position as its owner sees it, who joins the first and the last row."""

    def __init__(self, position: Position, color: Color) -> None:
        self._is_turned = color is Color.WHITE
        self._board = position.board
        self._sides = position.board.columns, position.board.rows
        if self._is_turned:
            self._sides = position.board.rows, position.board.columns
        self._own = position.stones(color)
        self._empty = position.empty

    def in_order(self, cells: CellSet) -> list[Cell]:
        """Return cells in the order of the frame."""
        return sorted(cells.search(1), key=lambda cell: self._place(cell)[::-1])

    def below(self, top: Cell) -> Iterator[CellSet]:
        """Yield the empty cells of each pair below a cell."""
        place = self._place(top)
        for number, way in enumerate(DIRECTIONS):
            after = DIRECTIONS[(number + 1) % 6]
            one, other = _step(place, way), _step(place, after)
            empty = [cell for cell in map(self._cell, (one, other)) if cell is not None]
            free = [cell for cell in empty if self._empty[cell]]
            is_held = all(self._is_own(p) for p in (one, other) if self._cell(p) not in free)
            closed = _step(one, way), _step(other, way), _step(other, after)
            if free and is_held and all(map(self._is_own, closed)):
                yield self._board.only(*free)

    def is_enclosed(self, cell: Cell) -> bool:
        """Return whether four neighbors in a row are the owner's."""
        ring = [self._is_own(_step(self._place(cell), way)) for way in DIRECTIONS]
        return any(all(ring[(start + i) % 6] for i in range(_ROW)) for start in range(6))

    def _is_own(self, place: Offset) -> bool:
        """Return whether a stone or an edge of the owner lies there; corners are nobody's."""
        cell = self._cell(place)
        if cell is not None:
            return bool(self._own[cell])
        column, row = place
        columns, rows = self._sides
        return 0 <= column < columns and not 0 <= row < rows

    def _place(self, cell: Cell) -> Offset:
        column, row = self._board.column_and_row(cell)
        return (row, column) if self._is_turned else (column, row)

    def _cell(self, place: Offset) -> Cell | None:
        column, row = place
        columns, rows = self._sides
        if not (0 <= column < columns and 0 <= row < rows):
            return None
        return self._board.at(row, column) if self._is_turned else self._board.at(column, row)


def _step(place: Offset, way: Offset) -> Offset:
    return place[0] + way[0], place[1] + way[1]
