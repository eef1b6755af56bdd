"""`hsearch evaluate`: what the classic evaluators say of a position."""

from collections.abc import Callable, Sequence
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from hsearch.board import Cell, Color
from hsearch.circuit import circuit
from hsearch.position import Position, winner
from hsearch.render import Marks
from player.cli.command import command
from player.cli.compiling import announce_compiling
from player.cli.endings import InputError
from player.cli.output import print_object
from player.cli.picture import Picture, takes_picture
from player.cli.reading import Source, reads_position
from player.cli.types import ColorType
from player.evaluate import (
    BY_TWO_DISTANCE,
    EVALUATORS,
    critical_cells,
    flow_cells,
    influence_cells,
    linked_cells,
    path_cells,
    two_distance_cells,
)
from player.evaluate import (
    evaluate as value_of,
)
from player.fillings import MAX_WIDTH, is_reachable
from player.report.objects import number, position_object

ALL = "all"


def _currents(position: Position, color: Color) -> NDArray[np.float64]:
    return circuit(position, color).flow


# What an evaluator sees at a cell, and what that is called. Fewer is warmer for lengths.
SIGHTS: dict[str, tuple[Callable[[Position, Color], NDArray[np.float64]], str, bool]] = {
    "shortest_path": (path_cells, "length of the shortest path through the cell", True),
    "two_distance": (two_distance_cells, "sum of the two-distances to both edges", True),
    "queenbee": (two_distance_cells, "potential: two-distances to both edges", True),
    "y_reduction": (influence_cells, "influence on who owns the last cell", False),
    "max_flow": (flow_cells, "flow through the cell", False),
    "resistance": (_currents, "current through the cell", False),
    "fillings": (critical_cells, "how often the cell decides a filling", False),
    "hexy": (linked_cells, "current through the cell, over connections", False),
}


@command(
    "evaluate",
    "hsearch evaluate positions/games/london-2000-queenbee-hexy.sgf --move 20",
    "hsearch evaluate positions/puzzles/classic.txt --id 5x5-berge-1 --with two_distance --json",
    "hsearch evaluate positions/games/london-2000-queenbee-hexy.sgf --move 20"
    " --with resistance --svg currents.svg",
)
@reads_position
@click.option(
    "--with",
    "name",
    type=click.Choice([ALL, *EVALUATORS]),
    default=ALL,
    show_default=True,
    help="The evaluator.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object, of the evaluator or of all."
)
@takes_picture("Draw what the evaluator sees at each cell")
@click.option(
    "--for", "color", type=ColorType(), help="Whose side the picture shows, else the mover's."
)
def evaluate(
    *, source: Source, name: str, as_json: bool, picture: Picture, color: Color | None
) -> None:
    """Say what the classic evaluators make of the position of FILE.

    For each: what it measures for Black and for White, and the evaluation,
    below 0 if it is good for Black. They are estimates; `hsearch analyze`
    proves. A dash: no measure of a player who has won.
    """
    position = source.position
    names = tuple(EVALUATORS) if name == ALL else (name,)
    if "fillings" in names and not is_reachable(position):
        board = f"{position.board.columns}x{position.board.rows}"
        largest = f"{board} is too large for fillings (shorter side at most {MAX_WIDTH})"
        if name != ALL:
            raise InputError(largest)
        click.echo(f"{largest}: left out", err=True)
        names = tuple(each for each in names if each != "fillings")
    if picture.is_wanted:
        if name not in SIGHTS:
            raise click.UsageError(f"a picture needs --with and one of: {', '.join(SIGHTS)}")
        side = position.turn if color is None else color
        marks = _marks(position, side, name, source.last)
        title = f"{name} for {side.word}"
        picture.write(position, marks, title=title, game=source.game, moves=source.moves)
    announce_compiling()
    if not as_json:
        _print_table(position, names)
    elif name == ALL:
        print_object(
            {
                "schema": "hsearch/evaluations/1",
                "position": position_object(position),
                "evaluations": [_object(position, each) for each in names],
            }
        )
    else:
        about = {"schema": "hsearch/evaluation/1", "position": position_object(position)}
        print_object({**about, **_object(position, name)})


def _print_table(position: Position, names: Sequence[str]) -> None:
    """Print a line an evaluator, each as soon as it is known."""
    won = winner(position)
    click.echo(f"{'evaluator':22}{'black':>10}{'white':>10}{'evaluation':>12}")
    for name in names:
        measured = _object(position, name)
        if won is not None and name in BY_TWO_DISTANCE:
            measured[won.word] = "-"
        click.echo("{evaluator:22}{black:>10}{white:>10}{evaluation:>12}".format(**measured))


def _object(position: Position, name: str) -> dict[str, Any]:
    value = value_of(position, name)
    return {
        "evaluator": name,
        "black": number(value.black),
        "white": number(value.white),
        "evaluation": number(value.evaluation),
    }


def _marks(position: Position, side: Color, name: str, last: Cell | None) -> Marks:
    see, meaning, fewer_is_warmer = SIGHTS[name]
    seen = see(position, side)
    shown = {cell: float(seen[cell]) for cell in position.empty.search(1)}
    shown = {cell: value for cell, value in shown.items() if np.isfinite(value) and value > 0}
    most, least = max(shown.values(), default=0.0), min(shown.values(), default=0.0)
    return Marks(
        last=last,
        heat={c: most + 1 - value if fewer_is_warmer else value for c, value in shown.items()},
        heat_as=f"{name}: {meaning}",
        heat_scale=f"{most:.3g} to {least:.3g}" if fewer_is_warmer else "",
        labels={cell: f"{value:.2g}" for cell, value in shown.items()},
    )
