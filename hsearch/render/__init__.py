"""Pictures of positions with marks: for a terminal, for notebooks, and as SVG."""
