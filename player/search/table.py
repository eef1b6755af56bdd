"""The transposition table: what is known of positions already searched.

An entry depends on its key alone: scores are kept as they look from the
position itself, not from the root.
"""

import enum
from dataclasses import dataclass

from hsearch.board import Cell
from player.search.line import Key
from player.search.score import is_loss, is_win, later

ROOM = 300_000  # entries; a search within minutes does not come near


class Bound(enum.Enum):
    """Relation of a score to the true one."""

    EXACT = enum.auto()
    LOWER = enum.auto()
    UPPER = enum.auto()


@dataclass(frozen=True, slots=True)
class TableEntry:
    """The outcome of one search of a position."""

    depth: int
    score: float
    bound: Bound
    line: tuple[Cell, ...]

    def answers(self, depth: int, alpha: float, beta: float) -> bool:
        """Return whether the entry settles a search to `depth` between the bounds.

        Scores of odd and even depths do not compare, so the depth must be the
        same, unless the score is proved.
        """
        proved_win = is_win(self.score) and self.bound is not Bound.UPPER
        proved_loss = is_loss(self.score) and self.bound is not Bound.LOWER
        if self.depth != depth and not proved_win and not proved_loss:
            return False
        return (
            self.bound is Bound.EXACT
            or (self.bound is Bound.LOWER and self.score >= beta)
            or (self.bound is Bound.UPPER and self.score <= alpha)
        )


class Table:
    """Entries by position. It forgets all when it is full."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._entries: dict[Key, TableEntry] = {}

    def find(self, key: Key, ply: int) -> TableEntry | None:
        """Return the entry of a position that stands `ply` plies from the root."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        return TableEntry(entry.depth, later(entry.score, ply), entry.bound, entry.line)

    def keep(self, key: Key, ply: int, entry: TableEntry) -> None:
        """Keep an entry of a position that stands `ply` plies from the root."""
        if len(self._entries) >= ROOM:
            self._entries.clear()
        score = later(entry.score, -ply)
        self._entries[key] = TableEntry(entry.depth, score, entry.bound, entry.line)
