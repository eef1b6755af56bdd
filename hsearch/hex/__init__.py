"""The board, cells, positions and games: the rules of Hex, without any search."""
