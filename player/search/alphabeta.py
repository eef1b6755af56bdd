"""Alpha-beta: the best move, if both players move as well as the search sees.

A node ends when a connection between edges decides it, and when the depth is
used up, by the evaluation. Only moves of the must-play region are tried, in the
given order, as many as the width of the ply; but a position is called lost only
after all of them were tried. Depths grow one by one: a look at a position is
remembered, so the shallow searches cost next to nothing and order the next.

With a classic evaluator there are no connections: stones alone decide a node, and
all moves are tried, the last ply of them in a kernel.

Anshelevich: A hierarchical approach to computer Hex (2002). Knuth and Moore:
An analysis of alpha-beta pruning (1975).
"""

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from hsearch.hex.board import Board, Cell, CellSet, Color
from hsearch.hex.position import Position
from hsearch.kernels.stop import Stopped
from player.evaluate.ordering import ORDERINGS, nearest_center
from player.search.line import Assessment, Key, LastPly, Searched, SearchPosition
from player.search.settings import (
    Bound,
    SearchCounts,
    SearchResult,
    SearchSettings,
    TableEntry,
    TranspositionTable,
    estimate,
    is_loss,
    is_win,
    win,
)
from player.search.weighing import ClassicPosition
from player.work.clock import SearchClock

OnProgress = Callable[[SearchResult], None]

# Up to this many stones, half a turn of the board may give a position of the same tree. From the
# empty 9x9 that spares a quarter of the looks of 4 plies (155 for 207), from one stone on none.
FEW_STONES = 2
MOST_VIEWS = 200_000  # looks that are kept, of a kilobyte or two each

PROBE = 1.5e-4  # seconds of a first look for each cell of the board, with something to spare


def probe_seconds(board: Board) -> float:
    """Return how long a first look at a position takes, or less."""
    return PROBE * board.size


def search(
    position: Position,
    settings: SearchSettings,
    *,
    seconds: float | None = None,
    cancel: threading.Event | None = None,
    progress: OnProgress | None = None,
    among: CellSet | None = None,
) -> SearchResult:
    """Return the best move of a position that is not over, and what it is worth.

    Moves that are not `among` some cells are known to lose, if that is given; one
    of these is played all the same where the search knows that they lose too.

    Never take longer than `seconds`, and stop soon after `cancel` is set: then
    the best so far is returned, of the deepest search that weighed any move. It is not
    said to lose before all moves were searched.
    `progress` is called after each depth. Without a time limit the outcome
    depends on the position and the settings only.

    Raise ValueError when there is no empty cell.
    """
    if not position.empty.any():
        raise ValueError("no move to search: the board is full")
    clock = SearchClock(seconds, cancel, first_probe=probe_seconds(position.board))
    return _Search(position, settings, clock, among).run(progress)


@dataclass(slots=True)
class _Tally:
    nodes: int = 0
    closures: int = 0
    hits: int = 0
    cutoffs: int = 0


class _Search:
    """One search from one root."""

    def __init__(
        self,
        position: Position,
        settings: SearchSettings,
        clock: SearchClock,
        among: CellSet | None,
    ) -> None:
        self.settings = settings
        self.among = among
        self.clock = clock
        self.line = _line(position, settings)
        self.size = position.board.size
        self.table = TranspositionTable()
        self.views: dict[Key, Assessment] = {}
        self.tally = _Tally()
        self.is_symmetric = (position.black | position.white).count() <= FEW_STONES
        fallback = nearest_center(position.board, list(position.empty.search(1)))
        self.best = SearchResult(fallback, 0.0, (fallback,), 0, complete=False)
        self.unsearched = self.best
        self.is_lost = False

    def run(self, progress: OnProgress | None) -> SearchResult:
        try:
            moves = self._root_moves()
            self.best = self.unsearched = replace(self.best, move=moves[0], line=moves[:1])
            if len(moves) == 1:
                return self._told(self.best, complete=True)
            first = 1 if self.settings.deepens else self.settings.depth
            for depth in range(first, self.settings.depth + 1):
                self._deepen(depth, moves)
                self.best = self._told(self.best, complete=depth == self.settings.depth)
                if is_win(self.best.score) or is_loss(self.best.score):
                    self.best = replace(self.best, complete=True)
                if progress is not None:
                    progress(self.best)
                if self.best.complete:
                    break
        except Stopped:
            self.best = self._told(self.best, complete=False)
        return self.best

    def _told(self, result: SearchResult, *, complete: bool) -> SearchResult:
        tally = self.tally
        counts = SearchCounts(tally.nodes, tally.closures, tally.hits, tally.cutoffs)
        return replace(result, counts=counts, seconds=self.clock.seconds, complete=complete)

    def _root_moves(self) -> tuple[Cell, ...]:
        """Return the moves to choose from, best first; there is always one."""
        view = self._probe()
        self.is_lost = view.winner is self.line.turn.opponent
        if view.moves:
            self.best = replace(
                self.best, score=estimate(view.evaluation, black=self.line.turn == Color.BLACK)
            )
            among = self.among
            return tuple(c for c in view.moves if among is None or among[c]) or view.moves
        # Decided: what is best may still be asked, if only to be lost late.
        self.clock.before_probe()
        return self.line.decided_moves()

    def _deepen(self, depth: int, moves: tuple[Cell, ...]) -> None:
        """Search all moves of the root to a depth; keep the best so far.

        While those that were searched lose, the next one is kept, as if nothing were searched.
        """
        first = self.best.move
        best = -math.inf
        order = (first, *(move for move in moves if move != first))
        if depth == 1 and self.line.last_ply is not None:
            among = order[: self.settings.width(0)]
            score, move, is_whole = self._leaves(self.line.last_ply, among, 0, math.inf)
            self.best = replace(self.best, move=move, score=score, line=(move,), depth=1)
            if not is_whole:
                raise Stopped
            return
        for number, move in enumerate(order):
            if number >= self.settings.width(0) and not is_loss(best):
                break
            self.line.play(move)
            try:
                score, line = self._value(depth - 1, 1, -math.inf, -best)
            finally:
                self.line.undo()
            if -score > best:
                best = -score
                found = replace(self.best, move=move, score=best, line=(move, *line), depth=depth)
            rest = order[number + 1 :]
            is_open = is_loss(best) and rest and not self.is_lost
            self.best = replace(self.unsearched, move=rest[0], line=rest[:1]) if is_open else found

    def _value(
        self, depth: int, ply: int, alpha: float, beta: float
    ) -> tuple[float, tuple[Cell, ...]]:
        """Return the score of the position for the player to move, and the line expected.

        If it is not between the bounds, it is itself a bound: at most the true
        score if it is `beta` or more, at least the true score if `alpha` or less.
        """
        if self._left == 0:
            raise Stopped
        self.tally.nodes += 1
        view = self._probe()
        if view.winner is not None:
            score = win(ply, view.cells)
            return (score if view.winner is self.line.turn else -score), ()
        if depth == 0:
            return estimate(view.evaluation, black=self.line.turn == Color.BLACK), ()
        key, is_turned = self._key()
        entry = self.table.find(key, ply)
        moves = view.moves
        if entry is not None:
            line = self._turned(entry.line, is_turned)
            if entry.answers(depth, alpha, beta):
                self.tally.hits += 1
                return entry.score, line
            if line:
                moves = (line[0], *(move for move in moves if move != line[0]))
        value, line = self._best_of(moves, depth, ply, alpha, beta)
        bound = Bound.LOWER if value >= beta else Bound.UPPER if value <= alpha else Bound.EXACT
        kept = TableEntry(depth, value, bound, self._turned(line, is_turned))
        self.table.keep(key, ply, kept)
        return value, line

    def _best_of(
        self, moves: tuple[Cell, ...], depth: int, ply: int, alpha: float, beta: float
    ) -> tuple[float, tuple[Cell, ...]]:
        """Return the score and the line of the best move."""
        if depth == 1 and self.line.last_ply is not None:
            among = moves[: self.settings.width(ply)]
            score, move, is_whole = self._leaves(self.line.last_ply, among, ply, beta)
            if not is_whole:
                raise Stopped
            return score, (move,)
        best = -math.inf
        best_line: tuple[Cell, ...] = ()
        for number, move in enumerate(moves):
            if number >= self.settings.width(ply) and not is_loss(best):
                break
            self.line.play(move)
            try:
                score, line = self._value(depth - 1, ply + 1, -beta, -max(alpha, best))
            finally:
                self.line.undo()
            if -score > best:
                best, best_line = -score, (move, *line)
            if best >= beta:
                self.tally.cutoffs += 1
                break
        return best, best_line

    def _leaves(
        self, last_ply: LastPly, moves: tuple[Cell, ...], ply: int, beta: float
    ) -> tuple[float, Cell, bool]:
        """Return the best score of the last ply, its move, and whether it was not cut short."""
        within = moves if self._left is None else moves[: self._left]
        if not within:
            raise Stopped
        self.clock.before_probe()
        score, move, tried = last_ply(within, ply + 1, beta)
        self.clock.after_probe()
        self.tally.nodes += tried
        self.tally.cutoffs += score >= beta
        return score, move, len(within) == len(moves) or score >= beta

    @property
    def _left(self) -> int | None:
        """Number of positions that may still be visited; None if there is no limit."""
        nodes = self.settings.nodes
        return None if nodes is None else max(0, nodes - self.tally.nodes)

    def _probe(self) -> Assessment:
        key = self.line.key
        view = self.views.get(key)
        if view is None:
            self.clock.before_probe()
            view = self.line.probe()
            self.tally.closures += 1
            self.clock.after_probe()
            if len(self.views) < MOST_VIEWS:
                self.views[key] = view
        return view

    def _key(self) -> tuple[Key, bool]:
        """Return the key of the position, or of the one after half a turn: the lesser."""
        key = self.line.key
        if self.is_symmetric and self.line.turned_key < key:
            return self.line.turned_key, True
        return key, False

    def _turned(self, line: tuple[Cell, ...], is_turned: bool) -> tuple[Cell, ...]:  # noqa: FBT001 - as _key says it
        return tuple(self.size - 1 - move for move in line) if is_turned else line


def _line(position: Position, settings: SearchSettings) -> Searched:
    ordering = ORDERINGS[settings.ordering]
    if settings.evaluator is None or settings.connections:
        return SearchPosition(
            position,
            settings.limits,
            ordering,
            incremental=settings.incremental,
            seed=settings.seed,
            evaluator=settings.evaluator,
            links=settings.links,
        )
    return ClassicPosition(position, settings.evaluator, ordering, seed=settings.seed)
