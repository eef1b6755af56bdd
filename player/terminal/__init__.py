"""A game at the terminal: people and engines, in every variant."""
