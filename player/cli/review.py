"""`hsearch review`: where a game was decided, and which moves threw it away."""

from pathlib import Path
from typing import Any

import click

from hsearch import formats
from player.cli.reviewing import Outputs, review_all, review_each
from player.console.command import command
from player.console.errors import one_line
from player.console.games import GameEntry, games_of
from player.console.option import PAGE, REVIEWED, SVG, number_option, out_option, processes_option
from player.console.output import json_option
from player.console.reading import arguments
from player.console.screen import Screen, draws
from player.console.types import SizeType
from player.review import EFFORTS, Effort


@command(
    "review",
    "hsearch review positions/games/london-2000-queenbee-hexy.sgf --effort quick --svg review.svg",
    "echo 'a5 c4 d3 b4 c2' | hsearch review - --size 5 --html review.html --sgf reviewed.sgf",
    "hsearch review positions/games/*.sgf --effort quick --rows games.jsonl --jobs 2",
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@number_option("--game", "number", help="Only this one.")
@click.option(
    "--effort",
    type=click.Choice([*EFFORTS]),
    default="normal",
    show_default=True,
    help="quick: H-search; normal: deduction and the solver as well; deep: further.",
)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="Time limit for each game; results then depend on the machine.",
)
@out_option("--svg", writes=SVG, help="Draw the chance by move into OUT.")
@out_option("--html", writes=PAGE, help="Write a page with board and chart.")
@out_option("--sgf", writes=REVIEWED, help="Write the record with the review in it.")
@click.option("--hexworld", is_flag=True, help="Print a link to the position that decided it.")
@click.option(
    "--proofs",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write the proofs of the solver there; `hsearch verify` checks them.",
)
@json_option("one JSON object a move, one a game")
@click.option("--all", "every", is_flag=True, help="Show all moves, not only those that matter.")
@out_option("--rows", help="Store the results there, game by game.")
@processes_option("jobs", help="Processes that review; needs --rows.")
@click.option("--scheduler", metavar="ADDRESS", help="Review on the Dask cluster there.")
@click.option("--size", type=SizeType(), help="Board of a move list; 11 by default.")
@click.option(
    "--format",
    "text_format",
    type=click.Choice(formats.FORMATS),
    help="Do not guess the format.",
)
@draws
def review(  # noqa: PLR0913 - an option each
    *,
    files: tuple[str, ...],
    number: int | None,
    effort: str,
    seconds: float | None,
    rows: Path | None,
    jobs: int,
    scheduler: str | None,
    size: tuple[int, int] | None,
    text_format: str | None,
    screen: Screen,
    **outputs: Any,
) -> None:
    """Report where each game of FILE was decided, and the moves that lost it.

    A verdict names its basis: a connection, the solver, or an estimate. An
    estimate is never called a mistake. The turning point is the earliest
    move after which the winner is proved at every later position. With --rows
    many games are reviewed, by --jobs processes, and the same command resumes
    after an interruption.
    """
    if rows is None and (jobs > 1 or scheduler is not None):
        raise click.UsageError("--jobs and --scheduler need --rows")
    if rows is not None and any(outputs.values()):
        raise click.UsageError("--rows goes with no other output")
    chosen = EFFORTS[effort]
    if seconds is not None:
        usual = EFFORTS["normal"]
        chosen = Effort(
            "time", chosen.limits, chosen.depth, usual.nodes, 10**8, usual.patience, seconds=seconds
        )
    entries = _entries(files, number=number, size=size, text_format=text_format)
    if rows is not None:
        review_all(entries, chosen, rows, jobs=jobs, scheduler=scheduler)
    else:
        review_each(entries, chosen, Outputs(**outputs), screen)
    for entry in entries:
        if entry.error is not None:
            click.echo(entry.error, err=True)
    if any(entry.error is not None for entry in entries):
        raise click.exceptions.Exit(3)


def _entries(files: tuple[str, ...], **reading: Any) -> list[GameEntry]:
    """Return the games of all files, with their warnings on stderr."""
    entries = [entry for file in arguments(files) for entry in games_of(file, **reading)]
    for entry in entries:
        for warning in entry.game.warnings if entry.game is not None else ():
            click.echo(one_line(f"warning: {entry.file}: {warning}"), err=True)
    return entries
