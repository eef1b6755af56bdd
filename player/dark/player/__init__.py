"""Players of Dark Hex, and their names."""

from player.dark.player.player import DarkPlayer

__all__ = ["DarkPlayer"]
