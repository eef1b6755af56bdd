"""Players of Dark Hex, and their names."""

from player.engine.dark.player import DarkPlayer

__all__ = ["DarkPlayer"]
