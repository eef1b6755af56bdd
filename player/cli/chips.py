"""Chips on the command line: `100`, or `100*` with the tie-break chip."""

from dataclasses import replace

import click

from player.bidding import Chips, Holding


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


def chips_of(black: Holding, white: Holding) -> Chips:
    """Return what both have; Black gets the tie-break chip if it was not given.

    Raise click's UsageError when both have it, or when there are no chips at all.
    """
    try:
        found = Chips(black if white.tie_break else replace(black, tie_break=True), white)
        found.check_worth()
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    return found
