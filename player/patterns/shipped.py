"""The patterns that come with the program."""

from functools import cache

from hsearch.formats import shipped
from player.patterns.file import read_patterns
from player.patterns.weights import PatternWeights


@cache
def shipped_patterns() -> PatternWeights | None:
    """Return the patterns; None if this copy has none."""
    path = shipped("patterns.npz")
    return None if path is None else read_patterns(path)
