"""What a position is worth: classic evaluators, orderings of moves, fillings, chances."""
