"""Values of SGF properties: texts, points, lists of points, colors, sizes."""

import re

from hsearch.board import Board, Cell, Color
from hsearch.formats.error import error_at, quoted
from hsearch.formats.sgf.grammar import RawProperty, RawValue

# Texts about the whole game, kept as `Game.info`; they stand in the first node.
INFO = frozenset(
    "AN BR BT CP DT EV GC GN HA ID ON OT PB PC PW RE RO RU SO TM US WR WT".split()  # noqa: SIM905
)

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_SIZE = re.compile(r"([0-9]{1,4})(?::([0-9]{1,4}))?")
_LETTERS = re.compile(r"[a-zA-Z]{2}")
_COLORS = {"b": Color.BLACK, "black": Color.BLACK, "w": Color.WHITE, "white": Color.WHITE}


def text_of(raw: str) -> str:
    """Return the text that a value stands for: escapes resolved, soft line breaks gone."""
    plain = _ESCAPE.sub(lambda match: "" if match[1] == "\n" else match[1], raw)
    return re.sub(r"[\t\v\f\r]", " ", plain)


def line_of(raw: str) -> str:
    """Return the text of a value that is one line."""
    return text_of(raw).replace("\n", " ")


def escaped(text: str) -> str:
    """Return a text as a value, with `]` and the backslash escaped."""
    return re.sub(r"([\\\]])", r"\\\1", text)


def size_of(text: str, value: RawValue) -> Board:
    """Return the board of an SZ value, `11` or `5:9`."""
    match = _SIZE.fullmatch(value.text.strip())
    if match is None:
        raise error_at(text, value.offset, f"SZ[{value.text[:20]}] is no board size", value.text)
    try:
        return Board(int(match[1]), int(match[2] or match[1]))
    except ValueError as error:
        raise error_at(text, value.offset, str(error), value.text) from None


def cell_of(text: str, value: RawValue, board: Board) -> Cell:
    """Return the cell of a value: `a13`, or `am` as in files of Go."""
    name = value.text.strip()
    if _LETTERS.fullmatch(name):
        row = ord(name[1].lower()) - ord("a") + 1
        return cell_of(text, RawValue(f"{name[0]}{row}", value.offset), board)
    try:
        return board.cell(name[:30])
    except ValueError as error:
        raise error_at(text, value.offset, str(error), name) from None


def cells_of(text: str, raw: RawProperty, board: Board) -> tuple[Cell, ...]:
    """Return the cells of a list of points, rectangles `a1:c2` included, in order."""
    cells: set[Cell] = set()
    for value in raw.values:
        first, colon, last = value.text.partition(":")
        corner = cell_of(text, RawValue(first, value.offset), board)
        if not colon:
            cells.add(corner)
            continue
        other = cell_of(text, RawValue(last, value.offset + len(first) + 1), board)
        (left, top), (right, bottom) = board.column_and_row(corner), board.column_and_row(other)
        cells.update(
            board.at(column, row)
            for column in range(min(left, right), max(left, right) + 1)
            for row in range(min(top, bottom), max(top, bottom) + 1)
        )
    return tuple(sorted(cells))


def color_of(text: str, value: RawValue) -> Color:
    """Return the color of a PL value."""
    color = _COLORS.get(value.text.strip().lower())
    if color is None:
        raise error_at(text, value.offset, f"{quoted(value.text)} is no color", value.text)
    return color
