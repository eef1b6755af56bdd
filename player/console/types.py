"""Values of the command line: colors, board sizes, levels."""

import click

from hsearch.hex.board import Color, read_size
from player.engine.levels import Level, level

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


class LevelType(click.ParamType[Level]):
    """A level of the scale, by its number or its name."""

    name = "level"

    def convert(
        self, value: str | Level, param: click.Parameter | None, ctx: click.Context | None
    ) -> Level:
        """Return the level; fail with click's usage error, which lists the scale."""
        if isinstance(value, Level):
            return value
        try:
            return level(value)
        except ValueError as error:
            return self.fail(str(error), param, ctx)
