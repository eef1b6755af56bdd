"""Fill-in: stones on dead and captured cells, which never change who wins."""

from dataclasses import dataclass

import numpy as np

from hsearch.board import Color
from hsearch.cells import CellSet, cell_set
from hsearch.inferior.patterns import dead_rings
from hsearch.inferior.sets import captured_set
from hsearch.kernels import inferior as kernel
from hsearch.position import Position
from hsearch.position.frame import Frame


@dataclass(frozen=True, slots=True)
class FillIn:
    """A position with its dead and captured cells filled.

    position           the position after it, with the same player to move
    dead               cells whose color matters in no way of filling the board
    captured_by_black  cells that Black can answer for in sets: what the opponent
    captured_by_white  puts there the answers make dead; likewise for White

    A proof for a player in the filled position is one in the original if the
    cells that this player has captured are added to its carrier. Dead cells,
    and what the opponent has captured, cost nothing.
    """

    position: Position
    dead: CellSet
    captured_by_black: CellSet
    captured_by_white: CellSet

    def captured(self, color: Color) -> CellSet:
        """Return the cells that a player has captured."""
        return self.captured_by_black if color is Color.BLACK else self.captured_by_white


def fill_in(position: Position) -> FillIn:
    """Fill dead and captured cells until there are none, sets of three and four among them."""
    result = fill_by_rings(position)
    while True:
        found = captured_set(result.position)
        if found is None:
            return result
        cells, owner = found
        captured = [result.captured_by_black, result.captured_by_white]
        captured[owner] = captured[owner] | cells
        filled = result.position
        for cell in cells.search(1):
            filled = filled.put(cell, owner)
        more = fill_by_rings(filled)
        result = FillIn(
            more.position,
            result.dead | more.dead,
            captured[0] | more.captured_by_black,
            captured[1] | more.captured_by_white,
        )


def fill_by_rings(position: Position) -> FillIn:
    """Fill dead cells and captured pairs, as the solver does."""
    board = position.board
    frame = Frame.of(position, Color.BLACK)
    stones = frame.stones.copy()
    filled = np.zeros(board.size, np.int8)
    kernel.fill_in(board.columns, stones, dead_rings(), filled)
    black, white = (_where(stones, color, board.size) for color in (1, 2))
    return FillIn(
        Position(board, black, white, position.turn),
        _where(filled, kernel.DEAD, board.size),
        _where(filled, kernel.CAPTURED_BY_BLACK, board.size),
        _where(filled, kernel.CAPTURED_BY_WHITE, board.size),
    )


def _where(
    values: np.ndarray[tuple[int, ...], np.dtype[np.int8]], value: int, size: int
) -> CellSet:
    return cell_set(np.flatnonzero(values == value).tolist(), size)
