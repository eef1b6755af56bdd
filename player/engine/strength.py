"""How strong `hexy` plays: defaults for each size of board, and levels.

The defaults keep a move on a board of the size to a few seconds of one core;
they were chosen by time, not yet by matches. The levels weaken by looking less
far: fewer moves, fewer plies, fewer and simpler connections. None of them plays
a move that it thinks bad. On 9x9, from the most even openings in both colors,
levels 2 to 9 won 33 of 40, 49 of 60, 15, 13, 15, 11, 15 and 10 of 20 games against
the one below. The table was tuned on these openings, and 20 games do not tell
steps such as 5 over 4 or 7 over 6 from none; 9 was not shown to be above 8.
"""

from dataclasses import dataclass, replace

from hsearch.board import Board
from hsearch.closure import Limits
from player.search import Settings

LEVELS = range(1, 10)
SOLVED = 3000  # on 7x7 a second or two
DEEP = 30  # deeper than any budget of nodes lets a search be


@dataclass(frozen=True, slots=True)
class Strength:
    """The numbers that decide how strong a search is; None leaves a default alone.

    level     1 to 9; the other numbers win over those of the level
    depth     D
    M         fulls kept for a pair of points
    K         semis that one OR joins
    widths    moves tried at each ply
    ordering  the name of an ordering
    evaluator the name of an evaluator that weighs in place of the circuits
    nodes     positions visited at most, as deep as that lets
    solve     positions that the solver may look at before the search; None is `SOLVED`
              if neither level, depth nor nodes are given, and else 0
    """

    level: int | None = None
    depth: int | None = None
    M: int | None = None
    K: int | None = None
    widths: tuple[int, ...] | None = None
    ordering: str = "weak_links"
    evaluator: str | None = None
    nodes: int | None = None
    solve: int | None = None

    @property
    def solved_within(self) -> int:
        """How many positions the solver may look at before the search."""
        if self.solve is not None:
            return self.solve
        return SOLVED if self.level is self.depth is self.nodes is None else 0

    def settings(self, board: Board) -> Settings:
        """Return the settings of a search on a board. Raise ValueError on a bad number."""
        if self.level is not None and self.level not in LEVELS:
            raise ValueError(f"level out of range: {self.level} (1 to 9)")
        plain = defaults(board) if self.level is None else _at_most(level(self.level), board)
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
            connections=True,
            nodes=self.nodes,
        )


# largest side: depth, widths, M, K
_BY_SIZE = {
    **dict.fromkeys(range(1, 8), (3, (40, 30, 20), 20, 4)),
    **dict.fromkeys(range(8, 12), (3, (20, 15, 10), 20, 4)),
    **dict.fromkeys(range(12, 14), (3, (15, 12, 8), 15, 4)),
    **dict.fromkeys(range(14, 17), (2, (20, 15), 15, 4)),
    **dict.fromkeys(range(17, 20), (2, (15, 10), 10, 4)),
    **dict.fromkeys(range(20, 27), (1, (15,), 8, 3)),
}

# level: depth, widths, M, K, and semis kept for a pair if not twice M; a single semi lets OR
# join nothing, so that not even a bridge is seen
_BY_LEVEL: dict[int, tuple[int, tuple[int, ...], int, int, int | None]] = {
    1: (1, (6,), 1, 2, 1),
    2: (1, (6,), 1, 2, None),
    3: (1, (12,), 4, 3, None),
    4: (1, (20,), 10, 4, None),
    5: (2, (6, 5), 10, 4, None),
    6: (2, (15, 10), 15, 4, None),
    7: (3, (12, 10, 6), 15, 4, None),
    8: (3, (20, 15, 10), 20, 4, None),
    9: (4, (20, 12, 10, 6), 20, 4, None),
}


def defaults(board: Board) -> Settings:
    """Return the settings for a board, by its longer side."""
    return _settings(*_BY_SIZE[max(board.columns, board.rows)])


def level(number: int) -> Settings:
    """Return the settings of a level."""
    return _settings(*_BY_LEVEL[number])


def _settings(
    depth: int, widths: tuple[int, ...], fulls: int, joined: int, semis: int | None = None
) -> Settings:
    limits = Limits(M=fulls, semis=semis, K=joined)
    return Settings(depth=depth, widths=widths, limits=limits)


def _at_most(wanted: Settings, board: Board) -> Settings:
    """Return settings that ask for no more than the defaults of a large board."""
    most = defaults(board)
    if max(board.columns, board.rows) < 12 or wanted.depth <= most.depth:
        return wanted
    return replace(wanted, depth=most.depth)
