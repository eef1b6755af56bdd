"""Sets of cells as numbers, one bit a cell: the search's own form of them."""

from collections.abc import Iterator

from hsearch.board import Board, Cell
from hsearch.cells import CellSet, cell_set


def bits(cells: CellSet) -> int:
    """Return a set as a number."""
    return int.from_bytes(cells.tobytes(), "little")


def cell_set_of(number: int, board: Board) -> CellSet:
    """Return the set of cells that a number is."""
    return cell_set(each(number), board.size)


def each(number: int) -> Iterator[Cell]:
    """Yield the cells of a set, in order."""
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1
