"""A window: what lies between two ends, and nothing of where it lies on the board.

Windows that differ by a shift along the edge or by reversing it are one. A cell
is a bit, row by row as in an `EdgeView`, with `STRIDE` bits a row and the leftmost
column of the window as column 0.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Cell
from hsearch.cells import cells_in
from hsearch.kernels.exhaustive import NEIGHBORS, TO_FIRST, TO_SECOND
from hsearch.window.view import EdgeView

STRIDE = 40
# Right, up and right, up, left, down and left, down: as columns and rows.
STEPS = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))


@dataclass(frozen=True, slots=True)
class Window:
    """Two ends and what the owner has between them; all else is the opponent's.

    empty   the empty cells
    first   the stones of the first end that touch those
    second  those of the second, or the floor for an edge
    other   further stones of the owner that touch the empty cells
    joined  of those, the stones of each group that hangs together elsewhere only
    """

    empty: int
    first: int
    second: int
    other: int = 0
    joined: tuple[int, ...] = ()

    @property
    def points(self) -> list[int]:
        """The places of its points: the empty cells and the further stones."""
        return list(cells_in(self.empty | self.other))

    def parts(self) -> tuple[int, ...]:
        """Return all that makes it what it is."""
        return self.empty, self.first, self.second, self.other, *self.joined


@dataclass(frozen=True, slots=True)
class Placed:
    """A window and where it lies.

    column      the column of the view that is column 0
    is_turned   whether the window is reversed
    """

    view: EdgeView
    window: Window
    column: int
    is_turned: bool

    def cells(self, places: int) -> list[Cell]:
        """Return the board's names of cells of the window."""
        return [self.cell(place) for place in cells_in(places)]

    def cell(self, place: int) -> Cell:
        """Return the board's name of a cell of the window."""
        row, column = divmod(place, STRIDE)
        across = row - column if self.is_turned else column
        return self.view.cell(across + self.column, row)


def normal(view: EdgeView, *parts: int) -> Placed:
    """Return what some sets of cells of a view are as a window, wherever they lie."""
    rows = [_rows_of(view, part) for part in parts]
    turned = [[_reverse(view, row, cells) for row, cells in enumerate(part)] for part in rows]
    straight, left = _packed(rows)
    other, right = _packed(turned)
    if other < straight:
        return Placed(view, _window(other), view.columns - 1 - right, is_turned=True)
    return Placed(view, _window(straight), left, is_turned=False)


def _window(parts: list[int]) -> Window:
    empty, first, second, other, *joined = parts
    return Window(empty, first, second, other, tuple(sorted(joined)))


def _rows_of(view: EdgeView, cells: int) -> list[int]:
    """Return cells row by row."""
    stride = view.stride
    mask = (1 << stride) - 1
    return [cells >> at & mask for at in range(0, cells.bit_length(), stride)]


def _reverse(view: EdgeView, row: int, cells: int) -> int:
    """Mirror a row; one further up lies half a cell further right."""
    return int(f"{cells:0{view.columns}b}"[::-1], 2) << row if cells else 0


def _packed(parts: list[list[int]]) -> tuple[list[int], int]:
    """Return rows in one number a part, shifted as far left as they go, and how far that is."""
    everything = 0
    for rows in parts:
        for row in rows:
            everything |= row
    left = (everything & -everything).bit_length() - 1
    packed = [
        sum(row >> left << STRIDE * number for number, row in enumerate(rows)) for rows in parts
    ]
    return packed, left


def graph_of(window: Window) -> NDArray[np.int64]:
    """Return which points touch which, as the kernel takes it."""
    points = window.points
    numbers = {place: number for number, place in enumerate(points)}
    graph = [0] * (NEIGHBORS + len(points))
    for place, number in numbers.items():
        for across, up in STEPS:
            near = place + across + up * STRIDE
            if near in numbers:
                graph[NEIGHBORS + number] |= 1 << numbers[near]
            for which, end in ((TO_FIRST, window.first), (TO_SECOND, window.second)):
                graph[which] |= (near >= 0 and end >> near & 1) << number
    for group in window.joined:
        leader, *rest = (numbers[place] for place in cells_in(group))
        for number in rest:
            graph[NEIGHBORS + number] |= 1 << leader
            graph[NEIGHBORS + leader] |= 1 << number
    return np.array(graph, np.int64)


def bits_of(window: Window, places: int) -> int:
    """Return some points of a window as the kernel numbers them."""
    return sum(1 << number for number, place in enumerate(window.points) if places >> place & 1)


def places_of(window: Window, bits: int) -> int:
    """Return points that the kernel numbers as places of the window."""
    return sum(1 << place for number, place in enumerate(window.points) if bits >> number & 1)
