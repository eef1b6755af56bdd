"""The position under search, which plays moves, takes them back and assesses the result.

One assesses by connections and circuits, the other by a classic evaluator.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsearch.analysis.circuit import HEXY, WIRINGS, circuits
from hsearch.connect import Limits
from hsearch.connect.closure import Mark
from hsearch.hex import Cell, Color, Position, winner
from hsearch.hex.board import rotate_cells, to_number
from hsearch.hex.frame import Frame
from player.evaluate.evaluators import evaluate
from player.evaluate.ordering import Ordering, OrderingContext
from player.kernels import evaluate as kernel
from player.search.settings import MOST, Key, evaluation_score, win
from player.search.side import SearchSide

# Takes moves, the ply after them and the score to stop at. Returns the best score of a ply that
# ends the search, its move, and the number of moves tried.
LastPly: TypeAlias = Callable[[Sequence[Cell], int, float], tuple[float, Cell, int]]


@dataclass(frozen=True, slots=True)
class Assessment:
    """Assessment of a position without moving.

    winner      who is proved to win: by a chain, a full, or a semi of the player
                to move; None if that is open
    cells       how many cells the winner's smallest connection needs
    evaluation  E, negative when good for Black; infinite when decided; NaN where
                a classic evaluator was not used
    moves       the moves of the must-play region, best first; none when decided
    """

    winner: Color | None
    cells: int
    evaluation: float
    moves: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class CircuitAssessment(Assessment):
    """Assessment of an open position by its circuits.

    flow  the current through each cell in both circuits
    """

    flow: NDArray[np.float64] = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Bookmark:
    """State of a search: the stones as numbers, who is to move, and each side's mark."""

    stones: tuple[int, int]
    turn: Color
    empty: NDArray[np.bool_]
    sides: dict[Color, Mark]

    @property
    def bytes(self) -> int:
        """Size of the connections of both sides."""
        return sum(mark.memory.nbytes + mark.log.nbytes for mark in self.sides.values())


class _Line:
    """A position, and the moves that led to it from the root. Holds state."""

    def __init__(self, position: Position, ordering: Ordering, seed: int) -> None:
        """Start at the root."""
        self.board, self.turn = position.board, position.turn
        self.ordering, self.seed = ordering, seed
        self._cells: list[Cell] = []
        self._stones = [to_number(position.stones(color)) for color in Color]

    @property
    def key(self) -> Key:
        """The position as the key of a table."""
        return self._stones[0], self._stones[1], self.turn

    def _put(self, cell: Cell) -> None:
        """Put a stone of the player to move on an empty cell, and pass the turn."""
        self._stones[self.turn] ^= 1 << cell
        self._cells.append(cell)
        self.turn = self.turn.opponent

    def _take(self) -> Cell:
        """Take the last stone back; return its cell."""
        cell = self._cells.pop()
        self.turn = self.turn.opponent
        self._stones[self.turn] ^= 1 << cell
        return cell


# By connections. From scratch, an assessment depends on the position alone. When the connections
# are updated from move to move, limits can make it depend on the order of the moves.


class SearchPosition(_Line):
    """A position that connections and circuits assess."""

    last_ply: LastPly | None = None  # plays the last ply at once; None: move by move

    def __init__(  # noqa: PLR0913 - what a search sets
        self,
        position: Position,
        limits: Limits,
        ordering: Ordering,
        *,
        incremental: bool = True,
        seed: int = 0,
        evaluator: str | None = None,
        links: str = HEXY,
    ) -> None:
        """Start at the root; an evaluator replaces E of the circuits, which `links` wires."""
        super().__init__(position, ordering, seed)
        self.evaluator = evaluator
        self.sides = {
            color: SearchSide(position, color, limits, incremental=incremental, wiring=links)
            for color in Color
        }
        self._empty = np.frombuffer(position.empty.unpack(), np.bool_).copy()

    @property
    def turned_key(self) -> Key:
        """The key of the position after half a turn of the board."""
        black, white = (rotate_cells(self.board, stones) for stones in self._stones)
        return black, white, self.turn

    def play(self, cell: Cell) -> None:
        """Play an empty cell."""
        for side in self.sides.values():
            side.put(cell, self.turn)
        self._empty[cell] = False
        self._put(cell)

    def undo(self) -> None:
        """Take the last move back."""
        cell = self._take()
        self._empty[cell] = True
        for side in self.sides.values():
            side.take(cell)

    def mark(self) -> Bookmark:
        """Return a mark of the position, for `restore`; it copies all connections."""
        black, white = self._stones
        marks = {color: side.mark() for color, side in self.sides.items()}
        return Bookmark((black, white), self.turn, self._empty.copy(), marks)

    def restore(self, mark: Bookmark) -> None:
        """Return to a marked position; earlier moves can no longer be undone."""
        self._stones, self.turn = list(mark.stones), mark.turn
        self._empty[:] = mark.empty
        self._cells.clear()
        for color, side in self.sides.items():
            side.restore(mark.sides[color])

    def probe(self) -> Assessment:
        """Assess the position by its connections and, unless they decide it, its circuits."""
        mover, other = self.sides[self.turn], self.sides[self.turn.opponent]
        # The player who just moved is likelier to have won, which saves the other closure.
        other.close()
        if other.has_chain:
            return self._assess_win(other.color, 0)
        fulls = other.fulls
        if fulls is not None:
            return self._assess_win(other.color, int(fulls[0].sum()))
        mover.close()
        if mover.has_chain:
            return self._assess_win(mover.color, 0)
        wins = mover.fulls if mover.fulls is not None else mover.semis
        if wins is not None:
            return self._assess_win(mover.color, int(wins[0].sum()))
        threats = other.semis
        region = self._empty if threats is None else np.all(threats, axis=0)
        if threats is not None and not region.any():
            # A limit hid the full that these semis make.
            return self._assess_win(other.color, int(threats.any(axis=0).sum()))
        evaluation, flow = self.solve_circuits()
        if self.evaluator is not None:
            evaluation = self._evaluation(self.evaluator, flow)
        moves = self._order(np.flatnonzero(region), flow)
        return CircuitAssessment(None, 0, evaluation, tuple(moves.tolist()), flow=flow)

    def solve_circuits(self) -> tuple[float, NDArray[np.float64]]:
        """Return E, and the current through each cell in both circuits. Needs both closures."""
        black, black_flow = self.sides[Color.BLACK].solve()
        white, white_flow = self.sides[Color.WHITE].solve()
        return _logarithm(black) - _logarithm(white), black_flow + white_flow

    def best_tries(self) -> tuple[Cell, ...]:
        """Return moves worth trying although the game is decided, best first.

        They lie in the winner's smallest connection between the edges; the
        loser's lie in all of the winner's fulls, if these have a cell in common.
        If a chain decides, they are all empty cells.
        """
        for side in self.sides.values():
            side.close()
        mover, other = self.sides[self.turn], self.sides[self.turn.opponent]
        region = self._empty
        if not mover.has_chain and not other.has_chain:
            theirs, ours = other.fulls, mover.fulls
            ours = mover.semis if ours is None else ours
            if theirs is not None:
                region = np.all(theirs, axis=0) if theirs.all(axis=0).any() else theirs[0]
            elif ours is not None:
                region = ours[0]
        _, flow = self.solve_circuits()
        return tuple(self._order(np.flatnonzero(region), flow).tolist())

    def carrier(self) -> tuple[Cell, ...] | None:
        """Return the winner's smallest connection between the edges, after `probe`.

        None if no winner is known, or if a limit hides the connection.
        """
        mover, other = self.sides[self.turn], self.sides[self.turn.opponent]
        if other.has_chain:
            return ()
        if (fulls := other.fulls) is not None:  # then the mover's were not computed
            return _first(fulls)
        if mover.has_chain:
            return ()
        wins = mover.fulls if mover.fulls is not None else mover.semis
        return None if wins is None else _first(wins)

    def _evaluation(self, name: str, flow: NDArray[np.float64]) -> float:
        """Return an evaluator's value of the position, which no chain has decided."""
        if name not in kernel.NAMES:
            return evaluate(self._context(flow).position, name).evaluation
        black, white = (self.sides[color].stones for color in Color)
        which, wiring = kernel.NAMES.index(name), WIRINGS["none"]
        columns, rows = self.board.columns, self.board.rows
        return float(kernel.evaluate(which, columns, rows, black, white, wiring))

    def _context(self, flow: NDArray[np.float64]) -> OrderingContext:
        return OrderingContext(self.board, self.sides[Color.BLACK].stones, lambda: flow, self.seed)

    def _order(self, cells: NDArray[np.int64], flow: NDArray[np.float64]) -> NDArray[np.int64]:
        return self.ordering(self._context(flow), cells)

    @staticmethod
    def _assess_win(winner: Color, cells: int) -> Assessment:
        return Assessment(winner, cells, -math.inf if winner is Color.BLACK else math.inf)


def _logarithm(resistance: float) -> float:
    return math.log(resistance) if 0 < resistance < math.inf else math.copysign(50, resistance - 1)


def _first(carriers: NDArray[np.bool_]) -> tuple[Cell, ...]:
    return tuple(np.flatnonzero(carriers[0]).tolist())


# By a classic evaluator: only stones decide a game, and every empty cell is a move. The last ply
# is one call of a kernel, if the evaluator has one.


class ClassicPosition(_Line):
    """A position that a classic evaluator assesses."""

    def __init__(
        self, position: Position, evaluator: str, ordering: Ordering, *, seed: int = 0
    ) -> None:
        """Start at the root."""
        super().__init__(position, ordering, seed)
        self.evaluator = evaluator
        self._black = Frame.of(position, Color.BLACK).stones.copy()
        white = Frame.of(position, Color.WHITE)
        self._white = white.stones.copy()
        self._transposed = white.into(np.arange(position.board.size))
        self._places: list[int] = self._transposed.tolist()
        compiled = evaluator in kernel.NAMES
        self._which = kernel.NAMES.index(evaluator) if compiled else None

    @property
    def turned_key(self) -> Key:
        """The same as `key`, since half a turn of the board changes some orderings."""
        return self.key

    def play(self, cell: Cell) -> None:
        """Play an empty cell."""
        self._set(cell, 1 + self.turn, 2 - self.turn)
        self._put(cell)

    def undo(self) -> None:
        """Take the last move back."""
        self._set(self._take(), 0, 0)

    def probe(self) -> Assessment:
        """Return the winner if stones decide; otherwise order the moves, and evaluate the root.

        Other positions are evaluated only at the last ply, by `last_ply`.
        """
        won_by = self._winner()
        if won_by is not None:
            return Assessment(won_by, 0, -np.inf if won_by is Color.BLACK else np.inf)
        evaluation = np.nan if self._cells else self._evaluation()
        return Assessment(None, 0, evaluation, moves=self.best_tries())

    def best_tries(self) -> tuple[Cell, ...]:
        """Return every empty cell, best first."""
        cells = np.flatnonzero(self._black == 0)
        context = OrderingContext(self.board, self._black, self._flow, self.seed)
        return tuple(self.ordering(context, cells).tolist())

    def last_ply(self, moves: Sequence[Cell], ply: int, beta: float) -> tuple[float, Cell, int]:
        """Return the best score of a ply that ends the search, its move, and how many were tried.

        `ply` is the ply after the moves. The search stops at `beta`.
        """
        if self._which is None:
            return self._last_ply_slowly(moves, ply, beta)
        score, move, tries = kernel.leaves(
            self._which,
            (self.board.columns, self.board.rows),
            (self._black, self._white),
            self._transposed,
            np.array(moves),
            int(self.turn),
            (beta, win(ply, 0), MOST),
            WIRINGS["none"],
        )
        return float(score), int(move), int(tries)

    def _last_ply_slowly(
        self, moves: Sequence[Cell], ply: int, beta: float
    ) -> tuple[float, Cell, int]:
        position, best_score, best, tries = self._position(), -np.inf, -1, 0
        for move in moves:
            after = position.play(move)
            tries += 1
            if winner(after) is not None:
                score = win(ply, 0)
            else:
                value = evaluate(after, self.evaluator).evaluation
                score = evaluation_score(value, black=position.turn is Color.BLACK)
            if score > best_score:
                best_score, best = score, move
            if best_score >= beta:
                break
        return best_score, best, tries

    def _winner(self) -> Color | None:
        columns, rows = self.board.columns, self.board.rows
        if kernel.joins_edges(columns, rows, self._black):
            return Color.BLACK
        return Color.WHITE if kernel.joins_edges(rows, columns, self._white) else None

    def _evaluation(self) -> float:
        if self._which is None:
            return evaluate(self._position(), self.evaluator).evaluation
        columns, rows = self.board.columns, self.board.rows
        return float(
            kernel.evaluate(self._which, columns, rows, self._black, self._white, WIRINGS["none"])
        )

    def _flow(self) -> NDArray[np.float64]:
        both = circuits(self._position(), links="none")
        return both.black.flow + both.white.flow

    def _position(self) -> Position:
        position = OrderingContext(self.board, self._black, self._flow).position
        return replace(position, turn=self.turn)

    def _set(self, cell: Cell, black: int, white: int) -> None:
        self._black[cell] = black
        self._white[self._places[cell]] = white
