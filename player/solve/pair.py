"""A question about two points as a Hex position on a board of its own.

A *tether* of the owner's stones leads from one end to the north edge of that board, and
another from the other end to the south edge (an end that is an edge is the south edge
itself). All cells outside the carrier are the opponent's. A tether touches no open cell
that its end does not touch, and nothing else of the owner, so the edges are joined
there exactly when the ends are joined here::

    W W T W W      T  the tether of X, which goes to the north edge
    W W X . W      .  the carrier
    W . . . W
    . . . . W      the south edge is the other end

An end that lies amid the carrier has no such way out. Then its tether crosses open
cells, and there are two boards: the *narrow* one shuts the cells that the tether takes
or touches, so what holds there holds here; the *wide* one leaves them open and gives
the owner the tether, so what fails there fails here. An edge of the owner that is no
end is a row of stones on a narrow board, or left to the opponent; on a wide one it is
one with an end.
"""

import heapq
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Protocol, TypeAlias

from hsearch.connect.closure import closure
from hsearch.connect.connection import (
    Connection,
    adjacent,
    and_rule,
    few_of,
    mustplay_rule,
    or_rule,
)
from hsearch.connect.exhaustive import JoinGame
from hsearch.connect.limits import Limits
from hsearch.hex.board import DIRECTIONS, MAX_SIDE, Board, Cell, CellSet, Color, Point, cells_in
from hsearch.hex.position import Position, captains, subgame
from player.solve.budget import PAIR_SECONDS, OutOfTimeError
from player.solve.solver import Solver
from player.work.clock import now

Place: TypeAlias = tuple[int, int]  # column and row, from the owner's side

_MARGINS = (1, 2, 3)
_INFINITE = float("inf")
_STEP = 0.001  # cost of a cell of a tether that takes nothing from the carrier


@dataclass(frozen=True, slots=True)
class PairBoard:
    """A question as a position on a board of its own, Black the owner, the opponent to move.

    cells     the cell of the question for each open cell
    is_exact  whether the tethers take nothing from the carrier
    """

    position: Position
    cells: dict[Cell, Cell]
    is_exact: bool
    places: dict[Cell, Cell] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Note where each cell of the question lies."""
        object.__setattr__(self, "places", {cell: at for at, cell in self.cells.items()})

    def at(self, own: CellSet, free: CellSet, turn: Color) -> Position:
        """Return the position in which some cells of the carrier are the owner's and some open."""
        start, board = self.position, self.position.board
        stones = board.only(*(self.places[cell] for cell in own.search(1)))
        black, rest = start.black | stones, board.only(*(self.places[c] for c in free.search(1)))
        return Position(board, black, ~(black | rest), turn)

    def back(self, carrier: int, board: Board) -> CellSet:
        """Return the cells of the question in a set of cells of this board."""
        return board.only(*(self.cells[at] for at in cells_in(carrier) if at in self.cells))


def embedded(
    position: Position,
    color: Color,
    ends: tuple[Point, Point],
    cells: CellSet,
    *,
    is_wide: bool = False,
) -> PairBoard | None:
    """Return a question as a position; None if no tether finds its way, or the board is too large.

    All empty cells but `cells` and the ends are the opponent's. The ends are not joined by
    stones, and are not in `cells`.
    """
    layout = _Layout(position, color, ends, cells)
    if layout.edge_ends == len(ends):
        return layout.drawn(layout.inner, set(), is_exact=True)
    ways = [True] if is_wide else [True, False] if layout.strips else [False]
    for with_edges in ways:
        for margin in _MARGINS:
            found = layout.tethered(margin, is_wide=is_wide, with_edges=with_edges)
            if found is not None:
                return found
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
        named = captains(position, color)
        groups: dict[Point, set[Place]] = {}
        for point, captain in named.items():
            if not (board.is_edge(point) or position.empty[point]):
                groups.setdefault(captain, set()).add(self._place(point))
        # The upper end first; an edge comes last.
        order = sorted(ends, key=lambda end: (board.is_edge(end), self._row(end)))
        self._ends = [groups.pop(named[end], set()) for end in order]
        for end, group in zip(order, self._ends, strict=True):
            if not board.is_edge(end):
                group.add(self._place(end))
        near = _all_around({*self._cells}.union(*self._ends))
        self._others = [group for group in groups.values() if group & near]
        columns, rows = self._size
        self.inner = (0, columns - 1, 0, rows - 1)
        shown = {*self._cells}.union(*self._ends, *self._others)
        first, last = (edge((c for c, _ in shown), default=0) for edge in (min, max))
        self.strips = []
        for row, beside, shift in ((-1, 0, 0), (rows, rows - 1, -1)):
            if row != (rows if self.edge_ends else None) and any(r == beside for _, r in shown):
                strip = {(column, row) for column in range(first + shift, last + shift + 2)}
                self.strips.append(strip)

    def drawn(
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
            *(board.at(c - left, r - top) for c, r in own if _holds(window, (c, r)))
        )
        gone = {*shut, *tethers}
        cells = {
            board.at(c - left, r - top): cell
            for (c, r), cell in self._cells.items()
            if (c, r) not in gone
        }
        free = board.only(*cells)
        return PairBoard(Position(board, stones, ~(stones | free), Color.WHITE), cells, is_exact)

    def tethered(self, margin: int, *, is_wide: bool, with_edges: bool) -> PairBoard | None:
        """Return the question with tethers inside a margin; None if they find no way."""
        strips = self.strips if with_edges and not is_wide else []
        groups = [*self._others, *strips]
        window = self._window(groups, margin, is_game=is_wide and bool(self.strips))
        if max(window[1] - window[0], window[3] - window[2]) >= MAX_SIDE:
            return None
        x, y = (end.union(*(s for s in strips if s & _all_around(end))) for end in self._ends)
        way = _Tether(window, self._cells, [g for g in groups if g not in (x, y)], is_wide=is_wide)
        first, second = way.find(x, y | way.beyond(window[3] + 1), window[2]), None
        if first is not None:
            foe = x.union(first[0], way.beyond(window[2] - 1))
            second = ([], 0.0) if self.edge_ends else way.find(y, foe, window[3])
        if first is None or second is None:
            return None
        tethers = {*first[0], *second[0]}
        shut = set() if is_wide else way.touched(x, first[0]) | way.touched(y, second[0])
        is_exact = first[1] + second[1] < 1 and (bool(strips) or not self.strips)
        return self.drawn(window, tethers, shut=shut, strips=strips, is_exact=is_exact)

    def _window(
        self, groups: list[set[Place]], margin: int, *, is_game: bool
    ) -> tuple[int, int, int, int]:
        """Return the first and last column and row; those are the board's in the game itself."""
        places = set(self._cells).union(*self._ends, *groups)
        left, right = (edge(column for column, _ in places) for edge in (min, max))
        top, bottom = (edge(row for _, row in places) for edge in (min, max))
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


class _Tether:
    """The search for tethers: ways of the owner's stones from an end to a side of the window."""

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

    def find(self, end: set[Place], foe: set[Place], goal: int) -> tuple[list[Place], float] | None:
        """Return the tether that takes least of the carrier, and how much; None if there is none.

        It touches nothing of `foe`: the other end and its tether.
        """
        around = _all_around(end)
        cost: dict[Place, float] = {}
        before: dict[Place, Place | None] = {}
        waiting: list[tuple[float, Place]] = []

        def reach(place: Place, so_far: float, back: Place | None) -> None:
            more = self._cost(place, end, around, foe)
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
                way: list[Place] = []
                at: Place | None = place
                while at is not None:
                    way.append(at)
                    at = before[at]
                return way, so_far
            for near in _around(place):
                reach(near, so_far, place)
        return None

    def beyond(self, row: int) -> set[Place]:
        """Return a row of places, beside the window."""
        return {(column, row) for column in range(self._window[0] - 1, self._window[1] + 2)}

    def touched(self, end: set[Place], tether: Iterable[Place]) -> set[Place]:
        """Return the open cells that a tether touches and its end does not."""
        return _all_around(set(tether)) & self._cells - _all_around(end)

    def _cost(
        self, place: Place, end: set[Place], around: set[Place], foe: set[Place]
    ) -> float | None:
        """Return how many open cells a cell of a tether takes; None where it cannot go."""
        if place in end or place in foe or not _holds(self._window, place):
            return None
        near = _around(place)
        if not foe.isdisjoint(near):
            return None
        if not self._is_wide and (place in self._others or not self._others.isdisjoint(near)):
            return None
        lost = sum(other in self._cells and other not in around for other in near)
        return _STEP + (place in self._cells) + lost


def _around(place: Place) -> list[Place]:
    return [(place[0] + right, place[1] + down) for right, down in DIRECTIONS]


def _all_around(places: set[Place]) -> set[Place]:
    return {near for place in places for near in _around(place)} - places


def _holds(window: tuple[int, int, int, int], place: Place) -> bool:
    left, right, top, bottom = window
    return left <= place[0] <= right and top <= place[1] <= bottom


# Are two points joined, even if the opponent moves first? Answered by the solver.
#
# The solver is only an oracle for a connection: its moves become a derivation by OR and
# must-play steps on the position itself, with H-search at the leaves, which
# `hsearch.check` derives again without it. The opponent's win is the solver's word.

SECONDS = PAIR_SECONDS
_MEMORY = 300  # megabytes
_MOST_PLAYED = 24  # cells of a carrier that may be played out
_PLAYED = 100_000  # positions of that
_DETOUR = 4  # cells that a way through the first, small carrier may be longer than the shortest


@dataclass(frozen=True, slots=True)
class PairAnswer:
    """Answer to the question whether two points are joined.

    connection  a full; a semi if there is none; None if neither was derived
    joined      whether the owner joins the points though the opponent moves first;
                None if that is open
    first       the same if the owner moves first
    intrusion   a move of the opponent after which the points cannot be joined, by the
                solver's proof; None if they are joined, or fail even with the first move
    positions   how many positions were looked at
    seconds     the time that was allowed
    """

    connection: Connection | None
    joined: bool | None
    first: bool | None
    intrusion: Cell | None
    positions: int
    seconds: float


def join(
    position: Position,
    color: Color,
    ends: tuple[Point, Point],
    within: CellSet | None = None,
    seconds: float = SECONDS,
) -> PairAnswer:
    """Find whether a player joins two points inside some empty cells, or inside all.

    Compiling kernels does not count as time. The connection is one of the position in
    which all other empty cells are the opponent's, and so of `position` as well.
    """
    search = _Search(position, color, ends, within, seconds)
    with suppress(OutOfTimeError):
        search.run()
    return search.answer


class _Search:
    """The search for one answer. Holds state: `answer` is true at any time."""

    def __init__(
        self,
        position: Position,
        color: Color,
        ends: tuple[Point, Point],
        within: CellSet | None,
        seconds: float,
    ) -> None:
        board = position.board
        cells = position.empty if within is None else position.empty & within
        self._cells = cells & ~board.only(*(end for end in ends if not board.is_edge(end)))
        self._color, self._ends = color, ends
        self._position = subgame(position, color, self._cells, *ends)
        self.answer = PairAnswer(None, None, None, None, 0, seconds)
        # Two points may be joined over an edge; what is joined to an edge ends there.
        self._limits = Limits(edge_pivot=not any(map(board.is_edge, ends)))
        self._solvers: dict[Board, Solver] = {}

    def run(self) -> None:
        """Answer it, or raise OutOfTimeError."""
        where = self._position, self._color, self._ends
        near = self._near()
        small = None if near is None else embedded(*where, near)
        narrow = embedded(*where, self._cells)
        wide = narrow
        if narrow is None or not narrow.is_exact:
            wide = embedded(*where, self._cells, is_wide=True)
        asked = {id(b): self._oracle(b) for b in (small, narrow, wide) if b is not None}
        begin = now()
        self._deadline = begin + self.answer.seconds
        if small is not None and self._full(asked[id(small)], begin + self.answer.seconds / 4):
            return
        if narrow is not None and self._full(asked[id(narrow)], self._deadline):
            return
        if wide is not None:
            self._break(asked[id(wide)])
        if self.answer.joined is None and self._cells.count() <= _MOST_PLAYED:
            played = PlayOracle(*where, self._cells)
            if self._full(played, self._deadline):
                return
            self._break(played)
            if self.answer.first is not False:
                self._semi(played)
        for each in (small, narrow):
            if each is not None and self.answer.first is None:
                self._semi(asked[id(each)])

    def _oracle(self, place: PairBoard) -> "SolverOracle":
        board = place.position.board
        if board not in self._solvers:
            self._solvers[board] = Solver(board, memory=_MEMORY)
            self._solvers[board].prepare()
        return SolverOracle(place, self._solvers[board], self._position.board)

    def _ask(
        self, oracle: "_Oracle", own: CellSet, free: CellSet, deadline: float, *, owner_first: bool
    ) -> "_Word | None":
        """Return whether the ends are joined, as an oracle says; None if it ran out of time."""
        word, positions = oracle.word(
            own, free, max(0.0, deadline - now()), owner_first=owner_first
        )
        self.answer = replace(self.answer, positions=self.answer.positions + positions)
        return word

    def _full(self, oracle: "_Oracle", deadline: float) -> bool:
        """Look for a full. Return whether the ends are joined."""
        nothing = self._position.board.only()
        word = self._ask(oracle, nothing, oracle.cells, deadline, owner_first=False)
        if word is None or not word.joined:
            return False
        self.answer = replace(self.answer, joined=True, first=True)
        full = self._derived(oracle, nothing, word.carrier, {})
        if full is None and not self._limits.edge_pivot:  # the other edge may be on the way
            self._limits = Limits(edge_pivot=True)
            full = self._derived(oracle, nothing, word.carrier, {})
        self.answer = replace(self.answer, connection=full)
        return True

    def _semi(self, oracle: "_Oracle") -> None:
        """Look for a semi."""
        nothing, free = self._position.board.only(), oracle.cells
        word = self._ask(oracle, nothing, free, self._deadline, owner_first=True)
        if word is not None and word.joined:
            self.answer = replace(self.answer, first=True)
            semi = self._after_key(oracle, nothing, free, word, {})
            self.answer = replace(self.answer, connection=semi)

    def _break(self, oracle: "_Oracle") -> None:
        """Look for a proof that the opponent cuts the ends, moving first or even second."""
        nothing, free = self._position.board.only(), oracle.cells
        word = self._ask(oracle, nothing, free, self._deadline, owner_first=False)
        if word is None or word.joined:
            return
        cut = word.first
        if cut is None:
            cut = next((word.carrier if word.carrier.any() else free).search(1), None)
        self.answer = replace(self.answer, joined=False, intrusion=cut)
        second = self._ask(oracle, nothing, free, self._deadline, owner_first=True)
        if second is not None and not second.joined:
            self.answer = replace(self.answer, first=False, intrusion=None)

    def _derived(
        self,
        oracle: "_Oracle",
        own: CellSet,
        free: CellSet,
        known: dict[tuple[CellSet, CellSet], Connection | None],
    ) -> Connection | None:
        """Return a full with these cells the owner's and these open, which the solver has proved.

        Where H-search has none, each cell that its semis share is an intrusion, and the
        solver's move against it leaves a full again. None if a step does not fit.
        """
        if (own, free) not in known:
            known[own, free] = None
            if now() > self._deadline:
                raise OutOfTimeError
            here = self._here(own, free)
            store = closure(here, self._color, self._limits)
            self.answer = replace(self.answer, positions=self.answer.positions + 1)
            found = store.fulls(*self._ends)
            if found:
                known[own, free] = found[0]
            else:
                semis = store.semis(*self._ends)
                known[own, free] = self._split(oracle, own, free, semis, known)
        return known[own, free]

    def _split(
        self,
        oracle: "_Oracle",
        own: CellSet,
        free: CellSet,
        semis: Iterable[Connection],
        known: dict[tuple[CellSet, CellSet], Connection | None],
    ) -> Connection | None:
        """Return the OR of semis, and of those that start with the answers to what they share."""
        board, semis = self._position.board, list(few_of(semis))
        shared = free
        for semi in semis:
            shared = shared & semi.carrier
        while shared.any():
            left = free & ~board.only(next(shared.search(1)))
            word = self._ask(oracle, own, left, self._deadline, owner_first=True)
            if word is None:
                raise OutOfTimeError
            answer = self._after_key(oracle, own, left, word, known) if word.joined else None
            if answer is None:
                return None
            semis.append(answer)
            shared = shared & answer.carrier
        return or_rule(*few_of(sorted(semis, key=lambda semi: semi.carrier.count())))

    def _after_key(
        self,
        oracle: "_Oracle",
        own: CellSet,
        free: CellSet,
        word: "_Word",
        known: dict[tuple[CellSet, CellSet], Connection | None],
    ) -> Connection | None:
        """Return the semi that starts with the move by which the solver wins."""
        board, color = self._position.board, self._color
        key = word.first
        if key is None:  # any will do, rather one that the proof needs
            key = next(chain((word.carrier & free).search(1), free.search(1)), None)
            if key is None:
                return None
        here = self._here(own, free)
        named = captains(here, color)
        x, y = (named[end] for end in self._ends)
        after = captains(here.put(key, color), color)
        if after[x] == after[y]:
            halves = (adjacent(x, key, board), adjacent(key, y, board))
            return and_rule(*halves, key, board, empty=True)
        carrier = word.carrier & free & ~board.only(key)
        full = self._derived(oracle, own | board.only(key), carrier, known)
        return None if full is None else mustplay_rule(full, x, y, key, here, color)

    def _here(self, own: CellSet, free: CellSet) -> Position:
        """Return the position with these cells the owner's and no others open but empty ends."""
        start = self._position
        taken = start.empty & self._cells & ~(own | free)
        if self._color is Color.BLACK:
            return replace(start, black=start.black | own, white=start.white | taken)
        return replace(start, white=start.white | own, black=start.black | taken)

    def _near(self) -> CellSet | None:
        """Return the cells on ways not much longer than the shortest; None if that is most."""
        position, board = self._position, self._position.board
        named = captains(position, self._color)
        levels = [_distances(position, self._cells, named, end) for end in self._ends]
        far = {
            cell: levels[0][cell] + levels[1][cell]
            for cell in self._cells.search(1)
            if cell in levels[0] and cell in levels[1]
        }
        shortest = min(far.values(), default=0)
        near = board.only(*(cell for cell, way in far.items() if way <= shortest + _DETOUR))
        return near if near.any() and 4 * near.count() < 3 * self._cells.count() else None


@dataclass(frozen=True, slots=True)
class _Word:
    """Whether the ends are joined, the winner's first move, and the cells that the winner needs."""

    joined: bool
    first: Cell | None
    carrier: CellSet


class _Oracle(Protocol):
    """Whatever knows who wins with some cells of a carrier the owner's and some open.

    cells  all cells that it leaves open
    """

    cells: CellSet

    def word(
        self, own: CellSet, free: CellSet, seconds: float, *, owner_first: bool
    ) -> tuple[_Word | None, int]:
        """Return what it knows, None after so long, and how many positions that took."""


class SolverOracle:
    """The solver, asked on a board of its own."""

    def __init__(self, place: PairBoard, solver: Solver, board: Board) -> None:
        self._place, self._solver, self._board = place, solver, board
        self.cells = board.only(*place.places)

    def word(
        self, own: CellSet, free: CellSet, seconds: float, *, owner_first: bool
    ) -> tuple[_Word | None, int]:
        """Return what the solver says."""
        place, before = self._place, self._solver.nodes
        turn = Color.BLACK if owner_first else Color.WHITE
        node = self._solver.decide(place.at(own, free, turn), seconds=seconds)
        positions = self._solver.nodes - before
        if node is None or node.winner is None:
            return None, positions
        first = None if node.first is None else place.cells.get(node.first)
        carrier = place.back(node.carrier, self._board)
        return _Word(node.winner == Color.BLACK, first, carrier), positions


class PlayOracle:
    """Complete play, for ends that no board of their own has room for."""

    def __init__(
        self, position: Position, color: Color, ends: tuple[Point, Point], cells: CellSet
    ) -> None:
        self._game, self.cells = JoinGame(position, color, ends, cells), cells
        self._board = position.board

    def word(
        self, own: CellSet, free: CellSet, seconds: float, *, owner_first: bool
    ) -> tuple[_Word | None, int]:
        """Return what comes of playing all lines, within a number of positions."""
        game, before = self._game, self._game.nodes
        if seconds <= 0:
            return None, 0
        found = game.play(free, own, opponent_first=not owner_first, budget=_PLAYED)
        if found.joined is None:
            return None, game.nodes - before
        first = self._first(own, free, joined=found.joined) if owner_first == found.joined else None
        return _Word(found.joined, first, found.cells & free), game.nodes - before

    def _first(self, own: CellSet, free: CellSet, *, joined: bool) -> Cell | None:
        """Return a move with which who moves first wins; None if any does."""
        game = self._game
        if game.play(free, own, opponent_first=joined).joined is joined:
            return None
        for cell in free.search(1):
            only = self._board.only(cell)
            after = (free & ~only, own | only) if joined else (free & ~only, own)
            if game.play(*after, opponent_first=joined).joined is joined:
                return cell
        return None


def _distances(
    position: Position, cells: CellSet, named: dict[Point, Point], start: Point
) -> dict[Point, int]:
    """Return how many cells a way from a point enters to get to each; own stones are free."""
    board = position.board
    found = {point: 0 for point, captain in named.items() if captain == named[start]}
    waiting = list(found)
    for point in waiting:
        for near in board.neighbors(point):
            if board.contains(cells, near) and near not in found:
                found[near] = found[point] + 1
                waiting.append(near)
            elif near in named and near not in found and not board.contains(position.empty, near):
                for other in (p for p, captain in named.items() if captain == named[near]):
                    found.setdefault(other, found[point])
                    waiting.append(other)
    return found
