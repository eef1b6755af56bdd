"""Strength of `hexy`: defaults for each size of board, and levels.

The defaults keep a move on a board of the size to a few seconds of one core, and
from 17x17 on a single look, which nothing interrupts, to a tenth of a second. In
matches, `positions/results/sizes.md`, four narrow plies won every game on 12x12 and
13x13 against three wide ones; elsewhere no other search at like cost was clearly
better than what stands here. The levels weaken by looking less far: fewer moves,
fewer plies, fewer and simpler connections. None of them plays a move that it thinks
bad. On 9x9 each scores 55 to 80 % against the one below, see
`positions/results/levels.md`. Beyond level 6 a deeper search of few moves gains
nothing (6 plies against 4: 11 of 23), a wider one with more connections does.
"""

import re
from dataclasses import dataclass, replace

from hsearch.board import Board
from hsearch.circuit import HEXY
from hsearch.closure import Limits
from hsearch.decomposition import Knowledge
from player.search import SearchSettings

LEVELS = range(1, 10)
SOLVED = 3000  # on 7x7 a second or two
NARROW = (6, 4, 3)  # moves tried at plies beyond the default depth
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
    links     how the circuits are wired
    nodes     positions visited at most, as deep as that lets
    solve     positions that the solver may look at before the search; None is `SOLVED`
              if neither level, depth nor nodes are given, and else 0
    knowledge what may find, where the search starts, that edges are joined
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
        """Number of positions that the solver may look at before the search."""
        if self.solve is not None:
            return self.solve
        return SOLVED if self.deepens else 0

    @property
    def deepens(self) -> bool:
        """Whether a search that has time goes on beyond its depth: where nothing says how deep."""
        return self.level is self.depth is self.nodes is None

    def settings(self, board: Board, *, timed: bool = False) -> SearchSettings:
        """Return the settings of a search on a board, `timed` if only a clock is to end it.

        Raise ValueError on a bad number.
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

# level: depth, widths, M, K, and semis kept for a pair if not twice M; a single semi lets OR
# join nothing, so that not even a bridge is seen. Depths beyond 1 are even: after an odd number
# of moves E flatters whoever made the last one.
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
    depth: int, widths: tuple[int, ...], fulls: int, joined: int, semis: int | None = None
) -> SearchSettings:
    limits = Limits(M=fulls, semis=semis, K=joined)
    return SearchSettings(depth=depth, widths=widths, limits=limits)


def _at_most(wanted: SearchSettings, board: Board) -> SearchSettings:
    """Return settings that ask for no more than the defaults of a large board."""
    most = defaults(board)
    if max(board.columns, board.rows) < 12:
        return wanted
    is_more = (wanted.limits.M or 0) > (most.limits.M or 0)
    limits = most.limits if is_more else wanted.limits
    return replace(wanted, depth=min(wanted.depth, most.depth), limits=limits)


def read_level(text: str) -> int:
    """Return the number of a level. Raise ValueError when it is none."""
    if not re.fullmatch(r"[1-9]", text):
        raise ValueError(f"not a level ({LEVELS[0]} to {LEVELS[-1]})")
    return int(text)
