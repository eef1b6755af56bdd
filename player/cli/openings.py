"""`hsearch openings`: which first moves win, which are fair."""

from pathlib import Path

import click

from hsearch.board import Board
from hsearch.position import Position
from hsearch.render import Marks, text
from player.cli.command import command
from player.cli.compiling import announce_compiling
from player.cli.screen import Screen, draws, write_file
from player.openings import Chart, chart, write


@command("openings", "hsearch openings 5", "hsearch openings 11 --save positions/openings")
@click.argument("side", type=click.IntRange(1, 19), metavar="N")
@click.option(
    "--save",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Write the map into this folder, as NxN.map.",
)
@draws
def openings(*, side: int, folder: Path | None, screen: Screen) -> None:
    """Show who wins after each first move of Black on a board of N by N cells.

    Up to 7x7 every opening is solved, which takes seconds, on 7x7 minutes. On
    larger boards what the circuits tell is an estimate, and written in lower
    case.
    """
    announce_compiling()
    made = _with_progress(Board(side, side))
    if folder is not None:
        write_file(folder / f"{side}x{side}.map", write(made))
    labels = dict(enumerate(made.verdicts))
    screen.board(text.board(Position.of(made.board), Marks(labels=labels), screen.symbols))
    click.echo("\n" + _caption(made))


def _with_progress(board: Board) -> Chart:
    from rich.console import Console  # noqa: PLC0415 - slow to import
    from rich.progress import Progress  # noqa: PLC0415

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("openings", total=(board.size + 1) // 2)
        return chart(board, told=lambda _cell: progress.advance(task))


def _caption(made: Chart) -> str:
    name = made.board.name(made.most_even)
    value = made.estimates[made.most_even]
    proved = sum(verdict.isupper() for verdict in made.verdicts)
    kind = "all proved" if made.is_exact else f"{proved} of {made.board.size} proved"
    return (
        f"W wins and L loses for Black, who opens; w and l are estimates ({kind}).\n"
        f"Most even: {name}, estimated at E = {value:+.3f} as if nobody were to move."
    )
