"""The results file of an event: a head, then a line a finished game, in any order.

Lines are only ever added. A line counts when it is whole, so a process that is
killed while it writes loses nothing but that line.
"""

import dataclasses
import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from hsearch import __version__
from player.engine import ALTERNATING
from player.tournament.event import Event
from player.tournament.row import Row

SCHEMA = "hsearch/rows/1"

# What earlier versions did not write, as it was then.
_LATER = {"variant": ALTERNATING}


class RowsError(ValueError):
    """A results file that does not belong to the event, or is damaged."""


class Rows:
    """The results so far, and the file that they are in. It holds state."""

    def __init__(self, path: Path, event: Event) -> None:
        """Read the file, if there is one; it is left untouched until a row is added.

        Raise RowsError, naming the place, when it is of another event or version,
        or when a line is no row; OSError when it cannot be read.
        """
        self.path = path
        self.event = event
        self._rows: dict[int, Row] = {}
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        whole, end, rest = text.rpartition("\n")
        self._whole = len((whole + end).encode())
        self._size = len(text.encode())
        self.dropped = rest
        head, *lines = whole.split("\n")
        if not end:
            self._check_half(rest)
            return
        self._check(head)
        for number, line in enumerate(lines, start=2):
            self._take(line, number)

    @property
    def games(self) -> Mapping[int, Row]:
        """The finished games by number."""
        return MappingProxyType(self._rows)

    def of(self, games: Iterable[int]) -> list[Row]:
        """Return those of some games that are finished, in the same order."""
        return [self._rows[number] for number in games if number in self._rows]

    def first(self, games: int) -> list[Row]:
        """Return the finished games with a number below `games`, in order."""
        return [self._rows[number] for number in sorted(self._rows) if number < games]

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other processes from adding games meanwhile.

        Raise RowsError when one does so already, or has since the file was read.
        """
        with self.path.open("ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise RowsError(f"{self.path}: another process is writing to it") from None
            if os.fstat(file.fileno()).st_size != self._size:
                raise RowsError(f"{self.path}: another process has written to it; start again")
            yield

    def add(self, row: Row) -> None:
        """Add a game, so that it is on the disk when this returns."""
        lines = row.write() + "\n"
        with self.path.open("r+b" if self.path.exists() else "x+b") as file:
            file.truncate(self._whole)
            file.seek(self._whole)
            if self._whole == 0:
                lines = _head(self.event) + "\n" + lines
            file.write(lines.encode())
            file.flush()
            os.fsync(file.fileno())
        self._whole = self._size = self._whole + len(lines.encode())
        self._rows[row.game] = row

    def _check_half(self, line: str) -> None:
        # Whatever is not begun by this event may be anybody's, and would be written over.
        if not _head(self.event).startswith(line):
            raise RowsError(f"{self.path}:1: no results file: {line[:40]!r}")

    def _check(self, line: str) -> None:
        try:
            found = json.loads(line)
            names = set(found)
        except (ValueError, TypeError):
            raise RowsError(f"{self.path}:1: no results file: {line[:40]!r}") from None
        wanted = json.loads(_head(self.event))
        for name in wanted:
            theirs = found[name] if name in names else _LATER.get(name)
            if theirs != wanted[name]:
                raise RowsError(
                    f"{self.path}:1: results of another event: "
                    f"{name} is {_short(theirs)} there, {_short(wanted[name])} here"
                )

    def _take(self, line: str, number: int) -> None:
        try:
            row = Row.read(line)
        except ValueError as error:
            raise RowsError(f"{self.path}:{number}: {error}") from None
        pairing = self.event.pairing(row.game)
        if (row.black, row.white, row.seed) != (pairing.black, pairing.white, pairing.seed):
            raise RowsError(f"{self.path}:{number}: game {row.game} is none of this event")
        if row.game in self._rows:
            raise RowsError(f"{self.path}:{number}: game {row.game} is there twice")
        self._rows[row.game] = row


def players_in(path: Path) -> tuple[str, ...] | None:
    """Return the players of a results file; None if the file has no whole first line.

    Raise RowsError when that line is none of a results file, OSError when it cannot be read.
    """
    head, end, _ = path.read_text(encoding="utf-8").partition("\n") if path.exists() else [""] * 3
    if not end:
        return None
    try:
        return tuple(map(str, json.loads(head)["players"]))
    except (ValueError, TypeError, KeyError):
        raise RowsError(f"{path}:1: no results file: {head[:40]!r}") from None


def _head(event: Event) -> str:
    return json.dumps({"schema": SCHEMA, "version": __version__, **dataclasses.asdict(event)})


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
