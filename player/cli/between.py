"""`--between X Y` and `--intrude CELL`: named points to points, or the error that says why not."""

import click

from hsearch.board import Cell, Point
from player.console.errors import InputError
from player.console.reading import Source
from player.report.question import Question


def two_points(source: Source, names: tuple[str, str]) -> tuple[Point, Point]:
    """Return two named points; raise InputError when they are one."""
    board = source.position.board
    try:
        x, y = map(board.point, names)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--between'") from error
    if x == y:
        raise InputError(f"{source.file}: {board.name(x)!r} twice: a connection has two ends")
    return x, y


def intrusion(source: Source, question: Question, name: str, before: tuple[str, ...] = ()) -> Cell:
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
        raise InputError(f"{source.file}: {name!r} is not in the carrier: {cells}")
    if name in before:
        raise InputError(f"{source.file}: {name!r} twice")
    return cell
