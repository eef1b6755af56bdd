"""Moves, and the outcome of a game according to its last move or its recorded result."""

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral

from hsearch.hex.board import Board, Cell, Color
from hsearch.hex.face import expect


class Special(enum.Enum):
    """A move that places no stone; its value is its word in SGF files.

    `swap` alone is a swap of pieces, as in lists of moves.
    """

    PASS = "pass"  # noqa: S105 - no password
    SWAP_PIECES = "swap-pieces"
    SWAP_SIDES = "swap-sides"
    RESIGN = "resign"
    FORFEIT = "forfeit"

    @classmethod
    def _missing_(cls, value: object) -> "Special | None":
        return cls.SWAP_PIECES if value == "swap" else None


WORDS = frozenset(special.value for special in Special) | {"swap"}
_ACTION = "the number of a cell, as board.cell('c3') is one, or a word such as 'resign'"
SWAPS = (Special.SWAP_PIECES, Special.SWAP_SIDES)


@dataclass(frozen=True, slots=True)
class Move:
    """A move of a player.

    color   the player; a word such as 'black' is converted
    action  the number of the new stone's cell, or a special move, whose word is converted

    Raise ValueError for an unknown color, and TypeError for the name of a cell.

    >>> import hsearch
    >>> hsearch.Move("black", 4).name(hsearch.Board(3)), hsearch.Move("white", "resign").gives_up
    ('b2', True)
    """

    color: Color
    action: Cell | Special

    def __post_init__(self) -> None:
        """Raise ValueError for an unknown color, and TypeError for the name of a cell."""
        if type(self.color) is not Color:
            object.__setattr__(self, "color", Color.of(self.color))
        if type(self.action) is int or isinstance(self.action, Special):
            return
        if isinstance(self.action, str) and self.action in WORDS:
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
        """Whether the player resigns or forfeits; no move may follow."""
        return self.action in {Special.RESIGN, Special.FORFEIT}

    @property
    def swaps(self) -> bool:
        """Whether the move is a swap, of pieces or of sides."""
        return self.action in SWAPS

    @property
    def next_color(self) -> Color:
        """The color to move next.

        After a swap of sides it is the same color, because the players have exchanged
        colors. Giving up does not change the turn.
        """
        if self.gives_up or self.action is Special.SWAP_SIDES:
            return self.color
        return self.color.opponent

    def name(self, board: Board) -> str:
        """Return the notation of the move: a cell's name or a special word."""
        expect("board", board, Board, "a board, as game.board is one")
        return self.action.value if isinstance(self.action, Special) else board.name(self.action)


# Who won and how, according to the last move of a record, or to its result, RE.
#
# A resignation, a forfeit or a pass at the end places no stone: the game was decided
# before it. Many programs record no such move, and only write RE::
#
#     RE[B+]  RE[W+Resign]  RE[B+T]  RE[W+Forfeit]  RE[B]
#     RE[Black wins]  RE[White won by resignation]  RE[Red resigns]  RE[Blue lost on time]

_WHO = r"\s*+((?a:b|w|black|white|red|blue))\s*+"  # not the Kelvin sign, which is `k` in lower case
_RESULT = re.compile(
    _WHO + r"(?:\+[^\w+]*+([a-z]*+)[^+]*+|(?:wins|won)(?: (?:by|on) ([a-z]++))?\.?\s*+)?",
    re.IGNORECASE,
)
TIMEOUT = "(?:time-?out|timed out|times out)"  # a loss on time, in a word
_LOSS = re.compile(
    _WHO + rf"(resign|forfeit|lost on t|loses on t|{TIMEOUT})[a-z]*+\.?\s*+", re.IGNORECASE
)
_AT_THE_END = {Special.RESIGN, Special.FORFEIT, Special.PASS}


class Ending(enum.Enum):
    """What the loser did to end a game."""

    RESIGNED = "resigned"
    FORFEITED = "forfeited"
    LOST_ON_TIME = "lost on time"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The winner according to a record, and how the game ended.

    winner  the winner's color
    ending  how the game ended; None if the record names only the winner
    """

    winner: Color
    ending: Ending | None = None

    @property
    def result(self) -> str:
        """The outcome as RE of a record, such as `B+Resign`, which `outcome` reads."""
        return f"{self.winner.name[0]}+{_RESULTS[self.ending]}"

    @property
    def words(self) -> str:
        """The outcome in words, such as `Black has won: White resigned`, without a full stop."""
        loser = self.winner.opponent.title
        how = "" if self.ending is None else f": {loser} {self.ending.value}"
        return f"{self.winner.title} has won{how}"


_LETTERS = {"r": Ending.RESIGNED, "f": Ending.FORFEITED, "t": Ending.LOST_ON_TIME}
_ENDINGS = {Special.RESIGN: Ending.RESIGNED, Special.FORFEIT: Ending.FORFEITED}
_RESULTS = {
    None: "",
    Ending.RESIGNED: "Resign",
    Ending.FORFEITED: "Forfeit",
    Ending.LOST_ON_TIME: "Time",
}


def outcome(moves: Sequence[Move], result: str | None) -> Outcome | None:
    """Return the outcome by the last move, else by an SGF result; None if neither gives one."""
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


def count_moves(moves: Sequence[Move]) -> int:
    """Return the number of moves before the resignation, forfeit and passes at the end."""
    count = len(moves)
    while count and moves[count - 1].special in _AT_THE_END:
        count -= 1
    return count
