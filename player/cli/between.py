"""Points that people name: `--between`, `--within` and `--intrude`, or what is wrong with them."""

from collections.abc import Callable
from itertools import chain
from typing import Any

import click

from hsearch.board import Cell, Point
from hsearch.cells import CellSet
from player.console.errors import InputError
from player.console.reading import InputSource
from player.report.question import Question
from player.solve.pair import SECONDS


def two_points(source: InputSource, names: tuple[str, str]) -> tuple[Point, Point]:
    """Return two named points; raise InputError when they are one."""
    board = source.position.board
    try:
        x, y = map(board.point, names)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--between'") from error
    if x == y:
        raise InputError(f"{source.file}: {board.name(x)!r} twice: a connection has two ends")
    return x, y


def takes_between(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option that names two points; the command gets their names as `between`, or None."""
    return click.option(
        "--between",
        nargs=2,
        metavar="X Y",
        help="Two cells or edges, as c4 west. Edges are north, south, west, east; or N, S, W, E;"
        " or top, bottom, left, right.",
    )(function)


def takes_within(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option that opens only some cells; the command gets its text as `within`."""
    return click.option(
        "--within",
        metavar="CELLS",
        help="A sub-game: only these empty cells may be used, such as 'b1 c1 b2'; all others"
        " count as the opponent's.",
    )(function)


def takes_seconds(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option how long the solver may be asked; the command gets it as `seconds`."""
    return click.option(
        "--time",
        "seconds",
        type=click.FloatRange(0, 1e6),
        default=SECONDS,
        show_default=True,
        metavar="SECONDS",
        help="How long the solver may look at two points that no rule joins; 0 is not at all.",
    )(function)


def cells_within(source: InputSource, names: str | None) -> CellSet | None:
    """Return named cells; None if none are named. Stones may be among them."""
    if names is None:
        return None
    words = names.replace(",", " ").split()
    if not words:
        raise click.BadParameter("no cells", param_hint="'--within'")
    try:
        return source.position.board.named(words)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--within'") from error


def intrusions(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of all moves of the opponent; a text may hold several."""
    names = [text.replace(",", " ").split() for text in texts]
    if not all(names):
        raise click.BadParameter("no cells", param_hint="'--intrude'")
    return tuple(chain.from_iterable(names))


def intrusion(
    source: InputSource, question: Question, name: str, before: tuple[str, ...] = ()
) -> Cell:
    """Return the cell of an opponent's move.

    Raise InputError when it is not in the carrier, or has come before.
    """
    board = source.position.board
    try:
        cell = board.cell(name)
    except ValueError as error:
        raise InputError(f"{source.file}: {error}") from None
    connection = question.connection
    if connection is None:
        raise InputError(f"{source.file}: {name!r} is in no carrier: there is no connection")
    if not connection.carrier[cell]:
        cells = " ".join(board.names(connection.carrier)) or "it is empty"
        survives = source.position.empty[cell]
        more = ", so the connection survives it; the carrier" if survives else ""
        raise InputError(f"{source.file}: {name!r} is not in the carrier{more}: {cells}")
    if name in before:
        raise InputError(f"{source.file}: {name!r} twice")
    return cell
