"""Settings, results, scores and the transposition table of alpha-beta."""

import enum
from dataclasses import dataclass, field

from hsearch.analysis.circuit import HEXY, WIRINGS
from hsearch.connect.limits import Limits
from hsearch.hex.board import Cell
from hsearch.hex.face import expect_range
from hsearch.render.text import quantity
from player.evaluate.evaluators import evaluator
from player.evaluate.ordering import ORDERINGS
from player.search.line import Key


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Options of a search; the defaults are HEXY's on 10x10 (Anshelevich 2002), widths Six's.

    depth        D, the number of moves ahead; a proof may need fewer
    widths       number of moves tried at each ply, the last for all plies after
                 it; a ply is widened when all of them lose
    limits       M, K and the switches of H-search
    ordering     the name of an ordering in `player.evaluate.ordering`
    incremental  whether connections are updated from move to move; from scratch at
                 each node is several times as slow, and serves to compare
    evaluator    the name of an evaluator in `player.evaluate.evaluators` for leaves; None
                 for HEXY's E, by circuits that have the connections as links
    links        wiring of those circuits, see `hsearch.analysis.circuit`
    connections  whether H-search decides nodes where it can, also with an evaluator;
                 without one it always does
    deepens      whether depths grow one by one, each ordered by the one before
    nodes        most positions to visit; None for no limit
    seed         seed of a random ordering

    Raise ValueError when a number is less than 1 or a name is unknown.
    """

    depth: int = 3
    widths: tuple[int, ...] = (20, 15, 10)
    limits: Limits = field(default_factory=Limits)
    ordering: str = "weak_links"
    incremental: bool = True
    evaluator: str | None = None
    links: str = HEXY
    connections: bool = False
    deepens: bool = True
    nodes: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        expect_range("depth", self.depth, 1)
        if self.nodes is not None:
            expect_range("nodes", self.nodes, 1)
        if not self.widths or min(self.widths) < 1:
            words = "x".join(map(str, self.widths))
            raise ValueError(f"widths out of range: {words!r} (each 1 or more)")
        if self.ordering not in ORDERINGS:
            names = ", ".join(ORDERINGS)
            raise ValueError(f"unknown ordering {self.ordering!r} (known: {names})")
        if self.evaluator is not None:
            evaluator(self.evaluator)
        if self.links not in WIRINGS:
            raise ValueError(f"unknown links {self.links!r} (known: {', '.join(WIRINGS)})")

    def width(self, ply: int) -> int:
        """Return the number of moves tried at a ply, counted from 0 at the root."""
        return self.widths[min(ply, len(self.widths) - 1)]


# Results.


@dataclass(frozen=True, slots=True)
class SearchCounts:
    """The work of a search.

    nodes     positions visited
    closures  positions assessed: with connections both closures, unless the first decided
    hits      positions answered from the transposition table
    cutoffs   positions left before all moves were tried, since the opponent avoids them
    """

    nodes: int = 0
    closures: int = 0
    hits: int = 0
    cutoffs: int = 0


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Result of an alpha-beta search.

    move      the best move
    score     its value to the player to move, as below
    line      the expected moves, the best move first; it ends where the position is decided
    depth     depth of the last search, which may have been cut short unless complete; 0 if there
              was no time for any
    complete  whether the search reached its depth, or a proof
    counts    the work of the search
    seconds   the time it took
    """

    move: Cell
    score: float
    line: tuple[Cell, ...]
    depth: int
    complete: bool
    counts: SearchCounts = field(default_factory=SearchCounts)
    seconds: float = 0.0

    @property
    def is_won(self) -> bool | None:
        """Whether the player to move is proved to win, or else to lose; None if unproved."""
        return is_win(self.score) if is_win(self.score) or is_loss(self.score) else None

    @property
    def extent(self) -> str:
        """How far the search has come, in a few words."""
        return f"{quantity(self.depth, 'move')} ahead"


# Scores: the value of a position to the player to move, larger is better.
#
# An undecided position is worth its evaluation. A proved win is worth more than any
# evaluation: the fewer moves away its proof is, the more, and among equally near
# ones, the fewer cells the proof needs. A loss is worth the negative.

PLY = 1000  # more than the cells of a board
PROVED = 1e6  # larger scores are proved wins
_WIN = 2e6
MOST = 1e3  # evaluations are clipped to it


def win(ply: int, cells: int) -> float:
    """Return the score of a win proved after some plies by a carrier of this many cells."""
    return _WIN - PLY * ply - cells


def estimate(evaluation: float, *, black: bool) -> float:
    """Return the score of an evaluation, which is negative when good for Black."""
    value = max(-MOST, min(MOST, evaluation))
    return -value if black else value


def is_win(score: float) -> bool:
    """Return whether a score is a proved win of the player to move."""
    return score > PROVED


def is_loss(score: float) -> bool:
    """Return whether a score is a proved loss of the player to move."""
    return score < -PROVED


def later(score: float, plies: int) -> float:
    """Return a score as seen some plies earlier: a win and a loss are farther away.

    A negative number of plies reverses this.
    """
    if is_win(score):
        return score - PLY * plies
    return score + PLY * plies if is_loss(score) else score


# The transposition table: results of positions already searched.
#
# An entry depends on its key alone: scores are stored as seen from the
# position itself, not from the root.

ROOM = 300_000  # most entries; a search of minutes has far fewer


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


class TranspositionTable:
    """Entries by position. When it is full, all are dropped. Holds state."""

    def __init__(self) -> None:
        """Start empty."""
        self._entries: dict[Key, TableEntry] = {}

    def find(self, key: Key, ply: int) -> TableEntry | None:
        """Return the entry of a position that is `ply` plies from the root; None without one."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        return TableEntry(entry.depth, later(entry.score, ply), entry.bound, entry.line)

    def keep(self, key: Key, ply: int, entry: TableEntry) -> None:
        """Store an entry of a position that is `ply` plies from the root."""
        if len(self._entries) >= ROOM:
            self._entries.clear()
        score = later(entry.score, -ply)
        self._entries[key] = TableEntry(entry.depth, score, entry.bound, entry.line)
