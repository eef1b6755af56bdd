"""Positions and marks to pictures: for a terminal, for notebooks, and as SVG."""
