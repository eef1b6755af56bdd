"""`hsearch solve --openings`: which first moves win on the empty board."""

import time
from typing import TYPE_CHECKING

import click

from hsearch.board import Board
from hsearch.formats import hexboard
from hsearch.position import Position
from hsearch.render import Marks
from player.cli.keeping import Keeper
from player.console.output import Output, print_object
from player.numbers import numbered
from player.report.solved import openings_object
from player.solve import Solver, winning_openings

if TYPE_CHECKING:
    from player.solve.openings import Opening


def board_of(
    _context: click.Context, option: click.Parameter, size: tuple[int, int] | None
) -> Board | None:
    """Return the board of a size. Raise BadParameter when there is none so small or large."""
    try:
        return None if size is None else Board(*size)
    except ValueError as error:
        raise click.BadParameter(str(error), param=option) from error


def show_map(solver: Solver, keeper: Keeper, *, tag: bool, output: Output) -> None:
    """Solve every opening of a board, and print which ones win for Black."""
    start = time.monotonic()
    each: list[Opening] = []
    with keeper.shown():
        wins = winning_openings(solver, on_progress=each.append)
    seconds = time.monotonic() - start
    board = solver.board
    position = Position.of(board)
    marks = Marks(shaded=wins, shaded_as="openings that win for Black")
    if output.as_json:
        print_object(openings_object(solver, wins, each, seconds))
    elif tag:
        click.echo(hexboard.write(position, carrier=wins))
    else:
        won = f"{wins.count()} of {board.size} openings win for Black."
        effort = f"{numbered(solver.nodes, 'position')} in {seconds:.1f} s."
        output.tell(position, marks, (won, effort))
    output.picture.write(position, marks, title=f"{board.columns}x{board.rows}")
