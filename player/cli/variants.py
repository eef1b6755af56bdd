"""`--variant`: which game is played, for commands that play."""

import functools
from collections.abc import Callable
from typing import Any

import click

from player.cli.endings import one_line
from player.cli.random_turn_table import RandomTurnTable
from player.cli.table import Table
from player.engine import ALTERNATING, RANDOM_TURN, SpecError
from player.match import VARIANTS, Variant, variant

# Where each variant is played at the terminal.
TABLES: dict[str, type[Table]] = {ALTERNATING: Table, RANDOM_TURN: RandomTurnTable}


def takes_variant(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--variant`; the command gets one `Variant`, or None, as `variant`."""

    @functools.wraps(function)
    def varied(*, named: str | None, **rest: Any) -> Any:
        return function(variant=None if named is None else _variant(named), **rest)

    return click.option(
        "--variant",
        "named",
        metavar="NAME",
        help=f"The game that is played: {', '.join(VARIANTS)}.",
    )(varied)


def _variant(text: str) -> Variant[Any]:
    try:
        return variant(text)
    except SpecError as error:
        raise click.UsageError(one_line(str(error))) from error
