"""H-search: all minimal connections of a position that the two rules can derive.

The package may be called as its function: `hsearch.closure(position, color)`.
"""

import sys
from types import ModuleType

from hsearch.board import Color
from hsearch.closure.limits import Limits
from hsearch.closure.search import closure, closure_of_both, extended
from hsearch.position import Position
from hsearch.store import Store

__all__ = ["Limits", "closure", "closure_of_both", "extended"]

_DEFAULT = Limits()


class _CalledAsFunction(ModuleType):
    """`hsearch` offers the function under the name that this package has there."""

    def __call__(self, position: Position, color: Color, limits: Limits = _DEFAULT) -> Store:
        return closure(position, color, limits)


sys.modules[__name__].__class__ = _CalledAsFunction
