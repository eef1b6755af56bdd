"""Fill-in: stones on dead and captured cells, which never change who wins."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_

import numpy as np

from hsearch.board import Cell, Color
from hsearch.cells import CellSet, cell_set, from_words
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
    costs              what each filled stone takes: empty cells in which its owner
                       has to be free to answer, and stones that have to be theirs

    A proof for a player in the filled position is one in the original if each
    filled stone that it uses is replaced by what it costs. What is filled for
    the opponent costs the player nothing.
    """

    position: Position
    dead: CellSet
    captured_by_black: CellSet
    captured_by_white: CellSet
    costs: Mapping[Cell, CellSet]

    def captured(self, color: Color) -> CellSet:
        """Return the cells that a player has captured."""
        return self.captured_by_black if color is Color.BLACK else self.captured_by_white

    def carrier(self, cell: Cell) -> CellSet:
        """Return the empty cells among what a filled stone costs."""
        return self.costs[cell] & (self.dead | self.captured_by_black | self.captured_by_white)


def fill_in(position: Position) -> FillIn:
    """Fill dead and captured cells until there are none, sets of three and four among them."""
    result = fill_by_rings(position)
    while True:
        found = captured_set(result.position)
        if found is None:
            return result
        filled = result.position
        for cell in found.cells.search(1):
            filled = filled.put(cell, found.owner)
        captured = [result.captured_by_black, result.captured_by_white]
        captured[found.owner] = captured[found.owner] | found.cells
        costs = dict(result.costs)
        _replace(costs, dict.fromkeys(found.cells.search(1), found.cells | found.own))
        more = fill_by_rings(filled)
        _replace(costs, more.costs)
        result = FillIn(
            more.position,
            result.dead | more.dead,
            captured[0] | more.captured_by_black,
            captured[1] | more.captured_by_white,
            costs,
        )


def fill_by_rings(position: Position) -> FillIn:
    """Fill dead cells and captured pairs, as the solver does."""
    board = position.board
    frame = Frame.of(position, Color.BLACK)
    stones = frame.stones.copy()
    filled = np.zeros(board.size, np.int8)
    costs = np.zeros((board.size, (board.size + 63) // 64), np.int64)
    kernel.fill_in(board.columns, stones, dead_rings(), filled, costs)
    black, white = (_where(stones, color, board.size) for color in (1, 2))
    return FillIn(
        Position(board, black, white, position.turn),
        _where(filled, kernel.DEAD, board.size),
        _where(filled, kernel.CAPTURED_BY_BLACK, board.size),
        _where(filled, kernel.CAPTURED_BY_WHITE, board.size),
        {
            int(cell): from_words(costs[cell].view(np.uint64), board.size)
            for cell in np.flatnonzero(filled)
        },
    )


def _replace(costs: dict[Cell, CellSet], later: Mapping[Cell, CellSet]) -> None:
    """Add the costs of stones filled later, in which earlier ones are replaced by their own."""
    before = dict(costs)
    for cell, cost in later.items():
        stones = [stone for stone in cost.search(1) if stone in before]
        own = cell_set(stones, len(cost))
        costs[cell] = reduce(or_, (before[stone] for stone in stones), cost & ~own)


def _where(
    values: np.ndarray[tuple[int, ...], np.dtype[np.int8]], value: int, size: int
) -> CellSet:
    return cell_set(np.flatnonzero(values == value).tolist(), size)
