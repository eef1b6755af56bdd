"""A slow twin of shortest wins: try every move of both players, to the end of the game."""

from functools import lru_cache

from hsearch.hex.board import Color
from hsearch.hex.position import Position, winner

NEVER = 99


@lru_cache(1 << 18)
def stones_needed(position: Position, color: Color) -> int:
    """Return how many more own stones `color` needs to win; NEVER if the opponent wins."""
    over = winner(position)
    if over is not None:
        return 0 if over is color else NEVER
    after = [stones_needed(position.play(cell), color) for cell in position.empty.search(1)]
    return min(NEVER, 1 + min(after)) if position.turn is color else max(after)
