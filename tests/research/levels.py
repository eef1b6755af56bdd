"""Measure the scale of levels: play each against the one below, and print the table.

    python tests/research/levels.py --games 200 --time 3600

plays games that are missing in `positions/results/levels`, next for the pair and board with the
least processor time so far, and prints the table of all games there. Each file is the output of

    hsearch tournament UPPER LOWER --size N --clock processor --games G \
      --openings positions/openings/balanced-NxN.list \
      --resume positions/results/levels/4-3-NxN.jsonl

where UPPER and LOWER are the players of two levels in `player/engine/levels.py`. The time of a
move is processor time, averaged over all moves.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import click

from hsearch.hex.board import Board
from player.engine.levels import LEVELS, SIDES, Level
from player.engine.results import Event, Row, Rows
from player.engine.tournament import run
from player.search.opening_estimates import read_balanced
from player.work.clock import Clock
from player.work.statistics import elo, elo_interval

POSITIONS = Path(__file__).parents[2] / "positions"
FOLDER, OPENINGS = POSITIONS / "results" / "levels", POSITIONS / "openings"
LEAST = 10  # games needed to print a difference
ROUND = 2  # games of a pair before the next pair's turn: an opening with both colors


def rows_of(upper: Level, lower: Level, side: int, folder: Path = FOLDER) -> Rows:
    """Return the games of two levels on a board, and their file, to which more are appended.

    They continue with their first list of openings, even if the list has changed since.
    """
    path = folder / f"{upper.number}-{lower.number}-{side}x{side}.jsonl"
    players = upper.player, lower.player
    clock = Clock.PROCESSOR.value
    event = Event("tournament", side, side, players, clock=clock, openings=_openings(path, side))
    return Rows(path, event)


def _openings(path: Path, side: int) -> tuple[str, ...]:
    if path.exists():
        with path.open() as lines:
            return tuple(json.loads(next(lines))["openings"])
    return read_balanced(OPENINGS / f"balanced-{side}x{side}.list", Board(side, side))


def won(rows: Rows) -> tuple[int, int]:
    """Return the number of games that the upper level won, and the number of games."""
    games = list(rows.games.values())
    upper = rows.event.players[0]
    return sum(row.player(row.winner) == upper for row in games), len(games)


def milliseconds(games: Sequence[Row], player: str) -> float:
    """Return a player's mean time per move, including moves without a search."""
    seconds = [each for row in games for each in row.spent(player)[0]]
    return 1000 * sum(seconds) / max(1, len(seconds))


def pace(level: Level, read: Callable[[Level, Level, int], Rows] = rows_of) -> str:
    """Return a level's mean time per move, on the largest board that it has played on."""
    for side in reversed(SIDES):
        pairs = [read(upper, lower, side) for lower, upper in pairwise(LEVELS)]
        games = [
            row
            for rows in pairs
            if level.player in rows.event.players
            for row in rows.games.values()
        ]
        if games:
            return f"{milliseconds(games, level.player):,.0f}" + (
                "" if side == SIDES[-1] else f" ({side}x{side})"
            )
    return "not played"


def table() -> Iterator[str]:
    """Yield the lines of the table of levels."""
    read = cache(rows_of)  # reads each file only once
    boards = " | ".join(f"{side}x{side}" for side in SIDES)
    largest = f"{SIDES[-1]}x{SIDES[-1]}"
    yield f"| level | player | ms a move, {largest} | {boards} | together, 95 % |"
    yield "|---" * (4 + len(SIDES)) + "|"
    for below, level in zip((None, *LEVELS), LEVELS, strict=False):
        counts = [] if below is None else [won(read(level, below, side)) for side in SIDES]
        cells = [level.title, f"`{level.player}`", pace(level, read)]
        cells += [gain(*count) for count in counts] or [""] * len(SIDES)
        wins, games = map(sum, zip(*counts, strict=True)) if counts else (0, 0)
        interval = elo_interval(wins, games) if games else None
        cells.append(
            f"{gain(wins, games)}, {interval.low:+.0f} to {interval.high:+.0f}" if interval else ""
        )
        yield "| " + " | ".join(cells) + " |"


def points(wins: int, games: int) -> int:
    """Return a level's Elo points over the one below, with one drawn game added."""
    return round(elo((wins + 0.5) / (games + 1)))


def gain(wins: int, games: int) -> str:
    """Return a level's gain over the one below, from `LEAST` games on, and the number of games."""
    gained = f"**{points(wins, games):+d}** " if games >= LEAST else ""
    return f"{gained}({wins} of {games})" if games else "not played"


def spent(rows: Rows) -> float:
    """Return the processor seconds of all moves in some games."""
    return sum(sum(row.seconds) for row in rows.games.values())


@click.command()
@click.option("--games", default=200, show_default=True, help="Games of each pair on each board.")
@click.option("--time", "seconds", default=0.0, help="Seconds after which no game begins.")
@click.option("--size", "sides", type=int, multiple=True, default=SIDES, help="Boards to play on.")
@click.option("--upper", "uppers", type=int, multiple=True, help="Upper levels; all by default.")
def main(games: int, seconds: float, sides: Sequence[int], uppers: Sequence[int]) -> None:
    """Play missing games while there is time, then print the table."""
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
