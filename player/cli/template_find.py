"""`hsearch template find`: search for edge templates, and write them as a suite."""

import sys
import time
from pathlib import Path

import click

from hsearch.board import column_name
from hsearch.closure import Limits, closure
from hsearch.formats import diagram
from hsearch.library import Template
from hsearch.template.find import TemplateSearch
from hsearch.template.ladder import HIGHEST, SHOWN, families, first_missed
from hsearch.template.progress import FindProgress, read, write
from hsearch.template.window import MOST_ROW, MOST_STONES, TemplateWindow
from player.cli.between import takes_seconds
from player.cli.template_check import solver_for
from player.console.command import command
from player.console.errors import reading
from player.console.interruptible import interruptible
from player.console.option import number_option, out_option
from player.console.screen import write_file
from player.numbers import numbered


@command(
    "find",
    "hsearch template find --row 3 --stones 2 --columns 7 > found.txt",
    "hsearch template find --row 3 --columns 6 --state row3.json > row3.txt",
    "hsearch template find --row 3 --ladder 2",
)
@number_option("--row", least=2, most=MOST_ROW, required=True, help="Where the stones lie.")
@number_option("--stones", most=MOST_STONES, default=1, help="How many, side by side.")
@number_option("--columns", most=30, default=8, help="Where to look.")
@click.option(
    "--also",
    type=(int, int),
    multiple=True,
    metavar="RIGHT ROW",
    help="A further stone: columns right of the first one, and its row.",
)
@number_option("--most", metavar="CELLS", help="Print no larger carriers.")
@takes_seconds
@number_option("--budget", help="Most positions of complete play.")
@out_option(
    "--state",
    metavar="FILE",
    help="Store the progress of the search in FILE, and resume from it.",
)
@number_option(
    "--ladder",
    least=2,
    most=HIGHEST,
    metavar="ROW",
    help="Instead, a ladder from one stone in --row to an escape in this row, at any length.",
)
@click.option(
    "--length",
    type=click.IntRange(SHOWN, 8),
    default=5,
    show_default=True,
    help="Up to which length ladders are compared.",
)
def find(  # noqa: PLR0913 - one parameter an option of the command line
    *,
    row: int,
    stones: int,
    columns: int,
    also: tuple[tuple[int, int], ...],
    most: int | None,
    seconds: float,
    budget: int | None,
    state: Path | None,
    ladder: int | None,
    length: int,
) -> None:
    """Search for all minimal edge templates of some stones side by side.

    The stones lie in a row counted from the edge, all carriers in a window of so
    many columns. Of two mirror images one is printed, as an entry of a suite,
    as soon as it is found. The solver is asked whether cells hold one, for --time, and
    they are played out where it has no answer. The last line says whether these are all.
    """
    if ladder is not None:
        _ladders(row, ladder, length)
        return
    try:
        window = TemplateWindow(row, stones, columns, also)
        ask = solver_for(window.position, window.ends, seconds)
        search = TemplateSearch(window, budget=budget, progress=_progress(state, window), ask=ask)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    start, number = time.perf_counter(), 0
    click.echo(f"# {_command_line()}")
    try:
        found = search.run()
        while (template := interruptible(lambda: next(found, None))) is not None:
            if most is None or template.carrier.count() <= most:
                number += 1
                click.echo("\n" + _numbered(template, number))
    finally:
        if state is not None:
            write_file(state, write(search.progress, window))
        extent = "all" if search.is_complete else "not all"
        seconds = time.perf_counter() - start
        click.echo(
            f"\n# {extent} of this window: {number} printed, "
            f"{numbered(search.positions, 'position')}, {seconds:.0f} seconds"
        )
        if not search.is_complete:
            again = "the same command" if state is not None else "a search with --state FILE"
            where = "after the last step that was done, and a step may take minutes"
            click.echo(f"# {again} goes on {where}", err=state is None)


def _progress(state: Path | None, window: TemplateWindow) -> FindProgress | None:
    """Return what an earlier search has noted."""
    if state is None or not state.exists():
        return None
    with reading(state):
        return read(state.read_bytes(), window)


def _ladders(row: int, escape: int, length: int) -> None:
    """Print the families of ladders between two rows."""
    if not escape <= row <= HIGHEST:
        raise click.UsageError(f"no ladder from row {row} to row {escape}: rows up to {HIGHEST}")
    start = time.perf_counter()
    found = interruptible(lambda: families(row, escape, length))
    click.echo(f"# {_command_line()}")
    for family in found:
        column = column_name(family.column)
        missed = first_missed(family)
        known = entry(family.first, family.first.id, found=missed is None)
        click.echo(f"\n{known}\n{'repeat':7} {column}")
        if missed is not None:
            click.echo(f"{'missed':7} {missed}")
    seconds = time.perf_counter() - start
    click.echo(f"\n# {len(found)} printed, {seconds:.0f} seconds")


def _numbered(template: Template, number: int) -> str:
    return entry(template, f"{template.id}-{number:02}", found=_is_found(template))


def _is_found(template: Template) -> bool:
    """Return whether H-search finds a template without knowing any."""
    store = closure(template.alone, template.color, Limits(templates=False))
    return store.has_full(*template.ends)


def entry(template: Template, name: str, *, found: bool) -> str:
    """Return a template as an entry of a suite, and whether H-search finds it."""
    board = template.position.board
    x, y = map(board.name, template.ends)
    lines = diagram.write(template.position, labels=False).rstrip().split("\n")
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
