"""Texts of any length, game by game: SGF and JSON of many games.

At most one game and a chunk are in memory at a time, and a game is no longer than a text may be.
Line numbers in errors and warnings are counted from the start of the game.
"""

import codecs
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from hsearch.formats import json_games, sgf, strict
from hsearch.formats.error import FormatError, expect_text
from hsearch.formats.sgf_tree import FIRST, LATER, PROPERTY, SURELY, span
from hsearch.hex import Game

_CHUNK = 1 << 16
_BEGINNING = 100  # most characters of the beginning of a game, which two chunks may share
_AFTER = 200  # characters after a game that are looked at, for properties that no game holds
_LIST = re.compile(r'\s*+(?:(?:\{\s*+"games"\s*+:\s*+)?\[)?')
_UNENDED = "["
_ESCAPED = re.compile(r"[\udc80-\udcff]")  # how a byte that is not UTF-8 is decoded
FORMATS = ("sgf", "json")


class Readable(Protocol):
    """A file that is open for reading, as bytes or as text."""

    def read(self, size: int, /) -> bytes | str:
        """Return at most `size` bytes or characters; none at the end."""
        ...


def games(
    stream: Readable, head: bytes | str, kind: str, codec: str, longest: int
) -> Iterator[Callable[[], Game]]:
    """Yield a reader for each game of a stream of which `head` has already been read.

    `codec` decodes bytes. The reader of a game of more than `longest` characters raises
    FormatError, which does not hide the other games.
    """
    window = _Window(stream, head, codec)
    texts = _sgf_texts(window, longest) if kind == "sgf" else _json_texts(window, longest)
    for text in texts:
        if text == _UNENDED:
            yield partial(_refuse, json_games.NO_END)
        elif text is None:
            yield partial(_refuse, f"too long: a game of more than {longest:,} characters")
        elif kind == "sgf":
            yield partial(_sgf, text)
        else:
            yield from _records(text)


class _Window:
    r"""The part of a text that is in memory, with `\n` line ends. Holds state.

    The text before `at` is dropped when more is read: after each game it would take quadratic time.
    """

    def __init__(self, stream: Readable, head: bytes | str, codec: str) -> None:
        self._stream = stream
        # A game that is not UTF-8 is read as Latin-1: that is decided game by game.
        errors = "surrogateescape" if codec == "utf-8" else "replace"
        characters = codecs.getincrementaldecoder(codec)(errors)
        decoder: Any = None if isinstance(head, str) else characters
        self._decoder: Any = io.IncrementalNewlineDecoder(decoder, translate=True)
        self._is_whole = False
        self.at = 0
        self.text: str = self._decoder.decode(head).removeprefix("\ufeff")

    @property
    def remaining(self) -> int:
        """The number of characters from `at` on."""
        return len(self.text) - self.at

    def more(self) -> bool:
        """Add a chunk and set `at` to 0; return False if the stream had already ended."""
        if self._is_whole:
            return False
        chunk = self._stream.read(_CHUNK)
        self._is_whole = not chunk
        self.text = self.text[self.at :] + self._decoder.decode(chunk, self._is_whole)
        self.at = 0
        return True


def _sgf_texts(window: _Window, longest: int) -> Iterator[str | None]:
    """Yield the text of each game, and some that lies between it and the next one.

    None stands for a game that is too long.
    """
    begins = FIRST
    while True:
        place = span(window.text, begins, window.at)
        if place is None:
            window.at = max(window.at, len(window.text) - _BEGINNING)
            if not window.more():
                return
            continue
        window.at, end = place
        while end is None and window.remaining <= longest and window.more():
            end = (span(window.text, begins) or place)[1]
        end = len(window.text) if end is None else end
        length = end - window.at
        is_too_long = length > longest
        # Inside a game that is too long, a bracket may begin a variation.
        begins = SURELY if is_too_long else LATER
        yield None if is_too_long else window.text[window.at : end] + _rest(window, length)
        window.at += length


def _rest(window: _Window, length: int) -> str:
    """Return the text between a game of this length and the next one, if it has a property.

    It has at most _AFTER characters.
    """
    while window.remaining < length + _AFTER and window.more():
        pass
    text = window.text[window.at + length : window.at + length + _AFTER]
    following = LATER.search(text)
    between = text if following is None else text[: following.start()]
    return between if PROPERTY.search(between) else ""


def _json_texts(window: _Window, longest: int) -> Iterator[str | None]:
    """Yield the text of each record of a list, or of consecutive lines; None if it is too long.

    The list may be the whole text, or `games`, the first entry of an object. If it does not
    end, the last text is `_UNENDED`.
    """
    start = _LIST.match(window.text)
    is_list = start is not None and start[0].endswith("[")
    window.at = start.end() if start else 0
    while True:
        window.at = json_games.after_blanks(window.text, window.at)
        if not window.remaining:
            if window.more():
                continue
            if is_list:
                yield _UNENDED
            return
        if window.text.startswith("]", window.at):
            return
        try:
            _, end = strict.decode(window.text, window.at)
        except FormatError:
            if window.remaining <= longest and window.more():
                continue
            yield None if window.remaining > longest else window.text[window.at :]
            return  # it is not known where the next one begins
        yield window.text[window.at : end]
        window.at = end


def _sgf(text: str) -> Game:
    text, warnings = _decode(text)
    expect_text(text)
    return _with_warnings(sgf.read(text), warnings)


def _records(text: str) -> Iterator[Callable[[], Game]]:
    """Yield a reader for each game of a record, or one that raises its error."""
    text, warnings = _decode(text)
    try:
        record, _ = strict.decode(text, 0)
    except FormatError as error:
        yield partial(_refuse, str(error))
        return
    for each in json_games.games_in(record):
        yield partial(_record, each, warnings)


def _record(record: Any, warnings: tuple[str, ...]) -> Game:
    return _with_warnings(json_games.game(record), warnings)


def _decode(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a game's text; if not all of it is UTF-8, read as Latin-1, with a warning."""
    match = _ESCAPED.search(text)
    if match is None:
        return text, ()
    warning = f"character {match.start()} is not utf-8: read as Latin-1"
    return text.encode("utf-8", "surrogateescape").decode("latin-1"), (warning,)


def _with_warnings(game: Game, warnings: tuple[str, ...]) -> Game:
    return replace(game, warnings=(*warnings, *game.warnings)) if warnings else game


def _refuse(message: str) -> Game:
    raise FormatError(message)
