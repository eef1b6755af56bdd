"""A finished game, move by move: what was proved, what it cost, and where it was decided."""

from player.review.effort import EFFORTS, Effort
from player.review.examine import review
from player.review.proving import ReviewCancelledError
from player.review.review import MoveReview, Review, ReviewedPosition
from player.review.verdict import Verdict

__all__ = [
    "EFFORTS",
    "Effort",
    "MoveReview",
    "Review",
    "ReviewCancelledError",
    "ReviewedPosition",
    "Verdict",
    "review",
]
