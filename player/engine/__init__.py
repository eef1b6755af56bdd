"""Players: a game and terms to a move, and names to players."""

from player.engine.bidder import Bidder, Slip
from player.engine.options import SpecError
from player.engine.player import Account, Choice, Participant, Player, PlayerError, Terms
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
    "Account",
    "Bidder",
    "Choice",
    "Participant",
    "Player",
    "PlayerError",
    "Slip",
    "SpecError",
    "Terms",
    "participant",
    "player",
]
