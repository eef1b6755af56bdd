"""Positions and marks to pictures: for a terminal, and as SVG."""

from hsearch.render.marks import Marks

__all__ = ["Marks"]
