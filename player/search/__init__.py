"""Alpha-beta search, best-first search, and openings."""
