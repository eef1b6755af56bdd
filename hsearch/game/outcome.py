"""Who won and how, as a record says it: by its last move, or by RE.

A resignation, a forfeit and a pass at the end place no stone, so a game is decided
before them. Many programs write no such move at all and say in RE how the game ended::

    RE[B+]  RE[W+Resign]  RE[B+T]  RE[W+Forfeit]  RE[B]
"""

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass

from hsearch.board import Color
from hsearch.game.move import Move, Special

_RESULT = re.compile(r"\s*(b|w|black|white)\s*(?:\+\s*([a-z]*)[^+]*|wins)?\s*", re.IGNORECASE)
_COLORS = {"b": Color.BLACK, "w": Color.WHITE}
_AT_THE_END = {Special.RESIGN, Special.FORFEIT, Special.PASS}


class Ending(enum.Enum):
    """How a game ended, by what the loser did."""

    RESIGNED = "resigned"
    FORFEITED = "forfeited"
    LOST_ON_TIME = "lost on time"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The winner as a record names them, and how they won; None where it only says who."""

    winner: Color
    ending: Ending | None = None


_LETTERS = {"r": Ending.RESIGNED, "f": Ending.FORFEITED, "t": Ending.LOST_ON_TIME}
_ENDINGS = {Special.RESIGN: Ending.RESIGNED, Special.FORFEIT: Ending.FORFEITED}


def outcome(moves: Sequence[Move], result: str | None) -> Outcome | None:
    """Return who won by the last of the moves, else by a result as in SGF; None if neither says."""
    last = moves[-1] if moves else None
    if last is not None and last.special in _ENDINGS:
        return Outcome(last.color.opponent, _ENDINGS[last.special])
    match = _RESULT.fullmatch(result or "")
    if match is None:
        return None
    return Outcome(_COLORS[match[1][0].lower()], _LETTERS.get((match[2] or "")[:1].lower()))


def played(moves: Sequence[Move]) -> int:
    """Return how many moves there are before the resignation, forfeit and passes at the end."""
    count = len(moves)
    while count and moves[count - 1].special in _AT_THE_END:
        count -= 1
    return count
