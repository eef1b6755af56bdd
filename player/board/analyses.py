"""The analyses made last, kept by position, up to a number of bytes."""

from collections import OrderedDict
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from hsearch.board import Color
from hsearch.position import Position

if TYPE_CHECKING:
    from collections.abc import Callable

    from hsearch.analysis import Analysis

MOST_BYTES = 128_000_000


class Analyses:
    """Holds the analyses of all pages. Threads may share it.

    Whoever is to move, the connections are the same, so they are found once.
    """

    def __init__(
        self, make: "Callable[[Position], Analysis]", most_bytes: int = MOST_BYTES
    ) -> None:
        """Make analyses by `make`; forget those used longest ago beyond this many bytes."""
        self._make, self._most = make, most_bytes
        self._kept: OrderedDict[Position, tuple[Analysis, int]] = OrderedDict()
        self._lock = Lock()
        self.bytes = 0

    def of(self, position: Position) -> "Analysis":
        """Return the analysis of a position, with all of it computed that takes time."""
        key = replace(position, turn=Color.BLACK)
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
        found = self._add(key) if kept is None else kept[0]
        return found if position == key else found.with_turn(position.turn)

    def _add(self, key: Position) -> "Analysis":
        found = self._make(key)
        _ = found.stores, found.circuits, found.deduced
        size = sum(store.memory.nbytes + store.log.nbytes for store in found.stores.values())
        with self._lock:
            if key in self._kept:  # another thread was faster
                return self._kept[key][0]
            self._kept[key] = found, size
            self.bytes += size
            while self.bytes > self._most and len(self._kept) > 1:
                _, (_, freed) = self._kept.popitem(last=False)
                self.bytes -= freed
        return found
