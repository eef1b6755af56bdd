"""The two circuits, and what H-search and circuits know of one position."""
