"""Measure the scale of levels: each against the one below, and the table of what that gave.

    python tests/research/levels.py --games 200 --time 3600

plays games that are missing in `positions/results/levels`, next of the pair and board that took
least time of the processor so far, and prints the table of all that are there. Each file is that of

    hsearch tournament UPPER LOWER --size N --clock processor --games G \
      --openings positions/openings/balanced-NxN.list --rows positions/results/levels/4-3-NxN.jsonl

where UPPER and LOWER are the players of two levels in `player/engine/levels.py`. The last rows
of the table, each player's own time of a move, are of the processor, in the mean of its moves.
"""

import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import click
from places import ROOT

from hsearch.hex.board import Board
from player.engine.levels import LEVELS, SIDES, Level
from player.engine.results import Event, Row, Rows
from player.engine.tournament import run
from player.search.opening_estimates import read_balanced
from player.work.clock import Clock
from player.work.statistics import elo_interval, share

FOLDER = ROOT / "positions" / "results" / "levels"
OPENINGS = ROOT / "positions" / "openings"
ROUND = 2  # games of a pair, an opening with both colors, before the next one's turn


def rows_of(upper: Level, lower: Level, side: int, folder: Path = FOLDER) -> Rows:
    """Return the games of two levels on a board, and the file that more are added to."""
    openings = read_balanced(OPENINGS / f"balanced-{side}x{side}.list", Board(side, side))
    clock = Clock.PROCESSOR.value
    event = Event(
        "tournament", side, side, (upper.player, lower.player), clock=clock, openings=openings
    )
    return Rows(folder / f"{upper.number}-{lower.number}-{side}x{side}.jsonl", event)


def won(rows: Rows) -> tuple[int, int]:
    """Return how many games the upper level won, and of how many."""
    games = list(rows.games.values())
    upper = rows.event.players[0]
    return sum(row.player(row.winner) == upper for row in games), len(games)


def milliseconds(games: Sequence[Row], player: str) -> float:
    """Return what a move of a player takes in the mean, those without a search among them."""
    seconds = [each for row in games for each in row.spent(player)[0]]
    return 1000 * sum(seconds) / max(1, len(seconds))


def table() -> Iterator[str]:
    """Yield the lines of the table of levels."""
    boards = "".join(f" {side}x{side} |" for side in SIDES)
    yield f"| level | player | ms a move on {SIDES[-1]}x{SIDES[-1]} | over the level below:{boards}"
    yield "|---" * (3 + len(SIDES)) + "|"
    for level in LEVELS:
        met = {
            other: rows_of(upper, lower, SIDES[-1]).games.values()
            for lower, upper in pairwise(LEVELS)
            if level in (lower, upper)
            for other in [upper if level is lower else lower]
        }
        pace = milliseconds([row for rows in met.values() for row in rows], level.player)
        cells = [f"{level.number} {level.name}", f"`{level.player}`", f"{pace:.0f}"]
        below = next((each for each in LEVELS if each.number == level.number - 1), None)
        cells += ["" if below is None else gain(rows_of(level, below, side)) for side in SIDES]
        yield "| " + " | ".join(cells) + " |"


def gain(rows: Rows) -> str:
    """Return what a level won against the one below, in points, games and share."""
    wins, games = won(rows)
    if not games:
        return "not played"
    points, part = elo_interval(wins, games), share(wins, games)
    return (
        f"{points.estimate:+.0f}: {wins} of {games} "
        f"({100 * part.low:.0f} to {100 * part.high:.0f} %)"
    )


def spent(rows: Rows) -> float:
    """Return the processor seconds of all moves of some games."""
    return sum(sum(row.seconds) for row in rows.games.values())


@click.command()
@click.option("--games", default=200, show_default=True, help="Of each pair on each board.")
@click.option("--time", "seconds", default=0.0, help="Seconds after which no game begins.")
@click.option("--size", "sides", type=int, multiple=True, default=SIDES, help="Boards to play on.")
@click.option("--upper", "uppers", type=int, multiple=True, help="Upper levels; all by default.")
def main(games: int, seconds: float, sides: Sequence[int], uppers: Sequence[int]) -> None:
    """Play what is missing as long as there is time, then print the table."""
    end = time.monotonic() + seconds
    FOLDER.mkdir(exist_ok=True)
    pairs = [pair for pair in pairwise(LEVELS) if not uppers or pair[1].number in uppers]
    every = [rows_of(upper, lower, side) for lower, upper in pairs for side in sides]
    while time.monotonic() < end:
        missing = [rows for rows in every if len(rows.games) < games]
        if not missing:
            break
        rows = min(missing, key=spent)
        played = len(rows.games)
        run(rows, range(min(played + ROUND, games)), lambda _row: time.monotonic() >= end)
    click.echo("\n".join(table()))


if __name__ == "__main__":
    main()
