"""Values of the command line: colors, board sizes."""

import click

from hsearch.hex.board import Color, read_size

BLACK_WORDS = ("black", "b", "red", "vertical")
WHITE_WORDS = ("white", "w", "blue", "horizontal")


class ColorType(click.ParamType[Color]):
    """A player: black or white, or the same in another tool's words."""

    name = "black|white"

    def convert(
        self, value: str | Color, param: click.Parameter | None, ctx: click.Context | None
    ) -> Color:
        """Return the color of a word; fail with click's usage error."""
        if isinstance(value, Color):
            return value
        if value.lower() in BLACK_WORDS:
            return Color.BLACK
        if value.lower() in WHITE_WORDS:
            return Color.WHITE
        return self.fail(f"{value!r} is neither black nor white", param, ctx)


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
