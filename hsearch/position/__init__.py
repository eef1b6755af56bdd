"""Positions: stones, whose turn it is, groups, and who has won."""

from hsearch.position.groups import Group, captains, groups
from hsearch.position.stones import IllegalMoveError, Position
from hsearch.position.subgame import subgame
from hsearch.position.winner import winner, winner_by_boundary, winning_chain

__all__ = [
    "Group",
    "IllegalMoveError",
    "Position",
    "captains",
    "groups",
    "subgame",
    "winner",
    "winner_by_boundary",
    "winning_chain",
]
