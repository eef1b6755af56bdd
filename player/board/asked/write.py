"""`write`: a game as a text that other programs read."""

from dataclasses import dataclass
from typing import Any

from hsearch import formats
from hsearch.formats import hexworld
from hsearch.formats.writing import Written
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import Record


@dataclass(frozen=True, slots=True)
class Question:
    """A game, and how to write it; what follows `as` is of HexWorld's links alone."""

    game: Record
    format: Written
    rotation: int = hexworld.DEFAULT_ROTATION
    mirrored: bool = False
    numbers: bool = False
    red_and_blue: bool = False


def answer(_desk: Desk, _job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return the text."""
    game = asked.game.game()
    if asked.format != "hexworld":
        return {"text": formats.write(game, asked.format)}
    if not 1 <= asked.rotation <= 12:
        raise ValueError(f"a rotation is a clock position from 1 to 12, not {asked.rotation}")
    link = hexworld.write(
        game,
        rotation=asked.rotation,
        mirrored=asked.mirrored,
        numbers=asked.numbers,
        red_and_blue=asked.red_and_blue,
    )
    return {"text": link, "fragment": link.partition("#")[2]}
