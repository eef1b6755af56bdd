"""Players: a game and terms to a move, and names to players."""

from player.engine.options import SpecError
from player.engine.player import Account, Choice, Participant, Player, PlayerError, Terms
from player.engine.spec import ALTERNATING, PLAYERS, RANDOM_TURN, participant, player

__all__ = [
    "ALTERNATING",
    "PLAYERS",
    "RANDOM_TURN",
    "Account",
    "Choice",
    "Participant",
    "Player",
    "PlayerError",
    "SpecError",
    "Terms",
    "participant",
    "player",
]
