"""What all commands share: their arguments, and the caveats and lists of their replies.

A handler raises CommandError when it cannot answer; the message is the reply of failure. So do
the methods of `Arguments`, at an argument of another kind.
"""

import math
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hsearch.hex import Board, Cell, Color, Point
from player.console.options import names_folder
from player.gtp.serving import CommandError
from player.gtp.session import Session


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a command, numbered from 0; error messages number them from 1.

    words  the arguments as sent
    board  the board of their points
    """

    words: tuple[str, ...]
    board: Board

    def __len__(self) -> int:
        return len(self.words)

    def color(self, place: int) -> Color:
        """Return an argument as a color."""
        try:
            return Color.named(self.words[place], foreign=True)
        except ValueError:
            raise self._refusal(place, "color") from None

    def point(self, place: int) -> Point:
        """Return an argument as a point: a cell or an edge."""
        try:
            return self.board.point(self.words[place])
        except ValueError as error:
            raise self._refusal(place, "point", str(error)) from None

    def count(self, place: int, most: int = 1_000_000) -> int:
        """Return an argument as a whole number from 0 to `most`."""
        word = self.words[place]
        if not re.fullmatch(r"[0-9]{1,9}", word, re.ASCII) or int(word) > most:
            raise self._refusal(place, "0 or 1" if most == 1 else f"number from 0 to {most}")
        return int(word)

    def seconds(self, place: int) -> float:
        """Return an argument as a time from 0 to 1e9 seconds."""
        try:
            seconds = float(self.words[place])
        except ValueError:
            seconds = math.nan
        if not 0 <= seconds <= 1e9:
            raise self._refusal(place, "time in seconds")
        return seconds

    def file(self) -> Path:
        """Return all arguments, joined, as the name of a file to write."""
        name = " ".join(self.words)
        if not name:
            raise CommandError("cannot write file: the name of a file is empty")
        if names_folder(name):
            raise CommandError(f"cannot write file: {name} is the name of a folder")
        return path_of(self.words)

    def _refusal(self, place: int, kind: str, detail: str | None = None) -> CommandError:
        text = repr(self.words[place][:30]) if detail is None else detail
        return CommandError(f"argument {place + 1} must be {kind}: {text}")


def path_of(words: Iterable[str]) -> Path:
    """Return the file that words name, joined: clients send UTF-8, whatever the locale has."""
    return Path(os.fsdecode(" ".join(words).encode()))


def mover(session: Session, arguments: Arguments) -> Color:
    """Return the first argument as a color; without arguments, the color to move.

    In a game with bids or coins the argument is required.
    """
    if arguments:
        return arguments.color(0)
    if not session.is_ordinary:
        raise CommandError(f"argument 1 must be color: {session.variant.name} has no turns")
    return session.state_in_play.position.turn


def at_other_turns(session: Session) -> list[str]:
    """Return the caveat that an analysis assumes ordinary turns; nothing if they are ordinary.

    A bidder may buy two moves in a row, which breaks connections.
    """
    if session.is_ordinary:
        return []
    return [f"If both took turns, which they do not in a game of {session.variant.name}:"]


@contextmanager
def file_errors(action: str) -> Iterator[None]:
    """Raise CommandError, such as `cannot load file: REASON`, if the work on a file fails."""
    try:
        yield
    except CommandError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CommandError(f"cannot {action} file: {reason}") from None


def pairs(board: Board, texts: Iterable[tuple[Cell, str]]) -> str:
    """Return cells, each with a short text without spaces, as HexGui reads them.

    The text has at most three characters: on an 11x11 board HexGui hides the first of more, and
    shows 41.6% as 1.6%.
    """
    return " ".join(f"{board.name(cell)} {text}" for cell, text in texts)
