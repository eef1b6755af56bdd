"""`hsearch template find`: search for edge templates, and write them as a suite."""

import sys
import time

import click

from hsearch.closure import Limits, closure
from hsearch.formats import diagram
from hsearch.library import Template
from hsearch.template.find import MOST_ROW, MOST_STONES, Search, Window
from player.cli.command import command
from player.cli.compiling import announce_compiling
from player.cli.interruptible import interruptible


@command(
    "find",
    "hsearch template find --row 3 --columns 7",
    "hsearch template find --row 3 --stones 2 --columns 7 > found.txt",
    "hsearch template find --row 3 --columns 7 --also 2 3",
)
@click.option(
    "--row", type=click.IntRange(2, MOST_ROW), required=True, help="Where the stones lie."
)
@click.option(
    "--stones",
    type=click.IntRange(1, MOST_STONES),
    default=1,
    show_default=True,
    help="How many, side by side.",
)
@click.option(
    "--columns", type=click.IntRange(1, 30), default=8, show_default=True, help="Where to look."
)
@click.option(
    "--also",
    type=(int, int),
    multiple=True,
    metavar="RIGHT ROW",
    help="A further stone: columns right of the first one, and its row.",
)
@click.option("--most", type=click.IntRange(1), metavar="CELLS", help="Print no larger carriers.")
@click.option(
    "--budget", type=click.IntRange(1), metavar="N", help="Most positions of complete play."
)
def find(
    *,
    row: int,
    stones: int,
    columns: int,
    also: tuple[tuple[int, int], ...],
    most: int | None,
    budget: int | None,
) -> None:
    """Search for all minimal edge templates of some stones side by side.

    The stones lie in a row counted from the edge, all carriers in a window of so
    many columns. Of two mirror images one is printed, as an entry of a suite,
    as soon as it is found. The last line says whether these are all.
    """
    try:
        window = Window(row, stones, columns, also)
        search = Search(window, budget=budget)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    announce_compiling()
    start, number = time.perf_counter(), 0
    click.echo(f"# {_command_line()}")
    try:
        found = search.run()
        while (template := interruptible(lambda: next(found, None))) is not None:
            if most is None or template.carrier.count() <= most:
                number += 1
                click.echo("\n" + entry(template, f"{template.id}-{number:02}"))
    finally:
        extent = "all" if search.is_complete else "not all"
        seconds = time.perf_counter() - start
        click.echo(
            f"\n# {extent} of this window: {number} printed, "
            f"{search.positions} positions, {seconds:.0f} seconds"
        )


def entry(template: Template, name: str) -> str:
    """Return a template as an entry of a suite, and whether H-search finds it."""
    board = template.position.board
    x, y = map(board.name, template.ends)
    lines = diagram.write(template.position, labels=False).rstrip().split("\n")
    found = closure(template.alone, template.color, Limits(templates=False)).fulls(*template.ends)
    fields = {
        "id": name,
        "source": "hsearch template find",
        "board": ("\n" + " " * 8).join(lines),
        "turn": template.color.opponent.word,
        "stone": x,
        "edge": y,
        "carrier": " ".join(board.names(template.carrier)),
        "found": "yes" if found else "no",
    }
    return "\n".join(f"{key:7} {value}" for key, value in fields.items())


def _command_line() -> str:
    return " ".join(["hsearch", *sys.argv[1:]])
