"""Totals of many reviews."""

import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from hsearch.board import MAX_SIDE
from hsearch.files.strict import Count

PHASES = ("opening", "middle", "end")  # thirds of a board that is filling up

_AT_THE_END = {"resign", "forfeit", "pass"}  # decide nothing there

_FILLED = dict(
    zip(PHASES, ("on a board up to a third full", "up to two thirds", "fuller"), strict=True)
)


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts over reviewed games.

    failed   files and games that could not be reviewed
    losses   proved losses by color and phase
    mistakes of them those that gave a proved win away, likewise
    proved   games whose winner is proved at the end; `median` is the median number of moves
             from which they are, `share` the same as a part of the game
    """

    games: int
    failed: int
    moves: int
    losses: Counter[tuple[str, str]]
    mistakes: Counter[tuple[str, str]]
    proved: int
    median: float | None
    share: float | None


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of a reviewed game: its moves, proved losses and mistakes as in `Totals`.

    A resignation, a forfeit and passes at the end are not counted as moves.
    """

    moves: int
    turning_point: int | None
    losses: tuple[tuple[str, str], ...]
    mistakes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """Fields of a move that are needed of a row."""

    number: Count
    color: Literal["black", "white"]
    move: str
    verdict: str
    mistake: bool


@dataclass(frozen=True, slots=True)
class Reviewed:
    """Fields that are needed of the row of a reviewed game."""

    columns: Annotated[int, Meta(ge=1, le=MAX_SIDE)]
    rows: Annotated[int, Meta(ge=1, le=MAX_SIDE)]
    moves: Count
    moves_reviewed: list[ReviewedMove]
    turning_point: Count | None


def summed(row: Reviewed) -> Summary:
    """Return what counts of a row."""
    cells = row.columns * row.rows

    def places(moves: Iterable[ReviewedMove]) -> tuple[tuple[str, str], ...]:
        return tuple((m.color, PHASES[min(2, 3 * m.number // (cells + 1))]) for m in moves)

    played = len(row.moves_reviewed)
    while played and row.moves_reviewed[played - 1].move in _AT_THE_END:
        played -= 1
    return Summary(
        played,
        row.turning_point,
        places(move for move in row.moves_reviewed if move.verdict == "proved loss"),
        places(move for move in row.moves_reviewed if move.mistake),
    )


def totals(rows: Iterable[Summary | None]) -> Totals:
    """Return the counts over the rows of reviews, None for each that failed."""
    games = failed = moves = 0
    losses: Counter[tuple[str, str]] = Counter()
    mistakes: Counter[tuple[str, str]] = Counter()
    turns: list[int] = []
    shares: list[float] = []
    for row in rows:
        if row is None:
            failed += 1
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
    return Totals(games, failed, moves, losses, mistakes, len(turns), median, share)


def sentences(found: Totals, effort: str) -> list[str]:
    """Return the counts as lines."""
    games, moves = _numbered(found.games, "game"), _numbered(found.moves, "move")
    lines = [f"{games}, {moves}; effort {effort}."]
    if found.failed:
        lines.append(f"{found.failed} could not be reviewed.")
    for word, counts in (("proved losses", found.losses), ("proved mistakes", found.mistakes)):
        parts = [
            f"{color} {sum(counts[color, phase] for phase in PHASES)} "
            f"({', '.join(f'{counts[color, phase]} {_FILLED[phase]}' for phase in PHASES)})"
            for color in ("black", "white")
        ]
        lines.append(f"{word.capitalize()}: {'; '.join(parts)}.")
    if found.median is not None and found.share is not None:
        lines.append(
            f"The winner is proved at the end of {_numbered(found.proved, 'game')}, by the "
            f"median from move {found.median:g} on, after {100 * found.share:.0f} % of the game."
        )
    return lines


def _numbered(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
