"""Text to positions and games and back: one module a format, and `read` for any of them."""

from dataclasses import replace

from hsearch.board import Board
from hsearch.formats import diagram, hexboard, hexworld, moves, sgf, suite
from hsearch.formats.encoding import decode
from hsearch.formats.error import FormatError, quoted
from hsearch.formats.shipped import shipped
from hsearch.formats.sniff import FORMATS, sniff
from hsearch.game import Game

__all__ = [
    "FORMATS",
    "FormatError",
    "diagram",
    "hexboard",
    "hexworld",
    "moves",
    "read",
    "sgf",
    "shipped",
    "suite",
]

_UNREAD = {"six": ".six files", "hex": "the old <hex> tag", "json": "JSON"}


def read(
    text: str | bytes,
    *,
    format: str | None = None,  # noqa: A002 - the option's name
    size: tuple[int, int] = (11, 11),
    id: str | None = None,  # noqa: A002 - the option's name
) -> Game:
    """Return the game that a text holds, in the format that it looks like.

    `format` is one of `FORMATS`. `size`, columns and rows, is the board of a
    move list, which does not tell. `id` chooses from a suite. The game's
    `warnings` tell what was odd. Raise FormatError when the text cannot be
    read, and ValueError when an option does not fit it.
    """
    if format is not None and format not in FORMATS:
        raise ValueError(f"no format {format!r}, but: {', '.join(FORMATS)}")
    plain, warnings = decode(text)
    kind = sniff(plain) if format is None else format
    if kind in _UNREAD:
        raise FormatError(f"{_UNREAD[kind]} cannot be read: convert it to SGF")
    if id is not None and kind != "suite":
        raise FormatError(f"no suite, but {kind}: it has no position {quoted(id)}", token=id)
    game = _read(plain, kind, size, id)
    return game if not warnings else replace(game, warnings=warnings + game.warnings)


def _read(text: str, kind: str, size: tuple[int, int], name: str | None) -> Game:
    if kind == "suite":
        return suite.pick(suite.read(text), name).game
    if kind == "moves":
        return moves.read(text, Board(*size))
    readers = {
        "diagram": diagram.read,
        "sgf": sgf.read,
        "hexworld": hexworld.read,
        "hexboard": hexboard.read,
    }
    return readers[kind](text)
