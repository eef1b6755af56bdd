"""Alpha-beta and best-first search, and the openings that they know."""
