"""Pictures of an event: the Elo ladder, and time against strength. Needs matplotlib."""

import importlib
import statistics
from collections.abc import Sequence
from pathlib import Path

from player.tournament.row import Row
from player.tournament.standings import standings

MILLI = 1000
ENDINGS = (".svg", ".png", ".pdf")


def plot(title: str, players: tuple[str, ...], rows: Sequence[Row], path: Path) -> None:
    """Draw who stands where, and how long a move of each takes, into a file such as `elo.svg`.

    On the left the players, best first, with their Elo points and the interval
    of these; on the right the median time of a move against the points. The same
    rows make the same file. Raise ValueError when there are no games, ImportError
    without matplotlib, OSError when the file cannot be written.
    """
    places = standings(players, rows)
    if not places:
        raise ValueError("no games to draw")
    matplotlib = importlib.import_module("matplotlib")
    figures = importlib.import_module("matplotlib.figure")
    names = [f"{place.player.partition(',nodes=')[0]}  {n}" for n, place in enumerate(places, 1)]
    points = [place.elo.estimate for place in places]
    errors = [place.elo.high - place.elo.estimate for place in places]
    times = [MILLI * _median(place.player, rows) for place in places]
    with matplotlib.rc_context({"svg.hashsalt": "hsearch", "svg.fonttype": "none"}):
        figure = figures.Figure(figsize=(11, 1.5 + 0.3 * len(places)), layout="constrained")
        left, right = figure.subplots(1, 2)
        lines = range(len(places))
        left.errorbar(points, lines, xerr=errors, fmt="o", color="black", capsize=3)
        left.set_yticks(lines, names)
        left.invert_yaxis()
        left.set_xlabel("Elo, 95 %")
        left.grid(axis="x", alpha=0.3)
        for number, (time, point, error) in enumerate(zip(times, points, errors, strict=True), 1):
            if time > 0:  # else nobody knows: the scale is one of logarithms
                right.set_xscale("log")
                right.errorbar([time], [point], yerr=[error], fmt="o", color="black", capsize=3)
                right.annotate(str(number), (time, point), (6, 3), textcoords="offset points")
        right.set_xlabel("median time of a move (ms)")
        right.set_ylabel("Elo, 95 %")
        right.grid(alpha=0.3)
        figure.suptitle(f"{title}: {len(rows)} games")
        name = "Software" if path.suffix == ".png" else "Creator"
        date = {"Date": None} if path.suffix == ".svg" else {}
        figure.savefig(path, metadata={name: "hsearch", **date})


def _median(player: str, rows: Sequence[Row]) -> float:
    """Return the median seconds of a player's moves, of those searched if any were."""
    spent = [row.spent(player) for row in rows if player in {row.black, row.white}]
    moves = [move for one in spent for move in zip(*one, strict=True)]
    searched = [seconds for seconds, nodes in moves if nodes]
    return statistics.median(searched or [seconds for seconds, _ in moves] or [0.0])
