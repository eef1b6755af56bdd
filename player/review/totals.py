"""What many reviews say together."""

import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

PHASES = ("opening", "middle", "end")  # thirds of a board that is filling up


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


def totals(rows: Iterable[dict[str, Any]]) -> Totals:
    """Return the counts over the rows of reviews."""
    games = failed = moves = 0
    losses: Counter[tuple[str, str]] = Counter()
    mistakes: Counter[tuple[str, str]] = Counter()
    turns: list[int] = []
    shares: list[float] = []
    for row in rows:
        if row["error"] is not None:
            failed += 1
            continue
        games += 1
        moves += row["moves"]
        cells = row["columns"] * row["rows"]
        for move in row["moves_reviewed"]:
            phase = PHASES[min(2, 3 * move["number"] // (cells + 1))]
            where = move["color"], phase
            losses[where] += move["verdict"] == "proved loss"
            mistakes[where] += move["mistake"]
        if row["turning_point"] is not None:
            turns.append(row["turning_point"])
            shares.append(row["turning_point"] / max(1, row["moves"]))
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
            f"({', '.join(f'{phase} {counts[color, phase]}' for phase in PHASES)})"
            for color in ("black", "white")
        ]
        lines.append(f"{word.capitalize()}: {'; '.join(parts)}.")
    if found.median is not None and found.share is not None:
        lines.append(
            f"The winner is proved at the end of {_numbered(found.proved, 'game')}; in the median "
            f"from move {found.median:g} on, {100 * found.share:.0f} % of the game."
        )
    return lines


def _numbered(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
