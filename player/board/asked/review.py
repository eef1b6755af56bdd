"""`review`: where a game was decided, and which moves threw it away."""

from dataclasses import dataclass
from typing import Any, Literal

from player.board.desk import Desk
from player.board.job import BoardJob, CancelledError
from player.board.records import Record
from player.review import EFFORTS, ReviewCancelledError, sentences
from player.review import review as reviewed
from player.review.objects import game_object, move_object


@dataclass(frozen=True, slots=True)
class Question:
    """A game, and how hard to look."""

    game: Record
    effort: Literal["quick", "normal", "deep"] = "quick"


def answer(_desk: Desk, job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return the objects of `hsearch review --json`, and its sentences."""
    game = asked.game.game()
    total = len(game.moves) + 1

    def on_progress(left: int) -> None:
        share = 1 - left / total
        job.tell({"text": f"reviewing: {left} positions left", "share": share})

    try:
        found = reviewed(game, EFFORTS[asked.effort], on_progress=on_progress, cancel=job.cancel)
    except ReviewCancelledError:
        raise CancelledError from None
    return {
        "game": game_object(found),
        "moves": [
            move_object(found, move) | {"word": move.word, "notable": move.verdict.is_notable}
            for move in found.moves
        ],
        "said": list(sentences.summary(found)),
    }
