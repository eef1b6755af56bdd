"""Play out all lines in some cells, to see whether they join two points or what breaks them.

The search knows no deduction rule. It carries proofs as sets of cells: what
beat one move of a player beats all their moves outside the cells that it needed.
Boards are Python integers, one bit a point.
"""

import enum
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from hsearch.board import Cell, Color, Point
from hsearch.cells import CellSet
from hsearch.position import Position

BUDGET = 3_000
DEEPEST = 150  # moves of the owner in a line; Python's stack holds no more

# Whether the owner joins the points, and the cells that this needs: theirs, or the opponent's.
Proof: TypeAlias = tuple[bool, int]


class PlayVerdict(enum.StrEnum):
    """Verdict of playing out all lines."""

    HOLDS = "holds"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class PlayOutcome:
    """Result of playing out all lines between two points in some cells, the opponent to move.

    verdict    whether the owner joins the points, as far as the budget reached
    intrusion  the opponent's move that breaks them; None unless refuted
    carrier    the cells the owner needs; empty unless the points hold
    positions  how many positions were looked at
    """

    verdict: PlayVerdict
    intrusion: Cell | None
    carrier: CellSet
    positions: int


def play_out(
    position: Position,
    color: Color,
    ends: tuple[Point, Point],
    cells: CellSet,
    budget: int = BUDGET,
    *,
    likely: CellSet | None = None,
) -> PlayOutcome:
    """Decide whether the owner joins two points inside some empty cells, moving second.

    Empty ends count as the owner's stones. Gives up after `budget` positions,
    or when a line of play is too long. The opponent tries `likely` cells first.
    """
    game = _Game(position, color, ends, budget)
    if likely is not None:
        game.likely = _mask(likely)
    board = position.board
    everything = _mask(cells)
    try:
        joins, needed = game.second(everything, game.own)
    except _SpentError:
        return PlayOutcome(PlayVerdict.UNKNOWN, None, board.only(), game.positions)
    if not joins:
        return PlayOutcome(
            PlayVerdict.REFUTED, game.refutation(everything), board.only(), game.positions
        )
    carrier = board.only(*(bit.bit_length() - 1 for bit in _bits(needed)))
    return PlayOutcome(PlayVerdict.HOLDS, None, carrier, game.positions)


class _SpentError(Exception):
    """The budget is spent, or a line is too long."""


class _Game:
    """The game of joining two points; remembers what it has decided."""

    def __init__(
        self, position: Position, color: Color, ends: tuple[Point, Point], budget: int
    ) -> None:
        board = position.board
        self.start, self.goal = (1 << end for end in ends)
        points = (*position.stones(color).search(1), *board.edges(color))
        self.own = sum(1 << point for point in points) | self.start | self.goal
        self.positions = 0
        self.likely = 0
        self._budget = budget
        self._touching = [
            sum(1 << other for other in board.neighbors(point)) for point in range(board.size + 4)
        ]
        self._second: dict[tuple[int, int], Proof] = {}
        self._breaks: dict[tuple[int, int], int] = {}

    def refutation(self, left: int) -> Cell | None:
        """Return the opponent's move that was found to break the points; None if they may pass."""
        found = self._breaks.get((left, self.own), 0)
        return found.bit_length() - 1 if found else None

    def second(self, left: int, own: int) -> Proof:
        """Decide the game with the opponent to move."""
        key = left, own
        if key not in self._second:
            self._second[key] = self._decide_second(left, own)
        return self._second[key]

    def _decide_second(self, left: int, own: int) -> Proof:
        if self.positions == self._budget or (own & ~self.own).bit_count() > DEEPEST:
            raise _SpentError
        self.positions += 1
        if self._way(own, 0) is not None:
            return True, 0
        way = self._way(own, left)
        if way is None:
            return False, 0
        cut = self._cut(left, own, way)
        if cut:
            return self._broken(left, own, cut, 0)
        likely = self.likely if own == self.own else 0
        open_to, used, has_passed = left, 0, False
        while open_to:
            # To pass shows what the owner needs, and so where to play.
            pass_or_play = _lowest(open_to & way or open_to) if has_passed else 0
            intrusion = _lowest(open_to & likely) or pass_or_play
            joins, needed = self._first(left & ~intrusion, own)
            if not joins:
                return self._broken(left, own, intrusion, needed)
            open_to, used = open_to & needed, used | needed
            has_passed = has_passed or not intrusion
        return True, used

    def _cut(self, left: int, own: int, way: int) -> int:
        """Return a cell that all ways between the points lead over; 0 if there is none."""
        cuts = (cell for cell in _bits(way) if self._way(own, left & ~cell) is None)
        return next(cuts, 0)

    def _broken(self, left: int, own: int, intrusion: int, needed: int) -> Proof:
        """Return that an intrusion breaks the points, and remember it."""
        self._breaks[left, own] = intrusion
        return False, needed | intrusion

    def _first(self, left: int, own: int) -> Proof:
        """Decide the game with the owner to move."""
        way = self._way(own, left)
        if way is None:
            return False, 0
        open_to, used = left, 0
        for move in (*_bits(way), *_bits(left & ~way)):
            if move & open_to:
                joins, needed = self.second(left & ~move, own | move)
                if joins:
                    return True, needed | move
                open_to &= needed
                used |= needed
        return False, used

    def _way(self, own: int, left: int) -> int | None:
        """Return the free cells of a short way between the points; None if there is none."""
        before = {self.start: 0}
        waiting = deque([self.start])
        while waiting:
            point = waiting.popleft()
            if point == self.goal:
                break
            touched = self._touching[point.bit_length() - 1]
            for step in _bits(touched & (own | left)):
                if step not in before:
                    before[step] = point
                    (waiting.appendleft if step & own else waiting.append)(step)
        else:
            return None
        cells, point = 0, self.goal
        while point:
            cells |= point & left
            point = before[point]
        return cells


def _mask(cells: CellSet) -> int:
    return sum(1 << cell for cell in cells.search(1))


def _lowest(cells: int) -> int:
    return cells & -cells


def _bits(cells: int) -> Iterator[int]:
    while cells:
        yield cells & -cells
        cells &= cells - 1
