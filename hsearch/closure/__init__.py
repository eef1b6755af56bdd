"""H-search: all minimal connections of a position that the two rules can derive."""

from hsearch.closure.limits import Limits
from hsearch.closure.search import closure, closure_of_both, extended

__all__ = ["Limits", "closure", "closure_of_both", "extended"]
