"""The value of a position without a search: evaluators, orderings, fillings, the net, chances."""
