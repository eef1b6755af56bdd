"""The reviews of many games: a file with a head and one line a game, in any order; totals."""

import hashlib
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from hsearch.formats import sgf, strict
from hsearch.formats.files import Lines, LinesError, short
from hsearch.hex import MAX_SIDE, Game
from hsearch.render.text import quantity
from hsearch.version import __version__
from player.study.examine import review_game
from player.study.review import Effort, Review, effort_object, game_object, move_object
from player.work.spread import ONE_WORKER, PickledCall, WorkerPool, spread

SCHEMA = "hsearch/review-rows/2"


@dataclass(frozen=True, slots=True)
class Task:
    """A game to review.

    file    the file it came from
    number  of the game in that file, from 1
    digest  of the game as it was read, to tell it from another game of the same name
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
        """The key that identifies the task."""
        return self.file, self.number, self.digest


def review_missing(
    rows: "ReviewRows",
    tasks: Sequence[Task],
    effort: Effort,
    *,
    on_left: Callable[[int], object],
    workers: WorkerPool = ONE_WORKER,
) -> None:
    """Review the games that lack a row, and add each row as it comes.

    `on_left` is called with the number of games that are left. `workers` and the errors are those
    of `spread`; OSError when a row cannot be written.
    """
    remaining = {task.key for task in tasks} - rows.rows.keys()

    def missing() -> Sequence[PickledCall]:
        return [(review_task, task, effort) for task in tasks if task.key not in rows.rows]

    def keep(row: dict[str, Any]) -> bool:
        rows.add(row)
        remaining.discard(_key(row))
        on_left(len(remaining))
        return False

    spread(missing, keep, workers=workers)


def review_task(task: Task, effort: Effort) -> dict[str, Any]:
    """Review a game, in any process, and return its row.

    The row of a game that cannot be reviewed has the reason.
    """
    try:
        review = review_game(task.game, effort, tries=True)
    except ValueError as error:
        return error_row(task.file, task.number, str(error), task.digest)
    return row(task, review)


def row(task: Task, review: Review) -> dict[str, Any]:
    """Return the row of a review: the game, and each move."""
    moves = [move_object(review, move) for move in review.moves]
    head = {"file": task.file, "game": task.number, "digest": task.digest, "error": None}
    return {**head, **game_object(review), "moves_reviewed": moves}


def error_row(file: str, number: int, error: str, digest: str = "") -> dict[str, Any]:
    """Return the row of a file or game that cannot be reviewed."""
    return {"file": file, "game": number, "digest": digest, "error": error}


def _key(row: dict[str, Any]) -> tuple[str, int, str]:
    """Return the key of the task of a row."""
    return row["file"], row["game"], row["digest"]


class ReviewRows:
    """Summaries of the rows so far, and their file. Holds state.

    rows  the summary of each, by file, number and digest; None for a game that failed
    """

    def __init__(self, path: Path, effort: Effort) -> None:
        """Read the file if there is one; do not write to it before a row is added.

        Raise LinesError, naming the place, when it is not a file of this effort and version,
        and OSError when it cannot be read.
        """
        head = {"schema": SCHEMA, "version": __version__, "effort": effort_object(effort)}
        self.path = path
        self.rows: dict[tuple[str, int, str], Summary | None] = {}
        self._lines = Lines(path, strict.write(head), "file of reviews")
        first = self._lines.first
        if first is not None and first.decode(errors="replace") != strict.write(head):
            raise LinesError(f"{path}:1: rows of another effort or version: {short(first)}")
        for number, line in self._lines.rest:
            self._take(line, number)

    @property
    def cut(self) -> bool:
        """Whether the file ends with part of a row, which the next row overwrites."""
        return self._lines.cut

    def lock(self) -> AbstractContextManager[None]:
        """Lock the file against other processes; raise LinesError when one has locked it."""
        return self._lines.hold()

    def add(self, thing: dict[str, Any]) -> None:
        """Add a row, and write it to the disk before returning."""
        line = strict.write(thing, ensure_ascii=False)
        self._lines.add(line)
        self._take(line.encode(), 0)

    def add_failed(self, rows: Iterable[dict[str, Any]]) -> None:
        """Add the rows of games that cannot be reviewed, except those that are there."""
        for row in rows:
            if _key(row) not in self.rows:
                self.add(row)

    def _take(self, line: bytes, number: int) -> None:
        try:
            head = strict.read(line, _Named)
            summary = None if head.error is not None else summarize(strict.read(line, Reviewed))
        except ValueError as error:
            where = f"{self.path}:{number}"
            raise LinesError(f"{where}: not a row of a review: {error}: {short(line)}") from None
        self.rows[head.file, head.game, head.digest] = summary


@dataclass(frozen=True, slots=True)
class _Named:
    """The fields that every row has."""

    file: str
    game: strict.Count
    digest: str
    error: str | None


# Totals.

PHASES = ("opening", "middle", "end")  # by thirds of the board that are filled

_AT_THE_END = {"resign", "forfeit", "pass"}  # not counted as moves there

_FILLED = dict(
    zip(PHASES, ("on a board up to a third full", "up to two thirds", "fuller"), strict=True)
)


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts over reviewed games.

    failures  files and games that could not be reviewed
    losses    proved losses, by color and phase
    mistakes  moves, resignations and swaps that gave a proved win away, by color and phase
    proofs    games whose winner is proved at the end
    median    median of their turning points, in moves
    share     median of their turning points, as a fraction of the game
    """

    games: int
    failures: int
    moves: int
    losses: Counter[tuple[str, str]]
    mistakes: Counter[tuple[str, str]]
    proofs: int
    median: float | None
    share: float | None


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of a reviewed game, as in `Totals`.

    A resignation, a forfeit and passes at the end are not counted as moves.
    """

    moves: int
    turning_point: int | None
    losses: tuple[tuple[str, str], ...]
    mistakes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """The fields of a move that the totals need."""

    number: strict.Count
    color: Literal["black", "white"]
    move: str
    verdict: str
    mistake: bool


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The fields of the row of a reviewed game that the totals need."""

    columns: Annotated[int, Meta(ge=1, le=MAX_SIDE)]
    rows: Annotated[int, Meta(ge=1, le=MAX_SIDE)]
    moves: strict.Count
    moves_reviewed: list[ReviewedMove]
    turning_point: strict.Count | None


def summarize(row: Reviewed) -> Summary:
    """Return the summary of a row."""
    cells = row.columns * row.rows

    def places(moves: Iterable[ReviewedMove]) -> tuple[tuple[str, str], ...]:
        return tuple((m.color, PHASES[min(2, 3 * m.number // (cells + 1))]) for m in moves)

    count = len(row.moves_reviewed)
    while count and row.moves_reviewed[count - 1].move in _AT_THE_END:
        count -= 1
    return Summary(
        count,
        row.turning_point,
        places(move for move in row.moves_reviewed if move.verdict == "proved loss"),
        places(move for move in row.moves_reviewed if move.mistake),
    )


def totals(rows: Iterable[Summary | None]) -> Totals:
    """Return the totals of summaries; None stands for a game that failed."""
    games = failures = moves = 0
    losses: Counter[tuple[str, str]] = Counter()
    mistakes: Counter[tuple[str, str]] = Counter()
    turns: list[int] = []
    shares: list[float] = []
    for row in rows:
        if row is None:
            failures += 1
            continue
        games += 1
        moves += row.moves
        losses.update(row.losses)
        mistakes.update(row.mistakes)
        if row.turning_point is not None:
            turns.append(row.turning_point)
            shares.append(row.turning_point / max(1, row.moves))
    median = statistics.median(turns) if turns else None
    share = statistics.median(shares) if shares else None
    return Totals(games, failures, moves, losses, mistakes, len(turns), median, share)


def summary_line(name: str, summary: Summary | None) -> str:
    """Return the summary of a game of this name as a line."""
    if summary is None:
        return f"{name}: not reviewed"
    turn = summary.turning_point
    ending = "nobody is proved to win at the end"
    if turn is not None:
        ending = f"decided by move {turn}" if turn else "decided from the first position on"
    mistakes = f", {quantity(len(summary.mistakes), 'proved mistake')}" if summary.mistakes else ""
    return f"{name}: {quantity(summary.moves, 'move')}, {ending}{mistakes}"


def sentences(sums: Totals, effort: str) -> list[str]:
    """Return the totals as lines."""
    games, moves = quantity(sums.games, "game"), quantity(sums.moves, "move")
    lines = [f"{games}, {moves}; effort {effort}."]
    if sums.failures:
        lines.append(f"{sums.failures} could not be reviewed.")
    for word, counts in (("proved losses", sums.losses), ("proved mistakes", sums.mistakes)):
        parts = [
            f"{color} {sum(counts[color, phase] for phase in PHASES)} "
            f"({', '.join(f'{counts[color, phase]} {_FILLED[phase]}' for phase in PHASES)})"
            for color in ("black", "white")
        ]
        lines.append(f"{word.capitalize()}: {'; '.join(parts)}.")
    if sums.median is not None and sums.share is not None:
        lines.append(
            f"The winner is proved at the end of {quantity(sums.proofs, 'game')}, by the "
            f"median from move {sums.median:g} on, after {100 * sums.share:.0f} % of the game."
        )
    return lines
