"""Turn the question whether two points are joined into a position on a separate board.

A *tether* of the owner's stones leads from one end to the north edge of that board, and
another from the other end to the south edge (an end that is an edge is the south edge
itself). All cells outside the carrier are the opponent's. A tether touches no open cell
that its end does not touch, and nothing else of the owner, so the edges of the board are
joined exactly when the ends are::

    W W T W W      T  the tether of X, which goes to the north edge
    W W X . W      .  the carrier
    W . . . W
    . . . . W      the south edge is the other end

An end surrounded by the carrier cannot be tethered this way: its tether has to cross open
cells. Then there are two boards. The *narrow* one gives the cells that the tether takes or
touches to the opponent, so ends that are joined there are joined. The *wide* one leaves the
touched cells open and gives the owner the tether, so ends that are cut there are cut. An edge of
the owner that is not an end is a row of stones on a narrow board, or left to the opponent; on a
wide board it is merged with an end.
"""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from hsearch.hex import MAX_SIDE, Board, Cell, CellSet, Color, Point, Position, captains, cells_in
from hsearch.hex.board import DIRECTIONS

Place: TypeAlias = tuple[int, int]  # column and row, from the owner's side

_MARGINS = (1, 2, 3)
_INFINITE = float("inf")
_STEP = 0.001  # cost of a cell of a tether that takes nothing from the carrier


@dataclass(frozen=True, slots=True)
class PairBoard:
    """A question as a position on a separate board: Black is the owner, White is to move.

    cells     the cell of the question for each open cell
    is_exact  whether the tethers take nothing from the carrier
    """

    position: Position
    cells: dict[Cell, Cell]
    is_exact: bool
    places: dict[Cell, Cell] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Set `places`, the inverse of `cells`."""
        object.__setattr__(self, "places", {cell: at for at, cell in self.cells.items()})

    def at(self, own: CellSet, free: CellSet, turn: Color) -> Position:
        """Return the position in which `own` cells are the owner's and `free` ones open."""
        start, board = self.position, self.position.board
        stones = board.only(*(self.places[cell] for cell in own.search(1)))
        black, rest = start.black | stones, board.only(*(self.places[c] for c in free.search(1)))
        return Position(board, black, ~(black | rest), turn)

    def back(self, carrier: int, board: Board) -> CellSet:
        """Return the cells of the question in a set of cells of this board."""
        return board.only(*(self.cells[at] for at in cells_in(carrier) if at in self.cells))


def embed(
    position: Position,
    color: Color,
    ends: tuple[Point, Point],
    cells: CellSet,
    *,
    is_wide: bool = False,
) -> PairBoard | None:
    """Return a question as a position; None if no tether exists, or the board is too large.

    All empty cells but `cells` and the ends are the opponent's. The ends are not joined by
    stones, and are not in `cells`.
    """
    layout = _Layout(position, color, ends, cells)
    if layout.edge_ends == len(ends):
        return layout.draw(layout.inner, set(), is_exact=True)
    choices = [True] if is_wide else [True, False] if layout.strips else [False]
    for with_edges in choices:
        for margin in _MARGINS:
            board = layout.tether(margin, is_wide=is_wide, with_edges=with_edges)
            if board is not None:
                return board
    return None


class _Layout:
    """A question seen by its owner, who joins north and south; an edge that is an end is south."""

    def __init__(
        self, position: Position, color: Color, ends: tuple[Point, Point], cells: CellSet
    ) -> None:
        board, own = position.board, position.board.edges(color)
        self._board, self._color = board, color
        self._size = (
            (board.columns, board.rows)
            if color is Color.BLACK
            else (
                board.rows,
                board.columns,
            )
        )
        self.edge_ends = sum(map(board.is_edge, ends))
        self._is_turned = self.edge_ends == 1 and own[0] in ends
        self._cells = {self._place(cell): cell for cell in cells.search(1)}
        captain_of = captains(position, color)
        groups: dict[Point, set[Place]] = {}
        for point, captain in captain_of.items():
            if not (board.is_edge(point) or position.empty[point]):
                groups.setdefault(captain, set()).add(self._place(point))
        # The upper end first; an edge comes last.
        order = sorted(ends, key=lambda end: (board.is_edge(end), self._row(end)))
        self._ends = [groups.pop(captain_of[end], set()) for end in order]
        for end, group in zip(order, self._ends, strict=True):
            if not board.is_edge(end):
                group.add(self._place(end))
        near = _all_around({*self._cells}.union(*self._ends))
        self._others = [group for group in groups.values() if group & near]
        columns, rows = self._size
        self.inner = (0, columns - 1, 0, rows - 1)
        places = {*self._cells}.union(*self._ends, *self._others)
        first, last = (extreme((c for c, _ in places), default=0) for extreme in (min, max))
        self.strips = []
        for row, beside, shift in ((-1, 0, 0), (rows, rows - 1, -1)):
            if row != (rows if self.edge_ends else None) and any(r == beside for _, r in places):
                strip = {(column, row) for column in range(first + shift, last + shift + 2)}
                self.strips.append(strip)

    def draw(
        self,
        window: tuple[int, int, int, int],
        tethers: set[Place],
        *,
        shut: Iterable[Place] = (),
        strips: Iterable[set[Place]] = (),
        is_exact: bool,
    ) -> PairBoard:
        """Return the question on a board that shows a window of the plane."""
        left, right, top, bottom = window
        board = Board(right - left + 1, bottom - top + 1)
        own = tethers.union(*self._ends, *self._others, *strips)
        stones = board.only(
            *(board.at(c - left, r - top) for c, r in own if _contains(window, (c, r)))
        )
        barriers = {*shut, *tethers}
        cells = {
            board.at(c - left, r - top): cell
            for (c, r), cell in self._cells.items()
            if (c, r) not in barriers
        }
        free = board.only(*cells)
        return PairBoard(Position(board, stones, ~(stones | free), Color.WHITE), cells, is_exact)

    def tether(self, margin: int, *, is_wide: bool, with_edges: bool) -> PairBoard | None:
        """Return the question with tethers inside a margin; None if none exists."""
        strips = self.strips if with_edges and not is_wide else []
        groups = [*self._others, *strips]
        window = self._window(groups, margin, is_game=is_wide and bool(self.strips))
        if max(window[1] - window[0], window[3] - window[2]) >= MAX_SIDE:
            return None
        x, y = (end.union(*(s for s in strips if s & _all_around(end))) for end in self._ends)
        others = [group for group in groups if group not in (x, y)]
        search = _TetherSearch(window, self._cells, others, is_wide=is_wide)
        first, second = search.find(x, y | search.beyond(window[3] + 1), window[2]), None
        if first is not None:
            obstacles = x.union(first[0], search.beyond(window[2] - 1))
            second = ([], 0.0) if self.edge_ends else search.find(y, obstacles, window[3])
        if first is None or second is None:
            return None
        tethers = {*first[0], *second[0]}
        shut = (
            set()
            if is_wide
            else search.open_neighbors(x, first[0]) | search.open_neighbors(y, second[0])
        )
        is_exact = first[1] + second[1] < 1 and (bool(strips) or not self.strips)
        used = {*self._cells}.union(*self._ends, *groups)
        window = _trimmed(window, used, {*first[0]}, {*second[0]})
        return self.draw(window, tethers, shut=shut, strips=strips, is_exact=is_exact)

    def _window(
        self, groups: list[set[Place]], margin: int, *, is_game: bool
    ) -> tuple[int, int, int, int]:
        """Return the first and last column and row; with `is_game`, the rows are the board's."""
        places = set(self._cells).union(*self._ends, *groups)
        left, right = (extreme(column for column, _ in places) for extreme in (min, max))
        top, bottom = (extreme(row for _, row in places) for extreme in (min, max))
        left, right = left - margin + 1, right + margin - 1
        if is_game:
            return left, right, 0, self._size[1] - 1
        below = self._size[1] - 1 if self.edge_ends else bottom + margin
        return left, right, top - margin, below

    def _row(self, point: Point) -> int:
        return 0 if self._board.is_edge(point) else self._place(point)[1]

    def _place(self, cell: Cell) -> Place:
        column, row = self._board.column_and_row(cell)
        if self._color is Color.WHITE:
            column, row = row, column
        if self._is_turned:
            return self._size[0] - 1 - column, self._size[1] - 1 - row
        return column, row


class _TetherSearch:
    """The search for tethers: paths of the owner's stones from an end to a side of the window."""

    def __init__(
        self,
        window: tuple[int, int, int, int],
        cells: Iterable[Place],
        others: list[set[Place]],
        *,
        is_wide: bool,
    ) -> None:
        self._window, self._cells, self._is_wide = window, set(cells), is_wide
        self._others: set[Place] = set().union(*others)

    def find(
        self, end: set[Place], obstacles: set[Place], goal: int
    ) -> tuple[list[Place], float] | None:
        """Return the tether that takes least of the carrier, and its cost; None if there is none.

        It touches nothing of `obstacles`: the other end and its tether. `goal` is a row.
        """
        around = _all_around(end)
        cost: dict[Place, float] = {}
        before: dict[Place, Place | None] = {}
        waiting: list[tuple[float, Place]] = []

        def reach(place: Place, so_far: float, back: Place | None) -> None:
            more = self._cost(place, end, around, obstacles)
            if more is not None and so_far + more < cost.get(place, _INFINITE):
                cost[place], before[place] = so_far + more, back
                heapq.heappush(waiting, (so_far + more, place))

        if any(row == goal for _, row in end):
            return [], 0.0
        for place in around:
            reach(place, 0.0, None)
        while waiting:
            so_far, place = heapq.heappop(waiting)
            if so_far > cost[place]:
                continue
            if place[1] == goal:
                tether: list[Place] = []
                at: Place | None = place
                while at is not None:
                    tether.append(at)
                    at = before[at]
                return tether, so_far
            for near in _around(place):
                reach(near, so_far, place)
        return None

    def beyond(self, row: int) -> set[Place]:
        """Return a row of places, beside the window."""
        return {(column, row) for column in range(self._window[0] - 1, self._window[1] + 2)}

    def open_neighbors(self, end: set[Place], tether: Iterable[Place]) -> set[Place]:
        """Return the open cells that a tether touches and its end does not."""
        return _all_around(set(tether)) & self._cells - _all_around(end)

    def _cost(
        self, place: Place, end: set[Place], around: set[Place], obstacles: set[Place]
    ) -> float | None:
        """Return the cost of a cell of a tether, in open cells; None where it cannot go."""
        if place in end or place in obstacles or not _contains(self._window, place):
            return None
        near = _around(place)
        if not obstacles.isdisjoint(near):
            return None
        if not self._is_wide and (place in self._others or not self._others.isdisjoint(near)):
            return None
        losses = sum(other in self._cells and other not in around for other in near)
        return _STEP + (place in self._cells) + losses


def _trimmed(
    window: tuple[int, int, int, int], used: set[Place], first: set[Place], second: set[Place]
) -> tuple[int, int, int, int]:
    """Return the part of a window that the question needs, whatever margin the tethers had.

    A column without stones of the owner and open cells is the same as the opponent's edge beside
    it. Where a tether alone crosses two rows, the inner one serves as its edge. Kernels are
    compiled for each number of 64-bit words: a pair on 11x11 had a board of five, now of four.
    """
    all_used = used | first | second
    columns = [column for column, row in all_used if window[2] <= row <= window[3]]
    top, bottom = window[2:]
    while _is_crossed((top, top + 1), first, used | second):
        top += 1
    while _is_crossed((bottom, bottom - 1), second, used | first):
        bottom -= 1
    return min(columns), max(columns), top, bottom


def _is_crossed(rows: tuple[int, int], tether: set[Place], others: set[Place]) -> bool:
    """Return whether a tether crosses both rows, and nothing else is in them."""
    return {row for _, row in tether}.issuperset(rows) and not any(row in rows for _, row in others)


def _around(place: Place) -> list[Place]:
    return [(place[0] + right, place[1] + down) for right, down in DIRECTIONS]


def _all_around(places: set[Place]) -> set[Place]:
    return {near for place in places for near in _around(place)} - places


def _contains(window: tuple[int, int, int, int], place: Place) -> bool:
    left, right, top, bottom = window
    return left <= place[0] <= right and top <= place[1] <= bottom
