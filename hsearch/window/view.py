"""The board as the owner of a connection sees it, with one of their edges at the bottom.

Sets of cells are whole numbers, a bit a cell, so that all of them move in one
step. Row 0 is the floor, which stands for the edge; the row at the edge is row
1. A row has one bit more than the board has columns, so that nothing that
leaves the board on one side enters it on the other. The neighbors of a cell are
those to its left and right, the one above and the one right of that, the one
below and the one left of that.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Board, Cell, Color, Point
from hsearch.position import Position
from hsearch.position.frame import Frame


@dataclass(frozen=True, slots=True)
class EdgeView:
    """A position from above one of a player's edges.

    edge     the edge at the bottom, as the board names it
    columns  how many there are
    rows     likewise, without the floor
    own      the player's stones
    empty    the empty cells
    floor    the cells below the edge that count as the player's
    """

    board: Board
    color: Color
    edge: Point
    columns: int
    rows: int
    own: int
    empty: int
    floor: int

    @classmethod
    def both(cls, position: Position, color: Color) -> "tuple[EdgeView, EdgeView]":
        """Return the views above a player's first edge and above the second."""
        frame = Frame.of(position, color)
        stones = frame.stones.reshape(frame.rows, frame.columns)
        first, second = position.board.edges(color)
        above = ((first, stones[:, ::-1]), (second, stones[::-1]))
        one, other = (cls._of(position.board, color, edge, rows) for edge, rows in above)
        return one, other

    @classmethod
    def _of(cls, board: Board, color: Color, edge: Point, stones: NDArray[np.int8]) -> "EdgeView":
        rows, columns = stones.shape
        padded = np.full((rows + 1, columns + 1), 2, np.int8)
        padded[1:, :-1] = stones
        # At the corners the floor is nobody's: a cell there touches two cells of the board.
        floor = (1 << columns - 1) - 1
        return cls(board, color, edge, columns, rows, _bits(padded == 1), _bits(padded == 0), floor)

    @property
    def stride(self) -> int:
        """Bits of a row."""
        return self.columns + 1

    def around(self, cells: int) -> int:
        """Return cells, all that touches them, and some bits that are no cells."""
        near = cells | cells << 1
        near |= near << self.stride
        return near | cells >> 1 | (cells | cells >> 1) >> self.stride

    def flood(self, start: int, among: int) -> int:
        """Return what hangs together with some cells, both `among` others."""
        found, new = 0, start & among
        while new:
            found |= new
            new = self.around(new) & among & ~found
        return found

    def groups(self) -> list[int]:
        """Return the player's groups, the one with the floor first.

        All that touches the other edge is one group, as it is on the board.
        """
        rest = self.own | self.floor
        top = self.own & ~self.rows_to(self.rows - 1)
        found = []
        for start in (self.floor, top):
            group = self.flood(start, rest)
            if group & top:
                group |= self.flood(top, rest)
            rest &= ~group
            found += [group] if group else []
        while rest:
            group = self.flood(rest & -rest, rest)
            rest &= ~group
            found.append(group)
        return found

    def rows_to(self, row: int) -> int:
        """Return the cells up to a row, the floor included."""
        return (1 << (row + 1) * self.stride) - 1

    def lowest_row(self, cells: int) -> int:
        """Return the row of the cell next to the edge; that of the floor is 0."""
        return ((cells & -cells).bit_length() - 1) // self.stride

    def a_cell(self, cells: int) -> Cell:
        """Return the board's name of the first of some cells."""
        row, column = divmod((cells & -cells).bit_length() - 1, self.stride)
        return self.cell(column, row)

    def cell(self, column: int, row: int) -> Cell:
        """Return the board's name of a cell of the view."""
        if self.edge == self.board.edges(self.color)[0]:
            across, down = self.columns - 1 - column, row - 1
        else:
            across, down = column, self.rows - row
        if self.color is Color.BLACK:
            return self.board.at(across, down)
        return self.board.at(down, across)

    def place(self, cell: Cell) -> int:
        """Return the bit of a cell of the board."""
        across, down = self.board.column_and_row(cell)
        if self.color is Color.WHITE:
            across, down = down, across
        if self.edge == self.board.edges(self.color)[0]:
            column, row = self.columns - 1 - across, down + 1
        else:
            column, row = across, self.rows - down
        return row * self.stride + column


def _bits(cells: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(cells, bitorder="little").tobytes(), "little")
