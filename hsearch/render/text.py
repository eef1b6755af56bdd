"""Marks on a board, boards as lines of text for a terminal, and numbers in sentences."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from hsearch.hex import Cell, CellSet, Color, Point, Position
from hsearch.hex.board import column_name


@dataclass(frozen=True, slots=True)
class Marks:
    """Marks on the picture of a board; by default none.

    shade      cells to shade
    shade_as   what the shaded cells are, for the legend
    key        the cell to star
    ends       cells and edges to ring
    last       the cell of the stone that was played last
    labels     short texts on cells
    tints      cells of several kinds, each kind a color
    tint_names what the kinds are, for the legend
    notes      lines of the legend that explain the labels
    heat       numbers to show as shades of one color; 0 and less are not shown
    heat_as    what the numbers are, for the legend
    heat_scale the range of the heat, for the legend; by default 0 to the greatest number
    area       the only cells to draw in a picture, which then shows only edges that are ends, and
               no coordinates; None for the whole board
    """

    shade: CellSet | None = None
    shade_as: str = "carrier"
    key: Cell | None = None
    ends: tuple[Point, ...] = ()
    last: Cell | None = None
    labels: Mapping[Cell, str] = field(default_factory=dict)
    tints: Mapping[Cell, int] = field(default_factory=dict)
    tint_names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    heat: Mapping[Cell, float] = field(default_factory=dict)
    heat_as: str = ""
    heat_scale: str = ""
    area: CellSet | None = None

    def is_shaded(self, cell: Cell) -> bool:
        """Return whether a cell is shaded."""
        return self.shade is not None and bool(self.shade[cell])

    def warmth(self, cell: Cell) -> float:
        """Return the heat of a cell as a fraction of the greatest: from 0 to 1.

        Beside an infinite heat, which is 1, every finite one is 0.
        """
        value = self.heat.get(cell, 0.0)
        top = max(self.heat.values(), default=0.0)
        if value <= 0:
            return 0.0
        return 1.0 if value == top else value / top


# Boards for a terminal, line by line.
#
# A line is a list of pieces of text with their styles, as `rich` names them;
# `plain` drops the styles. No mark is shown by its color alone::
#
#        a b c d              ● ○ ·  Black, White, an empty cell
#     1  · · * ·  1          (●)     the stone played last
#      2  ·(●)★ ·  2         [●]     an end of the connection; [●|●] two side by side
#       3  · * ○ ·  3         *      a shaded cell, and ★ its key
#           a b c d           1 to 9 a label, or the heat in ninths of the greatest

Piece: TypeAlias = tuple[str, str]
Line: TypeAlias = list[Piece]

# Of the 256 terminal colors, leaving out those that themes change, only six have a contrast of
# 4.5 to 1 on both black and white; these are five of them, by number.
RED, BLUE, GREEN, VIOLET, GRAY = (f"color({number})" for number in (131, 63, 29, 98, 243))
OWNER = {Color.BLACK: f"bold {RED}", Color.WHITE: f"bold {BLUE}"}
LABEL, KEY, SHADED, HEAT, EMPTY = "bold", f"bold {GREEN}", GREEN, VIOLET, GRAY


@dataclass(frozen=True, slots=True)
class Symbols:
    """The characters of a board."""

    black: str = "●"
    white: str = "○"
    empty: str = "·"
    shade: str = "*"
    key: str = "★"

    def stone(self, color: Color) -> str:
        """Return the character of a player's stones."""
        return self.black if color is Color.BLACK else self.white

    def fit(self, encoding: str) -> bool:
        """Return whether an encoding has all of them."""
        try:
            f"{self.black}{self.white}{self.empty}{self.shade}{self.key}".encode(encoding)
        except (UnicodeEncodeError, LookupError):
            return False
        return True


UNICODE = Symbols()
ASCII = Symbols("B", "W", ".", "*", "!")


def board(position: Position, marks: Marks, symbols: Symbols = UNICODE) -> list[Line]:
    """Return the lines of a position, slanted like the board.

    A cell takes two columns, or more if names or labels are longer. The coordinates
    at edges that are ends are shown in reverse video.
    """
    columns, rows = position.board.columns, position.board.rows
    widest = max([len(column_name(columns - 1)), *map(len, marks.labels.values())])
    left = max(len(str(rows)) + 2, widest)
    north, south, west, east = (
        OWNER[color] + (" reverse" if edge in marks.ends else "")
        for color in Color
        for edge in position.board.edges(color)
    )
    # The letters are placed like one more row of cells.
    lines = [_letters(left - widest, columns, widest, north)]
    for row in range(rows):
        line = _Line()
        start = left + widest * row
        line.put(start - 2 - len(str(row + 1)), str(row + 1), west)
        for column in range(columns):
            cell = position.board.at(column, row)
            at = start + 2 * widest * column
            text, style = _cell(position, marks, symbols, cell)
            line.put(at, text, style)
            for place, bracket in zip(
                (at - 1, at + len(text)), _brackets(marks, cell), strict=True
            ):
                line.put(place, "|" if bracket and line.has(place) else bracket, "bold")
        line.put(start + 2 * widest * columns - widest + 2, str(row + 1), east)
        lines.append(line)
    lines.append(_letters(left + widest * rows, columns, widest, south))
    return [line.pieces() for line in lines]


def legend(symbols: Symbols = UNICODE, width: int | None = None) -> list[Line]:
    """Return the explanation of the players' colors: a line, or two if `width` is less."""
    edges = {Color.BLACK: "joins top and bottom", Color.WHITE: "joins left and right"}
    black, white = (
        [(f"{symbols.stone(color)} {color.title}", OWNER[color]), (f" {edges[color]}", "")]
        for color in Color
    )
    line = [*black, ("   ", ""), *white]
    is_wide = width is not None and len(plain([line])) > width
    return [black, white] if is_wide else [line]


def plain(lines: Iterable[Line]) -> str:
    """Return the lines as one text, without styles."""
    return "\n".join("".join(text for text, _ in line) for line in lines)


class _Line:
    """A line under construction: a character and its style at each column."""

    def __init__(self) -> None:
        self._at: dict[int, tuple[str, str]] = {}

    def put(self, start: int, text: str, style: str) -> None:
        """Write a text that begins at a column."""
        self._at.update({start + i: (character, style) for i, character in enumerate(text)})

    def has(self, column: int) -> bool:
        """Return whether something was written at a column."""
        return column in self._at

    def pieces(self) -> Line:
        """Return the line, with blanks where nothing was written."""
        line: Line = []
        for column in range(max(self._at) + 1):
            character, style = self._at.get(column, (" ", ""))
            if line and line[-1][1] == style:
                line[-1] = (line[-1][0] + character, style)
            else:
                line.append((character, style))
        return line


def _letters(start: int, columns: int, widest: int, style: str) -> _Line:
    line = _Line()
    for column in range(columns):
        line.put(start + 2 * widest * column, column_name(column), style)
    return line


def _brackets(marks: Marks, cell: Cell) -> tuple[str, str]:
    if cell in marks.ends:
        return "[", "]"
    return ("(", ")") if cell == marks.last else ("", "")


def _cell(position: Position, marks: Marks, symbols: Symbols, cell: Cell) -> Piece:
    color = position.color_at(cell)
    if cell in marks.labels:
        return marks.labels[cell], LABEL if color is None else OWNER[color]
    if color is not None:
        return symbols.stone(color), OWNER[color]
    if cell == marks.key:
        return symbols.key, KEY
    if marks.is_shaded(cell):
        return symbols.shade, SHADED
    if marks.warmth(cell):
        return str(math.ceil(9 * marks.warmth(cell))), HEAT
    return symbols.empty, EMPTY


# Numbers in sentences.


def quantity(number: int, thing: str) -> str:
    """Return a number with its noun, such as `1 position` or `2,000 positions`."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def join_words(words: Sequence[str]) -> str:
    """Return words joined as in a sentence, such as `comments, marks and variations`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def duration(seconds: float) -> str:
    """Return a duration in words, such as `3 hours`."""
    for size, unit in ((86400, "days"), (3600, "hours"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
