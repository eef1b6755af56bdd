"""`read`: a text in any format to the games that it holds."""

from dataclasses import dataclass
from typing import Any

from hsearch import formats
from hsearch.formats import suite
from hsearch.formats.encoding import decode
from hsearch.formats.sniff import sniff
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import record_object

MOST_GAMES = 500
MOST_CHARACTERS = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Question:
    """A text that was pasted, dropped or opened; `size` is of a move list, which tells none."""

    text: str
    size: int = 11


def answer(_desk: Desk, _job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return the games of the text, with names to choose by, and what was odd about it."""
    if len(asked.text) > MOST_CHARACTERS:
        raise ValueError(f"{len(asked.text)} characters: at most {MOST_CHARACTERS} are read")
    if sniff(asked.text) == "suite":
        return _suite(decode(asked.text)[0])
    size = asked.size, asked.size
    games = []
    for number, game in enumerate(formats.read_all(asked.text, size=size), start=1):
        if number > MOST_GAMES:
            break
        name = " - ".join(player for player in game.players if player) or f"game {number}"
        games.append({"name": name, "warnings": list(game.warnings), "game": record_object(game)})
    return {"games": games}


def _suite(text: str) -> dict[str, Any]:
    """Return the positions of a suite; the moves that win, where it tells them, stay with it."""
    return {
        "games": [
            {
                "name": entry.id,
                "warnings": [],
                "game": record_object(entry.game),
                "wins": [cell for value in entry.values("wins") for cell in value.split()],
                "source": " ".join(entry.values("source")),
            }
            for entry in suite.read(text)[:MOST_GAMES]
        ]
    }
