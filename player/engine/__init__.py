"""Players: a game and terms to a move, and names to players."""

from player.engine.bidder import Bidder, SealedBid
from player.engine.options import SpecError
from player.engine.player import Choice, MoveRequest, Participant, Player, PlayerError, Rationale
from player.engine.spec import (
    ALTERNATING,
    BIDDING,
    DARK_ABRUPT,
    DARK_CLASSIC,
    PLAYERS,
    RANDOM_TURN,
    participant,
    player,
)

__all__ = [
    "ALTERNATING",
    "BIDDING",
    "DARK_ABRUPT",
    "DARK_CLASSIC",
    "PLAYERS",
    "RANDOM_TURN",
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
