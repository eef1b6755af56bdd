"""The value of a position: classic evaluators, move orderings, fillings, chances."""
