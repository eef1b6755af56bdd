"""Chips on the command line: `100`, or `100*` with the tie-break chip."""

import click

from hsearch.board import Color
from player.bidding import Holding


class ChipsType(click.ParamType[Holding]):
    """What a player has."""

    name = "chips"

    def convert(
        self, value: str | Holding, param: click.Parameter | None, ctx: click.Context | None
    ) -> Holding:
        """Return the holding of a text; fail with click's usage error."""
        if isinstance(value, Holding):
            return value
        try:
            return Holding.read(value)
        except ValueError as error:
            return self.fail(str(error), param, ctx)


def holdings(black: Holding, white: Holding) -> dict[Color, Holding]:
    """Return what each player has; Black gets the tie-break chip if it was not given.

    Raise click's UsageError when both have it, or when there are no chips at all.
    """
    if black.tie_break and white.tie_break:
        raise click.UsageError(f"there is one tie-break chip: {black} {white}")
    if not black.chips + white.chips:
        raise click.UsageError("nobody has any chips")
    if not white.tie_break:
        black = Holding(black.chips, tie_break=True)
    return {Color.BLACK: black, Color.WHITE: white}
