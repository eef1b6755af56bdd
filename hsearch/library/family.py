"""Families of templates: one for every length, made by repeating a column."""

from dataclasses import dataclass

from hsearch.board import MAX_SIDE, Board, Color, column_number
from hsearch.cells import CellSet
from hsearch.formats import FormatError
from hsearch.formats.error import quoted
from hsearch.formats.suite import SuiteEntry
from hsearch.library.template import Template, template_of
from hsearch.position import Position


@dataclass(frozen=True, slots=True)
class Family:
    """Templates that differ by how often a column is repeated.

    first   the shortest member
    column  the column that is repeated
    """

    first: Template
    column: int

    def member(self, more: int) -> Template:
        """Return the member in which the column comes this many times more than in the first.

        Where its board would be too wide, free columns at the left are left out.
        """
        if more < 0:
            raise ValueError(f"length out of range: {more} (0 or more)")
        first = self.first
        board = first.position.board
        used = (first.carrier | first.position.black).search(1)
        free = min(board.column_and_row(cell)[0] for cell in used)
        left = min(free, max(0, board.columns + more - MAX_SIDE))
        right = max(0, board.columns + more - left - MAX_SIDE)
        longer = Board(board.columns + more - left - right, board.rows)

        def stretched(cells: CellSet) -> CellSet:
            places = [board.column_and_row(cell) for cell in cells.search(1)]
            kept = [(x, y) for x, y in places if x <= self.column]
            moved = [(x + more, y) for x, y in places if x > self.column]
            repeated = [(x + i + 1, y) for x, y in places if x == self.column for i in range(more)]
            return longer.only(*(longer.at(x - left, y) for x, y in (*kept, *moved, *repeated)))

        carrier, own = stretched(first.carrier), stretched(first.position.black)
        position = Position(longer, own, ~(own | carrier), Color.WHITE)
        x, y = board.column_and_row(first.stone)
        stone = longer.at((x if x <= self.column else x + more) - left, y)
        return Template(first.id, position, stone, longer.edges(Color.BLACK)[1], carrier)


def family_of(entry: SuiteEntry) -> Family | None:
    """Return the family that a suite's entry describes; None if it says nothing of a column.

    Raise FormatError when it is no template, or names no column between its stones.
    """
    values = entry.values("repeat")
    if not values:
        return None
    first, (name, *more) = template_of(entry), values
    board = first.position.board
    column = column_number(name) if name.isascii() and name.isalpha() and name.islower() else -1
    stones = first.position.stones(first.color).search(1)
    is_free = all(board.column_and_row(stone)[0] != column for stone in stones)
    if more or not 0 <= column < board.columns or not is_free or first.color is not Color.BLACK:
        raise FormatError(f"{entry.id}: {quoted(name)} is no column to repeat", line=entry.line)
    return Family(first, column)
