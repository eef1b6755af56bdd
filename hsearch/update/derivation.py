"""Derivations that are older than stones placed since, read with the stones of today.

A semi whose key is an own stone by now has become a full across it, an OR over
such a semi is not needed any more, and a connection of two points that have
become one drops out.
"""

from hsearch.board import Color
from hsearch.cells import CellSet
from hsearch.connection import Connection, Rule, adjacent, and_rule, or_rule
from hsearch.kernels import lists
from hsearch.position import Position
from hsearch.store import Array, Store, unpack


class UpdatedStore(Store):
    """A store in which derivations are read with the stones of today."""

    def __init__(self, position: Position, color: Color, memory: Array, log: Array) -> None:
        super().__init__(position.board, color, memory, log)
        self._position = position
        self._read: dict[int, Connection | None] = {}

    def _value(self, node: int) -> Connection:
        value = self._today(node)
        if value is None:
            raise RuntimeError(f"the ends of a kept connection have become one: node {node}")
        return value

    def _today(self, node: int) -> Connection | None:
        """Return what a node promises today; None if its ends have become one point."""
        if node not in self._read:
            self._read[node] = self._derive(node)
        return self._read[node]

    def _derive(self, node: int) -> Connection | None:
        x, y, _, rule, count = unpack(int(self.log[node + lists.FACTS]))
        start = node + lists.CARRIER + len(self.layout.words)
        words = self.log[start : start + count].tolist()
        if rule == lists.OWN_STONE:
            return self._today(words[0])
        nodes = [word for word in words if word >= 0]
        pairs = [pair & self._position.empty for pair in self._pairs(words)]
        if rule in {lists.AND, lists.CAPTURED_AND}:
            return self._join(nodes, pairs)
        if rule in {lists.OR, lists.CAPTURED_OR}:
            return self._unite(nodes, pairs)
        x, y = self._point_today(x), self._point_today(y)
        if x == y:
            return None
        if rule == lists.ADJACENT:
            return adjacent(x, y, self.board)
        cells = self._cells(self.log[node + lists.CARRIER : start])
        left = cells & self._position.empty
        return Connection(min(x, y), max(x, y), left, rule=Rule.TEMPLATE)

    def _unite(self, nodes: list[int], pairs: list[CellSet]) -> Connection | None:
        """Return what OR makes of semis today; one that has become full is enough."""
        semis = [semi for semi in map(self._today, nodes) if semi is not None]
        if len(semis) < len(nodes):
            return None
        fulls = [semi for semi in semis if semi.is_full]
        if fulls:
            return min(fulls, key=lambda full: full.carrier.count())
        return or_rule(*semis, captured=pairs)

    def _join(self, nodes: list[int], pairs: list[CellSet]) -> Connection | None:
        """Return what AND makes of two premises today."""
        first, second = map(self._today, nodes)
        if first is None or second is None:
            return first or second
        ends = [set(unpack(int(self.log[node + lists.FACTS]))[:2]) for node in nodes]
        (pivot,) = ends[0] & ends[1]
        via = self._point_today(pivot)
        if first.other_end(via) == second.other_end(via):
            return None
        empty = via < self.board.size and bool(self._position.empty[via])
        return and_rule(first, second, via, self.board, empty=empty, captured=pairs)

    def _point_today(self, framed: int) -> int:
        """Return the name that a point of the kernels' frame has today."""
        return self._captains[int(self.memory[self.layout.captain + framed])]
