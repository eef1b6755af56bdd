"""The connections of both players, updated as stones come and go, with current derivations.

A derivation may be older than some stones; `remaining` explains how to read it with them.
"""

import numpy as np
from remaining import Renaming

from hsearch.connect.closure import Side
from hsearch.connect.connection import Connection
from hsearch.connect.limits import DEFAULT_LIMITS
from hsearch.connect.store import RULES, Store, unpack
from hsearch.hex.board import Color
from hsearch.hex.position import IllegalMoveError
from hsearch.kernels import packing

BLOCK = 1 << 20  # couples


class Connections:
    """The connections of both players as stones come and go. Holds state."""

    def __init__(self, position, limits=DEFAULT_LIMITS):
        """Find the connections of a position from scratch.

        Raise ValueError if the limits stop the search at a win, since connections that were not
        searched for cannot be updated.
        """
        if limits.stop_at_win:
            raise ValueError("an update needs a closure that does not stop at a win")
        self._positions = [position]
        self._sides = {color: Side(position, color, limits) for color in Color}
        self._then = {color: {} for color in Color}
        self._today = [{color: Renaming(position, color) for color in Color}]

    @property
    def position(self):
        """The position whose connections these are."""
        return self._positions[-1]

    def play(self, cell):
        """Add a stone of the player to move. Raise IllegalMoveError when the cell is not empty."""
        self._advance(self.position.play(cell), cell, self.position.turn)

    def put(self, cell, color):
        """Add a stone of either player; the player to move stays the same.

        Raise IllegalMoveError when the cell is not empty.
        """
        self._advance(self.position.put(cell, color), cell, color)

    def undo(self):
        """Take back the last stone. Raise IllegalMoveError when there is none."""
        if len(self._positions) == 1:
            raise IllegalMoveError("nothing to undo")
        self._positions.pop()
        self._today.pop()
        for color, side in self._sides.items():
            side.undo()
            used, then = side.arrays[0][packing.LOG_USED], self._then[color]
            self._then[color] = {node: value for node, value in then.items() if node < used}

    def store(self, color):
        """Return a player's connections in the position, as a separate value."""
        mark = self._sides[color].mark()
        read = self._then[color], self._today[-1][color]
        return UpdatedStore(self.position, color, mark.memory, mark.log, *read)

    def _advance(self, position, cell, color):
        for owner, side in self._sides.items():
            side.advance(
                position.board.transpose(cell) if owner is Color.WHITE else cell, own=owner is color
            )
        self._positions.append(position)
        self._today.append(self._today[-1] | {color: Renaming(position, color)})


class UpdatedStore(Store):
    """A store whose derivations are read with the current stones.

    Stores before and after it share the beginning of the log, so `then` holds the derivations read
    from that beginning. `today` holds the connections renamed since the last own stone.
    """

    def __init__(self, position, color, memory, log, then, today):
        super().__init__(position.board, color, memory, log)
        self._then = then
        self._today = today

    def _value(self, node):
        value = self._today(self._earlier(node))
        if value is None:
            raise RuntimeError(f"the ends of a kept connection have become one: node {node}")
        return value

    def _earlier(self, node):
        """Return the derivation of a node with the names that its points had at the time."""
        if node not in self._then:
            x, y, key, rule, count = unpack(self._words[node + packing.FACTS])
            start = node + packing.CARRIER + len(self.layout.words)
            words = self._words[start : start + count].tolist()
            if rule == packing.OWN_STONE:
                return self._earlier(words[0])
            self._then[node] = Connection(
                *sorted((self._board_point(x), self._board_point(y))),
                self._cells(self._words[node + packing.CARRIER : start]),
                None if key is None else self._board_point(key),
                RULES[rule],
                tuple(map(self._earlier, words)),
            )
        return self._then[node]


def kept(store, which):
    """Return the fulls or semis that the kernels hold, as arrays: their pairs, nodes, carriers.

    A pair is a number and a carrier is a row of words, as in the kernels.
    """
    memory, layout = store.memory, store.layout
    heads = memory[layout.heads : layout.lists][which::2]
    pairs = np.flatnonzero(heads)
    counts = memory[heads[pairs] + packing.COUNT]
    first = heads[pairs] + packing.COMMON + len(layout.words)
    entries = np.repeat(first, counts) + (1 + len(layout.words)) * _numbered(counts)
    carriers = memory[entries[:, None] + 1 + np.arange(len(layout.words))]
    return np.repeat(pairs, counts), memory[entries] >> 20, carriers


def named(store, pairs):
    """Return numbers for pairs by the board's names of their points, whatever the captains are."""
    memory, layout = store.memory, store.layout
    captains = memory[layout.captain : layout.captain + layout.cells + 2]
    names = np.zeros(layout.cells + 2, np.int64)
    for captain in set(captains[captains >= 0].tolist()):
        names[captain] = store.board_captain(captain)
    y, x = (names[points[pairs]] for points in np.tril_indices(layout.cells + 2, -1))
    return np.maximum(x, y) * (layout.cells + 4) + np.minimum(x, y)


def couples(pairs, others):
    """Yield all pairs of indices at which two sorted arrays have the same number.

    Each item is two arrays, the indices in the first and in the second, with about a million
    pairs: all of them might not fit into memory.
    """
    first, end = (np.searchsorted(others, pairs, side) for side in ("left", "right"))
    counts = end - first
    sums = np.cumsum(counts)
    cuts = np.searchsorted(sums, np.arange(BLOCK, sums[-1] if len(sums) else 0, BLOCK))
    for places in np.split(np.arange(len(pairs)), np.unique(cuts)):
        begin, many = first[places], counts[places]
        yield np.repeat(places, many), np.repeat(begin, many) + _numbered(many)


def _numbered(counts):
    """Return the numbers from 0 below each count, one run after the other."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
