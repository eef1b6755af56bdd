"""Verdicts on moves, in one word, and what may be called a mistake.

A mistake is proved or it is none: the player had a proved win, and after the
move is proved to lose, or resigned. Who had a proved win that is no longer
proved may win still, and has missed nothing that is known. An estimate that
falls is told as a number and is never called a mistake.
"""

import enum


class Verdict(enum.Enum):
    """The verdict on a move, by the word that is printed."""

    PROVED_LOSS = "proved loss"
    MISSED_WIN = "missed proved win"
    UNPROVED = "win no longer proved"
    ONLY_MOVE = "only move"
    FORCED = "forced"
    ESTIMATE_FELL = "estimate fell"
    WINS = "keeps the win"
    LOST = "lost already"
    OPEN = "open"
    NONE = "not judged"

    @property
    def is_notable(self) -> bool:
        """Whether the move is worth a line in a short table."""
        return self in _NOTABLE


_NOTABLE = {
    Verdict.PROVED_LOSS,
    Verdict.MISSED_WIN,
    Verdict.UNPROVED,
    Verdict.ONLY_MOVE,
    Verdict.ESTIMATE_FELL,
}
