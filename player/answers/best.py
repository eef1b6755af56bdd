"""The moves to play in a position, the best first, as values; `player.answers.moves` finds them."""

from dataclasses import dataclass

from hsearch.hex.board import Cell, Color
from hsearch.hex.position import Position
from hsearch.hex.showing import Pictured


@dataclass(frozen=True, slots=True)
class BestMove:
    """A move to play.

    cell         where it is
    winner       who is proved to win after it; None while that is open
    chance       of the player to move after it, from 0 to 1: 1 or 0 where that is proved
    simulations  of the search that began with it
    line         the moves expected from it on, itself first
    """

    cell: Cell
    winner: Color | None
    chance: float | None
    simulations: int
    line: tuple[Cell, ...]


@dataclass(frozen=True)
class BestMoves(Pictured):
    """Moves to play in a position, the best first. It prints and draws itself.

    winner       who is proved to win the position; None while that is open
    simulations  of the search, all moves together; 0 where none was needed
    looks        by H-search, likewise
    seconds      that the search took
    """

    position: Position
    moves: tuple[BestMove, ...]
    winner: Color | None
    simulations: int = 0
    looks: int = 0
    seconds: float = 0.0

    def _shown_by(self) -> str:
        return "player.answers.moves"

    def __repr__(self) -> str:
        names = " ".join(self.position.board.name(each.cell) for each in self.moves)
        return f"<Best moves of {self.position!r}: {names or 'none'}>"
