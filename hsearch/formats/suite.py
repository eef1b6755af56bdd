"""Suites: many positions in one text, easy to read and to mail.

An entry is a block of lines, ended by an empty line::

    id      bridge
    source  Anshelevich 2002
    board   . . . .
             . B . .
              . . . .
               B . . .
    turn    white
    full    b2 a4     a3 b3

A key begins its line; further lines of its value are indented. `id` and `board`
are required; `turn` gives the player to move; all other keys are stored, even
repeated ones. Lines that begin with `#` are comments.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from hsearch.formats import diagram
from hsearch.formats.error import FormatError, quote
from hsearch.hex import CellSet, Color, Game, Position

_TURNS = {color.word: color for color in Color}
_MOST_NAMED = 50
_KEY = re.compile(r"([a-z][a-z_-]*+)(\s++)?")


@dataclass(frozen=True, slots=True)
class SuiteEntry:
    """One position of a suite.

    id      its name
    game    the game that starts from it
    fields  all keys except `id` and `board` with their values, in order
    line    the line on which it begins
    """

    id: str
    game: Game
    fields: tuple[tuple[str, str], ...]
    line: int

    def values(self, key: str) -> list[str]:
        """Return the values of a key, in order."""
        return [value for name, value in self.fields if name == key]

    def cells(self, key: str) -> CellSet:
        """Return the cells named in any value of a key.

        Raise FormatError if one is not a cell of the board.
        """
        try:
            return self.game.board.named(" ".join(self.values(key)))
        except ValueError as error:
            raise FormatError(f"{key} of {self.id}: {error}", line=self.line) from None


@dataclass(frozen=True, slots=True)
class _Field:
    """A key with the lines of its value, and the place where the value begins."""

    key: str
    lines: list[str]
    line: int
    column: int

    @property
    def value(self) -> str:
        return "\n".join(self.lines)


def read(text: str) -> list[SuiteEntry]:
    """Return the entries of a suite, in order.

    Raise FormatError when a block has no `id` or no `board`, when a board
    cannot be read, or when two entries have one id.
    """
    entries: dict[str, SuiteEntry] = {}
    for block in _blocks(text):
        entry = _entry(block)
        if entry.id in entries:
            other = entries[entry.id].line
            raise FormatError(
                f"id {quote(entry.id)} again, as in line {other}", line=entry.line, token=entry.id
            )
        entries[entry.id] = entry
    if not entries:
        raise FormatError("no entries: there is no line that begins with 'id'")
    return list(entries.values())


def pick(entries: list[SuiteEntry], name: str | None) -> SuiteEntry:
    """Return the entry of an id; the only one if no id is given.

    Raise FormatError, with the ids, when there is no such entry.
    """
    matches = [entry for entry in entries if name is None or entry.id == name]
    if len(matches) == 1:
        return matches[0]
    ids = ", ".join(entry.id for entry in entries[:_MOST_NAMED])
    ids += ", ..." * (len(entries) > _MOST_NAMED)
    if name is None:
        raise FormatError(f"{len(entries)} positions, choose one by its id, id=ID: {ids}")
    raise FormatError(f"no position {quote(name)}, but: {ids}", token=name)


def write(name: str, position: Position, fields: Mapping[str, str], *, margin: int = 8) -> str:
    """Return an entry, from which `read` returns the same stones and fields; no final newline.

    `fields` have all keys except `id` and `board`; a `source` stands before the board. Values
    begin after `margin` columns.
    Raise ValueError when a value has more than one line.
    """
    for key, value in fields.items():
        if "\n" in value:
            raise ValueError(f"{key} of {name} has more than one line")
    board = diagram.write(position, labels=False).rstrip().replace("\n", "\n" + " " * margin)
    source = {"source": fields["source"]} if "source" in fields else {}
    whole = {"id": name} | source | {"board": board} | dict(fields)
    return "\n".join(f"{key:{margin - 1}} {value}" for key, value in whole.items())


def _blocks(text: str) -> list[list[_Field]]:
    """Return the fields of each block; a value of several lines stays a list of lines."""
    blocks: list[list[_Field]] = [[]]
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("#"):
            continue
        if not line.strip():
            blocks.append([])
        elif line[0].isspace():
            if not blocks[-1]:
                raise FormatError("an indented line without a key above it", line=number)
            blocks[-1][-1].lines.append(line)
        else:
            key = _KEY.match(line)
            if key is None or (key[2] is None and key.end() < len(line)):
                token = line.split(maxsplit=1)[0]
                raise FormatError(
                    f"{quote(token)} is not a key", line=number, column=1, token=token
                )
            blocks[-1].append(_Field(key[1], [line[key.end() :]], number, key.end() + 1))
    return [block for block in blocks if block]


def _entry(block: list[_Field]) -> SuiteEntry:
    """Return the entry of a block."""
    line = block[0].line
    single = {}
    for field in block:
        if field.key in {"id", "board", "turn"}:
            if field.key in single:
                raise FormatError(f"{field.key!r} twice in one block", line=field.line)
            single[field.key] = field
    for key in ("id", "board"):
        if key not in single or not single[key].value.strip():
            raise FormatError(f"a block without {key!r}", line=line)
    board = single["board"]
    game = diagram.read(board.value, first_line=board.line, first_column=board.column)
    name = single["id"].value.strip()
    turn = game.nodes[0].turn  # from a caption around the board
    if "turn" in single:
        turn = _TURNS.get(single["turn"].value.strip().lower())
        if turn is None:
            token = single["turn"].value.strip()
            raise FormatError(
                f"{quote(token)} is not a color", line=single["turn"].line, token=token
            )
    fields = tuple(
        (field.key, field.value.strip()) for field in block if field.key not in {"id", "board"}
    )
    info = [("GN", name), *(("SO", value) for key, value in fields if key == "source")]
    root = replace(game.nodes[0], turn=turn)
    return SuiteEntry(name, Game(game.board, (root,), tuple(info[:2])), fields, line)
