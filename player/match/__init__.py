"""Two players, a referee, one game."""

from player.match.referee import Outcome, Rules, play

__all__ = ["Outcome", "Rules", "play"]
