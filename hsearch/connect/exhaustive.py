"""Complete play inside a carrier: whether two points can be joined there, and in how many moves.

It uses no rule of deduction, so it can judge what the rules derive, and what
they miss.
"""

import math
import mmap
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsearch.connect.connection import Connection
from hsearch.hex import Cell, CellSet, Color, Point, Position, captains
from hsearch.hex.board import to_number
from hsearch.kernels import exhaustive as kernel
from hsearch.kernels import stop
from hsearch.kernels.exhaustive import MOST_POINTS

_LARGEST_TABLE = 22

ColoredMove: TypeAlias = tuple[Color, Cell]


@dataclass(frozen=True, slots=True)
class JoinOutcome:
    """Result of the game of joining two points inside a carrier.

    joined  whether the owner joins them; None if the budget did not suffice
    cells   the cells that the winner needs: the loser may have all others
    """

    joined: bool | None
    cells: CellSet


class JoinGame:
    """The game of joining two points inside a carrier.

    Holds state: the results of one search speed up the next. An empty end
    counts as the owner's stone; the whole group of an end counts as that end.
    """

    def __init__(
        self, position: Position, color: Color, ends: tuple[Point, Point], carrier: CellSet
    ) -> None:
        """Prepare to play.

        Raise ValueError if the carrier's cells and the groups that touch them or an empty end
        exceed `MOST_POINTS`.
        """
        self.position = position
        self.color = color
        self.carrier = carrier
        self.ends_touch = False
        self.nodes = 0
        self._cells = list(carrier.search(1))
        self._graph = self._build(ends)
        points = len(self._graph) - kernel.NEIGHBORS
        self._groups = (1 << points) - (1 << len(self._cells))
        self._table = _new_table(1 << min(_LARGEST_TABLE, len(self._cells) + 1))
        self._history = np.zeros((2, MOST_POINTS), np.int64)
        self._rates = np.zeros((MOST_POINTS + 2, MOST_POINTS), np.int64)
        self._stack = np.zeros((MOST_POINTS + 1, 9), np.int64)

    def play(
        self,
        free: CellSet | None = None,
        own: CellSet | None = None,
        *,
        opponent_first: bool = True,
        budget: int | None = None,
    ) -> JoinOutcome:
        """Return who wins if these cells of the carrier are free, and these the owner's.

        By default all are free. The `budget` bounds how many positions are visited; None
        means no bound. Raise Stopped if `hsearch.kernels.stop` ends the search early.
        """
        board = self.position.board
        if self.ends_touch:
            return JoinOutcome(joined=True, cells=board.only())
        work = np.array([2**62 if budget is None else budget, stop.address()], np.int64)
        before = int(work[0])
        answer = kernel.solve(
            (
                self._bits(own) | self._groups,
                self._bits(self.carrier if free is None else free),
                int(opponent_first),
            ),
            self._graph,
            self._table,
            self._history,
            self._rates,
            self._stack,
            work,
        )
        stop.check(late=True)
        self.nodes += before - int(work[0])
        verdict, cells = int(answer) & 3, int(answer) >> 2
        needs = board.only(*(cell for i, cell in enumerate(self._cells) if cells >> i & 1))
        return JoinOutcome(None if verdict == kernel.UNKNOWN else verdict == kernel.JOINED, needs)

    def refutation(self, first: Cell | None = None) -> tuple[ColoredMove, ...]:
        """Return a line of play in which the opponent, moving first, cuts the ends.

        It begins with `first`, which must be a move that cuts; None means any such
        move. The owner replies so that the opponent has the fewest moves that
        still cut. The line is empty if the owner wins.
        """
        board = self.position.board
        free, own = self.carrier, board.only()
        line: list[ColoredMove] = []
        while True:
            is_given = first is not None and not line
            cut = first if is_given else next(self._cuts(free, own), None)
            if cut is None:
                return tuple(line)
            line.append((self.color.opponent, cut))
            free = free & ~board.only(cut)
            if not self.play(board.only(), free | own).joined:
                return tuple(line)
            stone = self._stubborn(free, own)
            line.append((self.color, stone))
            own, free = own | board.only(stone), free & ~board.only(stone)

    def _cuts(self, free: CellSet, own: CellSet) -> Iterator[Cell]:
        """Yield the opponent's moves after which the owner, to move, cannot join the ends."""
        board = self.position.board
        for cell in free.search(1):
            if self.play(free & ~board.only(cell), own, opponent_first=False).joined is False:
                yield cell

    def _stubborn(self, free: CellSet, own: CellSet) -> Cell:
        """Return the owner's move that leaves the opponent the fewest ways to cut."""
        board = self.position.board

        def ways(cell: Cell) -> int:
            return sum(1 for _ in self._cuts(free & ~board.only(cell), own | board.only(cell)))

        return min(free.search(1), key=ways)

    def _bits(self, cells: CellSet | None) -> int:
        if cells is None:
            return 0
        return sum(1 << i for i, cell in enumerate(self._cells) if cells[cell])

    def _build(self, ends: tuple[Point, Point]) -> NDArray[np.int64]:
        """Return which points touch the ends and each other, as the kernel takes it."""
        board, captain_of = self.position.board, captains(self.position, self.color)
        first, second = (captain_of[end] for end in ends)
        places = {cell: place for place, cell in enumerate(self._cells)}
        around = (board.neighbors(point) for point in (*self._cells, *ends))
        near = {captain_of.get(point) for points in around for point in points}
        where: dict[Point, int] = {}
        for point, captain in captain_of.items():
            if captain in (first, second):
                where[point] = kernel.TO_FIRST if captain == first else kernel.TO_SECOND
            elif point in places:
                where[point] = kernel.NEIGHBORS + places[point]
            elif captain in near and (board.is_edge(point) or not self.position.empty[point]):
                place = places.setdefault(captain, len(places))
                where[point] = kernel.NEIGHBORS + place
        graph = [0] * (kernel.NEIGHBORS + len(places))
        for point, place in where.items():
            for other in board.neighbors(point):
                touches = where.get(other, place)
                if touches >= kernel.NEIGHBORS and touches != place:
                    graph[place] |= 1 << touches - kernel.NEIGHBORS
                self.ends_touch |= {place, touches} == {kernel.TO_FIRST, kernel.TO_SECOND}
        self.ends_touch |= first == second
        if len(places) > MOST_POINTS:
            raise ValueError(f"{len(places)} cells and groups to play in, at most {MOST_POINTS}")
        return np.array(graph, np.int64)


# The table of a large carrier has 100 MB, of which most questions need little. NumPy asks the
# system for pages of 2 MB, which some systems use anyway, so a few hundred positions took all of
# it. In small pages ten million positions take 7% longer.

_PRIVATE = {} if os.name == "nt" else {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS}


def _new_table(rows: int) -> NDArray[np.int64]:
    """Return rows of three zeros, which take memory as they are written."""
    memory = mmap.mmap(-1, 24 * rows, **_PRIVATE)
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        with suppress(OSError):  # a system that has no large pages
            memory.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(memory, np.int64).reshape(rows, 3)


# The depth of a connection: how many moves it takes until stones join its ends.
#
# Both players play perfectly, inside the carrier: the owner to join soon, the
# opponent to delay that (Anshelevich 2002). Touching points have depth 0, a bridge 2.

MOST_CELLS = 10  # of a carrier; every line of play in it is searched


def depth(position: Position, color: Color, connection: Connection) -> int | None:
    """Return the moves until a connection is solid; None if its carrier has over MOST_CELLS cells.

    The opponent moves first; in a semi, the owner. Raise ValueError if the opponent
    can cut it, so that it is not a connection.
    """
    if connection.carrier.count() > MOST_CELLS:
        return None
    play = _Play(position, color, connection)
    carrier = to_number(connection.carrier)
    moves = play.attack(carrier, 0) if connection.is_full else play.connect(carrier, 0)
    if math.isinf(moves):
        raise ValueError("no connection: the opponent can cut it")
    return int(moves)


class _Play:
    """All lines of play inside a carrier; the cells left, and the owner's, are sets of bits."""

    def __init__(self, position: Position, color: Color, connection: Connection) -> None:
        captain_of = captains(position, color)
        self.board = position.board
        self.cells = list(connection.carrier.search(1))
        self.x, self.y = (
            {end, *(point for point, captain in captain_of.items() if captain == end)}
            for end in connection.ends
        )
        stones = position.stones(color).search(1)
        self.stones: set[Point] = {*stones, *self.board.edges(color), *self.x, *self.y}
        self.joins = cache(self._joins)
        self.attack = cache(self._attack)
        self.connect = cache(self._connect)

    def _attack(self, free: int, own: int) -> float:
        """Return the moves until the ends are joined, the opponent to move."""
        if self.joins(own):
            return 0
        if not self.joins(own | free):
            return math.inf
        return max(
            (1 + self.connect(free & ~bit, own) for bit in self._bits(free)), default=math.inf
        )

    def _connect(self, free: int, own: int) -> float:
        """Return the moves until the ends are joined, the owner to move."""
        after = (self.attack(free & ~bit, own | bit) for bit in self._bits(free))
        return 1 + min(after, default=math.inf)

    def _bits(self, free: int) -> list[int]:
        return [1 << cell for cell in self.cells if free >> cell & 1]

    def _joins(self, own: int) -> bool:
        points = self.stones | {cell for cell in self.cells if own >> cell & 1}
        area, new = set(self.x), list(self.x)
        while new:
            neighbors = {point for point in self.board.neighbors(new.pop()) if point in points}
            new += neighbors - area
            area |= neighbors
        return not area.isdisjoint(self.y)
