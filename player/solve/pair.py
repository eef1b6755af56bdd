"""Decide by the solver whether two points are joined, even if the opponent moves first.

The solver searches a separate board (`player.solve.embedding`) and is only an oracle: its
moves become a derivation of the connection on the position itself, by OR and must-play
steps with H-search at the leaves, which `hsearch.check` derives again without the solver.
That the opponent cuts the points rests on the solver alone.
"""

import math
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeAlias

from hsearch.connect import Connection, Limits, exhaustive, library
from hsearch.connect.closure import closure
from hsearch.connect.connection import adjacent, and_rule, few_of, mustplay_rule, or_rule
from hsearch.hex import Board, Cell, CellSet, Color, Point, Position, captains
from hsearch.hex.position import subgame
from player.solve.budget import PAIR_SECONDS, SLOW, TRIES_A_SECOND, OutOfTimeError, Techniques
from player.solve.embedding import PairBoard, embed
from player.solve.solver import Solver
from player.work.clock import now

_MEMORY = 300  # megabytes
_TECHNIQUES = Techniques(net=False)  # no net has seen such boards: with one, row 6 took longer
_MOST_PLAYED = 24  # most cells of a carrier for complete play
_PLAYED = 100_000  # most positions of complete play
_TRIES_PLAYED = 30  # tries of the rules that take as long as one of these
_TRIES_A_CLOSURE = 100_000  # tries that take as long as reading the connections of a position
_DETOUR = 4  # cells by which a path in the first, small carrier may exceed the shortest


@dataclass(frozen=True, slots=True)
class PairAnswer:
    """Answer to the question whether two points are joined.

    connection  a full, or else a semi; None if neither was derived
    joined      whether the owner joins the points even if the opponent moves first;
                None if that is open
    first       the same if the owner moves first
    intrusion   a move of the opponent after which the points cannot be joined, by the
                solver's proof; None if they are joined, if the owner fails even with the first
                move, or if that is open
    positions   number of positions searched
    seconds     the time limit
    template    the name of a large template that joins them; its derivation may take longer
    """

    connection: Connection | None
    joined: bool | None
    first: bool | None
    intrusion: Cell | None
    positions: int
    seconds: float
    template: str | None = None

    @property
    def is_final(self) -> bool:
        """Whether nothing is open, so that a longer search would find no more."""
        if self.joined is None or self.first is None:
            return False
        return not self.first or self.connection is not None


def join(
    position: Position,
    color: Color,
    ends: tuple[Point, Point],
    within: CellSet | None = None,
    seconds: float | None = None,
    solvers: dict[Board, Solver] | None = None,
) -> PairAnswer:
    """Find whether a player joins two points inside the cells `within`, or all empty cells.

    `seconds` is a limit by the clock. By default the limit is 2 seconds of a free core, counted
    in tries of the rules, so that the answer does not depend on how fast or busy a machine is.
    Compiling kernels does not count. The connection holds in the position in which all other
    empty cells are the opponent's, and so in `position` as well. `solvers` are those of earlier
    questions, and get those of this one: what they prove for one carrier serves another.
    """
    search = _Search(position, color, ends, within, seconds, {} if solvers is None else solvers)
    with suppress(OutOfTimeError):
        search.run()
    return search.answer


# The steps are those of must-play deduction (Rasmussen and Maire, 2004), but no replies are
# tried: the solver names one that wins, and is asked again after each intrusion that
# H-search leaves open. So the depth has no limit, and an edge template of the sixth row,
# with 56 cells, is derived in a minute.
#
# The questions, in this order: the cells on short ways between the ends, in a quarter of the
# time, or those of a known large template; all cells, on a board that is harder for the
# owner (`narrow`) and on one that is easier (`wide`), unless one is exact; complete play, if
# there are at most `_MOST_PLAYED` cells; and whether the owner joins the ends with the first
# move.
#
# A net that orders the solver's moves was left out: with it that template took 73 s, without
# 61. Time by the clock made answers depend on the load of the machine. When all boards were
# prepared at the start, a bridge on 11x11 compiled kernels for 15 s that it did not need.
# Where an end is an edge, AND through edges is off; some pairs had no derivation then, so it
# is tried again with it.


class _Search:
    """The search for one answer. Holds state: `answer` is correct at any time."""

    def __init__(
        self,
        position: Position,
        color: Color,
        ends: tuple[Point, Point],
        within: CellSet | None,
        seconds: float | None,
        solvers: dict[Board, Solver],
    ) -> None:
        board = position.board
        cells = position.empty if within is None else position.empty & within
        self._cells = cells & ~board.only(*(end for end in ends if not board.is_edge(end)))
        self._color, self._ends = color, ends
        self._position = subgame(position, color, self._cells, *ends)
        self._clock = _Clock(is_steady=seconds is None)
        limit = PAIR_SECONDS if seconds is None else seconds
        self.answer = PairAnswer(None, None, None, None, 0, limit)
        # Two cells may be joined via an edge; if an end is an edge, this does not apply.
        self._limits = Limits(edge_pivot=not any(map(board.is_edge, ends)))
        self._solvers = solvers

    def run(self) -> None:
        """Complete `answer`, or raise OutOfTimeError."""
        where = self._position, self._color, self._ends
        near, share = self._aim()
        small = None if near is None else embed(*where, near)
        narrow = embed(*where, self._cells)
        wide = narrow
        if narrow is None or not narrow.is_exact:
            wide = embed(*where, self._cells, is_wide=True)
        self._clock.start()
        self._deadline = self.answer.seconds
        until = share * self.answer.seconds
        if small is not None and (self._full(self._oracle(small), until) or self.answer.template):
            return
        if narrow is not None and self._full(self._oracle(narrow), self._deadline):
            return
        if wide is not None:
            self._break(self._oracle(wide))
        if self.answer.joined is None and self._cells.count() <= _MOST_PLAYED:
            self._play_out(PlayOracle(*where, self._cells))
        for each in (small, narrow):
            if each is not None and self.answer.first is None:
                self._semi(self._oracle(each))

    def _aim(self) -> tuple[CellSet | None, float]:
        """Return the cells to search first, and for which share of the time.

        To the solver a template is a smaller question than all cells, and is known to join.
        """
        match = library.large_template(self._position, self._color, self._ends, self._cells)
        if match is None:
            return self._near(), 0.25
        template, carrier = match
        self.answer = replace(self.answer, joined=True, first=True, template=template.name)
        return carrier, 1.0

    def _play_out(self, oracle: "PlayOracle") -> None:
        """Search for a full, for a breaking intrusion, and for a semi, by complete play."""
        if self._full(oracle, self._deadline):
            return
        self._break(oracle)
        if self.answer.first is not False:
            self._semi(oracle)

    def _oracle(self, place: PairBoard) -> "SolverOracle":
        """Return a solver for a separate board. The time to prepare it does not count."""
        board = place.position.board
        if board not in self._solvers:
            begin = now()
            self._solvers[board] = Solver(board, memory=_MEMORY, techniques=_TECHNIQUES)
            self._solvers[board].prepare()
            self._clock.leave_out(now() - begin)
        return SolverOracle(place, self._solvers[board], self._position.board)

    def _ask(
        self, oracle: "_Oracle", own: CellSet, free: CellSet, deadline: float, *, owner_first: bool
    ) -> "_Verdict | None":
        """Return the verdict of an oracle about the ends; None if it ran out of time."""
        verdict, positions = oracle.verdict(
            own, free, self._clock, deadline, owner_first=owner_first
        )
        self.answer = replace(self.answer, positions=self.answer.positions + positions)
        return verdict

    def _full(self, oracle: "_Oracle", deadline: float) -> bool:
        """Search for a full. Return whether the ends are joined."""
        nothing = self._position.board.only()
        verdict = self._ask(oracle, nothing, oracle.cells, deadline, owner_first=False)
        if verdict is None or not verdict.joined:
            return False
        self.answer = replace(self.answer, joined=True, first=True)
        full = self._derive(oracle, nothing, verdict.carrier, {})
        if full is None and not self._limits.edge_pivot:  # the path may use the other edge
            self._limits = Limits(edge_pivot=True)
            full = self._derive(oracle, nothing, verdict.carrier, {})
        self.answer = replace(self.answer, connection=full)
        return True

    def _semi(self, oracle: "_Oracle") -> None:
        """Search for a semi."""
        nothing, free = self._position.board.only(), oracle.cells
        verdict = self._ask(oracle, nothing, free, self._deadline, owner_first=True)
        if verdict is not None and verdict.joined:
            self.answer = replace(self.answer, first=True)
            semi = self._after_key(oracle, nothing, free, verdict, {})
            self.answer = replace(self.answer, connection=semi)

    def _break(self, oracle: "_Oracle") -> None:
        """Search for a proof that the opponent cuts the ends, moving first or even second."""
        nothing, free = self._position.board.only(), oracle.cells
        verdict = self._ask(oracle, nothing, free, self._deadline, owner_first=False)
        if verdict is None or verdict.joined:
            return
        cut = verdict.first
        if cut is None:
            cut = next((verdict.carrier if verdict.carrier.any() else free).search(1), None)
        self.answer = replace(self.answer, joined=False, intrusion=cut)
        second = self._ask(oracle, nothing, free, self._deadline, owner_first=True)
        if second is not None and not second.joined:
            self.answer = replace(self.answer, first=False, intrusion=None)

    def _derive(
        self,
        oracle: "_Oracle",
        own: CellSet,
        free: CellSet,
        cache: dict[tuple[CellSet, CellSet], Connection | None],
    ) -> Connection | None:
        """Return a full that the oracle proved with `own` the owner's cells and `free` open.

        Where H-search has none, each cell that its semis share is an intrusion, and the
        oracle's reply leaves a full again. None if a step does not fit.
        """
        if (own, free) not in cache:
            cache[own, free] = None
            if self._clock.now > self._deadline:
                raise OutOfTimeError
            here = self._position_of(own, free)
            store = closure(here, self._color, self._limits)
            counts = store.counts
            self._clock.tries += counts.and_tries + counts.or_tries + _TRIES_A_CLOSURE
            self.answer = replace(self.answer, positions=self.answer.positions + 1)
            fulls = store.fulls(*self._ends)
            if fulls:
                cache[own, free] = fulls[0]
            else:
                semis = store.semis(*self._ends)
                cache[own, free] = self._split(oracle, own, free, semis, cache)
        return cache[own, free]

    def _split(
        self,
        oracle: "_Oracle",
        own: CellSet,
        free: CellSet,
        semis: Iterable[Connection],
        cache: dict[tuple[CellSet, CellSet], Connection | None],
    ) -> Connection | None:
        """Return the OR of semis and of those that start with replies to the cells they share."""
        board, semis = self._position.board, list(few_of(semis))
        overlap = free
        for semi in semis:
            overlap = overlap & semi.carrier
        while overlap.any():
            rest = free & ~board.only(next(overlap.search(1)))
            verdict = self._ask(oracle, own, rest, self._deadline, owner_first=True)
            if verdict is None:
                raise OutOfTimeError
            answer = self._after_key(oracle, own, rest, verdict, cache) if verdict.joined else None
            if answer is None:
                return None
            semis.append(answer)
            overlap = overlap & answer.carrier
        return or_rule(*few_of(sorted(semis, key=lambda semi: semi.carrier.count())))

    def _after_key(
        self,
        oracle: "_Oracle",
        own: CellSet,
        free: CellSet,
        verdict: "_Verdict",
        cache: dict[tuple[CellSet, CellSet], Connection | None],
    ) -> Connection | None:
        """Return the semi whose key is the winning move of the oracle."""
        board, color = self._position.board, self._color
        key = verdict.first
        if key is None:  # any move wins: prefer one that the proof needs
            key = next(chain((verdict.carrier & free).search(1), free.search(1)), None)
            if key is None:
                return None
        here = self._position_of(own, free)
        captain_of = captains(here, color)
        x, y = (captain_of[end] for end in self._ends)
        after = captains(here.put(key, color), color)
        if after[x] == after[y]:
            halves = (adjacent(x, key, board), adjacent(key, y, board))
            return and_rule(*halves, key, board, empty=True)
        carrier = verdict.carrier & free & ~board.only(key)
        full = self._derive(oracle, own | board.only(key), carrier, cache)
        return None if full is None else mustplay_rule(full, x, y, key, here, color)

    def _position_of(self, own: CellSet, free: CellSet) -> Position:
        """Return the position in which `own` is the owner's, and only `free` and ends are open."""
        start = self._position
        others = start.empty & self._cells & ~(own | free)
        if self._color is Color.BLACK:
            return replace(start, black=start.black | own, white=start.white | others)
        return replace(start, white=start.white | own, black=start.black | others)

    def _near(self) -> CellSet | None:
        """Return the cells on the shortest and slightly longer paths; None if these are most."""
        position, board = self._position, self._position.board
        captain_of = captains(position, self._color)
        levels = [_distances(position, self._cells, captain_of, end) for end in self._ends]
        far = {
            cell: levels[0][cell] + levels[1][cell]
            for cell in self._cells.search(1)
            if cell in levels[0] and cell in levels[1]
        }
        shortest = min(far.values(), default=0)
        near = board.only(*(cell for cell, way in far.items() if way <= shortest + _DETOUR))
        return near if near.any() and 4 * near.count() < 3 * self._cells.count() else None


class _Clock:
    """The seconds that a search has taken. Holds state.

    They are counted by the clock or, if it is steady, as the seconds that its tries of the rules
    take on a free core. The clock then ends it only on a slow machine.
    """

    def __init__(self, *, is_steady: bool) -> None:
        self._rate = TRIES_A_SECOND if is_steady else math.inf
        self._slack = SLOW if is_steady else 1
        self.tries = 0
        self.start()

    def start(self) -> None:
        """Start to run."""
        self._start = now()

    def leave_out(self, seconds: float) -> None:
        """Do not count this many of the seconds that have passed."""
        self._start += seconds

    @property
    def now(self) -> float:
        """The seconds so far."""
        return max(self.tries / self._rate, (now() - self._start) / self._slack)

    def remaining(self, deadline: float) -> tuple[float, float]:
        """Return the seconds by the clock and the tries that are left until a deadline."""
        seconds = max(0.0, deadline - self.now)
        return seconds * self._slack, seconds * self._rate if seconds else 0.0


@dataclass(frozen=True, slots=True)
class _Verdict:
    """Whether the ends are joined, the winner's first move, and the cells that the winner needs."""

    joined: bool
    first: Cell | None
    carrier: CellSet


# What decides whether the ends are joined with some cells the owner's and some of `cells` open.
# `verdict` is None when time runs out; beside it stands the number of positions searched.
_Oracle: TypeAlias = "SolverOracle | PlayOracle"


class SolverOracle:
    """The solver on a separate board."""

    def __init__(self, place: PairBoard, solver: Solver, board: Board) -> None:
        self._place, self._solver, self._board = place, solver, board
        self.cells = board.only(*place.places)

    def verdict(
        self, own: CellSet, free: CellSet, clock: _Clock, deadline: float, *, owner_first: bool
    ) -> tuple[_Verdict | None, int]:
        """Return the verdict of the solver."""
        place, solver = self._place, self._solver
        before, tries_before = solver.nodes, solver.tries
        turn = Color.BLACK if owner_first else Color.WHITE
        seconds, tries = clock.remaining(deadline)
        node = solver.decide(place.at(own, free, turn), seconds=seconds, tries=tries)
        positions = solver.nodes - before
        clock.tries += solver.tries - tries_before
        if node is None or node.winner is None:
            return None, positions
        first = None if node.first is None else place.cells.get(node.first)
        carrier = place.back(node.carrier, self._board)
        return _Verdict(node.winner == Color.BLACK, first, carrier), positions


class PlayOracle:
    """Complete play, for small carriers that the solver leaves open."""

    def __init__(
        self, position: Position, color: Color, ends: tuple[Point, Point], cells: CellSet
    ) -> None:
        self._game, self.cells = exhaustive.JoinGame(position, color, ends, cells), cells
        self._board = position.board

    def verdict(
        self, own: CellSet, free: CellSet, clock: _Clock, deadline: float, *, owner_first: bool
    ) -> tuple[_Verdict | None, int]:
        """Return the verdict of complete play, within a number of positions."""
        game, before = self._game, self._game.nodes
        if not any(clock.remaining(deadline)):
            return None, 0
        result = game.play(free, own, opponent_first=not owner_first, budget=_PLAYED)
        verdict = None
        if result.joined is not None:
            moves = owner_first == result.joined
            first = self._first(own, free, result) if moves else None
            verdict = _Verdict(result.joined, first, result.cells & free)
        clock.tries += _TRIES_PLAYED * (game.nodes - before)
        return verdict, game.nodes - before

    def _first(self, own: CellSet, free: CellSet, result: exhaustive.JoinOutcome) -> Cell | None:
        """Return a winning first move; None if every move wins.

        Within `_PLAYED` positions `result` was found, but whether some other move wins may take
        millions: so each move is searched within that number before any is searched to the end.
        The cells that the winner needs come first.
        """
        joined = result.joined is True
        for budget in (_PLAYED, None):
            if self._wins(own, free, joined=joined, budget=budget):
                return None
            for cell in chain((free & result.cells).search(1), (free & ~result.cells).search(1)):
                only = self._board.only(cell)
                after = own | only if joined else own
                if self._wins(after, free & ~only, joined=joined, budget=budget):
                    return cell
        return None

    def _wins(self, own: CellSet, free: CellSet, *, joined: bool, budget: int | None) -> bool:
        """Return whether the side that wins if `joined` still does when the other moves next."""
        result = self._game.play(free, own, opponent_first=joined, budget=budget)
        return result.joined is joined


def _distances(
    position: Position, cells: CellSet, captain_of: dict[Point, Point], start: Point
) -> dict[Point, int]:
    """Return how many cells a short path from a point enters to reach each; own stones are free.

    Through groups and edges a number may be too large, as these wait behind farther cells.
    """
    board = position.board
    distances = {point: 0 for point, captain in captain_of.items() if captain == captain_of[start]}
    waiting = list(distances)
    for point in waiting:
        for near in board.neighbors(point):
            if board.contains(cells, near) and near not in distances:
                distances[near] = distances[point] + 1
                waiting.append(near)
            elif (
                near in captain_of
                and near not in distances
                and not board.contains(position.empty, near)
            ):
                for other in (
                    p for p, captain in captain_of.items() if captain == captain_of[near]
                ):
                    distances.setdefault(other, distances[point])
                    waiting.append(other)
    return distances
