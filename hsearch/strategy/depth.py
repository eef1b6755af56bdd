"""The depth of a connection: how many moves it takes until stones join its ends.

Both players play perfectly, inside the carrier: the owner to join soon, the
opponent to hold it up (Anshelevich 2002). Touching points have depth 0, a bridge 2.
"""

import math
from functools import cache

from hsearch.board import Color, Point
from hsearch.cells import to_number
from hsearch.connection import Connection
from hsearch.position import Position, captains

MOST_CELLS = 10  # of a carrier; every line of play in it is looked at


def depth(position: Position, color: Color, connection: Connection) -> int | None:
    """Return the moves until a connection is solid; None if its carrier has over MOST_CELLS cells.

    The opponent moves first, or, of a semi connection, the owner. Raise ValueError
    when what is given is no connection: the opponent can cut it.
    """
    if connection.carrier.count() > MOST_CELLS:
        return None
    play = _Play(position, color, connection)
    carrier = to_number(connection.carrier)
    moves = play.attacked(carrier, 0) if connection.is_full else play.owned(carrier, 0)
    if math.isinf(moves):
        raise ValueError("no connection: the opponent can cut it")
    return int(moves)


class _Play:
    """All lines of play inside a carrier; cells that are left, and the owner's, are bits."""

    def __init__(self, position: Position, color: Color, connection: Connection) -> None:
        named = captains(position, color)
        self.board = position.board
        self.cells = list(connection.carrier.search(1))
        self.x, self.y = (
            {end, *(point for point, captain in named.items() if captain == end)}
            for end in connection.ends
        )
        stones = position.stones(color).search(1)
        self.stones: set[Point] = {*stones, *self.board.edges(color), *self.x, *self.y}
        self.joins = cache(self._joins)
        self.attacked = cache(self._attacked)
        self.owned = cache(self._owned)

    def _attacked(self, left: int, own: int) -> float:
        """Return the moves until the ends are joined, the opponent to move."""
        if self.joins(own):
            return 0
        if not self.joins(own | left):
            return math.inf
        return max((1 + self.owned(left & ~bit, own) for bit in self._bits(left)), default=math.inf)

    def _owned(self, left: int, own: int) -> float:
        """Return the same, the owner to move."""
        after = (self.attacked(left & ~bit, own | bit) for bit in self._bits(left))
        return 1 + min(after, default=math.inf)

    def _bits(self, left: int) -> list[int]:
        return [1 << cell for cell in self.cells if left >> cell & 1]

    def _joins(self, own: int) -> bool:
        allowed = self.stones | {cell for cell in self.cells if own >> cell & 1}
        reached, new = set(self.x), list(self.x)
        while new:
            touched = {point for point in self.board.neighbors(new.pop()) if point in allowed}
            new += touched - reached
            reached |= touched
        return not reached.isdisjoint(self.y)
