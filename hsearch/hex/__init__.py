"""The board, cells, positions and games: the rules of Hex, and nothing of search."""
