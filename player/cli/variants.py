"""`--variant`: which game is played, for commands that play."""

from collections.abc import Callable
from typing import Any

import click

from player.bidding import Holding
from player.console.chips import ChipsType
from player.console.errors import one_line
from player.console.gather import gather
from player.options import SpecError
from player.variants import BIDDING, DARK_ABRUPT, DARK_CLASSIC, VARIANTS, Variant, variant


def takes_variant(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--variant` and the options of variants; the command gets a `Variant`, or None."""

    def chosen(
        *, named: str | None, held: tuple[Holding, Holding] | None, noise: str | None
    ) -> Variant[Any] | None:
        if held is not None:
            if named != BIDDING:
                raise click.UsageError(f"--chips needs --variant {BIDDING}")
            named = f"{BIDDING}:black={held[0]},white={held[1]}"
        if noise is not None:
            if named not in {DARK_CLASSIC, DARK_ABRUPT}:
                raise click.UsageError(f"--noise needs --variant {DARK_CLASSIC} or {DARK_ABRUPT}")
            named = f"{named}:noise={noise}"
        return None if named is None else _variant(named)

    return gather(
        "variant",
        chosen,
        click.option(
            "--variant",
            "named",
            metavar="NAME",
            help=f"The game that is played: {', '.join(VARIANTS)}.",
        ),
        click.option(
            "--chips",
            "held",
            nargs=2,
            type=ChipsType(),
            metavar="BLACK WHITE",
            help="What each player bids with, a * for the tie-break chip; '100*' 100, in quotes, by"
            " default.",
        ),
        click.option(
            "--noise",
            type=click.Choice(["silent", "noisy", "flash"]),
            help="What the other player hears of a hit in Dark Hex; silent by default.",
        ),
    )(function)


def _variant(text: str) -> Variant[Any]:
    try:
        return variant(text)
    except SpecError as error:
        raise click.UsageError(one_line(str(error))) from error
