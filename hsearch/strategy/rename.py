"""Read a derivation in a later position, where more stones name its groups.

When the owner's stones grow together, two ends of a step may become one
group. Such a step is done with: what it joined is joined, and what rested on
it rests on the rest.
"""

from collections.abc import Mapping

from hsearch.board import Board, Point
from hsearch.connection import Connection, Rule, adjacent, and_rule, or_rule


class Renaming:
    """Connections as a later position names them; remembers what it has renamed."""

    def __init__(self, board: Board, named: Mapping[Point, Point]) -> None:
        """Take the captain of each point by now."""
        self._board = board
        self._named = named
        self._known: dict[int, Connection | None] = {}

    def __call__(self, connection: Connection) -> Connection | None:
        """Return a connection of the earlier position, re-derived; None if its ends are one group.

        Its carrier must hold empty cells only.
        """
        if id(connection) not in self._known:
            self._known[id(connection)] = self._renamed(connection)
        return self._known[id(connection)]

    def _renamed(self, old: Connection) -> Connection | None:
        x, y = self._named[old.x], self._named[old.y]
        if x == y:
            return None
        if old.rule is Rule.ADJACENT:
            return adjacent(x, y, self._board)
        premises = [new for new in map(self, old.premises) if new is not None]
        if old.rule is Rule.OR:
            return or_rule(*premises)
        if len(premises) == 1:
            return premises[0]
        first, second = premises
        (via,) = set(old.premises[0].ends) & set(old.premises[1].ends)
        return and_rule(first, second, self._named[via], self._board, empty=old.key is not None)
