"""Number of cells each player gets when a position is filled."""

from hsearch.board import Color
from hsearch.position import Position


def black_share(position: Position) -> int:
    """Return how many empty cells get black when the colors alternate from here."""
    empty: int = position.empty.count()
    return (empty + (position.turn is Color.BLACK)) // 2
