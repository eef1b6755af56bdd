"""`winner`: whose stones join both edges, which needs no analysis."""

from dataclasses import dataclass
from typing import Any

from hsearch.position import winner
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import Stones
from player.report.objects import word


@dataclass(frozen=True, slots=True)
class Question:
    """A position."""

    position: Stones


def answer(_desk: Desk, _job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return who has won."""
    return {"winner": word(winner(asked.position.position()))}
