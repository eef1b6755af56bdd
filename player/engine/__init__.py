"""Players: a game and terms to a move, and names to players."""

from player.engine.bidder import Bidder, SealedBid
from player.engine.player import Choice, MoveRequest, Participant, Player, PlayerError, Rationale
from player.engine.spec import PLAYERS, participant, player
from player.options import SpecError

__all__ = [
    "PLAYERS",
    "Bidder",
    "Choice",
    "MoveRequest",
    "Participant",
    "Player",
    "PlayerError",
    "Rationale",
    "SealedBid",
    "SpecError",
    "participant",
    "player",
]
