"""What all commands share: arguments, the rows of the table, and replies that HexGui reads.

A handler raises CommandError when it cannot answer; the message is the reply of failure. So do
the methods of `Arguments`, at an argument of another kind.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from hsearch.connect.connection import Connection
from hsearch.hex.board import Board, Cell, Color, Point
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
        if names_folder(name):
            raise CommandError(f"cannot write file: {name} is the name of a folder")
        return Path(name)

    def _refusal(self, place: int, kind: str, detail: str | None = None) -> CommandError:
        text = repr(self.words[place][:30]) if detail is None else detail
        return CommandError(f"argument {place + 1} must be {kind}: {text}")


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


# A row of the command table.

CommandHandler: TypeAlias = Callable[..., str]

_GROUP = re.compile(r"\[([^\]]*)\]|(\S+)")


@dataclass(frozen=True, slots=True)
class Item:
    """Line of a command in HexGui's analyze dialog.

    type       how HexGui reads the reply, such as `vc` or `plist`
    label      the text in the dialog
    wildcards  arguments that HexGui fills in: %m %c colors, %p %P selected cells
    """

    type: str
    label: str
    wildcards: str = ""


@dataclass(frozen=True, slots=True)
class GtpCommand:
    """A command of the protocol.

    name      its name
    usage     its arguments: `COLOR POINT`, `[KEY VALUE]` both or neither, `MOVE...` any number,
              `FILE` one or more words, as its name may have spaces
    doc       what it does, for `help`
    handler   the module and, after a colon, the function that returns the reply
    item      its line in HexGui's dialog; None if it has none
    kind      the kind of connections that the handler gets; None if it gets none
    """

    name: str
    usage: str
    doc: str
    handler: str
    item: Item | None = None
    kind: str | None = None

    def takes(self, count: int) -> bool:
        """Return whether the usage allows `count` arguments."""
        if "FILE" in self.usage:
            return count > 0 or self.usage.startswith("[")
        if self.usage.endswith("..."):
            return count >= len(self.usage.split()) - 1
        fits = 0
        counts = []
        groups = [match.group(1, 2) for match in _GROUP.finditer(self.usage)]
        for optional, required in groups:
            if required is None:
                counts.append(fits)
                fits += len(optional.split())
            else:
                fits += 1
        return count in {*counts, fits}

    def load(self) -> CommandHandler:
        """Return the handler. Its module is imported now, so that the program starts quickly."""
        module, _, name = self.handler.partition(":")
        handler: CommandHandler = getattr(import_module(f"player.gtp.{module}"), name)
        return handler

    def run(self, session: Session, words: tuple[str, ...]) -> str:
        """Return the reply to a call with these words."""
        if not self.takes(len(words)):
            raise CommandError(f"syntax error: usage: {self.name} {self.usage}".rstrip())
        more = {} if self.kind is None else {"kind": self.kind}
        return self.load()(session, Arguments(words, session.board), **more)


# Replies in the syntax that HexGui reads.
#
# A text on a cell has at most three characters: on an 11x11 board HexGui hides the
# first of more, and shows 41.6% as 1.6%.

OUTSIDE = "x"  # HexGui paints such a cell gray


def share(value: float) -> str:
    """Return a number from 0 to 999 in at most three characters: `.04`, `1.0`, `12`."""
    if value < 0.995:
        return f"{value:.2f}"[1:]
    return f"{value:.1f}" if value < 9.95 else f"{min(value, 999):.0f}"


def pairs(board: Board, texts: Iterable[tuple[Cell, str]]) -> str:
    """Return cells, each with a short text without spaces."""
    return " ".join(f"{board.name(cell)} {text}" for cell, text in texts)


def vc_line(board: Board, color: Color, ends: tuple[Point, Point], connection: Connection) -> str:
    """Return a connection as HexGui reads it.

    The ends are named as the query gave them: HexGui marks these cells, and
    cannot mark an edge.
    """
    x, y = map(board.name, ends)
    carrier = "".join(f"{name} " for name in board.names(connection.carrier))
    line = f"{color.word} {x} {y} {connection.kind} {connection.rule.value} [ {carrier}] [ ]"
    return line if connection.key is None else f"{line} {board.name(connection.key)}"
