"""A game record: setup, moves, swap, players, result, variations."""

from hsearch.game.move import Move, Special
from hsearch.game.node import Node
from hsearch.game.outcome import Ending, Outcome
from hsearch.game.record import Game, MoveNumberError
from hsearch.game.replay import IllegalNodeError
from hsearch.game.turn import TurnUnknownError

__all__ = [
    "Ending",
    "Game",
    "IllegalNodeError",
    "Move",
    "MoveNumberError",
    "Node",
    "Outcome",
    "Special",
    "TurnUnknownError",
]
