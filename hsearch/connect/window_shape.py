"""Windows: the points between two ends, in the owner's view and independent of the board."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hsearch.hex import Board, Cell, Color, Point, Position, cells_in
from hsearch.hex.face import expect_range
from hsearch.hex.frame import Frame
from hsearch.kernels.exhaustive import MOST_POINTS, NEIGHBORS, TO_FIRST, TO_SECOND

# The board as the owner of a connection sees it, with one of their edges at the bottom.
#
# A set of cells is a whole number, one bit a cell, so that one shift moves all of
# them. Row 0 is the floor, which stands for the edge; the row at the edge is row 1.
# A row has one bit more than the board has columns, so that a cell shifted off one
# side does not appear on the other. A cell has neighbors to its left and right,
# above, above right, below, and below left.


@dataclass(frozen=True, slots=True)
class EdgeView:
    """A position as a player sees it, with one of their edges at the bottom.

    board    the board
    color    the player
    edge     the edge at the bottom, as a point of the board
    columns  the number of columns
    rows     the number of rows, without the floor
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
        """Return the views with a player's first and second edge at the bottom."""
        frame = Frame.of(position, color)
        stones = frame.stones.reshape(frame.rows, frame.columns)
        first, second = position.board.edges(color)
        above = ((first, stones[:, ::-1]), (second, stones[::-1]))
        one, other = (cls._of(position.board, color, edge, rows) for edge, rows in above)
        return one, other

    @classmethod
    def _of(cls, board: Board, color: Color, edge: Point, stones: NDArray[np.int8]) -> "EdgeView":
        rows, columns = stones.shape
        grid = np.full((rows + 1, columns + 1), 2, np.int8)
        grid[1:, :-1] = stones
        # Each cell of the floor touches two cells of row 1, so one fewer reaches all of them.
        floor = (1 << columns - 1) - 1
        return cls(board, color, edge, columns, rows, _bits(grid == 1), _bits(grid == 0), floor)

    @property
    def stride(self) -> int:
        """Number of bits in a row."""
        return self.columns + 1

    def around(self, cells: int) -> int:
        """Return some cells and their neighbors; other bits of it may not be cells."""
        near = cells | cells << 1
        near |= near << self.stride
        return near | cells >> 1 | (cells | cells >> 1) >> self.stride

    def flood(self, start: int, among: int) -> int:
        """Return the cells of `among` that are connected to cells of `start` inside it."""
        cells, new = 0, start & among
        while new:
            cells |= new
            new = self.around(new) & among & ~cells
        return cells

    def groups(self) -> list[int]:
        """Return the player's groups, the one with the floor first.

        Stones that touch the other edge are one group, as they are on the board.
        """
        rest = self.own | self.floor
        top = self.own & ~self.rows_to(self.rows - 1)
        groups = []
        for start in (self.floor, top):
            group = self.flood(start, rest)
            if group & top:
                group |= self.flood(top, rest)
            rest &= ~group
            groups += [group] if group else []
        while rest:
            group = self.flood(rest & -rest, rest)
            rest &= ~group
            groups.append(group)
        return groups

    def rows_to(self, row: int) -> int:
        """Return the cells up to a row, the floor included."""
        return (1 << (row + 1) * self.stride) - 1

    def lowest_row(self, cells: int) -> int:
        """Return the lowest row that some cells are on; the floor is row 0."""
        return ((cells & -cells).bit_length() - 1) // self.stride

    def a_cell(self, cells: int) -> Cell:
        """Return the first of some cells of the view, as a cell of the board."""
        row, column = divmod((cells & -cells).bit_length() - 1, self.stride)
        return self.cell(column, row)

    def cell(self, column: int, row: int) -> Cell:
        """Return a cell of the view as a cell of the board."""
        if self.edge == self.board.edges(self.color)[0]:
            across, down = self.columns - 1 - column, row - 1
        else:
            across, down = column, self.rows - row
        if self.color is Color.BLACK:
            return self.board.at(across, down)
        return self.board.at(down, across)


def _bits(cells: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(cells, bitorder="little").tobytes(), "little")


# The cells of a window: those on short paths from one end to the other.
#
# The length of a path is the number of its empty cells. It may lead through the
# owner's stones, which cost nothing, but not through stones of the opponent.


@dataclass(frozen=True, slots=True)
class Size:
    """Size of windows.

    above   how many rows above the lowest stone of a group belong to a window
    detour  how many cells a path may be longer than the shortest
    points  most points of a window

    Raise ValueError when a number is out of range.
    """

    above: int = 1
    detour: int = 5
    points: int = MOST_POINTS

    def __post_init__(self) -> None:
        expect_range("above", self.above, 0)
        expect_range("detour", self.detour, 0)
        expect_range("points", self.points, 2, MOST_POINTS)


def cut_out(view: EdgeView, groups: list[int], group: int, size: Size) -> "Placement | None":
    """Return the window between a group and the edge; None if no path is short enough.

    `groups` are all groups of the view. The row at the other edge is left out: a
    stone there may touch that edge.
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
    chains = []
    for some in others:
        stones = some & near
        if some != group and stones and view.flood(stones & -stones, stones) != stones:
            chains.append(stones)
    return normal(view, region, near & group, near & edge, near & other, *chains)


def _region(view: EdgeView, one: list[int], two: list[int], other: int, size: Size) -> int:
    """Return the cells on the shortest paths, and on longer ones while the window is small enough.

    A cell that is the third from one end and the second from the other is on a
    path of four cells.
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
    """Return the cells at distance 1 from some others, at distance 2 and so on."""
    levels, visited, new = [], start, start
    while new:
        near = view.around(new)
        near |= view.around(view.flood(near & other & ~visited, other))
        new = near & empty & ~visited
        visited |= new | near & other
        levels.append(new)
    return levels


# A window: the points between two ends, independent of their place on the board.
#
# Windows that differ by a shift along the edge or by reversing it are equal. A cell
# is a bit, row by row as in an `EdgeView`, with `STRIDE` bits a row and the leftmost
# column of the window as column 0.

STRIDE = 64  # reversed, 26x26 has 51 columns: each row lies one further to the right
# Right, up and right, up, left, down and left, down: as columns and rows.
STEPS = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))


@dataclass(frozen=True, slots=True)
class Window:
    """Two ends and what the owner has between them; all else is the opponent's.

    empty   the empty cells
    first   the stones of the first end that touch the empty cells
    second  the stones of the second end that touch them; cells of the floor for an edge
    other   further stones of the owner that touch the empty cells
    chains  sets of these stones, one for each group that is connected only elsewhere
    """

    empty: int
    first: int
    second: int
    other: int = 0
    chains: tuple[int, ...] = ()

    @property
    def points(self) -> list[int]:
        """The places of its points: the empty cells and the further stones."""
        return list(cells_in(self.empty | self.other))

    def parts(self) -> tuple[int, ...]:
        """Return the sets of places that define the window."""
        return self.empty, self.first, self.second, self.other, *self.chains


@dataclass(frozen=True, slots=True)
class Placement:
    """A window and its place in a view.

    view        the view
    window      the window
    column      the view's column that is the window's column 0
    is_turned   whether the window is reversed
    """

    view: EdgeView
    window: Window
    column: int
    is_turned: bool

    def cells(self, places: int) -> list[Cell]:
        """Return cells of the window as cells of the board."""
        return [self.cell(place) for place in cells_in(places)]

    def cell(self, place: int) -> Cell:
        """Return a cell of the window as a cell of the board."""
        row, column = divmod(place, STRIDE)
        across = row - column if self.is_turned else column
        return self.view.cell(across + self.column, row)


def normal(view: EdgeView, *parts: int) -> Placement:
    """Return the window of some sets of cells of a view: equal wherever they lie."""
    rows = [_rows_of(view, part) for part in parts]
    mirror = [[_reverse(view, row, cells) for row, cells in enumerate(part)] for part in rows]
    straight, left = _pack(rows)
    other, right = _pack(mirror)
    if other < straight:
        return Placement(view, _window(other), view.columns - 1 - right, is_turned=True)
    return Placement(view, _window(straight), left, is_turned=False)


def _window(parts: list[int]) -> Window:
    empty, first, second, other, *chains = parts
    return Window(empty, first, second, other, tuple(sorted(chains)))


def _rows_of(view: EdgeView, cells: int) -> list[int]:
    """Return cells row by row."""
    stride = view.stride
    mask = (1 << stride) - 1
    return [cells >> at & mask for at in range(0, cells.bit_length(), stride)]


def _reverse(view: EdgeView, row: int, cells: int) -> int:
    """Mirror a row; one further up lies half a cell further right."""
    return int(f"{cells:0{view.columns}b}"[::-1], 2) << row if cells else 0


def _pack(parts: list[list[int]]) -> tuple[list[int], int]:
    """Return each part as one number, all shifted left as far as possible, and the shift."""
    everything = 0
    for rows in parts:
        for row in rows:
            everything |= row
    left = (everything & -everything).bit_length() - 1
    numbers = [
        sum(row >> left << STRIDE * number for number, row in enumerate(rows)) for rows in parts
    ]
    return numbers, left


def graph_of(window: Window) -> NDArray[np.int64]:
    """Return which points touch the ends and each other, as the kernel takes it."""
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
    for group in window.chains:
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
