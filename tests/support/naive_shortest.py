"""A slow twin of shortest wins: every move of both, to the end of the game."""

from functools import lru_cache

from hsearch.hex.board import Color
from hsearch.hex.position import Position, winner

NEVER = 99


@lru_cache(1 << 18)
def stones_needed(position: Position, color: Color) -> int:
    """Return how many more stones of their own `color` needs; NEVER if the other one wins."""
    over = winner(position)
    if over is not None:
        return 0 if over is color else NEVER
    after = [stones_needed(position.play(cell), color) for cell in position.empty.search(1)]
    return min(NEVER, 1 + min(after)) if position.turn is color else max(after)
