"""Connections of both players as stones come and go, with derivations as of today.

A derivation may be older than stones placed since; `remaining` tells how it is read
with them.
"""

from remaining import Renaming

from hsearch.board import Color
from hsearch.closure import Limits
from hsearch.connection import Connection
from hsearch.kernels import packing
from hsearch.position import IllegalMoveError
from hsearch.store import RULES, Store, unpack
from hsearch.update import Side

_DEFAULT = Limits()


class Connections:
    """The connections of both players as stones come and go. Holds state."""

    def __init__(self, position, limits=_DEFAULT):
        """Find the connections of a position from scratch.

        Raise ValueError when the limits stop the search at a win, since what was
        not looked for cannot be kept up to date.
        """
        if limits.stop_at_win:
            raise ValueError("an update needs a closure that does not stop at a win")
        self._positions = [position]
        self._sides = {color: Side(position, color, limits) for color in Color}

    @property
    def position(self):
        """The position whose connections these are."""
        return self._positions[-1]

    def play(self, cell):
        """Add a stone of the player to move. Raise IllegalMoveError when the cell is not empty."""
        self._advance(self.position.play(cell), cell, self.position.turn)

    def put(self, cell, color):
        """Add a stone of either player; the same player is to move.

        Raise IllegalMoveError when the cell is not empty.
        """
        self._advance(self.position.put(cell, color), cell, color)

    def undo(self):
        """Take back the last stone. Raise IllegalMoveError when there is none."""
        if len(self._positions) == 1:
            raise IllegalMoveError("nothing to undo")
        self._positions.pop()
        for side in self._sides.values():
            side.undo()

    def store(self, color):
        """Return a player's connections in the position, as a value of its own."""
        mark = self._sides[color].mark()
        return UpdatedStore(self.position, color, mark.memory, mark.log)

    def _advance(self, position, cell, color):
        for owner, side in self._sides.items():
            side.advance(
                position.board.transpose(cell) if owner is Color.WHITE else cell, own=owner is color
            )
        self._positions.append(position)


class UpdatedStore(Store):
    """A store in which derivations are read with the stones of today."""

    def __init__(self, position, color, memory, log):
        super().__init__(position.board, color, memory, log)
        self._today = Renaming(position, color)
        self._then = {}

    def _value(self, node):
        value = self._today(self._earlier(node))
        if value is None:
            raise RuntimeError(f"the ends of a kept connection have become one: node {node}")
        return value

    def _earlier(self, node):
        """Return a node as it was derived, with the names that its points had then."""
        if node not in self._then:
            x, y, key, rule, count = unpack(int(self.log[node + packing.FACTS]))
            start = node + packing.CARRIER + len(self.layout.words)
            words = self.log[start : start + count].tolist()
            if rule == packing.OWN_STONE:
                return self._earlier(words[0])
            self._then[node] = Connection(
                *sorted((self._unframed(x), self._unframed(y))),
                self._cells(self.log[node + packing.CARRIER : start]),
                None if key is None else self._unframed(key),
                RULES[rule],
                tuple(map(self._earlier, words)),
            )
        return self._then[node]
