"""The rows of many reviews: a head, then a line a reviewed game, in any order."""

import hashlib
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hsearch import __version__
from hsearch.files import strict
from hsearch.files.lines import Lines, LinesError, short
from hsearch.files.strict import Count
from hsearch.formats import sgf
from hsearch.game import Game
from player.review.effort import Effort
from player.review.examine import review
from player.review.objects import effort_object, game_object, move_object
from player.review.review import Review
from player.review.totals import Reviewed, Summary, summed

SCHEMA = "hsearch/review-rows/1"


@dataclass(frozen=True, slots=True)
class Task:
    """A game to review.

    file    where it came from, and `number` which of the games there, from 1
    digest  of the game as it was read, so that another game under the same name is not taken
            for this one
    """

    file: str
    number: int
    digest: str
    game: Game

    @classmethod
    def of(cls, file: str, number: int, game: Game) -> "Task":
        """Return the task of a game."""
        return cls(file, number, hashlib.sha256(sgf.write(game).encode()).hexdigest()[:16], game)

    @property
    def key(self) -> tuple[str, int, str]:
        """Key that tells it from other tasks."""
        return self.file, self.number, self.digest


def reviewed_row(task: Task, effort: Effort) -> dict[str, Any]:
    """Review a game, wherever a worker is; return its row.

    A game that cannot be reviewed gives a row with the reason.
    """
    try:
        reviewed = review(task.game, effort)
    except ValueError as error:
        return failed_row(task.file, task.number, str(error), task.digest)
    return row(task, reviewed)


def row(task: Task, reviewed: Review) -> dict[str, Any]:
    """Return a review as a row: the game, and each move."""
    moves = [move_object(reviewed, move) for move in reviewed.moves]
    named = {"file": task.file, "game": task.number, "digest": task.digest, "error": None}
    return {**named, **game_object(reviewed), "moves_reviewed": moves}


def failed_row(file: str, number: int, error: str, digest: str = "") -> dict[str, Any]:
    """Return the row of a file or game that cannot be reviewed."""
    return {"file": file, "game": number, "digest": digest, "error": error}


class ReviewRows:
    """The rows so far, summed up, and the file that they are in. It holds state.

    rows  what counts of each, by file, number and digest; None for a game that failed
    """

    def __init__(self, path: Path, effort: Effort) -> None:
        """Read the file, if there is one; it is left untouched until a row is added.

        Raise LinesError, naming the place, when it is none of this effort, and OSError when
        it cannot be read.
        """
        head = {"schema": SCHEMA, "version": __version__, "effort": effort_object(effort)}
        self.path = path
        self.rows: dict[tuple[str, int, str], Summary | None] = {}
        self._lines = Lines(path, strict.write(head), "rows of reviews")
        first = self._lines.first
        if first is not None and first.decode(errors="replace") != strict.write(head):
            raise LinesError(f"{path}:1: rows of another effort or version: {short(first)}")
        for number, line in self._lines.rest:
            self._take(line, number)

    @property
    def cut(self) -> bool:
        """Whether half a row stood at the end; the next one goes over it."""
        return self._lines.cut

    def held(self) -> AbstractContextManager[None]:
        """Keep other processes from adding rows meanwhile; raise LinesError when one does."""
        return self._lines.held()

    def add(self, thing: dict[str, Any]) -> None:
        """Add a row, so that it is on the disk when this returns."""
        line = strict.write(thing, ensure_ascii=False)
        self._lines.add(line)
        self._take(line.encode(), 0)

    def _take(self, line: bytes, number: int) -> None:
        try:
            named = strict.read(line, _Named)
            summary = None if named.error is not None else summed(strict.read(line, Reviewed))
        except ValueError as error:
            where = f"{self.path}:{number}"
            raise LinesError(f"{where}: no row of a review: {error}: {short(line)}") from None
        self.rows[named.file, named.game, named.digest] = summary


@dataclass(frozen=True, slots=True)
class _Named:
    """Fields that every row has."""

    file: str
    game: Count
    digest: str
    error: str | None
