"""Shortest wins: how many more stones the winner needs against the longest defense.

With best play by both, a game ends with the winner's last stone, so `k` stones are
2k - 1 plies if the winner is to move, and 2k if not. The kernel is `player.kernels.shortest`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from hsearch.hex import Board, Cell, Color, Position, cells_in, winner
from hsearch.hex.board import to_number
from hsearch.hex.face import Pictured, expect_range
from hsearch.kernels import stop
from player.kernels.shortest import FAILED, HISTORY, MOST_CELLS, ROW, STOPPED, solve_within
from player.solve.solver import Solver
from player.work.clock import kernels_within, now

_WINNER_MEMORY = 200  # megabytes for the solver that finds the winner


@dataclass(frozen=True, slots=True)
class ShortestWin(Pictured):
    """The shortest win of a position. A notebook draws the board with the line.

    winner       None if the time was too short
    stones       stones that the winner still needs; None if the time was too short
    least        a lower bound: no win needs fewer stones
    moves        first moves that win with so few; none if the loser is to move
    complete     whether these are all of them
    line         a win against the longest defense, from the first move to the last stone; only the
                 beginning if the time was too short
    nodes        positions searched
    seconds      the time it took
    before_swap  whether a swap is still possible, which the answer ignores
    """

    position: Position
    winner: Color | None
    stones: int | None
    least: int
    moves: tuple[Cell, ...]
    complete: bool
    line: tuple[Cell, ...]
    nodes: int
    seconds: float
    before_swap: bool = False

    @property
    def plies(self) -> int | None:
        """Moves of both players until the winner's edges are joined; None if that is open."""
        if self.stones is None:
            return None
        return max(0, 2 * self.stones - (self.winner is self.position.turn))

    def _display_module(self) -> str:
        return "player.answers.shortest"


class ShortestSearch:
    """A search of one board, with a table that serves one question after another.

    Holds state. `memory`, in megabytes, bounds the table, which both winners share: White's
    positions are those of Black on the transposed board. If that has another shape, each has
    half. Raise ValueError when the board has more than 62 cells, or `memory` is less than 1.
    """

    def __init__(self, board: Board, *, memory: int = 1000) -> None:
        """Start with an empty table."""
        if board.size > MOST_CELLS:
            raise ValueError(f"shortest wins: at most {MOST_CELLS} cells, and {board} has more")
        expect_range("memory", memory, 1)
        each = memory * 1_000_000 / len({board, board.transposed})
        self._rows = 1 << int(math.log2(each / (8 * ROW)))
        self._table: dict[Board, npt.NDArray[np.int64]] = {}
        self._history = {color: np.zeros(HISTORY, np.int64) for color in Color}
        self._shapes = {
            Color.BLACK: _shape(board),
            Color.WHITE: _shape(board.transposed),
        }
        self.board = board
        self.nodes = 0

    def solve(
        self,
        position: Position,
        *,
        every: bool = False,
        seconds: float | None = None,
        won_by: Color | None = None,
        on_step: Callable[[int], object] = lambda _least: None,
    ) -> ShortestWin:
        """Return the shortest win, with one first move or every one, and its longest line.

        `won_by` is the winner if known; otherwise a solver finds it. `on_step` is called with
        each new lower bound of the stones. After `seconds`, return what is known by then.
        Raise Stopped when the work was canceled.
        """
        start, before = now(), self.nodes
        answer = ShortestWin(
            position, winner(position), None, 0, (), complete=False, line=(), nodes=0, seconds=0
        )
        if answer.winner is not None:
            return replace(answer, stones=0, complete=True)
        if won_by is None:
            solver = Solver(self.board, memory=_WINNER_MEMORY)
            won_by = solver.solve(position, seconds=seconds).winner
        answer = replace(answer, winner=won_by, least=1)
        if won_by is not None:
            time_left = None if seconds is None else max(0.0, start + seconds - now())
            with kernels_within(time_left):
                answer = self._answer(answer, won_by, every=every, on_step=on_step)
        return replace(answer, nodes=self.nodes - before, seconds=now() - start)

    def needs(self, position: Position, color: Color, stones: int) -> "Needs | None":
        """Return whether a player wins with at most this many more stones; None if the time is up.

        Raise Stopped when the work was canceled, and ValueError for a position of another board
        or a negative number of stones.
        """
        if position.board != self.board or stones < 0:
            raise ValueError(f"{stones} stones on {position.board}: this search is of {self.board}")
        stones = min(stones, position.empty.count())  # the kernel has room for no more
        own, opponent = self._words(position, color)
        shape = self.board if color is Color.BLACK else self.board.transposed
        if shape not in self._table:
            self._table[shape] = np.zeros((self._rows, ROW), np.int64)
        question = np.array([own, opponent, stones, position.turn is color], np.int64)
        carrier, move, nodes = solve_within(
            question,
            self._shapes[color],
            self._table[shape],
            self._history[color],
            stop.address(),
        )
        self.nodes += int(nodes)
        if carrier == STOPPED:
            stop.check()
            return None
        wins, is_to_move = bool(carrier != FAILED), position.turn is color
        return Needs(
            wins,
            carrier=self._cells(int(carrier), color) if wins else (),
            moves=self._cells(int(move), color) if wins is is_to_move else (),
        )

    def _words(self, position: Position, color: Color) -> tuple[int, int]:
        """Return a player's and the opponent's stones, as if the player joined north to south."""
        if color is Color.WHITE:
            position = position.transposed()
        return to_number(position.black), to_number(position.white)

    def _cells(self, word: int, color: Color) -> tuple[Cell, ...]:
        cells = tuple(cells_in(word))
        if color is Color.WHITE:
            cells = tuple(map(self.board.transposed.transpose, cells))
        return cells

    def _answer(
        self, answer: ShortestWin, color: Color, *, every: bool, on_step: Callable[[int], object]
    ) -> ShortestWin:
        position = answer.position
        while True:
            win = self.needs(position, color, answer.least)
            if win is None:
                return answer
            if win.wins:
                break
            answer = replace(answer, least=answer.least + 1)
            on_step(answer.least)
        answer = replace(answer, stones=answer.least)
        if position.turn is color:
            answer = replace(answer, moves=win.moves)
        answer = replace(answer, line=self._line(position, color, answer.least))
        if every and position.turn is color:
            return self._with_all_first_moves(answer, color)
        return replace(answer, complete=position.turn is not color)

    def _with_all_first_moves(self, answer: ShortestWin, color: Color) -> ShortestWin:
        """Return an answer with all first moves, or with those found in time."""
        moves = set(answer.moves)
        for cell in answer.position.empty.search(1):
            win = self.needs(answer.position.play(cell), color, answer.least - 1)
            if win is None:
                return replace(answer, moves=tuple(sorted(moves)))
            if win.wins:
                moves.add(cell)
        return replace(answer, moves=tuple(sorted(moves)), complete=True)

    def _line(self, position: Position, color: Color, stones: int) -> tuple[Cell, ...]:
        """Return a win with this many stones against replies that leave no shorter one."""
        line: list[Cell] = []
        while stones:
            if position.turn is color:
                win = self.needs(position, color, stones)
                if win is None:
                    break
                cell, stones = win.moves[0], stones - 1
            else:
                reply = self.longest_reply(position, color, stones)
                if reply is None:
                    break
                cell = reply
            line.append(cell)
            position = position.play(cell)
        return tuple(line)

    def longest_reply(self, position: Position, color: Color, stones: int) -> Cell | None:
        """Return a move of the loser after which `color` still needs `stones` stones.

        None if the time is up. `stones` is the number that `color` needs before it.
        """
        failure = self.needs(position, color, stones - 1)
        if failure is None:
            return None
        if failure.moves:
            return failure.moves[0]
        # Any move will do: prefer one in the winner's carrier.
        win = self.needs(position, color, stones)
        if win is None:
            return None
        return min(win.carrier or position.empty.search(1))


@dataclass(frozen=True, slots=True)
class Needs:
    """Whether a number of stones suffices.

    wins     whether they do
    carrier  the empty cells that the win needs
    moves    the winner's move, or the loser's refutation; none if the other player is to move,
             or if any move refutes
    """

    wins: bool
    carrier: tuple[Cell, ...]
    moves: tuple[Cell, ...]


def _shape(board: Board) -> npt.NDArray[np.int64]:
    """Return the sets of cells of a board that the kernel floods, its `shape`."""
    columns, full = board.columns, (1 << board.size) - 1
    first = sum(1 << board.at(0, row) for row in range(board.rows))
    top = (1 << columns) - 1
    return np.array(
        [columns, full, first, first << (columns - 1), top, top << (board.size - columns)], np.int64
    )
