"""What all commands share: their words, a row of their table, and replies that HexGui reads."""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from hsearch.connect.connection import Connection
from hsearch.hex.board import Board, Cell, Color, Point
from player.gtp.serving import CommandError
from player.gtp.session import Session


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a command, counted from 0; a failure counts them from 1.

    words  as they were sent
    board  the board that points are on
    """

    words: tuple[str, ...]
    board: Board

    def __len__(self) -> int:
        return len(self.words)

    def color(self, place: int) -> Color:
        """Return the color that an argument is."""
        try:
            return Color.named(self.words[place], foreign=True)
        except ValueError:
            raise self._wrong(place, "color") from None

    def point(self, place: int) -> Point:
        """Return the point that an argument is: a cell or an edge."""
        try:
            return self.board.point(self.words[place])
        except ValueError as error:
            raise self._wrong(place, "point", str(error)) from None

    def cell(self, place: int) -> Cell:
        """Return the cell that an argument is."""
        try:
            return self.board.cell(self.words[place])
        except ValueError as error:
            raise self._wrong(place, "cell", str(error)) from None

    def count(self, place: int, most: int = 1_000_000) -> int:
        """Return the whole number, from 0 on, that an argument is."""
        word = self.words[place]
        if not re.fullmatch(r"[0-9]{1,9}", word, re.ASCII) or int(word) > most:
            raise self._wrong(place, "0 or 1" if most == 1 else f"number from 0 to {most}")
        return int(word)

    def seconds(self, place: int) -> float:
        """Return the time, finite and not negative, that an argument is."""
        try:
            seconds = float(self.words[place])
        except ValueError:
            seconds = math.nan
        if not 0 <= seconds <= 1e9:
            raise self._wrong(place, "time in seconds")
        return seconds

    def _wrong(self, place: int, kind: str, detail: str | None = None) -> CommandError:
        shown = repr(self.words[place][:30]) if detail is None else detail
        return CommandError(f"argument {place + 1} must be {kind}: {shown}")


def mover(session: Session, arguments: Arguments) -> Color:
    """Return the color that the first argument is; without one, the color whose turn it is.

    Where moves are bid for, or a coin is tossed, it has to be named.
    """
    if arguments:
        return arguments.color(0)
    if not session.is_ordinary:
        raise CommandError(f"argument 1 must be color: {session.variant.name} has no turns")
    return session.unresigned.position.turn


def at_other_turns(session: Session) -> list[str]:
    """Return, where turns are not ordinary, that what follows is of ordinary ones; else nothing.

    Who bids may buy two moves in a row, and no connection holds against that.
    """
    if session.is_ordinary:
        return []
    return [f"If both took turns, which they do not in a game of {session.variant.name}:"]


# One row of the command table.

Handler: TypeAlias = Callable[[Session, Arguments], str]

_GROUP = re.compile(r"\[([^\]]*)\]|(\S+)")


@dataclass(frozen=True, slots=True)
class Item:
    """Line of a command in HexGui's analyze dialog.

    type       how it reads the reply, such as `vc` or `plist`
    label      what it shows
    wildcards  the arguments it fills in: %m %c colors, %p %P selected cells
    """

    type: str
    label: str
    wildcards: str = ""


@dataclass(frozen=True, slots=True)
class GtpCommand:
    """A command of the protocol.

    name      its name
    usage     its arguments: `COLOR POINT`, `[KEY VALUE]` both or neither, `MOVE...` any number,
              `FILE` one or more, as its name may have blanks
    doc       what it does, for `help`
    handler   what answers it
    item      how HexGui offers it; None if it does not
    """

    name: str
    usage: str
    doc: str
    handler: Handler
    item: Item | None = None

    def takes(self, count: int) -> bool:
        """Return whether the usage allows this many arguments."""
        if "FILE" in self.usage:
            return count > 0 or self.usage.startswith("[")
        if self.usage.endswith("..."):
            return count >= len(self.usage.split()) - 1
        fits = 0
        allowed = []
        groups = [match.group(1, 2) for match in _GROUP.finditer(self.usage)]
        for optional, required in groups:
            if required is None:
                allowed.append(fits)
                fits += len(optional.split())
            else:
                fits += 1
        return count in {*allowed, fits}

    def run(self, session: Session, words: tuple[str, ...]) -> str:
        """Return the reply to a call with these arguments."""
        if not self.takes(len(words)):
            raise CommandError(f"syntax error: usage: {self.name} {self.usage}".rstrip())
        return self.handler(session, Arguments(words, session.board))


# Replies in the syntax that HexGui reads.
#
# A text on a cell has at most three characters: of more, HexGui hides the first on
# a board of 11x11, so that 41.6% shows as 1.6%.

OUTSIDE = "x"  # HexGui paints such a cell gray


def points(board: Board, vertices: Iterable[Point]) -> str:
    """Return a list of points."""
    return " ".join(map(board.name, vertices))


def share(value: float) -> str:
    """Return a number from 0 on: `.04`, `1.0`, `12`."""
    if value < 0.995:
        return f"{value:.2f}"[1:]
    return f"{value:.1f}" if value < 9.95 else f"{min(value, 999):.0f}"


def percent(chance: float) -> str:
    """Return a chance in per cent, without the sign: `42`; 0 and 100 only if it is that."""
    from player.evaluate.chance import per_cent  # noqa: PLC0415 - it loads numpy

    return str(per_cent(chance))


def pairs(board: Board, texts: Iterable[tuple[Cell, str]]) -> str:
    """Return cells, each with a text of a few characters and no blank."""
    return " ".join(f"{board.name(cell)} {text}" for cell, text in texts)


def record(board: Board, color: Color, ends: tuple[Point, Point], connection: Connection) -> str:
    """Return a line that shows a connection.

    The ends are named as they were asked for: HexGui marks these cells, and
    cannot mark an edge.
    """
    x, y = map(board.name, ends)
    carrier = "".join(f"{name} " for name in board.names(connection.carrier))
    kind = "full" if connection.key is None else "semi"
    line = f"{color.word} {x} {y} {kind} {connection.rule.value} [ {carrier}] [ ]"
    return line if connection.key is None else f"{line} {board.name(connection.key)}"
