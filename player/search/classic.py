"""The position under search for a classic evaluator, without connections.

It has the interface of `player.search.line.SearchPosition`, but only stones decide a game, and
every empty cell is a move. The last ply is one call of a kernel, if the evaluator has one.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hsearch.analysis.circuit import WIRINGS, circuits
from hsearch.hex import Cell, Color, Position, winner
from hsearch.hex.board import to_number
from hsearch.hex.frame import Frame
from player.evaluate.evaluators import evaluate
from player.evaluate.ordering import Ordering, OrderingContext
from player.kernels import evaluate as kernel
from player.search.line import Assessment, Key
from player.search.settings import MOST, evaluation_score, win


class ClassicPosition:
    """A position, and the moves that led to it from the root."""

    def __init__(
        self, position: Position, evaluator: str, ordering: Ordering, *, seed: int = 0
    ) -> None:
        """Start at the root."""
        self.board = position.board
        self.turn = position.turn
        self.evaluator = evaluator
        self.ordering = ordering
        self.seed = seed
        self._cells: list[Cell] = []
        self._stones = [to_number(position.stones(color)) for color in Color]
        self._black = Frame.of(position, Color.BLACK).stones.copy()
        white = Frame.of(position, Color.WHITE)
        self._white = white.stones.copy()
        self._transposed = white.into(np.arange(position.board.size))
        self._places: list[int] = self._transposed.tolist()
        compiled = evaluator in kernel.NAMES
        self._which = kernel.NAMES.index(evaluator) if compiled else None

    @property
    def key(self) -> Key:
        """The position as the key of a table."""
        return self._stones[0], self._stones[1], self.turn

    @property
    def turned_key(self) -> Key:
        """The same as `key`, since half a turn of the board changes some orderings."""
        return self.key

    def play(self, cell: Cell) -> None:
        """Play an empty cell."""
        self._set(cell, 1 + self.turn, 2 - self.turn)
        self._stones[self.turn] ^= 1 << cell
        self._cells.append(cell)
        self.turn = self.turn.opponent

    def undo(self) -> None:
        """Take the last move back."""
        cell = self._cells.pop()
        self.turn = self.turn.opponent
        self._stones[self.turn] ^= 1 << cell
        self._set(cell, 0, 0)

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
