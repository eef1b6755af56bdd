"""Read a derivation in a later position, where more stones name its groups.

When the owner's stones grow together, two ends of a step may become one
group. Such a step is done with: what it joined is joined, and what rested on
it rests on the rest.
"""

from dataclasses import replace

from hsearch.board import Color
from hsearch.connection import Connection, Rule, adjacent, and_rule, mustplay_rule, or_rule
from hsearch.position import Position, captains


class Renaming:
    """Connections as a later position names them; remembers what it has renamed."""

    def __init__(self, position: Position, color: Color) -> None:
        """Take the later position, and whose connections they are."""
        self._position = position
        self._color = color
        self._board = position.board
        self._named = captains(position, color)
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
        match old.rule:
            case Rule.ADJACENT:
                return adjacent(x, y, self._board)
            case Rule.TEMPLATE:
                return replace(old, x=min(x, y), y=max(x, y))
            case Rule.MUSTPLAY:
                return self._after_key(old)
            case _:
                return self._from_premises(old)

    def _from_premises(self, old: Connection) -> Connection | None:
        """Return what AND or OR makes of the renamed premises.

        A semi whose key is an own stone by now has become a full, and an OR over
        it is not needed any more.
        """
        empty = self._position.empty
        pairs = [pair & empty for pair in old.captured]
        premises = [new for new in map(self, old.premises) if new is not None]
        if old.rule.is_or:
            fulls = [semi for semi in premises if semi.is_full]
            if fulls:
                return min(fulls, key=lambda full: full.carrier.count())
            return or_rule(*premises, captured=pairs)
        if len(premises) == 1:
            return premises[0]
        first, second = premises
        (via,) = set(old.premises[0].ends) & set(old.premises[1].ends)
        via = self._named[via]
        if first.other_end(via) == second.other_end(via):
            return None
        is_empty = self._board.contains(empty, via)
        return and_rule(first, second, via, self._board, empty=is_empty, captured=pairs)

    def _after_key(self, old: Connection) -> Connection | None:
        """Return a must-play step, whose premise is read in the position after its key."""
        assert old.key is not None  # noqa: S101 - it is a semi
        x, y, key = self._named[old.x], self._named[old.y], old.key
        (premise,) = old.premises
        full = Renaming(self._position.put(key, self._color), self._color)(premise)
        if full is not None:
            return mustplay_rule(full, x, y, key, self._position, self._color)
        first, second = (adjacent(end, key, self._board) for end in (x, y))
        return and_rule(first, second, key, self._board, empty=True)
