"""A position as kernels get it: from the side of a player who joins north and south.

White's frame is the transposed board. So one kernel serves both players, and its
results for a position and for its mirror are the same to the last bit.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hsearch.hex.board import Color
from hsearch.hex.position import Position


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """The board from a player's side, as arguments of a kernel.

    color    the player
    columns  the number of columns; for White, of rows
    rows     the number of rows; for White, of columns
    stones   a byte a cell: 0 empty, 1 own, 2 opponent
    """

    color: Color
    columns: int
    rows: int
    stones: NDArray[np.int8]

    @classmethod
    def of(cls, position: Position, color: Color) -> "Frame":
        """Return a player's frame of a position."""
        board = position.board
        own, opponent = position.stones(color), position.stones(color.opponent)
        stones = np.frombuffer(own.unpack(), np.int8) + 2 * np.frombuffer(
            opponent.unpack(), np.int8
        )
        if color is Color.BLACK:
            return cls(color, board.columns, board.rows, stones)
        mirror = np.ascontiguousarray(stones.reshape(board.rows, board.columns).T).ravel()
        return cls(color, board.rows, board.columns, mirror)

    def into(self, points: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the frame's numbers for points of the board."""
        if self.color is Color.BLACK:
            return points
        size = self.stones.size
        row, column = np.divmod(points, self.rows)
        cells = column * self.columns + row
        return np.where(points < size, cells, size + (points - size + 2) % 4)

    def back(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return a kernel's values, one a cell of the frame, in board order."""
        if self.color is Color.BLACK:
            return values
        return np.ascontiguousarray(values.reshape(self.rows, self.columns).T).ravel()

    def rotate(self) -> "Frame":
        """Return the frame after half a turn, which exchanges the player's edges."""
        return replace(self, stones=self.stones[::-1].copy())

    def put(self, cell: int, stone: int) -> "Frame":
        """Return the frame with `stone`, 1 or 2, on one of its cells."""
        stones = self.stones.copy()
        stones[cell] = stone
        return replace(self, stones=stones)
