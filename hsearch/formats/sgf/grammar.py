"""The brackets of SGF: a text to a flat tree of nodes with properties.

Nothing in this module is about Hex. Values stay as they are written, escapes
included. The scanner goes through the text once and does not recurse, so that
a million brackets do no harm.
"""

import re
from dataclasses import dataclass, field

from hsearch.formats.error import FormatError, error_at, quoted

_START = re.compile(r"\(\s*+;")
_SPACE = re.compile(r"\s*+")
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]*+")
_VALUE = re.compile(r"\[((?:[^\\\]]++|\\.)*+)\]", re.DOTALL)
_BRACKET = re.compile(r"\[(?:[^\\\]]++|\\.)*+\]?|[()]", re.DOTALL)
_OPEN, _CLOSE, _NODE = "(", ")", ";"


@dataclass(frozen=True, slots=True)
class RawValue:
    """Text between two brackets, and where it begins."""

    text: str
    offset: int


@dataclass(slots=True)
class RawProperty:
    """A property as it is written: its name in capitals, its place, its values."""

    name: str
    offset: int
    values: list[RawValue] = field(default_factory=list)


@dataclass(slots=True)
class RawNode:
    """A node as it is written: its parent's number, -1 for the first, and its properties."""

    parent: int
    properties: dict[str, RawProperty] = field(default_factory=dict)


def beginnings(text: str) -> list[int]:
    """Return where each game of a text begins.

    Only brackets are looked at, so a game that cannot be read is counted, too.
    """
    found: list[int] = []
    start = _START.search(text)
    while start is not None:
        found.append(start.start())
        start = _START.search(text, _end(text, start.start()))
    return found


def _end(text: str, start: int) -> int:
    """Return the place after a game that begins at a place, or the end of the text."""
    depth = 0
    for bracket in _BRACKET.finditer(text, start):
        depth += (bracket[0] == _OPEN) - (bracket[0] == _CLOSE)
        if depth == 0:
            return bracket.end()
    return len(text)


def tree(text: str, start: int = 0) -> list[RawNode]:
    """Return the nodes of the first game from a place on, variation by variation.

    What stands before its `(;` is skipped. Raise FormatError when the brackets
    do not match or something stands between them.
    """
    first = _START.search(text, start)
    if first is None:
        raise FormatError("no SGF game: there is no '(;'")
    nodes: list[RawNode] = []
    branches: list[int] = []
    current, at = -1, first.start()
    while at < len(text):
        mark = text[at]
        if mark == _OPEN:
            if _START.match(text, at) is None:
                raise error_at(text, at, "'(' without a node after it", _OPEN)
            branches.append(current)
            at += 1
        elif mark == _CLOSE:
            current = branches.pop()
            if not branches:
                return nodes
            at += 1
        elif mark == _NODE:
            nodes.append(RawNode(current))
            current = len(nodes) - 1
            at += 1
        else:
            at = _property(text, at, nodes[current])
        at = _after_space(text, at)
    raise error_at(text, len(text), "the text ends inside a game: ')' is missing")


def _property(text: str, at: int, node: RawNode) -> int:
    """Add the property at a place to a node and return where it ends."""
    word = _IDENTIFIER.match(text, at)
    if word is None:
        raise error_at(text, at, f"{quoted(text[at])} where a property is expected", text[at])
    # The long names of old files, such as White, are capitals with small letters between.
    name = re.sub("[^A-Z0-9]", "", word[0]) or word[0].upper()
    values: list[RawValue] = []
    end = _after_space(text, word.end())
    while end < len(text) and text[end] == "[":
        value = _VALUE.match(text, end)
        if value is None:
            raise error_at(text, end, f"the value of {quoted(name)} does not end: ']' is missing")
        values.append(RawValue(value[1], value.start(1)))
        end = _after_space(text, value.end())
    if not values:
        raise error_at(text, at, f"property {quoted(word[0])} without a value", word[0])
    node.properties.setdefault(name, RawProperty(name, at)).values.extend(values)
    return end


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return at if match is None else match.end()
