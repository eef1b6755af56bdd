"""`dark-turn`: what a page asks while it waits for the other: little, and often."""

from dataclasses import dataclass
from typing import Any

from player.board.desk import Desk
from player.board.job import BoardJob
from player.variants.dark import heard_between


@dataclass(frozen=True, slots=True)
class Question:
    """A seat, by its key."""

    game: str
    key: str


def answer(desk: Desk, _job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return who is to move, whether there is something to hear, and whether all seats are taken.

    The game may go on meanwhile, and is not waited for.
    """
    game, color = desk.dark.of(asked.game, asked.key)
    state = game.state
    return {
        "turn": state.play.state.turn.word,
        "heard": len(heard_between(game.looked[color], state, color)) > 0,
        "complete": not game.invited,
    }
