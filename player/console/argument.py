"""The argument FILE: a file, stdin, or a game that was typed or pasted there."""

import sys
from pathlib import Path
from typing import BinaryIO

from hsearch.formats import holds_game, shipped
from player.console.errors import InputError, one_line, unreadable

MAX_BYTES = 16_000_000
_LONGEST_SHOWN = 50


def text_of(file: str) -> str | bytes:
    """Return what an argument holds: a file's content, or itself if it is a game and no file.

    Raise InputError when it cannot be read.
    """
    return content_of(file) if is_file(file) or not holds_game(file) else file


def named(file: str) -> str:
    """Return what messages call an argument: its name, or the beginning of the game that it is."""
    is_long = len(file) > _LONGEST_SHOWN and not is_file(file) and holds_game(file)
    return one_line(f"{file[:_LONGEST_SHOWN]}..." if is_long else file)


def content_of(file: str) -> bytes:
    """Return what a file holds, `-` being stdin; raise InputError when it cannot be read."""
    content: bytes
    try:
        if file == "-":
            content = stdin().read(MAX_BYTES + 1)
        else:
            with path_of(file).open("rb") as stream:
                content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise unreadable(file, error) from error
    except ValueError as error:  # a name that no file can have
        raise InputError(f"{file}: {error}") from error
    if len(content) > MAX_BYTES:
        raise InputError(f"{file}: longer than {MAX_BYTES} bytes")
    return content


def stdin() -> BinaryIO:
    """Return the standard input; raise InputError when it is closed."""
    if sys.stdin is None:
        raise InputError("-: stdin is closed")
    return sys.stdin.buffer


def is_file(file: str) -> bool:
    """Return whether an argument names something that can be opened, or is stdin."""
    try:
        return file == "-" or path_of(file).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def path_of(file: str | Path) -> Path:
    """Return where a file lies: here, or among the positions that hsearch brings along."""
    path = Path(file)
    if path.parts[:1] == ("positions",) and not path.exists():
        return shipped(path.as_posix()) or path
    return path
