"""`verify`: check a proof that `prove` or `hsearch solve --proof` has written."""

from dataclasses import dataclass
from typing import Any

from player.board.desk import Desk
from player.board.job import BoardJob
from player.numbers import numbered
from player.report.objects import position_object
from player.solve.verify import sentence, verify


@dataclass(frozen=True, slots=True)
class Question:
    """The text of a proof."""

    text: str


def answer(_desk: Desk, job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return what it proves. Raise ValueError naming the first line that does not hold."""
    proved = verify(asked.text, job.check)
    steps = numbered(proved.connections, "derived connection")
    said = (
        f"{sentence(proved)} {numbered(proved.positions, 'position')}, {steps}, each derived again."
    )
    return {"said": said, "position": position_object(proved.position)}
