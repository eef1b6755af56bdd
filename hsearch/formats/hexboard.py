"""HexWiki's `<hexboard>` tag.

::

    <hexboard size="4x4" coords="show" contents="R b2 a4 S a3 b3" />

In `contents`, `R` and `B` set red and blue stones on the cells after them, `E`
empties cells, `S` shades them; `*:c4` puts a label on a cell, `a1--c2` is a
rectangle of cells, `area(a4,d1,g4)` an area between corners. Red is our Black. A line
below a tag may name the player to move, as below a diagram.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from hsearch.formats.diagram import read_caption
from hsearch.formats.error import FormatError, error_at, expect_few, quote
from hsearch.hex import Board, Cell, CellSet, Color, Game, GameNode, Position
from hsearch.hex.board import rectangle

_TAG = re.compile(r"<hexboard\b([^<>]*+)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([a-z]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""", re.IGNORECASE)
_SIZE = re.compile(r"\s*+([0-9]{1,3})(?:\s*+x\s*+([0-9]{1,3}))?\s*+")
_TOKEN = re.compile(
    r"(?P<blank>\s++)"
    r"|(?P<mode>[RBES](?![^\s()]))"
    r"|(?P<bracket>[()])"
    r"|(?P<all>all(?![^\s()]))"
    r"|(?P<area>area\([^()]*+\))"
    r"|(?P<label>(?:arrow\([0-9]{1,2}\)|[^\s():]{1,20}):)"
    r"|(?P<cells>(?P<first>[a-z]{1,2}[0-9]{1,2})(?:--(?P<last>[a-z]{1,2}[0-9]{1,2}))?(?![^\s()]))"
)
_LABEL = re.compile(r"[0-9]{1,3}|[A-Za-z]|[*+-]|arrow\([0-9]{1,2}\)|[↗→↘↓↙←↖↑]")
_BELOW = re.compile(r"\s*+([^\n<>]{1,100}+)(?=\n|\Z)")
_MODES = {"R": Color.BLACK, "B": Color.WHITE}


def write(
    position: Position,
    *,
    carrier: CellSet | None = None,
    labels: Mapping[Cell, str] | None = None,
    visible: CellSet | None = None,
) -> str:
    """Return a position as a tag, without a newline.

    The carrier is shaded. A label is a number, a letter, `*`, `+`, `-` or an arrow;
    `visible` crops the picture to some cells. Raise ValueError for another label.
    """
    board, labels = position.board, labels or {}
    for cell, label in labels.items():
        if _LABEL.fullmatch(label) is None:
            raise ValueError(f"HexWiki has no label {label!r}, as on {board.name(cell)}")
    parts = []
    for mode, cells in (
        ("R", position.black),
        ("B", position.white),
        ("E", position.empty & board.only(*labels)),
    ):
        if cells.any():
            parts.append(mode)
            parts.extend(
                f"{labels[cell]}:{board.name(cell)}" if cell in labels else board.name(cell)
                for cell in cells.search(1)
            )
    if carrier is not None and carrier.any():
        parts.extend(("S", *board.names(carrier)))
    attributes = [f'size="{board}"', 'coords="show"']
    if visible is not None:
        attributes.append(f'visible="{" ".join(_ranges(board, visible))}"')
    attributes.append(f'contents="{" ".join(parts)}"')
    return f"<hexboard {' '.join(attributes)} />"


def places(text: str) -> list[int]:
    """Return the offset of each tag in a text."""
    return [tag.start() for tag in _TAG.finditer(text)]


def read(text: str, start: int = 0) -> Game:
    """Return the game that starts from the position of the first tag at or after an offset.

    Labels and shades are dropped. Raise FormatError if the tag cannot be read, or has an
    area that is not shaded: the cells of an area are not computed here.
    """
    tag = _TAG.search(text, start)
    if tag is None:
        raise FormatError("no <hexboard> tag, or it has no '>'")
    marks = {
        match[1].lower(): (
            match.start(2 if match[2] is not None else 3),
            match[2] or match[3] or "",
        )
        for match in _ATTRIBUTE.finditer(text, tag.start(1), tag.end(1))
    }
    offset, size = marks.get("size", (tag.start(), "11x11"))
    sides = _SIZE.fullmatch(size)
    if sides is None:
        raise error_at(text, offset, f"{quote(size)} is not a board size", size)
    try:
        board = Board(int(sides[1]), int(sides[2] or sides[1]))
    except ValueError as error:
        raise error_at(text, offset, str(error), size) from None
    start, contents = marks.get("contents", (tag.end(), ""))
    owner = _contents(text, start, start + len(contents), board)
    black, white = (
        tuple(cell for cell in board.cells if owner.get(cell) is color) for color in Color
    )
    turn = _turn(text, tag.end(), board)
    return Game(board, (GameNode(black=black, white=white, turn=turn),))


def _turn(text: str, end: int, board: Board) -> Color | None:
    """Return the player that a caption below a tag names; None if there is no caption."""
    line = _BELOW.match(text, end)
    caption = None if line is None else read_caption(line[1])
    fits = caption is not None and caption.size in {None, (board.columns, board.rows)}
    return caption.turn if caption is not None and fits else None


def _contents(text: str, at: int, end: int, board: Board) -> dict[Cell, Color]:
    """Return the owners of the stones that a part of the text sets, by cell."""
    owner: dict[Cell, Color] = {}
    mode, count = "", 0
    while at < end:
        match = _TOKEN.match(text, at, end)
        if match is None:
            token = re.split(r"[\s()]", text[at : min(end, at + 40)], maxsplit=1)[0] or text[at]
            raise error_at(text, at, f"{quote(token)} is not part of a board", token)
        if match.lastgroup == "mode":
            mode = match[0]
        elif match.lastgroup in {"all", "cells"}:
            if not mode:
                raise error_at(text, at, f"{quote(match[0])} before R, B, E or S", match[0])
            cells = _cells(text, match, board)
            count += len(cells)
            expect_few(count, text, at)
            _set(owner, mode, cells)
        elif match.lastgroup == "area" and mode != "S":
            message = f"{quote(match[0])} is not shaded: name its cells, as b2--c4"
            raise error_at(text, at, message, match[0])
        at = match.end()
    return owner


def _set(owner: dict[Cell, Color], mode: str, cells: Sequence[Cell]) -> None:
    for cell in cells:
        if mode == "E":
            owner.pop(cell, None)
        elif mode in _MODES:
            owner[cell] = _MODES[mode]


def _cells(text: str, match: re.Match[str], board: Board) -> Sequence[Cell]:
    """Return the cells of a name, of a rectangle, or of the whole board."""
    if match.lastgroup == "all":
        return board.cells
    try:
        first = board.cell(match["first"])
        last = board.cell(match["last"] or match["first"])
    except ValueError as error:
        raise error_at(text, match.start(), str(error), match[0]) from None
    return rectangle(board, first, last)


def _ranges(board: Board, cells: CellSet) -> Iterable[str]:
    """Yield the cells of a set row by row, neighbors in a row as one range."""
    for row in range(board.rows):
        columns = [column for column in range(board.columns) if cells[board.at(column, row)]]
        starts = [column for column in columns if column - 1 not in columns]
        ends = [column for column in columns if column + 1 not in columns]
        for first, last in zip(starts, ends, strict=True):
            name = board.name(board.at(first, row))
            yield name if first == last else f"{name}--{board.name(board.at(last, row))}"
