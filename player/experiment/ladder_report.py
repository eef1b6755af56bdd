"""What a ladder says, as tables in Markdown."""

import itertools
import statistics
from collections.abc import Iterable, Sequence

from player.experiment.ladder import Climb, Duel, plain
from player.statistics import elo_interval, share
from player.tournament import Row, standings


def ladder_report(name: str, climb: Climb) -> str:
    """Return three tables: the players, best first; each two neighbors; and the questions.

    Raise ValueError when there are no games.
    """
    rows = list(climb.rows.games.values())
    if not rows:
        raise ValueError("no games to report")
    order = climb.order()
    return "\n".join(
        [
            f"**{name}**, {len(rows)} games.",
            "",
            *_players(climb, order, rows),
            "",
            "Neighbors, until the sequential test was clear:",
            "",
            *_duels(climb, itertools.pairwise(order)),
            "",
            "The questions:",
            "",
            *_duels(climb, climb.questions()),
        ]
    )


def _players(climb: Climb, order: Sequence[str], rows: Sequence[Row]) -> list[str]:
    places = {place.player: place for place in standings(climb.event.players, rows)}
    lines = [
        "| | player | nodes a move | ms a move | won | games | share, 95 % | Elo, 95 % |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for number, player in enumerate(order, start=1):
        place = places[player]
        seconds = [s for row in rows for s, n in zip(*_spent(row, player), strict=True) if n]
        cells = (
            str(number),
            f"`{plain(player)}`",
            player.rpartition("=")[2],
            f"{1000 * statistics.median(seconds):.0f}" if seconds else "",
            str(place.won),
            str(place.games),
            f"{place.share.estimate:.3f} ({place.share.low:.3f} to {place.share.high:.3f})",
            f"{place.elo.estimate:+.0f} ± {place.elo.high - place.elo.estimate:.0f}",
        )
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def _spent(row: Row, player: str) -> tuple[Sequence[float], Sequence[int]]:
    return row.spent(player) if player in {row.black, row.white} else ((), ())


def _said(climb: Climb, found: Duel) -> str:
    """Return what the test says; two players who have not met often enough are not finished."""
    if found.verdict is not None:
        return "clear"
    return "cannot tell" if found.games == climb.most else "not finished"


def _duels(climb: Climb, pairs: Iterable[tuple[str, str]]) -> list[str]:
    lines = [
        "| better | than | won | games | share, 95 % | Elo, 95 % | the test |",
        "|---|---|---|---|---|---|---|",
    ]
    for one, other in pairs:
        found = climb.duel(one, other)
        if not found.games:
            lines.append(f"| `{plain(one)}` | `{plain(other)}` | | 0 | | | |")
            continue
        part = share(found.won, found.games)
        points = elo_interval(found.won, found.games)
        cells = (
            f"`{plain(found.better)}`",
            f"`{plain(found.worse)}`",
            str(found.won),
            str(found.games),
            f"{part.estimate:.3f} ({part.low:.3f} to {part.high:.3f})",
            f"{points.estimate:+.0f} ({points.low:+.0f} to {points.high:+.0f})",
            _said(climb, found),
        )
        lines.append("| " + " | ".join(cells) + " |")
    return lines
