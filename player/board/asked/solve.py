"""`solve`: who wins, and with which moves; stopped, it answers what is known by then."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.pace import Pace
from player.board.records import Stones
from player.numbers import numbered
from player.report.solved import answer_object

if TYPE_CHECKING:
    from player.solve import SolverProgress

MOST_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Question:
    """A position; `seconds` bounds one question, and the next goes on from what it found."""

    position: Stones
    every: bool = False
    seconds: float = 10.0


def answer(desk: Desk, job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return the answer as of `hsearch solve --json`, and its sentence."""
    position = asked.position.position()
    seconds = min(max(asked.seconds, 0.1), MOST_SECONDS)
    pace, name = Pace(), position.board.name
    with desk.solvers.of(position.board) as solver:

        def show(progress: "SolverProgress") -> None:
            if pace.is_due():
                line = " ".join(map(name, progress.line[:8]))
                text = f"{numbered(progress.nodes, 'position')}, looking at {line}"
                share = min(1.0, pace.seconds / seconds)
                job.tell({"text": text, "share": share, "line": list(map(name, progress.line))})

        solver.on_progress = show
        try:
            found = solver.solve(position, every=asked.every, seconds=seconds, cancel=job.cancel)
        finally:
            solver.on_progress = None
        known = solver.decided_moves(position)
    return {
        "solved": answer_object(found),
        "said": f"{found} {numbered(found.nodes, 'position')} in {found.seconds:.1f} s.",
        "losing": [name(cell) for cell, color in known.items() if color is not position.turn],
    }
