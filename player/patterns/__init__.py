"""What the stones around a cell say of a move there, and those around all cells of who wins."""

from player.patterns.file import read_patterns, write_patterns
from player.patterns.shipped import shipped_patterns
from player.patterns.weights import PatternError, PatternWeights

__all__ = [
    "PatternError",
    "PatternWeights",
    "read_patterns",
    "shipped_patterns",
    "write_patterns",
]
