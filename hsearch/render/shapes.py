"""Hexagons, stars and texts as elements of SVG.

Places count in units: a hexagon stands on a corner and is one unit from center
to corner, so that a row of them lies half a cell beside the row above it. The
class of an element, `kind`, is what the style sheet of the picture colors.
"""

import math
from collections.abc import Iterable
from typing import TypeAlias
from xml.sax.saxutils import escape

Dot: TypeAlias = tuple[float, float]

UNIT = 24.0  # pixels
WIDTH = math.sqrt(3)  # of a hexagon, corner to center being 1
TOP, UPPER_RIGHT, LOWER_RIGHT, BOTTOM, LOWER_LEFT, UPPER_LEFT = (
    (math.sin(math.radians(60 * n)), -math.cos(math.radians(60 * n))) for n in range(6)
)


def text_at(at: Dot, text: str, kind: str, *, anchor: str = "middle") -> str:
    """Return a line of text with its foot on a place."""
    x, y = (UNIT * value for value in at)
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{clean(text)}</text>'
    )


def hexagon(center: Dot, kind: str, *, opacity: float = 1.0, scale: float = 1.0) -> str:
    """Return a cell, or a smaller one for a legend."""
    x, y = center
    corners = (TOP, UPPER_RIGHT, LOWER_RIGHT, BOTTOM, LOWER_LEFT, UPPER_LEFT)
    see_through = f' fill-opacity="{opacity:.2f}"' if opacity < 1 else ""
    outline = points((x + scale * dx, y + scale * dy) for dx, dy in corners)
    return f'<polygon class="{kind}" points="{outline}"{see_through}/>'


def star(center: Dot, radius: float, kind: str) -> str:
    """Return a star with five rays, one of them up."""
    x, y = center
    corners = []
    for n in range(10):
        reach = radius if n % 2 == 0 else radius * 0.42
        angle = math.pi * n / 5
        corners.append((x + reach * math.sin(angle), y - reach * math.cos(angle)))
    return f'<polygon class="{kind}" points="{points(corners)}"/>'


def circle(center: Dot, radius: float, kind: str) -> str:
    """Return a circle; the style sheet says whether it is a disk or a ring."""
    x, y = (UNIT * value for value in center)
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{UNIT * radius:.1f}"/>'


def points(places: Iterable[Dot]) -> str:
    """Return places as the value of an attribute `points`."""
    return " ".join(f"{UNIT * x:.1f},{UNIT * y:.1f}" for x, y in places)


def clean(text: str) -> str:
    """Return a text as XML may hold it: escaped, without control characters."""
    return escape("".join(c for c in text if c.isprintable()))
