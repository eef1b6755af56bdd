"""Moves, best first.

An ordering takes the board, the cells to order, and the current through each
cell of the board in both circuits. The order is total: nothing is left to
chance, unless it is asked for.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Board, Cell

Ordering: TypeAlias = Callable[[Board, NDArray[np.int64], NDArray[np.float64]], NDArray[np.int64]]


def weak_links(
    _board: Board, cells: NDArray[np.int64], flow: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Order cells by the current in both circuits, most first, after Anshelevich (2000).

    Cells of equal current stand in the order of the board.
    """
    # Equal currents differ by rounding, which must not decide the order.
    return cells[np.argsort(-np.round(flow[cells], 9), kind="stable")]


def center(board: Board, cells: NDArray[np.int64], _flow: NDArray[np.float64]) -> NDArray[np.int64]:
    """Order cells by their distance from the center of the board, nearest first."""
    rows, columns = np.divmod(cells, board.columns)
    right, down = 2 * columns - board.columns + 1, 2 * rows - board.rows + 1
    distance = np.maximum(np.maximum(abs(right), abs(down)), abs(right + down))
    return cells[np.argsort(distance, kind="stable")]


def shuffled(generator: np.random.Generator) -> Ordering:
    """Return an ordering by chance, as a rival to measure the others against."""

    def order(
        _board: Board, cells: NDArray[np.int64], _flow: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        return generator.permutation(cells)

    return order


ORDERINGS: dict[str, Ordering] = {"weak_links": weak_links, "center": center}


def best(ordering: Ordering, board: Board, cells: Sequence[Cell]) -> Cell:
    """Return the first of some cells in an ordering that asks for no currents."""
    return int(ordering(board, np.array(cells), np.zeros(board.size))[0])
