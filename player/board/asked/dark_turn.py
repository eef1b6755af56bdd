"""`dark-turn`: what a page asks while it waits for the other: little, and often."""

from dataclasses import dataclass
from typing import Any

from player.board.desk import Desk
from player.board.job import BoardJob


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
    play = game.play
    return {
        "turn": play.state.turn.word,
        "heard": len(play.information_state(color)) > game.told[color],
        "complete": not game.invited,
    }
