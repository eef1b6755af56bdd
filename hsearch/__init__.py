"""Analysis of Hex positions: virtual connections, circuits, explanations.

Each name is imported on first use, so drawing a board does not load the engine.
The functions that answer questions are in `player`, the layer above this
package, and are exported here.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hsearch.version import __version__ as __version__

if TYPE_CHECKING:
    from hsearch.connect.closure import closure
    from hsearch.connect.connection import Connection
    from hsearch.connect.limits import Depth, Knowledge, Limits
    from hsearch.connect.store import Store
    from hsearch.formats.error import FormatError
    from hsearch.formats.reading import load, read, write
    from hsearch.hex.board import Board, Color
    from hsearch.hex.game import Game
    from hsearch.hex.move import Move
    from hsearch.hex.position import IllegalMoveError, Position
    from hsearch.strategy.check import check
    from hsearch.strategy.explain import Explanation
    from player.answers.analysis import Analysis
    from player.engine.player import Choice
    from player.face import (
        best_moves,
        bid,
        evaluate,
        explain,
        play,
        review,
        shortest_win,
        solve,
        verify,
    )

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
    "best_moves",
    "bid",
    "check",
    "closure",
    "evaluate",
    "explain",
    "load",
    "play",
    "read",
    "review",
    "shortest_win",
    "solve",
    "verify",
    "write",
]

_HOMES = {
    "hsearch.hex.board": ("Board", "Color"),
    "hsearch.connect.closure": ("closure",),
    "hsearch.connect.limits": ("Depth", "Knowledge", "Limits"),
    "hsearch.connect.connection": ("Connection",),
    "hsearch.formats": ("FormatError", "load", "read", "write"),
    "hsearch.hex.game": ("Game",),
    "hsearch.hex.move": ("Move",),
    "hsearch.hex.position": ("IllegalMoveError", "Position"),
    "hsearch.connect.store": ("Store",),
    "hsearch.strategy.check": ("check",),
    "hsearch.strategy.explain": ("Explanation",),
    "player.answers.analysis": ("Analysis",),
    "player.engine.player": ("Choice",),
    "player.face": (
        "best_moves",
        "bid",
        "evaluate",
        "explain",
        "play",
        "review",
        "shortest_win",
        "solve",
        "verify",
    ),
}
# Commands of `hsearch` whose Python counterparts have other names.
_INSTEAD = {
    "analyze": "hsearch.Analysis(game)",
    "mustplay": "hsearch.Analysis(game).mustplay",
    "connections": "hsearch.Analysis(game).stores",
    "show": "print(game), or hsearch.write(game, format)",
    "tournament": "`hsearch tournament`, the command",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        instead = f": use {_INSTEAD[name]}" if name in _INSTEAD else ""
        raise AttributeError(f"module 'hsearch' has no attribute {name!r}{instead}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__})
