"""Orderings of moves, best first.

An ordering takes a view of a position and the cells to order. The order is total
and depends only on the position and, for a random ordering, on a seed. Cells that
an ordering ranks equal keep the order of the board.
"""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsearch.hex import Board, Cell, Color, Position
from hsearch.hex.board import cell_set
from player.evaluate.evaluators import two_distance_cells
from player.evaluate.fillings import sample
from player.kernels.classic import saddles

Cells: TypeAlias = NDArray[np.int64]
Flow: TypeAlias = NDArray[np.float64]

FILLINGS = 1024  # drawn for an order by critical cells


@dataclass(frozen=True, slots=True, eq=False)
class OrderingContext:
    """The view of a position that an ordering receives.

    board   the board
    stones  a byte for each cell: 0 empty, 1 black, 2 white
    flow    returns the current through each cell in both circuits; called only if needed
    seed    the seed of a random order, together with the stones
    """

    board: Board
    stones: NDArray[np.int8]
    flow: Callable[[], Flow] = field(repr=False)
    seed: int = 0

    @property
    def position(self) -> Position:
        """The position, as if Black were to move."""
        black, white = (
            cell_set(np.flatnonzero(self.stones == stone).tolist(), self.board.size)
            for stone in (1, 2)
        )
        return Position(self.board, black, white)


Ordering: TypeAlias = Callable[[OrderingContext, Cells], Cells]


def weak_links(context: OrderingContext, cells: Cells) -> Cells:
    """Order cells by the current in both circuits, most first, after Anshelevich (2000)."""
    # Rounding errors between equal currents must not decide the order.
    return _ascending(-np.round(context.flow()[cells], 9), cells)


def center(context: OrderingContext, cells: Cells) -> Cells:
    """Order cells by their distance from the center of the board, nearest first."""
    return _ascending(_distance(context.board, cells), cells)


def charge(context: OrderingContext, cells: Cells) -> Cells:
    """Order cells by how steep a saddle of the stones' potential they are (Schiavone).

    `player.kernels.classic` defines the field and the steepness. Distances are
    steps between cells.
    """
    return _by_saddles(context, cells, longer=False)


def charge_diagonal(context: OrderingContext, cells: Cells) -> Cells:
    """Order cells as `charge` does, with distances that are longer along one diagonal.

    The program that the source names measures distances this way. The order of a
    mirrored position is then not the mirrored order.
    """
    return _by_saddles(context, cells, longer=True)


def _by_saddles(context: OrderingContext, cells: Cells, *, longer: bool) -> Cells:
    scores = np.empty(context.board.size)
    saddles(context.board.columns, context.board.rows, context.stones, longer, scores)
    return _ascending(np.round(scores[cells], 9), cells)


def potentials(context: OrderingContext, cells: Cells) -> Cells:
    """Order cells by the sum of their two-distances to all edges, least first (Queenbee).

    Cells that are infinitely far from an edge come last.
    """
    black, white = (two_distance_cells(context.position, color) for color in Color)
    return _ascending((black + white)[cells], cells)


def critical(context: OrderingContext, cells: Cells) -> Cells:
    """Order cells by how often their color decides a random filling, most first.

    The most critical cell is the best move at random turns (Peres and others 2007). A few
    fillings estimate it; they depend on the seed, as `random` does.
    """
    critical = sample(context.position, FILLINGS, _generator(context), threads=1).critical
    return _ascending(np.array([-critical[cell] for cell in cells.tolist()]), cells)


def random(context: OrderingContext, cells: Cells) -> Cells:
    """Order cells at random; the same seed and position give the same order."""
    return _ascending(_generator(context).random(cells.size), cells)


def _generator(context: OrderingContext) -> np.random.Generator:
    return np.random.default_rng((context.seed, zlib.crc32(context.stones.tobytes())))


ORDERINGS: dict[str, Ordering] = {
    "weak_links": weak_links,
    "center": center,
    "charge": charge,
    "charge_diagonal": charge_diagonal,
    "potentials": potentials,
    "critical": critical,
    "random": random,
}


def nearest_center(board: Board, cells: Sequence[Cell]) -> Cell:
    """Return the cell nearest to the center; of several, the first given."""
    return int(cells[int(np.argmin(_distance(board, np.array(cells))))])


def _ascending(keys: NDArray[np.float64] | Cells, cells: Cells) -> Cells:
    return cells[np.argsort(keys, kind="stable")]


def _distance(board: Board, cells: Cells) -> Cells:
    rows, columns = np.divmod(cells, board.columns)
    right, down = 2 * columns - board.columns + 1, 2 * rows - board.rows + 1
    distance: Cells = np.maximum(np.maximum(abs(right), abs(down)), abs(right + down))
    return distance
