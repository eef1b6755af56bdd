"""Players: a game and terms to a move, and names to players."""

from player.engine.player import Account, Choice, Player, PlayerError, Terms
from player.engine.spec import PLAYERS, SpecError, player

__all__ = ["PLAYERS", "Account", "Choice", "Player", "PlayerError", "SpecError", "Terms", "player"]
