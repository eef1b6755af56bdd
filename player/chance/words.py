"""Chances in words: in per cent, of players by name."""

from hsearch.board import Color
from hsearch.position import Position
from player.chance.model import chance


def chance_of(color: Color, position: Position, evaluation: float) -> float:
    """Return a player's estimated chance to win at a position whose E is known."""
    mover = chance(position, evaluation)
    return mover if color is position.turn else 1.0 - mover


def per_cent(share: float) -> int:
    """Return a chance in whole per cent; 0 and 100 only if it is that."""
    whole = round(100 * share)
    return max(1, min(99, whole)) if 0 < share < 1 else whole


def both_chances(position: Position, evaluation: float) -> str:
    """Return the estimated chances of both players, as `Black 39 %, White 61 %`."""
    black = per_cent(chance_of(Color.BLACK, position, evaluation))
    return f"Black {black} %, White {100 - black} %"
