"""Sets of cells, colors, and the empty board: its cells, edges and neighbors."""

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

from hsearch.hex.face import expect, expect_names, guide

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words: TypeAlias = NDArray[np.uint64]

# Sets of cells, one bit a cell.
#
# Python code uses the values below. Kernels use rows of 64-bit words; `to_words`
# and `from_words` convert between the two. Python code that handles very many sets
# uses whole numbers, bit by bit: see `to_number`, `from_number` and `cells_in`.


class CellSet(frozenbitarray):
    """An immutable, hashable set of cells: one bit for each cell of the board.

    `for cell in cells` yields cell numbers in order, `cell in cells` tests membership, and
    `cells[cell]` is the bit. `|`, `&` and `~` are the union, intersection and complement of sets
    of one board, and `<=` tests for a subset. `cells.count()` counts the cells, and an empty set
    is false; `len` is the size of the board. `Board.names` returns the names of a set,
    `Board.named` the set of some names.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        """Return the numbers of the cells: names would need the board."""
        return f"<CellSet {{{' '.join(map(str, self))}}} of {len(self)} cells>"

    def __iter__(self) -> Iterator[int]:
        """Iterate over the cells, in order."""
        return self.search(1)

    def __contains__(self, cell: object) -> bool:
        """Return whether a cell is in the set. Raise TypeError for a name: sets hold numbers."""
        if isinstance(cell, str):
            raise TypeError(f"a set holds numbers of cells, as board.cell({cell!r}) is one")
        if not isinstance(cell, (int, Integral)):
            return False
        return 0 <= int(cell) < len(self) and bool(self[int(cell)])

    def __bool__(self) -> bool:
        """Return whether the set is not empty."""
        return self.any()

    def __le__(self, other: bitarray) -> bool:
        """Return whether this is a subset of another set."""
        return subset(self, other)

    def __lt__(self, other: bitarray) -> bool:
        """Return whether this is a proper subset of another set."""
        return self != other and subset(self, other)

    def __ge__(self, other: bitarray) -> bool:
        """Return whether this is a superset of another set."""
        return subset(other, self)

    def __gt__(self, other: bitarray) -> bool:
        """Return whether this is a proper superset of another set."""
        return self != other and subset(other, self)


def cell_set(cells: Iterable[int], size: int) -> CellSet:
    """Return the set of the given cells of a board of `size` cells."""
    result = bitarray(size, "little")
    for cell in cells:
        result[cell] = 1
    return CellSet(result)


def from_words(words: "NDArray[Any] | memoryview", size: int) -> CellSet:
    """Return the set in a kernel's row of words, or in bytes of eight cells each."""
    result = bitarray(0, "little")
    result.frombytes(words.tobytes())
    del result[size:]
    return CellSet(result)


def word_count(bits: int) -> int:
    """Return how many words of a kernel's row hold this many bits."""
    return -(-bits // 64)


def to_words(cells: CellSet, width: int) -> "Words":
    """Return a set as a writable row of `width` words, for a kernel."""
    import numpy as np  # noqa: PLC0415 - a board is shown without numpy

    return np.frombuffer(cells.tobytes().ljust(8 * width, b"\0"), np.uint64).copy()


def from_number(number: int, size: int) -> CellSet:
    """Return the set whose cells are the one bits of a number."""
    return cell_set(cells_in(number), size)


def to_number(cells: CellSet) -> int:
    """Return a set as a number, one bit a cell."""
    return int.from_bytes(cells.tobytes(), "little")


def cells_in(number: int) -> Iterator[int]:
    """Yield the cells of a set given as a number, in order."""
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1


# The empty board: cells, edges and neighbors.
#
# Cells are numbered row by row, and are named by column letter and row number::
#
#     a1 b1 c1         0 1 2
#      a2 b2 c2         3 4 5
#       a3 b3 c3         6 7 8
#
# The four edges are numbered after the cells, because a connection may end in
# an edge as well as in a stone. A *point* is a cell or an edge. Black joins
# north and south, White joins west and east.

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
# The steps (columns, rows) to the six neighbors of a cell, in cyclic order.
DIRECTIONS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


class Color(enum.IntEnum):
    """A player, and the color of the player's stones.

    >>> import hsearch
    >>> hsearch.Color.of("black").opponent.word
    'white'
    """

    BLACK = 0
    WHITE = 1

    @classmethod
    def _missing_(cls, value: Any) -> "Color":
        return cls.of(value)

    @property
    def opponent(self) -> "Color":
        """The other player."""
        return _OPPONENTS[self]  # called millions of times; Color(1 - self) takes 8 times as long

    @property
    def word(self) -> str:
        """The color as a word: `black` or `white`."""
        return self.name.lower()

    def __bool__(self) -> bool:
        """Return True, even for Black (0), as `if analysis.winner:` tests for a winner."""
        return True

    def __str__(self) -> str:
        return self.word

    def __repr__(self) -> str:
        return f"Color.{self.name}"

    def __format__(self, spec: str) -> str:
        return format(int(self), spec) if spec else self.word

    @property
    def title(self) -> str:
        """The capitalized word: `Black` or `White`."""
        return self.word.capitalize()

    @classmethod
    def named(cls, text: str, *, letters: bool = False, foreign: bool = False) -> "Color":
        """Return the color that a text names: `black` or `white`.

        letters  whether to accept `b` and `w` as well, in either case
        foreign  whether to accept `b`, `w`, `red` and `blue` as well, in either case

        Raise ValueError for any other text.
        """
        # The Kelvin sign becomes `k` in lower case.
        word = text.lower() if (letters or foreign) and text.isascii() else text
        for color, words in zip(cls, _COLOR_WORDS, strict=True):
            if word in words[: 3 if foreign else 2 if letters else 1]:
                return color
        raise ValueError(f"{text!r} is neither black nor white")

    @classmethod
    def of(cls, value: "Color | str") -> "Color":
        """Return a color unchanged, or the color of a word. Raise ValueError for anything else."""
        if isinstance(value, Color):
            return value
        if isinstance(value, str):
            return cls.named(value)
        raise ValueError(f"{value!r} is neither black nor white")


T = TypeVar("T")


class ByColor(dict[Color, T]):
    """Values by player; a key is a color or its word."""

    def __getitem__(self, key: Color | str) -> T:
        return super().__getitem__(_color(key))

    def __contains__(self, key: object) -> bool:
        try:
            return super().__contains__(_color(key))
        except ValueError:
            return False

    def get(self, key: Color | str, default: Any = None) -> Any:
        """Return the value of a player, or `default` if there is none."""
        return super().get(_color(key), default)


def _color(key: Any) -> Any:
    return key if isinstance(key, int) else Color.of(key)


def _is_number(value: object) -> bool:
    """Return whether a value is a number of any type; True, which Python counts as 1, is not."""
    return isinstance(value, Integral) and not isinstance(value, bool)


_OPPONENTS = Color.WHITE, Color.BLACK
_COLOR_WORDS = (("black", "b", "red"), ("white", "w", "blue"))


def read_size(text: str) -> tuple[int, int]:
    """Return the columns and rows of a text such as `11` or `5x9`.

    It is not checked that such a board exists. Raise ValueError if the text is not a size.
    """
    match = re.fullmatch(r"([0-9]{1,9})(?: ?[x\u00d7] ?([0-9]{1,9}))?", text.lower(), re.ASCII)
    if match is None:
        raise ValueError(f"{text!r} is not a board size such as 11 or 5x9")
    return int(match[1]), int(match[2] or match[1])


_SQUARE: Any = None


@guide
@dataclass(frozen=True, slots=True)
class Board:
    """An empty board of `columns` by `rows` cells; one number makes a square board.

    Raise ValueError unless both are from 1 to 26, TypeError unless they are integers.

    >>> import hsearch
    >>> board = hsearch.Board(3)
    >>> board.cell("c2"), board.name(5), board.names(board.neighbors("a1"))
    (5, 'c2', ['b1', 'a2', 'north', 'west'])
    """

    columns: int
    rows: int = _SQUARE

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}"

    def __post_init__(self) -> None:
        """Raise TypeError unless sides are integers, ValueError unless from 1 to `MAX_SIDE`."""
        if self.rows is None:
            object.__setattr__(self, "rows", self.columns)
        for side in (self.columns, self.rows):
            if not isinstance(side, Integral):
                raise TypeError(f"a board is made as Board(11) or Board(5, 9), not of {side!r:.80}")
        for name in ("columns", "rows"):  # numpy integers become ints
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
        """Return the two edges that a player joins: north and south, or west and east."""
        if type(color) is not Color:
            color = Color.of(color)
        first = self.size + 2 * color
        return first, first + 1

    def is_edge(self, point: Point | str) -> bool:
        """Return whether a point is an edge rather than a cell."""
        return self.point(point) >= self.size

    def neighbors(self, point: Point | str) -> tuple[Point, ...]:
        """Return the neighbors of a point: cells first, then edges."""
        neighbors = neighbors_of(self)
        if type(point) is not int or not 0 <= point < len(neighbors):
            point = self.point(point)
        return neighbors[point]

    def at(self, column: int, row: int) -> Cell:
        """Return the cell at a column and a row, both counted from 0.

        Raise ValueError when there is no such column or row.
        """
        try:
            column, row = index(column), index(row)  # small numpy integers would overflow
            is_there = 0 <= column < self.columns and 0 <= row < self.rows
        except TypeError:
            is_there = False
        if not is_there:
            raise ValueError(f"not a cell of the {self} board: column {column}, row {row}")
        return row * self.columns + column

    def column_and_row(self, cell: Cell | str) -> tuple[int, int]:
        """Return the column and the row of a cell, both counted from 0."""
        row, column = divmod(self.cell(cell), self.columns)
        return column, row

    def name(self, point: Point | str) -> str:
        """Return the name of a point, such as `c2` or `north`; another name of it is normalized.

        Raise ValueError if this board has no such point.
        """
        return _names(self)[self.point(point)]

    def cell(self, name: str | Cell) -> Cell:
        """Return the cell of a name, in either case; the number of a cell is returned unchanged.

        Raise ValueError if this board has no such cell.
        """
        if not isinstance(name, str):
            is_number = type(name) is int or _is_number(name)
            if is_number and 0 <= name < self.size:
                return int(name)
            raise ValueError(f"not a cell of the {self} board: {name!r}")
        match = re.fullmatch(r"([a-zA-Z]{1,2})([1-9][0-9]{0,2})", name.strip())
        if match is None:
            raise ValueError(f"not a cell: {name!r}")
        column, row = column_number(match[1].lower()), int(match[2]) - 1
        if column >= self.columns or row >= self.rows:
            raise ValueError(f"{name!r} is off the {self} board")
        return self.at(column, row)

    def point(self, name: str | Point) -> Point:
        """Return the point of a name: a cell, or an edge such as `north`, `n` or `top`.

        The number of a point is returned unchanged. Raise ValueError for a point off the board.
        """
        if not isinstance(name, str):
            most = self.size + len(EDGE_NAMES) - 1
            is_number = type(name) is int or _is_number(name)
            if not is_number or not 0 <= name <= most:
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
        size = self.size
        known = (c if type(c) is int and 0 <= c < size else self.cell(c) for c in cells)
        return cell_set(known, size)

    def contains(self, cells: CellSet, point: Point | str) -> bool:
        """Return whether a set contains a point; it never contains an edge."""
        if type(point) is not int:
            point = self.point(point)
        return point < self.size and bool(cells[point])

    def named(self, names: str | Iterable[str]) -> CellSet:
        """Return the set of the named cells: several names, or one text with blanks between."""
        expect_names("names", names)
        words = names.split() if isinstance(names, str) else names
        return cell_set(map(self.cell, words), self.size)

    def names(self, cells: Iterable[Point]) -> list[str]:
        """Return the names of points: of a set row by row, else in the given order."""
        if isinstance(cells, CellSet):
            names = _names(self)
            return [names[cell] for cell in cells.search(1)]
        expect("cells", cells, Iterable, "a set of cells, or numbers of points")
        return list(map(self.name, cells))

    def text(self, cells: Iterable[Point]) -> str:
        """Return the names of points with blanks between them, in the order of `names`.

        >>> Board(3, 3).text(Board(3, 3).named("c3 a1"))
        'a1 c3'
        """
        return " ".join(self.names(cells))

    def pair(self, ends: Iterable[Point]) -> str:
        """Return the names of two points with `and` between them, as in a sentence.

        >>> Board(3, 3).pair(Board(3, 3).edges(Color.BLACK))
        'north and south'
        """
        return " and ".join(self.names(ends))

    @property
    def transposed(self) -> "Board":
        """The board with columns and rows exchanged."""
        return _transpose(self)

    def transpose(self, point: Point | str) -> Point:
        """Return the number of a point on the transposed board."""
        return _transposes(self)[self.point(point)]

    def rotate(self, point: Point | str) -> Point:
        """Return the place of a point after half a turn, which exchanges each player's edges."""
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
def cells_by_name(board: Board) -> dict[str, Cell]:
    """Return all cells by their names: a file repeats them a hundred thousand times."""
    return {board.name(cell): cell for cell in board.cells}


@cache
def _transpose(board: Board) -> Board:
    return Board(board.rows, board.columns)


@cache
def _transposes(board: Board) -> tuple[Point, ...]:
    north, south, west, east = range(board.size, board.size + 4)
    cells = map(board.column_and_row, board.cells)
    return (*(board.transposed.at(row, column) for column, row in cells), west, east, north, south)


@cache
def single_cells(board: Board) -> tuple[CellSet, ...]:
    """Return for each cell the set of that cell alone."""
    return tuple(map(board.only, board.cells))


@cache
def neighbors_of(board: Board) -> tuple[tuple[Point, ...], ...]:
    """Return the neighbors of each point: cells first, then edges."""
    north, south, west, east = range(board.size, board.size + 4)
    neighbors: list[list[Point]] = [[] for _ in range(board.size + 4)]
    for cell in board.cells:
        column, row = board.column_and_row(cell)
        for right, down in sorted(DIRECTIONS, key=lambda step: (step[1], step[0])):
            if 0 <= column + right < board.columns and 0 <= row + down < board.rows:
                neighbors[cell].append(board.at(column + right, row + down))
        sides = (row == 0, row == board.rows - 1, column == 0, column == board.columns - 1)
        for edge, touches in zip((north, south, west, east), sides, strict=True):
            if touches:
                neighbors[cell].append(edge)
                neighbors[edge].append(cell)
    return tuple(map(tuple, neighbors))


# Sets of cells as whole numbers: neighbors, borders and flood fill.


@cache
def neighbor_sets(board: Board) -> tuple[int, ...]:
    """Return the neighboring cells of each cell."""
    return tuple(
        sum(1 << other for other in board.neighbors(cell) if not board.is_edge(other))
        for cell in board.cells
    )


@cache
def borders(board: Board, color: Color) -> tuple[int, int]:
    """Return the cells along each of a player's edges."""
    first, second = (sum(1 << cell for cell in board.neighbors(e)) for e in board.edges(color))
    return first, second


def flood_from_edge(board: Board, color: Color, cells: int) -> int:
    """Return the part of `cells` that is connected, within it, to a player's first edge."""
    return flood(board, borders(board, color)[0], cells)


def rotate_cells(board: Board, cells: int) -> int:
    """Return where cells lie after half a turn of the board."""
    return int(f"{cells:0{board.size}b}"[::-1], 2)


def rectangle(board: Board, corner: Cell, other: Cell) -> list[Cell]:
    """Return the cells of the rectangle with two opposite corners, row by row."""
    (left, right), (top, bottom) = (
        sorted(pair)
        for pair in zip(board.column_and_row(corner), board.column_and_row(other), strict=True)
    )
    starts = range(board.at(left, top), board.at(left, bottom) + 1, board.columns)
    return [*chain.from_iterable(range(start, start + right - left + 1) for start in starts)]


def flood(board: Board, start: int, cells: int) -> int:
    """Return the part of `cells` that is connected, within it, to a cell of `start`."""
    everything, not_first, not_last = _columns(board)
    free, row = everything & cells, board.columns
    before, area = 0, start & free
    while before != area:
        before = area
        rightward, leftward = area & not_last, area & not_first
        near = rightward << 1 | leftward >> 1 | area << row | area >> row
        near |= leftward << row - 1 | rightward >> row - 1
        area |= near & free
    return area


@cache
def _columns(board: Board) -> tuple[int, int, int]:
    """Return all cells, those not in the first column, and those not in the last."""
    everything = (1 << board.size) - 1
    first = sum(1 << board.at(0, row) for row in range(board.rows))
    last = sum(1 << board.at(board.columns - 1, row) for row in range(board.rows))
    return everything, everything & ~first, everything & ~last
