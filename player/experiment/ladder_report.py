"""Report on a ladder, as tables in Markdown."""

import itertools
import statistics
from collections.abc import Iterable, Iterator, Sequence

from player.experiment.duel import duel_lines, searched
from player.experiment.ladder import Climb, plain
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
        seconds, _ = searched(rows, player)
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


def _duels(climb: Climb, pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    names = {player: plain(player) for player in climb.event.players}
    return duel_lines((climb.duel(*pair) for pair in pairs), climb.most, names)
