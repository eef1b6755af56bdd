"""The connections of both players as stones come and go."""

from hsearch.board import Cell, Color
from hsearch.closure import Limits
from hsearch.position import IllegalMoveError, Position
from hsearch.store import Store
from hsearch.update.side import Side

_DEFAULT = Limits()


class Connections:
    """The connections of both players as stones come and go. Holds state."""

    def __init__(self, position: Position, limits: Limits = _DEFAULT) -> None:
        """Find the connections of a position from scratch.

        Raise ValueError when the limits stop the search at a win, since what was
        not looked for cannot be kept up to date.
        """
        if limits.stop_at_win:
            raise ValueError("an update needs a closure that does not stop at a win")
        self._positions = [position]
        self._sides = {color: Side(position, color, limits) for color in Color}

    @property
    def position(self) -> Position:
        """The position whose connections these are."""
        return self._positions[-1]

    def play(self, cell: Cell) -> None:
        """Add a stone of the player to move. Raise IllegalMoveError when the cell is not empty."""
        self._advance(self.position.play(cell), cell, self.position.turn)

    def put(self, cell: Cell, color: Color) -> None:
        """Add a stone of either player; the same player is to move.

        Raise IllegalMoveError when the cell is not empty.
        """
        self._advance(self.position.put(cell, color), cell, color)

    def undo(self) -> None:
        """Take back the last stone. Raise IllegalMoveError when there is none."""
        if len(self._positions) == 1:
            raise IllegalMoveError("nothing to undo")
        self._positions.pop()
        for side in self._sides.values():
            side.undo()

    def store(self, color: Color) -> Store:
        """Return a player's connections in the position, as a value of its own."""
        return self._sides[color].store(self.position)

    def _advance(self, position: Position, cell: Cell, color: Color) -> None:
        for owner, side in self._sides.items():
            side.advance(position.board.transpose(cell) if owner else cell, own=owner is color)
        self._positions.append(position)
