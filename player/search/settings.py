"""Settings of alpha-beta, by board and level; results, scores and the transposition table."""

import enum
import re
from dataclasses import dataclass, field, replace

from hsearch.analysis.circuit import HEXY, WIRINGS
from hsearch.connect import Knowledge, Limits
from hsearch.hex import Board, Cell
from hsearch.hex.face import expect_range
from hsearch.render.text import quantity
from player.evaluate.evaluators import evaluator
from player.evaluate.ordering import ORDERINGS


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


# Strength of `hexy`: defaults for each size of board, and levels.
#
# The defaults limit a move on each board size to a few seconds of one core. From 17x17
# on they limit the evaluation of one position, which cannot be interrupted, to a tenth
# of a second. In matches (`positions/results/sizes.md`) four narrow plies won every
# game on 12x12 and 13x13 against three wide ones; elsewhere no other search of similar
# cost was clearly better than these. Lower levels search less: fewer moves, fewer
# plies, fewer and simpler connections. None deliberately plays a bad move. On 9x9 each
# scored 62 to 78 % against the one below, see `positions/results/strength.md`. Beyond
# level 6 a deeper search of few moves gains nothing (6 plies against 4: 11 of 23); a
# wider one with more connections does.

LEVELS = range(1, 10)
SOLVED = 3000  # positions; a second or two on 7x7
NARROW = (6, 4, 3)  # moves tried at plies beyond the default depth
DEEP = 30  # more plies than a node budget or a clock ever allows


@dataclass(frozen=True, slots=True)
class Strength:
    """The numbers that decide the strength of a search; None means the default.

    level     1 to 9; the other numbers override those of the level
    depth     D, in plies
    M         the most fulls for a pair of points
    K         the most semis that one OR joins
    widths    moves tried at each ply
    ordering  the name of an ordering
    evaluator the name of an evaluator that replaces the circuits
    links     the wiring of the circuits
    nodes     the most positions to visit; the search deepens until then
    solve     the most positions for the solver before the search; None is `SOLVED`
              if none of level, depth and nodes is given, else 0
    knowledge the methods that may join the edges at the root
    """

    level: int | None = None
    depth: int | None = None
    M: int | None = None
    K: int | None = None
    widths: tuple[int, ...] | None = None
    ordering: str = "weak_links"
    evaluator: str | None = None
    links: str = HEXY
    nodes: int | None = None
    solve: int | None = None
    knowledge: Knowledge = Knowledge.RULES

    @property
    def solved_within(self) -> int:
        """The most positions for the solver before the search."""
        if self.solve is not None:
            return self.solve
        return SOLVED if self.deepens else 0

    @property
    def deepens(self) -> bool:
        """Whether a search with time left deepens: only if nothing sets its depth."""
        return self.level is self.depth is self.nodes is None

    def settings(self, board: Board, *, timed: bool = False) -> SearchSettings:
        """Return the settings of a search on a board; `timed` if a clock ends it.

        Raise ValueError when the level is out of range.
        """
        if self.level is not None and self.level not in LEVELS:
            raise ValueError(f"level out of range: {self.level} (1 to 9)")
        plain = defaults(board) if self.level is None else _at_most(level(self.level), board)
        if timed and self.deepens:
            plain = replace(plain, depth=DEEP, widths=(*plain.widths, *NARROW))
        return replace(
            plain,
            depth=self.depth or (plain.depth if self.nodes is None else DEEP),
            widths=self.widths or plain.widths,
            limits=Limits(
                M=self.M or plain.limits.M,
                semis=None if self.M else plain.limits.semis,
                K=self.K or plain.limits.K,
            ),
            ordering=self.ordering,
            evaluator=self.evaluator,
            links=self.links,
            connections=True,
            nodes=self.nodes,
        )


# largest side: depth, widths, M, K
_BY_SIZE = {
    **dict.fromkeys(range(1, 8), (3, (40, 30, 20), 20, 4)),
    **dict.fromkeys(range(8, 12), (3, (20, 15, 10), 20, 4)),
    **dict.fromkeys(range(12, 14), (4, (8, 6, 4, 3), 15, 4)),
    **dict.fromkeys(range(14, 17), (2, (20, 15), 15, 4)),
    **dict.fromkeys(range(17, 20), (2, (15, 10), 8, 3)),
    **dict.fromkeys(range(20, 27), (1, (15,), 8, 3)),
}

# level: depth, widths, M, K, and the most semis for a pair if not twice M. With a single semi
# OR joins nothing, so not even a bridge is found. Depths beyond 1 are even: after an odd
# number of moves E is too good for the player who moved last.
_BY_LEVEL: dict[int, tuple[int, tuple[int, ...], int, int, int | None]] = {
    1: (1, (1,), 1, 2, 1),
    2: (1, (2,), 1, 2, None),
    3: (1, (6,), 2, 2, None),
    4: (2, (4, 3), 2, 2, None),
    5: (2, (4, 3), 4, 3, None),
    6: (4, (4, 3, 2), 4, 3, None),
    7: (4, (6, 4, 3, 2), 10, 4, None),
    8: (4, (8, 6, 4, 3), 20, 4, None),
    9: (4, (12, 9, 6, 4), 20, 4, None),
}


def defaults(board: Board) -> SearchSettings:
    """Return the settings for a board, by its longer side."""
    return _settings(*_BY_SIZE[max(board.columns, board.rows)])


def level(number: int) -> SearchSettings:
    """Return the settings of a level."""
    return _settings(*_BY_LEVEL[number])


def _settings(
    depth: int, widths: tuple[int, ...], fulls: int, joins: int, semis: int | None = None
) -> SearchSettings:
    limits = Limits(M=fulls, semis=semis, K=joins)
    return SearchSettings(depth=depth, widths=widths, limits=limits)


def _at_most(settings: SearchSettings, board: Board) -> SearchSettings:
    """Return settings that, on large boards, cost no more than the board's defaults."""
    most = defaults(board)
    if max(board.columns, board.rows) < 12:
        return settings
    is_more = (settings.limits.M or 0) > (most.limits.M or 0)
    limits = most.limits if is_more else settings.limits
    return replace(settings, depth=min(settings.depth, most.depth), limits=limits)


def read_level(text: str) -> int:
    """Read the number of a level. Raise ValueError when it is not one."""
    if not re.fullmatch(r"[1-9]", text):
        raise ValueError(f"not a level ({LEVELS[0]} to {LEVELS[-1]})")
    return int(text)


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
    score     its value to the player to move: above `PROVED` a proved win, below -`PROVED` a
              proved loss, between them an evaluation
    line      the expected moves, the best move first; it ends where the position is decided
    depth     depth of the last search, which may have been cut short unless complete; 0 if there
              was no time for any, or only one move
    complete  whether the search reached its depth, or a proof, or found only one move
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


def evaluation_score(evaluation: float, *, black: bool) -> float:
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

Key = tuple[int, int, int]  # Black's stones, White's, the player to move
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
