"""A move of a player, and who won by the moves of a game or by what a record says."""

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral

from hsearch.hex.board import Board, Cell, Color
from hsearch.hex.calls import expect


class Special(enum.Enum):
    """A move that places no stone, by the word that SGF has for it."""

    PASS = "pass"  # noqa: S105 - no password
    SWAP_PIECES = "swap-pieces"
    SWAP_SIDES = "swap-sides"
    RESIGN = "resign"
    FORFEIT = "forfeit"


_WORDS = frozenset(special.value for special in Special)
_ACTION = "the number of a cell, as board.cell('c3') is one, or a word such as 'resign'"
SWAPS = (Special.SWAP_PIECES, Special.SWAP_SIDES)


@dataclass(frozen=True, slots=True)
class Move:
    """A move of a player.

    color   the player, who may be given by a word
    action  the cell of the new stone as a number, or a special move, which may be given by its word
    """

    color: Color
    action: Cell | Special

    def __post_init__(self) -> None:
        """Raise ValueError where the color is none, and TypeError for the name of a cell."""
        if type(self.color) is not Color:
            object.__setattr__(self, "color", Color.of(self.color))
        if type(self.action) is int or isinstance(self.action, Special):
            return
        if isinstance(self.action, str) and self.action in _WORDS:
            object.__setattr__(self, "action", Special(self.action))
            return
        expect("action", self.action, Integral, _ACTION)
        object.__setattr__(self, "action", int(self.action))

    @property
    def cell(self) -> Cell | None:
        """The cell of the new stone; None if the move places none."""
        return None if isinstance(self.action, Special) else self.action

    @property
    def special(self) -> Special | None:
        """The special move; None if the move places a stone."""
        return self.action if isinstance(self.action, Special) else None

    @property
    def gives_up(self) -> bool:
        """Whether the player gives up, so that no move may follow."""
        return self.action in {Special.RESIGN, Special.FORFEIT}

    @property
    def swaps(self) -> bool:
        """Whether the player swaps, in either way."""
        return self.action in SWAPS

    @property
    def next_color(self) -> Color:
        """The player to move afterwards.

        Whoever swaps sides moves again, because the players trade colors. A
        player who resigns was to move, and so is still.
        """
        if self.gives_up or self.action is Special.SWAP_SIDES:
            return self.color
        return self.color.opponent

    def name(self, board: Board) -> str:
        """Return how the move is written: a cell's name or a special word."""
        expect("board", board, Board, "a board, as game.board is one")
        return self.action.value if isinstance(self.action, Special) else board.name(self.action)


# Who won and how, as a record says it: by its last move, or by RE.
#
# A resignation, a forfeit and a pass at the end place no stone, so a game is decided
# before them. Many programs write no such move at all and say in RE how the game ended::
#
#     RE[B+]  RE[W+Resign]  RE[B+T]  RE[W+Forfeit]  RE[B]
#     RE[Black wins]  RE[White won by resignation]  RE[Red resigns]  RE[Blue lost on time]

_WHO = r"\s*+(b|w|black|white|red|blue)\s*+"
_RESULT = re.compile(
    _WHO + r"(?:\+[^\w+]*+([a-z]*+)[^+]*+|(?:wins|won)(?: (?:by|on) ([a-z]++))?\.?\s*+)?",
    re.IGNORECASE,
)
_LOSS = re.compile(
    _WHO + r"(resign|forfeit|lost on t|loses on t|timed out)[a-z]*+\.?\s*+", re.IGNORECASE
)
_AT_THE_END = {Special.RESIGN, Special.FORFEIT, Special.PASS}


class Ending(enum.Enum):
    """How a game ended, by what the loser did."""

    RESIGNED = "resigned"
    FORFEITED = "forfeited"
    LOST_ON_TIME = "lost on time"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The winner as a record names them, and how they won.

    winner  their color
    ending  how; None where the record only says who
    """

    winner: Color
    ending: Ending | None = None


_LETTERS = {"r": Ending.RESIGNED, "f": Ending.FORFEITED, "t": Ending.LOST_ON_TIME}
_ENDINGS = {Special.RESIGN: Ending.RESIGNED, Special.FORFEIT: Ending.FORFEITED}


def outcome(moves: Sequence[Move], result: str | None) -> Outcome | None:
    """Return who won by the last of the moves, else by a result as in SGF; None if neither says."""
    last = moves[-1] if moves else None
    if last is not None and last.special in _ENDINGS:
        return Outcome(last.color.opponent, _ENDINGS[last.special])
    if (match := _LOSS.fullmatch(result or "")) is not None:
        loser = Color.named(match[1].lower(), letters=True, foreign=True)
        return Outcome(loser.opponent, _LETTERS.get(match[2][:1].lower(), Ending.LOST_ON_TIME))
    if (match := _RESULT.fullmatch(result or "")) is None:
        return None
    how = (match[2] or match[3] or "")[:1].lower()
    return Outcome(Color.named(match[1], letters=True, foreign=True), _LETTERS.get(how))


def played(moves: Sequence[Move]) -> int:
    """Return how many moves there are before the resignation, forfeit and passes at the end."""
    count = len(moves)
    while count and moves[count - 1].special in _AT_THE_END:
        count -= 1
    return count
