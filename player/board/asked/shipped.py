"""`shipped`: a game or a suite that comes along, by a name of a fixed list, never by a path."""

from dataclasses import dataclass
from typing import Any, Literal

from hsearch.formats import shipped
from player.board.desk import Desk
from player.board.job import BoardJob

FILES = {
    "london-2000-queenbee-hexy": "games/london-2000-queenbee-hexy.sgf",
    "london-2000-hexy-queenbee": "games/london-2000-hexy-queenbee.sgf",
    "classic": "puzzles/classic.txt",
    "proved": "puzzles/proved.txt",
}


@dataclass(frozen=True, slots=True)
class Question:
    """Which one."""

    name: Literal["london-2000-queenbee-hexy", "london-2000-hexy-queenbee", "classic", "proved"]


def answer(_desk: Desk, _job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return its text."""
    file = shipped(FILES[asked.name])
    if file is None:
        raise ValueError(f"missing in this installation: {FILES[asked.name]}")
    return {"text": file.read_text(encoding="utf-8")}
