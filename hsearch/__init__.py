"""Analysis of Hex positions: virtual connections, circuits, explanations.

What is listed here is imported when it is first used: a board is drawn without
the engine. Questions are answered by `player`, which stands on top of this
package and is handed through by name.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hsearch.analysis import Analysis
    from hsearch.board import Board, Color
    from hsearch.closure import Limits
    from hsearch.closure.search import closure
    from hsearch.connection import Connection
    from hsearch.decomposition import Knowledge
    from hsearch.deduction import Depth
    from hsearch.formats import FormatError, load, read, write
    from hsearch.game import Game, Move
    from hsearch.position import IllegalMoveError, Position
    from hsearch.store import Store
    from hsearch.strategy import Explanation
    from hsearch.strategy.check import check
    from player.engine import Choice
    from player.face import bid, evaluate, explain, play, review, solve

__version__ = "0.1.0"
__all__ = [
    "Analysis",
    "Board",
    "Choice",
    "Color",
    "Connection",
    "Depth",
    "Explanation",
    "FormatError",
    "Game",
    "IllegalMoveError",
    "Knowledge",
    "Limits",
    "Move",
    "Position",
    "Store",
    "bid",
    "check",
    "closure",
    "evaluate",
    "explain",
    "load",
    "play",
    "read",
    "review",
    "solve",
    "write",
]

_HOMES = {
    "hsearch.analysis": ("Analysis",),
    "hsearch.board": ("Board", "Color"),
    "hsearch.closure": ("Limits",),
    "hsearch.connection": ("Connection",),
    "hsearch.decomposition": ("Knowledge",),
    "hsearch.deduction": ("Depth",),
    "hsearch.formats": ("FormatError", "load", "read", "write"),
    "hsearch.game": ("Game", "Move"),
    "hsearch.position": ("IllegalMoveError", "Position"),
    "hsearch.store": ("Store",),
    "hsearch.strategy": ("Explanation", "check"),
    "player.engine": ("Choice",),
    "player.face": ("bid", "evaluate", "explain", "play", "review", "solve"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name == "closure":
        return import_module("hsearch.closure")  # a package that is called as its function
    if name not in _HOME:
        raise AttributeError(f"module 'hsearch' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
