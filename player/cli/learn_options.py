"""Options that the commands of `hsearch learn` share."""

from pathlib import Path

import click

from hsearch.hex.board import Board
from player.console.options import Decorator
from player.console.types import SizeType

NET = click.Path(exists=True, dir_okay=False, path_type=Path)
SIZES = ((11, 11), (9, 9))


def boards_option(count: str) -> Decorator:
    """Return the decorator that adds the boards, so many games in turn on each."""
    return click.option(
        "--size",
        "boards",
        type=SizeType(),
        multiple=True,
        callback=_boards,
        help=f"The boards, in turn, {count} games on each; by default 11 and 9.",
    )


def net_option(text: str) -> Decorator:
    """Return the decorator that adds the file of a net."""
    return click.option("--net", "net_file", type=NET, metavar="NET", help=text)


def int8_option(what: str = "the net") -> Decorator:
    """Return the decorator that adds whether a net is asked in eight bits."""
    return click.option(
        "--int8", is_flag=True, help=f"Ask {what} in eight bits (the extra `fast`)."
    )


def _boards(
    _context: click.Context, option: click.Parameter, sizes: tuple[tuple[int, int], ...]
) -> tuple[Board, ...]:
    """Return the boards. Raise BadParameter when there is none of a size."""
    try:
        return tuple(Board(*size) for size in sizes or SIZES)
    except ValueError as error:
        raise click.BadParameter(str(error), param=option) from error
