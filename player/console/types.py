"""Values of the command line: colors, board sizes."""

import click

from hsearch.hex.board import Color, read_size

WAYS = {"vertical": "black", "horizontal": "white"}  # papers name the players so


class ColorType(click.ParamType[Color]):
    """A player: black or white, or the same in another tool's words."""

    name = "black|white"

    def convert(
        self, value: str | Color, param: click.Parameter | None, ctx: click.Context | None
    ) -> Color:
        """Return the color of a word; fail with click's usage error."""
        if isinstance(value, Color):
            return value
        try:
            return Color.named(WAYS.get(value.lower(), value), foreign=True)
        except ValueError as error:
            return self.fail(str(error), param, ctx)


class SizeType(click.ParamType[tuple[int, int]]):
    """A board's columns and rows. Whether such a board exists is not asked here."""

    name = "size"

    def convert(
        self,
        value: str | tuple[int, int],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[int, int]:
        """Return columns and rows; fail with click's usage error."""
        if isinstance(value, tuple):
            return value
        try:
            return read_size(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
