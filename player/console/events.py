"""What commands that play share: the variant, where games are played, results, standings."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from player.bidding.chips import Holding
from player.console import command, options, output, screen
from player.console.games import Machines, scheduler_option, storing, warn_if_cut
from player.engine.results import Event, OtherEventError, Row, Rows
from player.engine.tournament import PlayRows, duels, plot, run, standings
from player.variants import VARIANTS, variant
from player.variants.base import BIDDING, DARK_ABRUPT, DARK_CLASSIC, Variant
from player.work.clock import Clock
from player.work.naming import SpecError
from player.work.spread import WorkerPool

if TYPE_CHECKING:
    from rich.table import Table

# `--variant`, and the options of variants.


def takes_variant(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--variant` and the options of variants; the command gets a `Variant`, or None."""

    def choose(
        *, named: str | None, held: tuple[Holding, Holding] | None, noise: str | None
    ) -> Variant[Any] | None:
        if held is not None:
            chips = f"black={held[0]},white={held[1]}"
            named = _with_option(named, "--chips", chips, BIDDING)
        if noise is not None:
            named = _with_option(named, "--noise", f"noise={noise}", DARK_CLASSIC, DARK_ABRUPT)
        return None if named is None else _variant(named)

    return options.gather(
        "variant",
        choose,
        click.option(
            "--variant",
            "named",
            metavar="NAME",
            help=f"The game that is played: {', '.join(VARIANTS)}.",
        ),
        click.option(
            "--chips",
            "held",
            nargs=2,
            type=options.ChipsType(),
            metavar="BLACK WHITE",
            help="What each player bids with, a * for the tie-break chip; '100*' 100, in quotes, by"
            " default.",
        ),
        click.option(
            "--noise",
            type=click.Choice(["silent", "noisy", "flash"]),
            help="What the other player hears of a hit in Dark Hex; silent by default.",
        ),
    )(function)


def _with_option(text: str | None, option: str, value: str, *variants: str) -> str:
    """Return the text of a variant with an option added. Raise UsageError if they do not fit."""
    name, _, others = (text or "").partition(":")
    if name not in variants:
        raise click.UsageError(f"{option} needs --variant {' or '.join(variants)}")
    if others:
        raise click.UsageError(f"{option} and --variant {text} mean the same: leave one out")
    return f"{name}:{value}"


def _variant(text: str) -> Variant[Any]:
    try:
        return variant(text)
    except SpecError as error:
        raise click.UsageError(command.one_line(str(error))) from error


# Where games are played, and the file of their results.


def takes_play(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for where games are played; the command gets a function as `play`."""

    def playing(*, jobs: int, scheduler: str | None, sgf: Path | None) -> PlayRows:
        def play(rows: Rows, games: Sequence[int], stop: Callable[[], bool]) -> None:
            with Machines(jobs, scheduler).workers() as workers:
                _play(rows, games, stop, workers, records=sgf)

        return play

    return options.gather(
        "play",
        playing,
        options.processes_option(
            "jobs", help="Processes that play; the results do not depend on it."
        ),
        scheduler_option("Play"),
        options.out_folder_option(
            "--sgf", help="Save the record of each game in this folder, which others may share."
        ),
    )(function)


def _play(
    rows: Rows,
    games: Sequence[int],
    stop: Callable[[], bool],
    workers: WorkerPool,
    *,
    records: Path | None,
) -> None:
    if all(number in rows.games for number in games) or stop():
        return
    if records is not None:
        screen.make_folder(records)
    with (
        screen.leaving(lambda: screen.resume_note(rows.path) if rows.games else screen.NOTHING),
        screen.working(rows.event.name, len(games), unit="games") as work,
    ):
        work.update(len(rows.of(games)))

        def on_game(_row: Row) -> bool:
            work.update(len(rows.of(games)))
            work.show(standings_table(rows, games))
            return stop()

        with storing(rows.path):
            run(rows, games, on_game, workers=workers, records=records)


def open_rows(path: Path, event: Event) -> Rows:
    """Return the results of an event. Raise InputError if the file holds other results."""
    with command.reading(path):
        try:
            rows = Rows(path, event)
        except OtherEventError as error:
            raise OtherEventError(f"{error}; keep these apart with --resume PATH") from None
    warn_if_cut(path, cut=rows.cut)
    return rows


# The results as tables, and as a picture: `--plot`.


def standings_table(rows: Rows, games: Sequence[int]) -> "Table":
    """Return the standings after the finished games."""
    headings = ["player", "won", "games", "share, 95 %", "Elo, 95 %"]
    places = standings(rows.event.players, rows.of(games))
    lines = [[place.player, *place.cells] for place in places]
    if rows.event.seconds is not None or rows.event.clock != Clock.DAY:
        headings.append("s a move")
        for line, place in zip(lines, places, strict=True):
            line.append(f"{place.pace:.2f}")
    return screen.table(headings, lines, left={"player"})


def duels_table(rows: Rows, games: Sequence[int]) -> "Table":
    """Return the results of each pair of players."""
    results = rows.of(games)
    lines = (
        (duel.better, duel.worse, str(duel.wins), str(duel.games), duel.share.with_ends(".3f"))
        for duel in duels(standings(rows.event.players, results), results)
    )
    headings = ("player", "against", "won", "games", "share, 95 %")
    return screen.table(headings, lines, left={"player", "against"})


plot_option = options.out_option(
    "--plot",
    "picture",
    writes=options.PLOT,
    callback=output.plottable,
    help="Draw Elo, and time against Elo, into the file OUT (.svg, .png, .pdf).",
)


def draw(picture: Path | None, rows: Rows, games: Sequence[int]) -> None:
    """Draw the results of the finished games, if a picture is wanted.

    Raise FailedError, in one line, if the file cannot be written.
    """
    if picture is None:
        return
    with command.writing(picture):
        plot(rows.event.name, rows.event.players, rows.of(games), picture)
