"""Chips on the command line: `100`, or `100*` with the tie-break chip."""

from dataclasses import replace

import click

from player.bidding import Chips, Holding, record
from player.console.errors import reading
from player.console.reading import InputSource

BOTH = (Holding(100, tie_break=True), Holding(100))


class ChipsType(click.ParamType[Holding]):
    """Chips of a player, as an option."""

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

    Raise click's UsageError when both have it, when there are none at all, or too many.
    """
    try:
        found = Chips(black if white.tie_break else replace(black, tie_break=True), white)
        found.check_worth()
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    return found


def chips_at(source: InputSource) -> Chips:
    """Return what both have when they bid at the position of a source, as far as it says.

    Bids that no move has followed yet are still to be made. A record without
    chips says nothing: then both have 100. Raise InputError when what it says of
    chips cannot be.
    """
    game = record.without_bids(source.game.cut(source.moves))
    if not record.has_chips(game):
        return Chips(*BOTH)
    with reading(source.file):
        found = record.chips(game)
        found.check_worth()
    return found
