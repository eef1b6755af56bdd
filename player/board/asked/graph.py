"""`graph`: who is proved to win after each move of a game, and Black's chance."""

from dataclasses import dataclass
from typing import Any

from hsearch.game import TurnUnknownError
from player.board.asked.analyze import chance
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import Record
from player.report.objects import word

MOST_MOVES = 400


@dataclass(frozen=True, slots=True)
class Question:
    """A line of play."""

    game: Record


def answer(desk: Desk, job: BoardJob, asked: Question) -> dict[str, Any]:
    """Tell each move as progress, in order; return how many there were."""
    game = asked.game.game()
    count = min(len(game.moves), MOST_MOVES)
    for ply in range(count + 1):
        job.check()
        try:
            position = game.position(ply)
        except TurnUnknownError:
            continue
        analysis = desk.analyses.of(position)
        job.tell(
            {
                "ply": ply,
                "winner": word(analysis.winner),
                "proof": analysis.proof,
                "chance": chance(analysis),
                "text": f"{ply} of {count} moves",
                "share": ply / max(count, 1),
            }
        )
    return {"plies": count + 1}
