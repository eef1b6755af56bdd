"""H-search: connections, the rules that derive them, and what goes beyond the two rules."""

from hsearch.connect.connection import Connection, Fill, Rule, fill_regions
from hsearch.connect.limits import (
    DEFAULT_LIMITS,
    NO_DEPTH,
    Depth,
    HSearchOptions,
    Knowledge,
    Limits,
)

__all__ = [
    "DEFAULT_LIMITS",
    "NO_DEPTH",
    "Connection",
    "Depth",
    "Fill",
    "HSearchOptions",
    "Knowledge",
    "Limits",
    "Rule",
    "fill_regions",
]
