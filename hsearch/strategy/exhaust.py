"""Play out all lines in some cells: do they join two points, or what breaks them?

The search knows no deduction rule. It carries proofs as sets of cells: to stop
the owner the opponent must play in the cells that the owner would need if the
opponent passed, and in those of every proof that beat an earlier try. Boards
are Python integers, one bit a point.
"""

import enum
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from hsearch.board import Cell, Color, Point
from hsearch.cells import CellSet
from hsearch.position import Position

BUDGET = 5_000


class Verdict(enum.StrEnum):
    """What playing out all lines has shown."""

    HOLDS = "holds"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of two points and some cells, the opponent to move.

    verdict    whether the owner joins the points, as far as the budget reached
    intrusion  the opponent's move that breaks them; None unless refuted
    carrier    the cells the owner needs; empty unless the points hold
    positions  how many positions were looked at
    """

    verdict: Verdict
    intrusion: Cell | None
    carrier: CellSet
    positions: int


def play_out(
    position: Position,
    color: Color,
    ends: tuple[Point, Point],
    cells: CellSet,
    budget: int = BUDGET,
) -> Outcome:
    """Decide whether the owner joins two points inside some empty cells, moving second.

    Empty ends count as the owner's stones. Gives up after `budget` positions.
    """
    game = _Game(position, color, ends, budget)
    board = position.board
    everything = sum(1 << cell for cell in cells.search(1))
    try:
        needed = game.second(everything, game.own)
    except _SpentError:
        return Outcome(Verdict.UNKNOWN, None, board.only(), budget)
    if needed is None:
        return Outcome(Verdict.REFUTED, game.refutation(everything), board.only(), game.positions)
    carrier = board.only(*(bit.bit_length() - 1 for bit in _bits(needed)))
    return Outcome(Verdict.HOLDS, None, carrier, game.positions)


class _SpentError(Exception):
    """The budget is spent."""


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
        self._budget = budget
        self._touching = [
            sum(1 << other for other in board.neighbors(point)) for point in range(board.size + 4)
        ]
        self._second: dict[tuple[int, int], int | None] = {}
        self._first: dict[tuple[int, int], int | None] = {}
        self._breaks: dict[tuple[int, int], int] = {}

    def refutation(self, left: int) -> Cell | None:
        """Return the opponent's move that was found to break the points."""
        found = self._breaks.get((left, self.own))
        return None if found is None else found.bit_length() - 1

    def second(self, left: int, own: int) -> int | None:
        """Return the cells the owner needs, the opponent to move; None if he is broken."""
        key = left, own
        if key not in self._second:
            self._second[key] = self._decide_second(left, own)
        return self._second[key]

    def _decide_second(self, left: int, own: int) -> int | None:
        self.positions += 1
        if self.positions > self._budget:
            raise _SpentError
        if self._way(own, 0) is not None:
            return 0
        needed = self.first(left, own)
        if needed is None:
            return None
        open_to, used = needed, needed
        while open_to:
            intrusion = open_to & -open_to
            needed = self.first(left & ~intrusion, own)
            if needed is None:
                self._breaks[left, own] = intrusion
                return None
            used |= needed
            open_to &= needed
        return used

    def first(self, left: int, own: int) -> int | None:
        """Return the cells the owner needs, the owner to move; None if no move of his helps."""
        key = left, own
        if key not in self._first:
            self._first[key] = self._decide_first(left, own)
        return self._first[key]

    def _decide_first(self, left: int, own: int) -> int | None:
        way = self._way(own, left)
        if way is None:
            return None
        for move in (*_bits(way), *_bits(left & ~way)):
            needed = self.second(left & ~move, own | move)
            if needed is not None:
                return needed | move
        return None

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


def _bits(cells: int) -> Iterator[int]:
    while cells:
        yield cells & -cells
        cells &= cells - 1
