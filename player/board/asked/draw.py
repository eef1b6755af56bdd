"""`draw`: the picture that `hsearch analyze --svg` writes."""

from dataclasses import dataclass
from typing import Any

from hsearch.render import svg
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import Stones
from player.report.analysis import picture_marks, subject


@dataclass(frozen=True, slots=True)
class Question:
    """A position, and the stone that was played last."""

    position: Stones
    last: str | None = None


def answer(desk: Desk, _job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return the picture of the proof, or else of the weak links."""
    analysis = desk.analyses.of(asked.position.position())
    analyses = {analysis.position.turn: analysis}
    last = None if asked.last is None else analysis.position.board.cell(asked.last)
    marks = picture_marks(analyses, last)
    return {"svg": svg.write(analysis.position, marks, title=subject(analyses))}
