"""Options, progress and results that commands share which play many games."""

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from player.console.command import FailedError, InputError, reading, writing
from player.console.games import executor_at
from player.console.options import PLOT, gather, out_folder_option, out_option, processes_option
from player.console.screen import kept_in, leaving, make_folder, working
from player.engine.acting import prepare
from player.engine.player import PlayerError, PlayerFileError
from player.engine.results import Event, OtherEventError, Row, Rows, RowsError
from player.engine.spec import participant
from player.engine.standings import ENDINGS, duels, plot, standings
from player.engine.tournament import run
from player.work.clock import Clock
from player.work.spread import WorkersError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rich.table import Table


Play = Callable[[Rows, Sequence[int], Callable[[], bool]], None]  # games by number, until told


def takes_workers(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say where games are played; the command gets `play`."""

    def playing(*, workers: int, scheduler: str | None, sgf: Path | None) -> Play:
        def play(rows: Rows, games: Sequence[int], stop: Callable[[], bool]) -> None:
            with executor_at(scheduler, workers) as (executor, there):
                _play(rows, games, stop, workers=there, executor=executor, records=sgf)

        return play

    return gather(
        "play",
        playing,
        processes_option("workers", help="Processes that play; the results do not depend on it."),
        click.option(
            "--scheduler", metavar="ADDRESS", help="Play on the Dask cluster of this scheduler."
        ),
        out_folder_option(
            "--sgf", help="Save the record of each game in this folder, which others may share."
        ),
    )(function)


def opened(path: Path, event: Event) -> Rows:
    """Return the results of an event; raise InputError when the file holds others."""
    with reading(path):
        try:
            rows = Rows(path, event)
        except OtherEventError as error:
            raise OtherEventError(f"{error}; keep these apart with --resume PATH") from None
    if rows.dropped:
        click.echo(f"{path}: a half-written last row is dropped", err=True)
    return rows


def check_players(event: Event) -> None:
    """Ask each player of an event whether it can play there.

    Raise FailedError, naming one that cannot, and InputError when its file is at fault.
    """
    for spec in event.players:
        player = participant(spec, event.rules.name)
        try:
            prepare(player, event.rules, event.board)
        except PlayerError as error:
            kind = InputError if isinstance(error, PlayerFileError) else FailedError
            raise kind(f"{spec} cannot play here: {error}") from error
        finally:
            player.close()


def standings_table(rows: Rows, games: Sequence[int]) -> "Table":
    """Return the standings after those games that are finished."""
    from rich.table import Table  # noqa: PLC0415 - slow to import

    table = Table(box=None, pad_edge=False)
    columns = ["player", "won", "games", "share, 95 %", "Elo, 95 %"]
    is_timed = rows.event.seconds is not None or rows.event.clock != Clock.DAY
    for column in (*columns, "s a move") if is_timed else columns:
        table.add_column(column, justify="left" if column == "player" else "right")
    for place in standings(rows.event.players, rows.of(games)):
        share, elo = place.share, place.elo
        table.add_row(
            place.player,
            str(place.won),
            str(place.games),
            f"{share.estimate:.3f} ({share.low:.3f} to {share.high:.3f})",
            f"{elo.estimate:+z.0f} ± {elo.high - elo.estimate:.0f}",
            *([f"{place.pace:.2f}"] if is_timed else []),
        )
    return table


def duels_table(rows: Rows, games: Sequence[int]) -> "Table":
    """Return how each two players stand against each other."""
    from rich.table import Table  # noqa: PLC0415 - slow to import

    table = Table(box=None, pad_edge=False)
    for column in ("player", "against", "won", "games", "share, 95 %"):
        table.add_column(column, justify="left" if column in {"player", "against"} else "right")
    finished = rows.of(games)
    for duel in duels(standings(rows.event.players, finished), finished):
        share = duel.share
        table.add_row(
            *duel.players,
            str(duel.won),
            str(duel.games),
            f"{share.estimate:.3f} ({share.low:.3f} to {share.high:.3f})",
        )
    return table


def _play(
    rows: Rows,
    games: Sequence[int],
    stop: Callable[[], bool],
    *,
    workers: int,
    executor: "Callable[[], Executor] | None",
    records: Path | None,
) -> None:
    if all(number in rows.games for number in games) or stop():
        return
    if records is not None:
        make_folder(records)
    with (
        leaving(lambda: kept_in(rows.path)),
        working(rows.event.name, len(games), unit="games") as work,
    ):
        work.done(len(rows.of(games)))

        def on_game(_row: Row) -> bool:
            work.done(len(rows.of(games)))
            work.show(standings_table(rows, games))
            return stop()

        try:
            run(rows, games, on_game, workers=workers, executor=executor, records=records)
        except (WorkersError, RowsError) as error:
            raise FailedError(str(error)) from error
        except OSError as error:
            file = error.filename or rows.path  # a record may be what failed
            message = f"{file}: cannot be written: {error.strerror or error}"
            raise FailedError(message) from error


# `--plot`: a picture of the standings and of the time that strength takes.


def drawable(_context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    """Return the path. Raise, before hours of play, when nothing could be drawn there."""
    if path is None:
        return None
    if path.suffix not in ENDINGS:
        endings = ", ".join(ENDINGS)
        raise click.BadParameter(f"{path} ends in none of {endings}", param=option)
    if importlib.util.find_spec("matplotlib") is None:
        raise FailedError("--plot needs the extra `plot`: pip install 'hsearch[plot]'")
    return path


plot_option = out_option(
    "--plot",
    "picture",
    writes=PLOT,
    callback=drawable,
    help="Draw Elo, and time against Elo, into the file OUT (.svg, .png, .pdf).",
)


def draw(picture: Path | None, rows: Rows, games: Sequence[int]) -> None:
    """Draw those games that are finished, if a picture is asked for.

    Raise FailedError, in one line, when the file cannot be written.
    """
    if picture is None:
        return
    with writing(picture):
        plot(rows.event.name, rows.event.players, rows.of(games), picture)
