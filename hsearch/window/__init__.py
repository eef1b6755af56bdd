"""Connections to an edge that H-search misses, found by a small search and remembered."""

from hsearch.window.cache import CacheError, CacheFile, user_file
from hsearch.window.cut import Size
from hsearch.window.known import SearchedWindows, usual_windows
from hsearch.window.strengthen import WindowEffort, strengthen

__all__ = [
    "CacheError",
    "CacheFile",
    "SearchedWindows",
    "Size",
    "WindowEffort",
    "strengthen",
    "user_file",
    "usual_windows",
]
