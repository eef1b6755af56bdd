"""Alpha-beta: the best move by a search of limited depth.

A connection between edges decides a node; when the depth is used up, the node is
evaluated. Only moves of the must-play region are tried, in the given order, up to the
width of the ply; but a position counts as lost only after all of them were tried. Depths
grow one by one: assessments are remembered, so the shallow searches cost next to nothing
and order the moves of the next.

With a classic evaluator, unless `connections` is set, stones alone decide a node, every
empty cell is a move, and the last ply may be one call of a kernel.

Anshelevich: A hierarchical approach to computer Hex (2002). Knuth and Moore:
An analysis of alpha-beta pruning (1975).
"""

import math
import threading
from collections.abc import Callable
from dataclasses import replace

from hsearch.hex import Board, Cell, CellSet, Color, Position
from hsearch.kernels.stop import Stopped
from player.evaluate.ordering import ORDERINGS, nearest_center
from player.search.line import Assessment, ClassicPosition, LastPly, SearchPosition
from player.search.settings import (
    Bound,
    Key,
    SearchCounts,
    SearchResult,
    SearchSettings,
    TableEntry,
    TranspositionTable,
    evaluation_score,
    is_loss,
    is_win,
    win,
)
from player.work.clock import SearchClock

OnProgress = Callable[[SearchResult], None]

# Up to this many stones at the root, a position and its half turn may be in one tree. From the
# empty 9x9 that saves a quarter of the closures of 4 plies (155 for 207), from one stone none.
FEW_STONES = 2
MOST_ASSESSMENTS = 200_000  # assessments that are kept, of a kilobyte or two each

PROBE = 1.5e-4  # seconds of a first assessment for each cell of the board, with a margin


def probe_seconds(board: Board) -> float:
    """Return the seconds that a first assessment of a position takes at most."""
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
    """Return the best move of a position that is not over, and its score.

    Moves outside `among`, if given, are known to lose; one of them is returned only if
    the search finds that all moves in `among` lose, too.

    Never take longer than `seconds`, and stop soon after `cancel` is set; then return the
    best move of the deepest search that evaluated any. Its score is not a loss before all
    moves were searched. `progress` is called after each depth. Without a time limit the
    result depends only on the position and the settings.

    Raise ValueError when there is no empty cell.
    """
    if not position.empty.any():
        raise ValueError("no move to search: the board is full")
    clock = SearchClock(seconds, cancel, first_probe=probe_seconds(position.board))
    return _Search(position, settings, clock, among).run(progress)


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
        self.assessments: dict[Key, Assessment] = {}
        self.nodes = self.closures = self.hits = self.cutoffs = 0
        self.is_symmetric = (position.black | position.white).count() <= FEW_STONES
        cells = position.empty if among is None else position.empty & among
        cells = cells if cells.any() else position.empty
        fallback = nearest_center(position.board, list(cells.search(1)))
        self.best = SearchResult(fallback, 0.0, (fallback,), 0, complete=False)
        self.unsearched = self.best
        self.is_lost = False

    def run(self, progress: OnProgress | None) -> SearchResult:
        try:
            moves = self._root_moves()
            self.best = self.unsearched = replace(self.best, move=moves[0], line=moves[:1])
            if len(moves) == 1 and self._probe().winner is None:
                return self._result(self.best, complete=True)
            first = 1 if self.settings.deepens else self.settings.depth
            for depth in range(first, self.settings.depth + 1):
                self._deepen(depth, moves)
                self.best = self._result(self.best, complete=depth == self.settings.depth)
                if is_win(self.best.score) or is_loss(self.best.score):
                    self.best = replace(self.best, complete=True)
                if progress is not None:
                    progress(self.best)
                if self.best.complete:
                    break
        except Stopped:
            self.best = self._result(self.best, complete=False)
        return self.best

    def _result(self, result: SearchResult, *, complete: bool) -> SearchResult:
        counts = SearchCounts(self.nodes, self.closures, self.hits, self.cutoffs)
        return replace(result, counts=counts, seconds=self.clock.seconds, complete=complete)

    def _root_moves(self) -> tuple[Cell, ...]:
        """Return the moves to choose from, best first; there is always one."""
        assessment = self._probe()
        self.is_lost = assessment.winner is self.line.turn.opponent
        if assessment.moves:
            self.best = replace(
                self.best,
                score=evaluation_score(assessment.evaluation, black=self.line.turn == Color.BLACK),
            )
            moves, among = assessment.moves, self.among
            return tuple(c for c in moves if among is None or among[c]) or moves
        # The position is decided, but a move is needed: one that loses late, if it is lost.
        self.clock.before_probe()
        return self.line.best_tries()

    def _deepen(self, depth: int, moves: tuple[Cell, ...]) -> None:
        """Search all moves of the root to a depth; keep the best so far in `best`.

        While all searched moves lose, keep the next one instead, without a score.
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
                result = replace(self.best, move=move, score=best, line=(move, *line), depth=depth)
            rest = order[number + 1 :]
            is_open = is_loss(best) and rest and not self.is_lost
            self.best = replace(self.unsearched, move=rest[0], line=rest[:1]) if is_open else result

    def _value(
        self, depth: int, ply: int, alpha: float, beta: float
    ) -> tuple[float, tuple[Cell, ...]]:
        """Return the score of the position for the player to move, and the expected line.

        A score outside the window is a bound: the true score is at least a score of `beta`
        or more, and at most a score of `alpha` or less.
        """
        if self._left == 0:
            raise Stopped
        self.nodes += 1
        assessment = self._probe()
        if assessment.winner is not None:
            score = win(ply, assessment.cells)
            return (score if assessment.winner is self.line.turn else -score), ()
        if depth == 0:
            return evaluation_score(assessment.evaluation, black=self.line.turn == Color.BLACK), ()
        key, is_turned = self._key()
        entry = self.table.find(key, ply)
        moves = assessment.moves
        if entry is not None:
            line = self._orient(entry.line, is_turned)
            if entry.answers(depth, alpha, beta):
                self.hits += 1
                return entry.score, line
            if line:
                moves = (line[0], *(move for move in moves if move != line[0]))
        value, line = self._best_of(moves, depth, ply, alpha, beta)
        bound = Bound.LOWER if value >= beta else Bound.UPPER if value <= alpha else Bound.EXACT
        new_entry = TableEntry(depth, value, bound, self._orient(line, is_turned))
        self.table.keep(key, ply, new_entry)
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
                self.cutoffs += 1
                break
        return best, best_line

    def _leaves(
        self, last_ply: LastPly, moves: tuple[Cell, ...], ply: int, beta: float
    ) -> tuple[float, Cell, bool]:
        """Return the best score of the last ply, its move, and whether no limit cut it short."""
        within = moves if self._left is None else moves[: self._left]
        if not within:
            raise Stopped
        self.clock.before_probe()
        score, move, tries = last_ply(within, ply + 1, beta)
        self.clock.after_probe()
        self.nodes += tries
        self.cutoffs += score >= beta
        return score, move, len(within) == len(moves) or score >= beta

    @property
    def _left(self) -> int | None:
        """Number of positions that may still be visited; None if there is no limit."""
        nodes = self.settings.nodes
        return None if nodes is None else max(0, nodes - self.nodes)

    def _probe(self) -> Assessment:
        key = self.line.key
        assessment = self.assessments.get(key)
        if assessment is None:
            self.clock.before_probe()
            assessment = self.line.probe()
            self.closures += 1
            self.clock.after_probe()
            if len(self.assessments) < MOST_ASSESSMENTS:
                self.assessments[key] = assessment
        return assessment

    def _key(self) -> tuple[Key, bool]:
        """Return the lesser key of the position and its half turn, and whether it is turned."""
        key = self.line.key
        if self.is_symmetric and self.line.turned_key < key:
            return self.line.turned_key, True
        return key, False

    def _orient(self, line: tuple[Cell, ...], is_turned: bool) -> tuple[Cell, ...]:  # noqa: FBT001 - as `_key` returns it
        return tuple(self.size - 1 - move for move in line) if is_turned else line


def _line(position: Position, settings: SearchSettings) -> SearchPosition | ClassicPosition:
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
