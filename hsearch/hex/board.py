"""Colors, sets of cells, and the empty board: cells, edges and who touches whom."""

import enum
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from numbers import Integral
from operator import index
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from bitarray import bitarray, frozenbitarray
from bitarray.util import subset

from hsearch.hex.calls import expect, expect_names, guided

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words: TypeAlias = NDArray[np.uint64]

# Sets of cells, one bit a cell.
#
# Python code works on these values. Kernels work on the same sets as rows of
# 64-bit words, and `to_words` and `from_words` are the only bridge between them.
# Python that looks at very many sets works on them as whole numbers, bit by bit:
# `to_number`, `from_number` and `cells_in`.


class CellSet(frozenbitarray):
    """A set of cells of a board, as one bit for each cell of the board; equal sets hash alike.

    `for cell in cells` yields the numbers of its cells, and `cell in cells` asks for one;
    `cells[cell]` is its bit. `|`, `&`, `~` unite, intersect and invert sets of one board, and
    `<=` asks whether one is part of another. `cells.count()` counts the cells, and a set without
    any is false. `len` is that of the board. `Board.names` names the cells, `Board.named` makes a
    set of names.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        """Return the numbers of the cells: their names are known to the board alone."""
        return f"<CellSet {{{' '.join(map(str, self))}}} of {len(self)} cells>"

    def __iter__(self) -> Iterator[int]:
        """Iterate over the cells, in order."""
        return self.search(1)

    def __contains__(self, cell: object) -> bool:
        """Return whether a cell is in the set. Raise TypeError for a name, which no set knows."""
        if isinstance(cell, str):
            raise TypeError(f"a set holds numbers of cells, as board.cell({cell!r}) is one")
        if not isinstance(cell, (int, Integral)):
            return False
        return 0 <= int(cell) < len(self) and bool(self[int(cell)])

    def __bool__(self) -> bool:
        """Return whether the set has a cell."""
        return self.any()

    def __le__(self, other: bitarray) -> bool:
        """Return whether all cells are cells of another set."""
        return subset(self, other)

    def __lt__(self, other: bitarray) -> bool:
        """Return whether all cells are cells of another set, which has more."""
        return self != other and subset(self, other)

    def __ge__(self, other: bitarray) -> bool:
        """Return whether all cells of another set are cells of this one."""
        return subset(other, self)

    def __gt__(self, other: bitarray) -> bool:
        """Return whether all cells of another set are cells of this one, which has more."""
        return self != other and subset(other, self)


def cell_set(cells: Iterable[int], size: int) -> CellSet:
    """Return the set of the given cells of a board of `size` cells."""
    result = bitarray(size, endian="little")
    for cell in cells:
        result[cell] = True
    return CellSet(result)


def from_words(words: "Words", size: int) -> CellSet:
    """Return the set that a kernel's row holds."""
    result = bitarray(endian="little")
    result.frombytes(words.tobytes())
    return CellSet(result[:size])


def to_words(cells: CellSet, width: int) -> "Words":
    """Return a set as a kernel's row of `width` words, writable."""
    import numpy as np  # noqa: PLC0415 - a board is shown without numpy

    return np.frombuffer(cells.tobytes().ljust(8 * width, b"\0"), np.uint64).copy()


def from_number(number: int, size: int) -> CellSet:
    """Return the set whose cells are the bits of a number."""
    return cell_set(cells_in(number), size)


def to_number(cells: CellSet) -> int:
    """Return a set as a number, one bit a cell."""
    return int.from_bytes(cells.tobytes(), "little")


def cells_in(number: int) -> Iterator[int]:
    """Yield the cells of a set that is a number, in order."""
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1


# The empty board: cells, edges and who touches whom.
#
# Cells are numbered row by row, and are named by column letter and row number::
#
#     a1 b1 c1         0 1 2
#      a2 b2 c2         3 4 5
#       a3 b3 c3         6 7 8
#
# The four edges follow the cells, because a connection may end in an edge as
# well as in a stone. A *point* is a cell or an edge. Black joins north and
# south, White joins west and east.

Cell: TypeAlias = int
Point: TypeAlias = int

MAX_SIDE = 26
EDGE_NAMES = ("north", "south", "west", "east")
EDGE_WORDS = {  # other words for an edge
    "top": "north",
    "bottom": "south",
    "left": "west",
    "right": "east",
    **{name[0]: name for name in EDGE_NAMES},
}
# Around a cell, in cyclic order: each direction touches the one before and the one after.
DIRECTIONS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


class Color(enum.IntEnum):
    """A player, and the color of the player's stones."""

    BLACK = 0
    WHITE = 1

    @property
    def opponent(self) -> "Color":
        """The other player."""
        return _OPPONENTS[self]  # asked by the million: Color(1 - self) takes eight times as long

    @property
    def word(self) -> str:
        """The color as it is written everywhere: `black` or `white`."""
        return self.name.lower()

    def __bool__(self) -> bool:
        """Be true, Black too: `if analysis.winner:` asks whether anybody is proved to win."""
        return True

    def __str__(self) -> str:
        return self.word

    def __repr__(self) -> str:
        return f"Color.{self.name}"

    def __format__(self, spec: str) -> str:
        return format(int(self), spec) if spec else self.word

    @property
    def title(self) -> str:
        """The word as sentences begin with it: `Black` or `White`."""
        return self.word.capitalize()

    @classmethod
    def named(cls, text: str, *, letters: bool = False, foreign: bool = False) -> "Color":
        """Return the color of a text: `black` or `white`.

        letters  also `b` and `w`, and all of these in upper case
        foreign  also `red` and `blue`, as other programs call the two

        Raise ValueError when it names no color.
        """
        word = text.lower() if letters or foreign else text
        for color, known in zip(cls, _COLOR_WORDS, strict=True):
            if word in known[: 3 if foreign else 2 if letters else 1]:
                return color
        raise ValueError(f"{text!r} is neither black nor white")

    @classmethod
    def of(cls, value: "Color | str") -> "Color":
        """Return a color as it is, or the one of a word. Raise ValueError for anything else."""
        if isinstance(value, Color):
            return value
        if isinstance(value, str):
            return cls.named(value)
        raise ValueError(f"{value!r} is neither black nor white")


T = TypeVar("T")


class ByColor(dict[Color, T]):
    """Values of players, each found by the color or by its word."""

    def __getitem__(self, key: Color | str) -> T:
        return super().__getitem__(_color(key))

    def __contains__(self, key: object) -> bool:
        return super().__contains__(_color(key))

    def get(self, key: Color | str, default: Any = None) -> Any:
        """Return the value of a player, or another one if there is none."""
        return super().get(_color(key), default)


def _color(key: Any) -> Any:
    return key if isinstance(key, int) else Color.of(key)


_OPPONENTS = Color.WHITE, Color.BLACK
_COLOR_WORDS = (("black", "b", "red"), ("white", "w", "blue"))


def read_size(text: str) -> tuple[int, int]:
    """Return the columns and rows of a text such as `11` or `5x9`.

    Whether such a board exists is not asked. Raise ValueError when it names no size.
    """
    match = re.fullmatch(r"([0-9]{1,9})(?: ?x ?([0-9]{1,9}))?", text.lower(), re.ASCII)
    if match is None:
        raise ValueError(f"{text!r} is not a board size such as 11 or 5x9")
    return int(match[1]), int(match[2] or match[1])


_SQUARE: Any = None


@guided
@dataclass(frozen=True, slots=True)
class Board:
    """A board of `columns` by `rows` cells, without stones; of one number, a square one."""

    columns: int
    rows: int = _SQUARE

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}"

    def __post_init__(self) -> None:
        """Raise ValueError when a side is shorter than 1 or longer than `MAX_SIDE`."""
        if self.rows is None:
            object.__setattr__(self, "rows", self.columns)
        for side in (self.columns, self.rows):
            if not isinstance(side, Integral):
                raise TypeError(f"a board is made as Board(11) or Board(5, 9), not of {side!r:.80}")
        for name in ("columns", "rows"):  # those of arrays are of numpy
            object.__setattr__(self, name, int(getattr(self, name)))
        if not (1 <= self.columns <= MAX_SIDE and 1 <= self.rows <= MAX_SIDE):
            raise ValueError(f"board size out of range: {self} (1x1 to {MAX_SIDE}x{MAX_SIDE})")

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.columns * self.rows

    @property
    def cells(self) -> range:
        """All cells, in order."""
        return range(self.size)

    def edges(self, color: Color | str) -> tuple[Point, Point]:
        """Return the two edges that a player joins: north, south or west, east."""
        if type(color) is not Color:
            color = Color.of(color)
        first = self.size + 2 * color
        return first, first + 1

    def is_edge(self, point: Point | str) -> bool:
        """Return whether a point is an edge rather than a cell."""
        return self.point(point) >= self.size

    def neighbors(self, point: Point | str) -> tuple[Point, ...]:
        """Return the points that touch a point: cells first, then edges."""
        touching = neighbors_of(self)
        if type(point) is not int or not 0 <= point < len(touching):
            point = self.point(point)
        return touching[point]

    def at(self, column: int, row: int) -> Cell:
        """Return the cell of a column and a row, both counted from 0.

        Raise ValueError when there is no such column or row.
        """
        try:
            column, row = index(column), index(row)  # those of arrays may have eight bits
            is_there = 0 <= column < self.columns and 0 <= row < self.rows
        except TypeError:
            is_there = False
        if not is_there:
            raise ValueError(f"no cell of the {self} board: column {column}, row {row}")
        return row * self.columns + column

    def column_and_row(self, cell: Cell | str) -> tuple[int, int]:
        """Return the column and the row of a cell, both counted from 0."""
        row, column = divmod(self.cell(cell), self.columns)
        return column, row

    def name(self, point: Point | str) -> str:
        """Return a point's name, such as `c2` or `north`; a name as it is usually written.

        Raise ValueError when this board has no such point.
        """
        return _names(self)[self.point(point)]

    def cell(self, name: str | Cell) -> Cell:
        """Return the cell of a name, in either case; a number of a cell as it is.

        Raise ValueError when it names no cell of this board.
        """
        if not isinstance(name, str):
            is_number = type(name) is int or isinstance(name, Integral)
            if is_number and 0 <= name < self.size:
                return int(name)
            raise ValueError(f"no cell of the {self} board: {name!r}")
        match = re.fullmatch(r"([a-z]{1,2})([1-9][0-9]{0,2})", name.strip().lower(), re.ASCII)
        if match is None:
            raise ValueError(f"not a cell: {name!r}")
        column, row = column_number(match[1]), int(match[2]) - 1
        if column >= self.columns or row >= self.rows:
            raise ValueError(f"{name!r} is off the {self} board")
        return self.at(column, row)

    def point(self, name: str | Point) -> Point:
        """Return the point of a name: a cell, or an edge such as `north`, `n` or `top`.

        A number of a point stays as it is. Raise ValueError when this board has no such point.
        """
        if not isinstance(name, str):
            most = self.size + len(EDGE_NAMES) - 1
            if not (type(name) is int or isinstance(name, Integral)) or not 0 <= name <= most:
                raise ValueError(f"no point {name!r} on the {self} board: 0 to {most}")
            return int(name)
        word = name.strip().lower()
        word = EDGE_WORDS.get(word, word)
        if word in EDGE_NAMES:
            return self.size + EDGE_NAMES.index(word)
        if word.isalpha():
            raise ValueError(f"not a cell: {name!r}, nor an edge: {', '.join(EDGE_NAMES)}")
        return self.cell(name)

    def only(self, *cells: Cell | str) -> CellSet:
        """Return the set of just these cells."""
        return cell_set(map(self.cell, cells), self.size)

    def contains(self, cells: CellSet, point: Point | str) -> bool:
        """Return whether a set holds a point; it never holds an edge."""
        if type(point) is not int:
            point = self.point(point)
        return point < self.size and bool(cells[point])

    def named(self, names: str | Iterable[str]) -> CellSet:
        """Return the set of the named cells: names, or one text with blanks between."""
        expect_names("names", names)
        words = names.split() if isinstance(names, str) else names
        return cell_set(map(self.cell, words), self.size)

    def names(self, cells: Iterable[Point]) -> list[str]:
        """Return the names of cells: of a set row by row, else in their order."""
        if isinstance(cells, CellSet):
            names = _names(self)
            return [names[cell] for cell in cells.search(1)]
        expect("cells", cells, Iterable, "a set of cells, or numbers of points")
        return list(map(self.name, cells))

    @property
    def transposed(self) -> "Board":
        """The board with columns and rows exchanged."""
        return _transposed(self)

    def transpose(self, point: Point | str) -> Point:
        """Return where a point lies on the transposed board."""
        return _transposes(self)[self.point(point)]

    def rotate(self, point: Point | str) -> Point:
        """Return where a point lies after half a turn, which keeps every player's edges."""
        point = self.point(point)
        if point >= self.size:
            return self.size + (point - self.size ^ 1)
        return self.size - 1 - point


def column_name(column: int) -> str:
    """Return the letters of a column counted from 0: a, b, ..., z, aa, ab, ..."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def column_number(letters: str) -> int:
    """Return the column, counted from 0, of lower-case letters."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("a") + 1
    return number - 1


@cache
def _names(board: Board) -> tuple[str, ...]:
    cells = map(board.column_and_row, board.cells)
    return (*(column_name(column) + str(row + 1) for column, row in cells), *EDGE_NAMES)


@cache
def _transposed(board: Board) -> Board:
    return Board(board.rows, board.columns)


@cache
def _transposes(board: Board) -> tuple[Point, ...]:
    north, south, west, east = range(board.size, board.size + 4)
    cells = map(board.column_and_row, board.cells)
    return (*(board.transposed.at(row, column) for column, row in cells), west, east, north, south)


@cache
def single_cells(board: Board) -> tuple[CellSet, ...]:
    """Return the set of each cell alone."""
    return tuple(map(board.only, board.cells))


@cache
def neighbors_of(board: Board) -> tuple[tuple[Point, ...], ...]:
    """Return the points that touch each point: cells first, then edges."""
    north, south, west, east = range(board.size, board.size + 4)
    touching: list[list[Point]] = [[] for _ in range(board.size + 4)]
    for cell in board.cells:
        column, row = board.column_and_row(cell)
        for right, down in sorted(DIRECTIONS, key=lambda step: (step[1], step[0])):
            if 0 <= column + right < board.columns and 0 <= row + down < board.rows:
                touching[cell].append(board.at(column + right, row + down))
        sides = (row == 0, row == board.rows - 1, column == 0, column == board.columns - 1)
        for edge, touches in zip((north, south, west, east), sides, strict=True):
            if touches:
                touching[cell].append(edge)
                touching[edge].append(cell)
    return tuple(map(tuple, touching))


# Sets that are whole numbers: what touches them, and what is joined within them.


@cache
def neighbor_sets(board: Board) -> tuple[int, ...]:
    """Return the cells that touch each cell."""
    return tuple(
        sum(1 << other for other in board.neighbors(cell) if not board.is_edge(other))
        for cell in board.cells
    )


@cache
def borders(board: Board, color: Color) -> tuple[int, int]:
    """Return the cells along each of a player's edges."""
    first, second = (sum(1 << cell for cell in board.neighbors(e)) for e in board.edges(color))
    return first, second


def reached_from_edge(board: Board, color: Color, cells: int) -> int:
    """Return those of some cells that are connected within them to the first edge of a player."""
    return flood(board, borders(board, color)[0], cells)


def rectangle(board: Board, corner: Cell, other: Cell) -> list[Cell]:
    """Return the cells whose columns and rows lie between those of two cells, in order."""
    (left, right), (top, bottom) = (
        sorted(pair)
        for pair in zip(board.column_and_row(corner), board.column_and_row(other), strict=True)
    )
    starts = range(board.at(left, top), board.at(left, bottom) + 1, board.columns)
    return [*chain.from_iterable(range(start, start + right - left + 1) for start in starts)]


def flood(board: Board, start: int, cells: int) -> int:
    """Return those of some cells that are connected within them to the start."""
    everything, not_first, not_last = _columns(board)
    free, row = everything & cells, board.columns
    before, reached = 0, start & free
    while before != reached:
        before = reached
        rightward, leftward = reached & not_last, reached & not_first
        near = rightward << 1 | leftward >> 1 | reached << row | reached >> row
        near |= leftward << row - 1 | rightward >> row - 1
        reached |= near & free
    return reached


@cache
def _columns(board: Board) -> tuple[int, int, int]:
    """Return all cells, and those with another one to their left, and to their right."""
    everything = (1 << board.size) - 1
    first = sum(1 << board.at(0, row) for row in range(board.rows))
    last = sum(1 << board.at(board.columns - 1, row) for row in range(board.rows))
    return everything, everything & ~first, everything & ~last
