"""SGF for Hex, in three layers: brackets, values of properties, games."""

from hsearch.formats.sgf.reading import places, read
from hsearch.formats.sgf.writing import write

__all__ = ["places", "read", "write"]
