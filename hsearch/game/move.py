"""One move of a record: a player and a cell, or a word such as `resign`."""

import enum
from dataclasses import dataclass

from hsearch.board import Board, Cell, Color


class Special(enum.Enum):
    """A move that places no stone, by the word that SGF has for it."""

    PASS = "pass"  # noqa: S105 - no password
    SWAP_PIECES = "swap-pieces"
    SWAP_SIDES = "swap-sides"
    RESIGN = "resign"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Move:
    """A move of a player.

    color   the player
    action  the cell of the new stone, or a special move
    """

    color: Color
    action: Cell | Special

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
        return self.action.value if isinstance(self.action, Special) else board.name(self.action)
