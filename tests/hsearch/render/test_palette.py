"""Terminal colors are readable and explained."""

import pytest
from rich.color import Color as Shade
from rich.style import Style

from hsearch.render import text


def luminance(style):
    """Return the relative luminance of a style's color, as WCAG 2 defines it."""
    channels = (channel / 255 for channel in Style.parse(style).color.get_truecolor())
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


STYLES = {*text.OWNER.values(), text.LABEL, text.KEY, text.SHADED, text.HEAT, text.EMPTY}


@pytest.mark.parametrize("style", sorted(STYLES))
def test_every_color_is_readable_on_black_and_on_white(style):
    """The contrast is 4.5 to 1 on both; normal text has the terminal's own color.

    None is of the first sixteen, which themes change.
    """
    color = Style.parse(style).color
    if color is None:
        return

    assert color.number >= 16
    assert (luminance(style) + 0.05) / 0.05 >= 4.5
    assert 1.05 / (luminance(style) + 0.05) >= 4.5


def test_bright_yellow_has_too_little_contrast_on_white():
    """The former yellow of labels is unreadable on white."""
    assert 1.05 / (luminance("rgb(255,255,85)") + 0.05) < 1.2
    assert Shade.parse("yellow").number < 16


def test_the_players_colors_are_explained():
    """Stones, colors and edges are on one line, or on two if the terminal is narrower."""
    (line,) = text.legend(text.ASCII, 59)

    assert text.plain([line]) == "B Black joins top and bottom   W White joins left and right"
    assert {style for _, style in line} == {"", *text.OWNER.values()}
    assert text.plain(text.legend(text.ASCII, 58)).splitlines() == [
        "B Black joins top and bottom",
        "W White joins left and right",
    ]
