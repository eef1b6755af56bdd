"""Errors in texts, with their places."""

import re

_UNPRINTED = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")


class FormatError(ValueError):
    """A text that could not be read.

    message what is wrong, without the place
    line    the line, from 1; None in formats of one line
    column  the column, from 1
    offset  the number of characters before it
    token   the offending text; None if something is missing

    >>> import hsearch
    >>> hsearch.read("(;SZ[3]B[z9])")
    Traceback (most recent call last):
        ...
    hsearch.formats.error.FormatError: 1:10: 'z9' is off the 3x3 board
    """

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        offset: int | None = None,
        token: str | None = None,
    ) -> None:
        """Put the place before the message."""
        place = ""
        if line is not None:
            place = f"{line}: " if column is None else f"{line}:{column}: "
        elif offset is not None:
            place = f"offset {offset}: "
        super().__init__(place + message)
        self.message = message
        self.line = line
        self.column = column
        self.offset = offset
        self.token = token


def error_at(text: str, offset: int, message: str, token: str | None = None) -> FormatError:
    """Return the error at an offset of a text, with its line and column."""
    line = text.count("\n", 0, offset) + 1
    column = offset - (text.rfind("\n", 0, offset) + 1) + 1
    return FormatError(message, line=line, column=column, offset=offset, token=token)


def quote(token: str, length: int = 30) -> str:
    """Return a token as messages show it: in quotes, on one line, shortened."""
    return repr(token if len(token) <= length else token[: length - 3] + "...")


MOST_SET_UP = 1_000_000  # cells in a game: a few characters, `a1:z26`, stand for 676


def expect_few(cells: int, text: str, offset: int) -> None:
    """Raise FormatError if a game sets up more cells than any real one."""
    if cells > MOST_SET_UP:
        raise error_at(text, offset, f"more than {MOST_SET_UP:,} cells are set up")


def expect_text(text: str) -> None:
    """Raise FormatError, with the offset, for a control character or half of a surrogate pair.

    No text has these. An argument has such a half for each byte that is not UTF-8.
    """
    binary = _UNPRINTED.search(text)
    if binary is not None:
        raise FormatError(
            f"not a text: character {binary[0]!r}", offset=binary.start(), token=binary[0]
        )
