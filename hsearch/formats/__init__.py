"""Reading and writing positions and games: one module a format, and `read` for any format."""

from hsearch.formats import diagram, hexboard, hexworld, moves, sgf, suite
from hsearch.formats.error import FormatError
from hsearch.formats.files import find_shipped, read_shipped
from hsearch.formats.reading import FORMATS, WRITTEN, holds_game, load, read, read_all, write

__all__ = [
    "FORMATS",
    "WRITTEN",
    "FormatError",
    "diagram",
    "find_shipped",
    "hexboard",
    "hexworld",
    "holds_game",
    "load",
    "moves",
    "read",
    "read_all",
    "read_shipped",
    "sgf",
    "suite",
    "write",
]
