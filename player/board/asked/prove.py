"""`prove`: the proof of a solved position, as `hsearch solve --proof` writes it."""

from dataclasses import dataclass
from typing import Any

from hsearch.board import Cell, Color
from hsearch.position import Position
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.pace import Pace
from player.board.records import Stones
from player.solve import Solver, write_proof

SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Question:
    """A position."""

    position: Stones


def answer(desk: Desk, job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return the proof as a text. Raise ValueError when the position is not solved in time."""
    position = asked.position.position()
    with desk.solvers.of(position.board) as solver:
        found = solver.solve(position, seconds=SECONDS, cancel=job.cancel)
        job.check()
        if found.winner is None:
            raise ValueError("not solved yet: solve it first")
        text = write_proof(_Watched(solver, job), position)
    return {"text": text, "positions": text.count("\n") - 1}


class _Watched:
    """A solver that tells how many moves it was asked for, and stops when nobody waits."""

    def __init__(self, solver: Solver, job: BoardJob) -> None:
        self._solver, self._job = solver, job
        self._asked, self._pace = 0, Pace()

    def outcome(self, position: Position) -> Color:
        """Return who wins."""
        self._job.check()
        return self._solver.outcome(position)

    def winning_move(self, position: Position) -> Cell | None:
        """Return a move that wins."""
        self._job.check()
        self._asked += 1
        if self._pace.is_due():
            self._job.tell({"text": f"writing the proof: {self._asked:,} replies"})
        return self._solver.winning_move(position)
