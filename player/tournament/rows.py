"""The results file of an event: a head, then a line a finished game, in any order."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from hsearch import __version__
from hsearch.files import strict
from hsearch.files.lines import Lines, LinesError, short
from player.tournament.event import Event
from player.tournament.row import Row

SCHEMA = "hsearch/rows/1"

# What the head of a results file says of its event.
Fields: TypeAlias = dict[str, str | bool | int | float | list[str] | None]

# A results file that does not belong to the event, or is damaged, or that is written to.
RowsError = LinesError


class OtherEventError(RowsError):
    """A results file of another event, or of another version."""


class Rows:
    """The results so far, and the file that they are in. It holds state."""

    def __init__(self, path: Path, event: Event) -> None:
        """Read the file, if there is one; it is left untouched until a row is added.

        Raise OtherEventError, naming the place, when it is of another event or version,
        RowsError when a line is no row, OSError when it cannot be read.
        """
        self.path = path
        self.event = event
        self._rows: dict[int, Row] = {}
        self._lines = Lines(path, _head(event), "results file")
        if self._lines.first is not None:
            self._check(self._lines.first)
        for number, line in self._lines.rest:
            self._take(line, number)

    @property
    def dropped(self) -> bool:
        """Whether half a row stands at the end; it goes when a row is added."""
        return self._lines.cut

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
        with self._lines.held():
            yield

    def add(self, row: Row) -> None:
        """Add a game, so that it is on the disk when this returns."""
        self._lines.add(row.write())
        self._rows[row.game] = row

    def _check(self, line: bytes) -> None:
        found = _fields(line, self.path)
        wanted = strict.read(_head(self.event), Fields)
        for name in wanted:
            theirs = found.get(name)
            if theirs != wanted[name]:
                raise OtherEventError(
                    f"{self.path}:1: results of another event: "
                    f"{name} is {_short(theirs)} there, {_short(wanted[name])} here"
                )

    def _take(self, line: bytes, number: int) -> None:
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
    head, end, _ = path.read_bytes().partition(b"\n") if path.exists() else (b"", b"", b"")
    if not end:
        return None
    players = _fields(head, path).get("players")
    if not isinstance(players, list):
        raise RowsError(f"{path}:1: no results file: {short(head)}")
    return tuple(players)


def _fields(head: bytes, path: Path) -> Fields:
    """Return what the head of a file says."""
    try:
        return strict.read(head, Fields)
    except ValueError:
        raise RowsError(f"{path}:1: no results file: {short(head)}") from None


def _head(event: Event) -> str:
    return strict.write({"schema": SCHEMA, "version": __version__, **dataclasses.asdict(event)})


def _short(value: object) -> str:
    text = strict.write(value)
    return text if len(text) <= 60 else text[:57] + "..."
