"""Attempts of a player of whom nothing better is known: the cell that decides most often.

Each unknown cell is taken to be the opponent's with chance 1/2. The cell that
then most often decides who connects is a good attempt almost anywhere (Peres,
Schramm, Sheffield and Wilson 2007). A double oracle begins with such policies,
and plays so wherever it has not looked yet: an opponent who leaves what was
looked at then gains little by it.
"""

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Color
from player.dark.rules import DarkRules
from player.dark.tree import Floats, Integers

MOST_CELLS = 12  # beyond, a row a view takes too much memory
VARIED = 0.1  # how much more often a cell must decide to come first in any case

Orders = NDArray[np.int8]


class Fallback:
    """The orders in which a player attempts cells by view, as `player.dark.kernels.book` says.

    On large boards one order stands for all views, from the center outward.
    """

    def __init__(self, rules: DarkRules, color: Color) -> None:
        """Find how often each cell decides in each view."""
        center = center_first(rules)
        rank = np.zeros(len(center))
        rank[center] = np.arange(len(center))
        self._worth = -rank[None, :]
        if rules.board.size <= MOST_CELLS:
            # Of equals, and there are many by symmetry, the one nearest to the center.
            self._worth = pivots(rules, color) - rank / 1e6
        self.orders = _descending(self._worth)

    def varied(self, rng: np.random.Generator) -> Orders:
        """Return other orders, in which cells that decide nearly as often come as they may."""
        return _descending(self._worth + VARIED * rng.random(self._worth.shape))


def _descending(worth: Floats) -> Orders:
    return np.argsort(-worth, axis=1, kind="stable").astype(np.int8)


def pivots(rules: DarkRules, color: Color) -> Floats:
    """Return by view and cell how likely the cell decides; -1 where it is not unknown."""
    cells = rules.board.size
    wins = np.zeros((3,) * cells)
    # One axis a cell, the first cell last: 0 unknown, 1 own, 2 the opponent's.
    masks = np.arange(1 << cells)
    corner = np.array([rules.connects(color, int(mask)) for mask in masks], float)
    wins[(slice(1, 3),) * cells] = corner.reshape((2,) * cells)[(slice(None, None, -1),) * cells]
    for axis in range(cells):
        digits = np.moveaxis(wins, axis, 0)
        digits[0] = (digits[1] + digits[2]) / 2
    result = np.full((*wins.shape, cells), -1.0)
    for cell in range(cells):
        axis = cells - 1 - cell
        digits = np.moveaxis(wins, axis, 0)
        np.moveaxis(result, axis, 0)[0, ..., cell] = digits[1] - digits[2]
    return result.reshape(-1, cells)


def center_first(rules: DarkRules) -> Integers:
    """Return the cells, those near the center first."""
    board = rules.board

    def distance(cell: int) -> tuple[int, int]:
        column, row = board.column_and_row(cell)
        across, down = 2 * column - board.columns + 1, 2 * row - board.rows + 1
        return across**2 + down**2 + across * down, cell

    return np.array(sorted(board.cells, key=distance), np.int64)
