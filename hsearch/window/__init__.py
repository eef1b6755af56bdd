"""Connections to an edge that H-search misses, found by a small search and remembered."""

from hsearch.window.cut import Size
from hsearch.window.known import Known
from hsearch.window.strengthen import Effort, strengthen

__all__ = ["Effort", "Known", "Size", "strengthen"]
