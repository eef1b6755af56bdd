"""`dark-join`: take the seat of a game of hidden stones that was begun at another page."""

from dataclasses import dataclass
from typing import Any

from player.board.desk import Desk
from player.board.job import BoardJob


@dataclass(frozen=True, slots=True)
class Question:
    """An invitation, which is good for one."""

    invitation: str


def answer(desk: Desk, _job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return what `dark-start` does, with the key of this seat alone, and the side of the board."""
    name, game, color = desk.dark.join(asked.invitation)
    return {
        "game": name,
        "keys": {color.word: game.keys[color]},
        "rules": game.variant.rules,
        "invitation": None,
        "size": game.state.game.board.columns,
    }
