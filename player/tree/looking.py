"""Looks at positions all over a tree, each from the nearest one looked at before.

A search that goes deep first takes one stone back and puts another; here the next
look may be anywhere. So what was found is kept where it may be wanted again, and
a look costs one more stone, as there.
"""

from collections import OrderedDict
from collections.abc import Sequence

from hsearch.board import Cell
from hsearch.closure import Limits
from hsearch.position import Position
from player.ordering import weak_links
from player.search.line import Assessment, Bookmark, SearchPosition

ROOM = 100  # marks: of two megabytes each on 11x11


class Looker:
    """Remembers, for moves from the root, what was found there. Holds state."""

    def __init__(self, position: Position, limits: Limits) -> None:
        """Stand at the root."""
        self._line = SearchPosition(position, limits, weak_links)
        self._root = self._line.mark()
        self._marks: OrderedDict[tuple[Cell, ...], Bookmark] = OrderedDict()

    def advance(self, moves: Sequence[Cell]) -> None:
        """Play moves at the root; keep what was found after them."""
        path = tuple(moves)
        self._stand_after(path)
        self._root = self._line.mark()
        kept = [(known, mark) for known, mark in self._marks.items() if known[: len(path)] == path]
        self._marks = OrderedDict(
            (known[len(path) :], mark) for known, mark in kept if len(known) > len(path)
        )

    def look(self, moves: Sequence[Cell]) -> Assessment:
        """Return what is seen after some moves from the root."""
        path = tuple(moves)
        self._stand_after(path)
        seen = self._line.probe()
        if seen.winner is None and path:
            self._keep(path)
        return seen

    def decided_moves(self) -> tuple[Cell, ...]:
        """Return moves worth trying at the root, which is decided, best first."""
        self._stand_after(())
        return self._line.decided_moves()

    def _stand_after(self, path: tuple[Cell, ...]) -> None:
        """Go to where some moves from the root lead, from the nearest mark on the way."""
        line = self._line
        start = next((n for n in range(len(path), 0, -1) if path[:n] in self._marks), 0)
        if start:
            self._marks.move_to_end(path[:start])
        line.restore(self._marks[path[:start]] if start else self._root)
        for number in range(start, len(path)):
            if 0 < number == len(path) - 1 and path[:number] not in self._marks:
                self._keep(path[:number])
            line.play(path[number])

    def _keep(self, path: tuple[Cell, ...]) -> None:
        """Set a mark where the search stands, and forget the one not used for longest."""
        self._marks[path] = self._line.mark()
        if len(self._marks) > ROOM:
            self._marks.popitem(last=False)
