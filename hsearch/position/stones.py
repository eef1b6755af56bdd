"""Stones on a board, and what a move makes of them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bitarray.util import count_and

from hsearch.board import Board, Cell, Color
from hsearch.cells import CellSet, cell_set
from hsearch.showing import Pictured


class IllegalMoveError(ValueError):
    """A move that the rules do not allow."""


@dataclass(frozen=True, slots=True)
class Position(Pictured):
    """A position: the stones of both players, and whose turn it is.

    Positions are values. A move makes a new one, and equal positions are equal
    keys of a table. The stones may be unequal in number. `Position.of` makes
    one from names. Methods take a cell by number or by name, and raise
    ValueError for a name that is no cell of the board.
    """

    board: Board
    black: CellSet
    white: CellSet
    turn: Color = Color.BLACK

    def __post_init__(self) -> None:
        """Raise ValueError when stones overlap or do not fit the board."""
        if not len(self.black) == len(self.white) == self.board.size:
            raise ValueError(f"stones of another board than {self.board}")
        if count_and(self.black, self.white):
            names = " ".join(self.board.names(self.black & self.white))
            raise ValueError(f"stones of both colors on {names!r}")

    @classmethod
    def of(
        cls,
        board: Board,
        *,
        black: str | Iterable[str] = "",
        white: str | Iterable[str] = "",
        turn: Color = Color.BLACK,
    ) -> "Position":
        """Return the position with stones on the named cells, by default none.

        Raise ValueError when a name is no cell of the board or is named for
        both colors.
        """
        return cls(board, board.named(black), board.named(white), turn)

    def _shown_by(self) -> str:
        return "hsearch.drawn"

    def __repr__(self) -> str:
        black, white = (
            f', {color}="{names}"'
            if (names := " ".join(self.board.names(self.stones(color))))
            else ""
            for color in Color
        )
        return f"Position.of({self.board!r}{black}{white}, turn={self.turn!r})"

    @property
    def empty(self) -> CellSet:
        """The cells without a stone."""
        return ~(self.black | self.white)

    def stones(self, color: Color) -> CellSet:
        """Return the stones of a player."""
        return self.black if color is Color.BLACK else self.white

    def color_at(self, cell: Cell | str) -> Color | None:
        """Return the color of the stone on a cell; None if there is none."""
        if isinstance(cell, str):
            cell = self.board.cell(cell)
        if self.black[cell]:
            return Color.BLACK
        return Color.WHITE if self.white[cell] else None

    def is_legal(self, cell: Cell | str) -> bool:
        """Return whether a stone may be placed on a cell: whether it is empty.

        A won game may be played on, as analysis and some protocols need.
        """
        if isinstance(cell, str):
            cell = self.board.cell(cell)
        return 0 <= cell < self.board.size and self.color_at(cell) is None

    def play(self, cell: Cell | str) -> "Position":
        """Return the position after the player to move plays `cell`.

        Raise IllegalMoveError when the cell is not empty.
        """
        return self._placed(cell, self.turn, self.turn.opponent)

    def put(self, cell: Cell | str, color: Color) -> "Position":
        """Return the position with one more stone, the same player to move.

        Raise IllegalMoveError when the cell is not empty.
        """
        return self._placed(cell, color, self.turn)

    def _placed(self, cell: Cell | str, color: Color, turn: Color) -> "Position":
        if isinstance(cell, str):
            cell = self.board.cell(cell)
        if not self.is_legal(cell):
            if not 0 <= cell < self.board.size:
                raise IllegalMoveError(f"no cell of the {self.board} board: {cell!r}")
            raise IllegalMoveError(f"{self.board.name(cell)} is not empty")
        stone = self.board.only(cell)
        if color is Color.BLACK:
            return Position(self.board, self.black | stone, self.white, turn)
        return Position(self.board, self.black, self.white | stone, turn)

    def swap(self) -> "Position":
        """Return the position after the second player takes over the only stone.

        The stone is reflected and changes color (swap pieces), so that nobody
        changes seats. Raise IllegalMoveError unless there is just one stone, of
        the player who is not to move, on a square board.
        """
        if self.board.columns != self.board.rows:
            raise IllegalMoveError("swap needs a square board")
        if self.stones(self.turn).any() or self.stones(self.turn.opponent).count() != 1:
            raise IllegalMoveError("swap is the second move of a game or none")
        return replace(self.transposed(), turn=self.turn.opponent)

    def transposed(self) -> "Position":
        """Return the mirror position, colors exchanged.

        It promises White what this one promises Black, and the other way round.
        """
        black, white = (
            cell_set(map(self.board.transpose, stones.search(1)), self.board.size)
            for stones in (self.white, self.black)
        )
        return Position(self.board.transposed, black, white, self.turn.opponent)

    def rotated(self) -> "Position":
        """Return the position after half a turn of the board: the same game."""
        black, white = (
            cell_set(map(self.board.rotate, stones.search(1)), self.board.size)
            for stones in (self.black, self.white)
        )
        return replace(self, black=black, white=white)
