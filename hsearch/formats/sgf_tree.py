"""The syntax of SGF: a tree of nodes in brackets, and the values of their properties."""

import re
from dataclasses import dataclass, field
from string import digits

from hsearch.formats.error import FormatError, error_at, expect_few, quote
from hsearch.hex import Board, Cell, Color
from hsearch.hex.board import rectangle

# The brackets of SGF: from a text to a flat tree of nodes with properties.
#
# This section is not specific to Hex. Values stay as they are written, escapes
# included. The scanner passes over the text once and does not recurse, so that
# a million brackets do no harm.

# Little Golem does not escape the texts in its header, so each ends where the next begins.
_LITTLE_GOLEM = (
    r"FF\[4\]EV\[(?P<EV>[^\n]{0,200}?)\]PB\[(?P<PB>[^\n]{0,200}?)\]PW\[(?P<PW>[^\n]{0,200}?)\]"
    r"(?=SZ\[[0-9:]{1,9}\](?:RE\[[^\]\n]{0,20}\])?(?:GC\[[^\]\n]{0,99}\])?"
    r"SO\[https?://(?:www\.)?littlegolem\.)"
)
_HEADER = re.compile(_LITTLE_GOLEM)
FIRST = re.compile(r"\(\s*+;|\A\s*+\(\s*+(?=[A-Z]{1,2}\[)")
LATER = re.compile(r"\(\s*+;")
_VARIATION = re.compile(r"\(\s*+(?:;|(?=[A-Z]{1,2}\[))")
# Properties that only a first node has.
SURELY = re.compile(r"\(\s*+;\s*+(?:AP|CA|FF|GM|ST|SZ)\[")
# A node at the end of a value: the bracket of the value before it is missing.
_SWALLOWED = re.compile(r"(?:\(\s*+;|;)\s*+(?:AP|CA|FF|GM|ST|SZ|[BW])\[[^\[\]\\]*+\Z")
PROPERTY = re.compile(r"[A-Z]{1,2}\s*+\[")
_SPACE = re.compile(r"\s*+")
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]*+")
_VALUE = re.compile(r"\[((?:[^\\\]]++|\\.)*+)\]", re.DOTALL)
_BRACKET = re.compile(rf"(?<=\(;){_LITTLE_GOLEM}|\[(?:[^\\\]]++|\\.)*+\]?|[()]", re.DOTALL)
_SMALL = {"black": "B", "white": "W"}  # names in files written by hand
MOST_WARNINGS = 10  # a game
_OPEN, _CLOSE, _NODE = "(", ")", ";"


@dataclass(frozen=True, slots=True)
class RawValue:
    """Text between two brackets, and where it begins."""

    text: str
    offset: int


@dataclass(slots=True)
class RawProperty:
    """A property as it is written: its name in capitals, its offset, and its values."""

    name: str
    offset: int
    values: list[RawValue] = field(default_factory=list)


@dataclass(slots=True)
class RawNode:
    """A node as it is written: its parent's number, -1 for the first, and its properties."""

    parent: int
    properties: dict[str, RawProperty] = field(default_factory=dict)


def beginnings(text: str) -> list[int]:
    """Return the offset of each game in a text.

    Only brackets are examined, so games that cannot be read are included.
    """
    starts: list[int] = []
    start = FIRST.search(text)
    while start is not None:
        starts.append(start.start())
        end = _end(text, start.start())
        start = None if end is None else FIRST.search(text, end)
    return starts


def span(text: str, begins: re.Pattern[str], start: int = 0) -> tuple[int, int | None] | None:
    """Return where the next game at or after an offset begins and ends; None if there is none.

    `begins` matches the beginning of a game: FIRST, LATER or SURELY. The end of a game that is
    cut off is None.
    """
    beginning = begins.search(text, start)
    return None if beginning is None else (beginning.start(), _end(text, beginning.start()))


def _end(text: str, start: int) -> int | None:
    """Return the offset after the game that begins at `start`; None if it does not end."""
    depth, at = 0, start
    while bracket := _BRACKET.search(text, at):
        if depth and SURELY.match(text, bracket.start()):
            return bracket.start()
        swallowed = _SWALLOWED.search(text, bracket.start(), bracket.end() - 1)
        at = bracket.end() if swallowed is None else swallowed.start()
        depth += (bracket[0] == _OPEN) - (bracket[0] == _CLOSE)
        if depth == 0:
            return bracket.end()
    return None


def tree(text: str, start: int = 0) -> tuple[list[RawNode], list[str]]:
    """Return the nodes of the first game at or after an offset, in depth-first order, and warnings.

    Text before its `(;` is skipped. A game that is cut off, or lacks `;` after a bracket, is
    read with a warning. There is one, too, if properties follow that lie in no game. Raise
    FormatError for anything else between the brackets.
    """
    first = FIRST.search(text, start)
    if first is None:
        raise FormatError("no SGF game: there is no '(;'")
    nodes: list[RawNode] = []
    branches: list[int] = []
    previous = ""
    warnings: list[str] = []
    current, at = -1, first.start() + len(first[0]) - len(first[0].lstrip())
    while at < len(text):
        mark = text[at]
        if mark == _OPEN:
            if branches and SURELY.match(text, at):
                break
            lacks_node = _lacks_node(text, at, warnings)
            branches.append(current)
            at += 1
            if lacks_node:
                current = _append(nodes, current)
        elif mark == _CLOSE:
            current = branches.pop()
            if not branches:
                _warn_of_lost(warnings, text, at + 1)
                return nodes, warnings
            at += 1
        elif mark == _NODE:
            if previous == _CLOSE:
                note = "a node after variations: read as one more variation"
                _warn(warnings, text, at, note)
            current = _append(nodes, current)
            at += 1
        else:
            at = _property(text, at, nodes[current], warnings)
        previous, at = mark, _after_space(text, at)
    _warn(warnings, text, at, "the game does not end: ')' is missing")
    return nodes, warnings


def _warn_of_lost(warnings: list[str], text: str, after: int) -> None:
    """Warn of properties between the end of a game and the next one, which may be a damaged game.

    Other text there is skipped without a warning, such as a signature.
    """
    following = LATER.search(text, after)
    end = len(text) if following is None else following.start()
    if PROPERTY.search(text, after, end):
        start = _after_space(text, after)
        lost = quote(text[start:end].rstrip())
        _warn(warnings, text, start, f"{lost} is in no game, and skipped: each begins with '(;'")


def _warn(warnings: list[str], text: str, at: int, message: str) -> None:
    if len(warnings) < MOST_WARNINGS:
        warnings.append(str(error_at(text, at, message)))


def _append(nodes: list[RawNode], parent: int) -> int:
    nodes.append(RawNode(parent))
    return len(nodes) - 1


def _lacks_node(text: str, at: int, warnings: list[str]) -> bool:
    """Return whether `;` is missing after a bracket, and warn; raise if no property follows."""
    begin = _VARIATION.match(text, at)
    if begin is None:
        raise error_at(text, at, "'(' without a node after it", _OPEN)
    if begin[0].endswith(_NODE):
        return False
    _warn(warnings, text, at, "';' is missing after '('")
    return True


def _property(text: str, at: int, node: RawNode, warnings: list[str]) -> int:
    """Add the property at an offset to a node and return where it ends.

    A property that is cut off, by the end or by another game, is left out, with a warning. If
    only the bracket after a value is missing, it is read up to the next node, with a warning.
    """
    header = _HEADER.match(text, at)
    if header is not None:
        for name, value in header.groupdict().items():
            plain = re.sub(r"([\\\]])", r"\\\1", value)
            raw = RawValue(plain, header.start(name))
            node.properties[name] = RawProperty(name, raw.offset, [raw])
        return header.end()
    word = _IDENTIFIER.match(text, at)
    if word is None:
        raise error_at(text, at, f"{quote(text[at])} where a property is expected", text[at])
    # Old files have long names such as White, of which only the capitals count.
    capitals = re.sub("[^A-Z0-9]", "", word[0]).lstrip(digits)
    name = capitals or _SMALL.get(word[0], word[0].upper())
    values: list[RawValue] = []
    end = _after_space(text, word.end())
    while end < len(text) and text[end] == "[":
        value = _VALUE.match(text, end)
        swallowed = value and _SWALLOWED.search(text, end, value.end() - 1)
        after = len(text) if swallowed is None else swallowed.start()
        if value is None or SURELY.match(text, after):
            note = f"the value of {quote(name)} does not end: it is left out"
            _warn(warnings, text, end, note)
            return after
        if swallowed is not None:
            note = f"the value of {quote(name)} does not end: it is read up to the next node"
            _warn(warnings, text, end, note)
            values.append(RawValue(text[end + 1 : after].rstrip(), end + 1))
            end = after
            break
        values.append(RawValue(value[1], value.start(1)))
        end = _after_space(text, value.end())
    if not values:
        raise error_at(text, at, f"property {quote(word[0])} without a value", word[0])
    node.properties.setdefault(name, RawProperty(name, at)).values.extend(values)
    return end


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return at if match is None else match.end()


# Values of SGF properties: texts, points, lists of points, colors, sizes.

# Texts about the whole game, stored in `Game.info`; they are properties of the first node.
INFO = frozenset(
    "AN BR BT CP DT EV GC GN HA ID ON OT PB PC PW RE RO RU SO TM US WR WT".split()  # noqa: SIM905
)

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_SIZE = re.compile(r"([0-9]{1,4})(?::([0-9]{1,4}))?")
_LETTERS = re.compile(r"[a-zA-Z]{2}")


def text_of(raw: str) -> str:
    """Return the text that a value stands for: escapes resolved, soft line breaks removed."""
    plain = _ESCAPE.sub(lambda match: "" if match[1] == "\n" else match[1], raw)
    return re.sub(r"[\t\v\f\r]", " ", plain)


def info_of(raw: RawProperty) -> str:
    """Return the text of a property in `INFO`: one line, except for GC, the game's comment."""
    text = text_of(", ".join(value.text for value in raw.values))
    return text if raw.name == "GC" else text.replace("\n", " ")


def escape(text: str) -> str:
    """Return a text as a value: `]` and the backslash are escaped, and what looks like a node."""
    escaped = re.sub(r"([\\\]])", r"\\\1", text)
    return _SWALLOWED.sub(lambda node: node[0].replace("[", r"\["), escaped)


def size_of(text: str, value: RawValue) -> Board:
    """Return the board of an SZ value, `11` or `5:9`.

    Raise FormatError, with the place, if it is not a size, or there is no such board.
    """
    match = _SIZE.fullmatch(value.text.strip())
    if match is None:
        message = f"{quote(f'SZ[{value.text}]')} is not a board size"
        raise error_at(text, value.offset, message, value.text)
    try:
        return Board(int(match[1]), int(match[2] or match[1]))
    except ValueError as error:
        raise error_at(text, value.offset, str(error), value.text) from None


def with_row_number(point: str) -> str:
    """Return a point with a number for its row, such as a13 for `am` in Go files."""
    if _LETTERS.fullmatch(point):
        return f"{point[0].lower()}{ord(point[1].lower()) - ord('a') + 1}"
    return point


def cell_of(text: str, value: RawValue, board: Board) -> Cell:
    """Return the cell of a value: `a13`, or `am` as in Go files.

    Raise FormatError, with the place, if the board has no such cell.
    """
    word = value.text.strip()
    name = with_row_number(word)
    meant = "" if name == word else f"{quote(word)} is {name}: "
    try:
        return board.cell(name[:30])
    except ValueError as error:
        raise error_at(text, value.offset, f"{meant}{error}", word) from None


def cells_of(text: str, raw: RawProperty, board: Board) -> tuple[Cell, ...]:
    """Return the cells of a list of points, rectangles `a1:c2` included, in order."""
    cells: set[Cell] = set()
    count = 0
    for value in raw.values:
        first, colon, last = value.text.partition(":")
        corner = cell_of(text, RawValue(first, value.offset), board)
        if not colon:
            cells.add(corner)
            continue
        other = cell_of(text, RawValue(last, value.offset + len(first) + 1), board)
        inside = rectangle(board, corner, other)
        count += len(inside)
        expect_few(count, text, value.offset)
        cells.update(inside)
    return tuple(sorted(cells))


def color_of(text: str, value: RawValue) -> Color:
    """Return the color of a PL value.

    Raise FormatError, with the place, if it is not a color.
    """
    try:
        return Color.named(value.text.strip(), letters=True)
    except ValueError:
        message = f"{quote(value.text)} is not a color"
        raise error_at(text, value.offset, message, value.text) from None
