"""What lies between two ends, as a window: in the owner's view, and by itself."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hsearch.hex.board import Board, Cell, Color, Point, cells_in
from hsearch.hex.frame import Frame
from hsearch.hex.position import Position
from hsearch.kernels.exhaustive import NEIGHBORS, TO_FIRST, TO_SECOND
from hsearch.kernels.window import MOST_POINTS

# The board as the owner of a connection sees it, with one of their edges at the bottom.
#
# Sets of cells are whole numbers, a bit a cell, so that all of them move in one
# step. Row 0 is the floor, which stands for the edge; the row at the edge is row
# 1. A row has one bit more than the board has columns, so that nothing that
# leaves the board on one side enters it on the other. The neighbors of a cell are
# those to its left and right, the one above and the one right of that, the one
# below and the one left of that.


@dataclass(frozen=True, slots=True)
class EdgeView:
    """A position from above one of a player's edges.

    color    the player
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
        """Return cells, all that touches them, and some bits that are not cells."""
        near = cells | cells << 1
        near |= near << self.stride
        return near | cells >> 1 | (cells | cells >> 1) >> self.stride

    def flood(self, start: int, among: int) -> int:
        """Return what is connected to some cells, both `among` others."""
        flooded, new = 0, start & among
        while new:
            flooded |= new
            new = self.around(new) & among & ~flooded
        return flooded

    def groups(self) -> list[int]:
        """Return the player's groups, the one with the floor first.

        All that touches the other edge is one group, as it is on the board.
        """
        rest = self.own | self.floor
        top = self.own & ~self.rows_to(self.rows - 1)
        flooded = []
        for start in (self.floor, top):
            group = self.flood(start, rest)
            if group & top:
                group |= self.flood(top, rest)
            rest &= ~group
            flooded += [group] if group else []
        while rest:
            group = self.flood(rest & -rest, rest)
            rest &= ~group
            flooded.append(group)
        return flooded

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


# Which cells between two ends make the window: those on short ways from one to the other.
#
# A way counts the empty cells that it enters. It may lead through the owner's
# stones, which cost nothing, and through no stone of the opponent.


@dataclass(frozen=True, slots=True)
class Size:
    """Size of windows.

    above   how many rows above the lowest stone of a group belong to them
    detour  how many cells longer than the shortest way the ways are
    points  most points

    Raise ValueError when a number is out of range.
    """

    above: int = 1
    detour: int = 5
    points: int = MOST_POINTS

    def __post_init__(self) -> None:
        if self.above < 0 or self.detour < 0:
            raise ValueError(f"out of range: {min(self.above, self.detour)} (0 or more)")
        if not 2 <= self.points <= MOST_POINTS:
            raise ValueError(f"points out of range: {self.points} (2 to {MOST_POINTS})")


def cut_out(view: EdgeView, groups: list[int], group: int, size: Size) -> "Placed | None":
    """Return the window between a group and the edge; None if there is no way, or none so small.

    The `groups` are all of the view. The row at the other edge is left out: who
    plays there may touch that edge.
    """
    zone = view.rows_to(min(view.lowest_row(group) + size.above, view.rows - 1))
    edge, *others = groups
    other = view.own & ~group & ~edge
    empty = view.empty & zone
    ways = _levels(view, group, empty, other), _levels(view, edge, empty, other)
    region = _region(view, *ways, other, size)
    if not region:
        return None
    near = view.around(region)
    joined = []
    for some in others:
        stones = some & near
        if some != group and stones and view.flood(stones & -stones, stones) != stones:
            joined.append(stones)
    return normal(view, region, near & group, near & edge, near & other, *joined)


def _region(view: EdgeView, one: list[int], two: list[int], other: int, size: Size) -> int:
    """Return the cells on the shortest ways, and on longer ones while the window is small enough.

    A cell that is the third from one end and the second from the other is on a
    way of four cells.
    """
    region, longest = 0, len(one) + len(two)
    for length in range(1, longest):
        if length > longest:
            break
        more = region
        for far in range(max(0, length - len(two)), min(length, len(one))):
            more |= one[far] & two[length - 1 - far]
        if more and not region:
            longest = length + size.detour
        if (more | view.around(more) & other).bit_count() > size.points:
            break
        region = more
    return region


def _levels(view: EdgeView, start: int, empty: int, other: int) -> list[int]:
    """Return the cells that a way from somewhere enters first, second and so on."""
    levels, seen, new = [], start, start
    while new:
        near = view.around(new)
        near |= view.around(view.flood(near & other & ~seen, other))
        new = near & empty & ~seen
        seen |= new | near & other
        levels.append(new)
    return levels


# A window: what lies between two ends, and nothing of where it lies on the board.
#
# Windows that differ by a shift along the edge or by reversing it are one. A cell
# is a bit, row by row as in an `EdgeView`, with `STRIDE` bits a row and the leftmost
# column of the window as column 0.

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
    joined  of those, the stones of each group that is connected elsewhere only
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
