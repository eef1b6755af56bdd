"""The solver: who wins a position, with which moves, and which openings win."""

import math
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from hsearch.connect import Limits
from hsearch.hex import Board, Cell, CellSet, Color, Position, winner
from hsearch.hex.board import to_number
from hsearch.hex.face import Pictured, expect_range
from hsearch.kernels.stop import stopping
from player.solve import table as table_file
from player.solve.budget import ALL_TECHNIQUES, Budget, OutOfTimeError, Techniques
from player.solve.examiner import Examiner
from player.solve.lemmas import Lemmas
from player.solve.proof import ProvedPart
from player.solve.proof_number import Remaining, Workers, remaining
from player.solve.table import INFINITE, Node, NodeTable
from player.work.clock import kernels_within, now

LIMITS = Limits(M=100, semis=40, K=4, templates=True, stop_at_win=True)
UNLESS_SWAPPED = "If nobody swaps: "  # begins an answer while a swap is possible
NOT_SOLVED = "Not solved in that time."


@dataclass(frozen=True, slots=True)
class Answer(Pictured):
    """Answer of the solver on a position. A notebook draws the board with the winning moves.

    winner         None if the time was too short
    winning_moves  winning moves of the player to move
    complete       whether these are all of them
    nodes          positions examined
    seconds        the time it took
    before_swap    whether a swap is still possible, which the answer ignores
    """

    position: Position
    winner: Color | None
    winning_moves: tuple[Cell, ...]
    complete: bool
    nodes: int
    seconds: float
    before_swap: bool = False

    def _display_module(self) -> str:
        return "player.answers.solved"

    def __str__(self) -> str:
        if self.winner is None:
            return NOT_SOLVED
        return UNLESS_SWAPPED * self.before_swap + self._verdict(self.winner)

    def _verdict(self, won_by: Color) -> str:
        mover = self.position.turn.title
        if winner(self.position) is not None:
            return f"{won_by.title} has won."
        if won_by is not self.position.turn:
            return f"{won_by.title} wins, whatever {mover} does."
        names = self.position.board.text(self.winning_moves)
        only = ", and with no other move" if self.complete else ""
        return f"{mover} wins with {names}{only}."


@dataclass(frozen=True, slots=True)
class SolverProgress:
    """Progress of a search.

    proof     the fewest open positions that have to be decided to prove the mover's win
    disproof  the same for a loss
    line      the moves being searched
    nodes     positions examined so far, in `seconds` since the solver began
    """

    proof: int
    disproof: int
    line: tuple[Cell, ...]
    nodes: int
    seconds: float


class Solver:
    """A search of one board, with a table that serves one question after another.

    Holds state. `memory`, in megabytes, bounds the table, and `workers` threads
    share it.
    """

    def __init__(
        self,
        board: Board,
        *,
        limits: Limits = LIMITS,
        memory: int = 1000,
        workers: int = 1,
        techniques: Techniques = ALL_TECHNIQUES,
        table: NodeTable | None = None,
    ) -> None:
        """Start with an empty table, or with one that is shared.

        Raise ValueError when `memory` or `workers` is less than 1.
        """
        expect_range("memory", memory, 1)
        expect_range("workers", workers, 1)
        self.board = board
        self.on_progress: Callable[[SolverProgress], None] | None = None
        self._limits, self._techniques = limits, techniques
        self._table = table or NodeTable(max(1, memory * 1_000_000 // node_bytes(board)))
        self._search = Workers(board, limits, self._table, techniques, workers)
        self._search.first.on_step = self._report
        self._began = now()

    @property
    def nodes(self) -> int:
        """The number of positions examined so far."""
        return self._search.shared.positions

    @property
    def tries(self) -> int:
        """The number of tries of the rules so far (`Examiner.tries`)."""
        return self._search.shared.tries

    @property
    def lemmas(self) -> int:
        """The number of lemmas learned so far."""
        return sum(self._search.shared.lemmas.counts)

    def prepare(self, seconds: float | None = None) -> None:
        """Compile the kernels before the first question does, in many seconds the first time.

        With `seconds`, prepare the net that a question of this limit may ask, too. One without a
        limit prepares it itself if it takes long.
        """
        Examiner(self.board, self._limits, self._techniques).prepare()
        Lemmas(self.board).prepare()
        if seconds is not None:
            self._search.first.prepare(seconds)

    def decide(self, position: Position, *, seconds: float, tries: float = math.inf) -> Node | None:
        """Return who wins, the proof's carrier and its first move; None if the budget is spent.

        The budget is `seconds` and `tries` of the rules (`Examiner.tries`).
        """
        numbers = _numbers(position)
        answer = self._search.recall(*numbers)  # without the thread that a time limit starts
        if answer is not None:
            return answer
        self._search.shared.budget = Budget(now() + seconds, tries=self.tries + tries)
        try:
            with kernels_within(seconds):
                return self._search.decide(*numbers)
        except OutOfTimeError:
            return None
        finally:
            self._search.shared.budget = Budget()

    def outcome(self, position: Position) -> Color:
        """Return who wins, or has won."""
        over = winner(position)
        return Color(self._decide(position).won_by) if over is None else over

    def winning_move(self, position: Position) -> Cell | None:
        """Return a winning move of the player to move; None if there is none."""
        if winner(position) is not None:
            return None
        node = self._decide(position)
        if node.winner != position.turn:
            return None
        return _move_of(node, position)

    def solve(
        self,
        position: Position,
        *,
        every: bool = False,
        seconds: float | None = None,
        nodes: int | None = None,
        tries: int | None = None,
        cancel: threading.Event | None = None,
    ) -> Answer:
        """Return who wins and one winning move or, with `every`, all of them.

        With `every`, each move is solved separately. When the time is up, `nodes` more positions
        have been examined, `tries` of the rules have been made (`Examiner.tries`), or `cancel` is
        set, return what is known by then; the table keeps the rest. A search with `tries` uses
        only what earlier ones proved, and leaves nothing if it fails, so that earlier failures do
        not change its answer.
        """
        start, before = now(), self.nodes
        self._search.shared.budget = Budget(
            math.inf if seconds is None else start + seconds,
            math.inf if nodes is None else before + nodes,
            math.inf if tries is None else self._search.shared.tries + tries,
            cancel,
        )
        answer = Answer(position, winner(position), (), complete=False, nodes=0, seconds=0)
        try:
            apart = nullcontext() if tries is None else self._search.apart()
            with stopping(cancel), kernels_within(seconds), apart:
                answer = self._answer(answer, every=every)
        except _UnfinishedError as unfinished:
            answer = unfinished.answer
        finally:
            self._search.shared.budget = Budget()
        return replace(answer, nodes=self.nodes - before, seconds=now() - start)

    def recall(self, position: Position) -> Answer | None:
        """Return the answer of earlier searches for a position; None if it is open.

        A lemma may decide a position that was never searched, and so may one of its moves.
        """
        over = winner(position)
        if over is not None:
            return Answer(position, over, (), complete=True, nodes=0, seconds=0)
        node = self._search.recall(*_numbers(position))
        if node is None or node.winner is None:
            moves = [
                move
                for move, color in self.move_winners(position).items()
                if color is position.turn
            ]
            if not moves:
                return None
            return Answer(position, position.turn, (moves[0],), complete=False, nodes=0, seconds=0)
        won_by = Color(node.winner)
        if won_by is not position.turn:
            return Answer(position, won_by, (), complete=True, nodes=0, seconds=0)
        move = _move_of(node, position)
        return Answer(position, won_by, (move,), complete=False, nodes=0, seconds=0)

    def move_winners(self, position: Position) -> dict[Cell, Color]:
        """Return the winner after each move that the table has decided."""
        winners: dict[Cell, Color] = {}
        for cell in position.empty.search(1):
            won_by = self._search.winner(*_numbers(position.play(cell)))
            if won_by is not None:
                winners[cell] = Color(won_by)
        return winners

    def remaining(self, position: Position) -> Remaining | None:
        """Return the known moves of an open position; None if it was not examined."""
        return remaining(self._search.first, self._table, position)

    def learn(self, part: ProvedPart) -> None:
        """Store a win that is proved elsewhere. Another thread may search meanwhile."""
        stones, shared = part.start.stones(part.winner), self._search.shared
        with shared.lock:
            shared.lemmas.learn(int(part.winner), to_number(stones), to_number(part.carrier))

    def results(self) -> dict[bytes, Node]:
        """Return the decided nodes by key. Another thread may search meanwhile."""
        with self._search.shared.lock:
            return self._table.results()

    def adopt(self, nodes: dict[bytes, Node]) -> None:
        """Store the decided nodes of another solver. Another thread may search meanwhile."""
        with self._search.shared.lock:
            self._table.adopt(nodes)

    def save(self, path: Path) -> None:
        """Write the table. Raise OSError when that fails; an older file then stays."""
        table_file.save(self._table, self.board, path)

    def load(self, path: Path) -> None:
        """Read a table into this one. Raise TableError when it is of another board or version."""
        table_file.load(self._table, self.board, path)

    def _answer(self, answer: Answer, *, every: bool) -> Answer:
        position = answer.position
        if answer.winner is not None:
            return replace(answer, complete=True)
        try:
            node = self._decide(position)
            answer = replace(answer, winner=Color(node.won_by))
            if answer.winner is not position.turn:
                return replace(answer, complete=True)
            move = _move_of(node, position)
            answer = replace(answer, winning_moves=(move,))
            if not every:
                return answer
            moves = {move}
            for cell in position.empty.search(1):
                if self.outcome(position.play(cell)) is position.turn:
                    moves.add(cell)
                    answer = replace(answer, winning_moves=tuple(sorted(moves)))
        except OutOfTimeError:
            raise _UnfinishedError(answer) from None
        return replace(answer, complete=True)

    def _decide(self, position: Position) -> Node:
        return self._search.decide(*_numbers(position))

    def _report(self) -> None:
        if self.on_progress is not None:
            root, line = self._search.root, self._search.line
            proof, disproof = min(root.phi, INFINITE), min(root.delta, INFINITE)
            seconds = now() - self._began
            self.on_progress(SolverProgress(proof, disproof, line, self.nodes, seconds))


class _UnfinishedError(Exception):
    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer


def _move_of(node: Node, position: Position) -> Cell:
    """Return a winning move at a node that the player to move is proved to win."""
    if node.first is not None:
        return node.first
    # The proof needs no first move, so any move wins: prefer one in its carrier.
    carrier = node.carrier or to_number(position.empty)
    return (carrier & -carrier).bit_length() - 1


def _numbers(position: Position) -> tuple[int, int, int]:
    return to_number(position.black), to_number(position.white), int(position.turn)


def node_bytes(board: Board) -> int:
    """Return an upper estimate of the bytes that a node takes on average, with its `places`.

    Measured: 860 to 1200 bytes on 7x7, 2050 on 8x8, 5330 to 6400 on 11x11, 9000 on 13x13, 13,000
    on 15x15, 25,000 on 19x19 and 58,000 on 26x26.
    """
    return 1000 + 40 * board.size + 70 * max(0, board.size - 100)


# The openings with which Black wins, and the work of solving them.


@dataclass(frozen=True, slots=True)
class Opening:
    """A solved opening of Black, the same as its half turn.

    cell     the cell of Black's first stone
    winner   who wins
    nodes    positions examined, with the table of the openings before it
    seconds  the time it took
    """

    cell: Cell
    winner: Color
    nodes: int
    seconds: float


def winning_openings(
    solver: Solver, *, on_progress: Callable[[Opening], object] = lambda _opening: None
) -> CellSet:
    """Return the first moves with which Black wins, without swap.

    Of two openings that half a turn exchanges, one is solved. Those near the center
    come first, as they are decided most quickly. `on_progress` is called after each.
    """
    board = solver.board
    empty = Position.of(board)
    wins: set[int] = set()
    for cell in from_the_center(board):
        start, before = time.monotonic(), solver.nodes
        won_by = solver.outcome(empty.play(cell))
        on_progress(Opening(cell, won_by, solver.nodes - before, time.monotonic() - start))
        if won_by is Color.BLACK:
            wins |= {cell, board.rotate(cell)}
    return board.only(*wins)


def from_the_center(board: Board) -> list[Cell]:
    """Return one of any two cells that half a turn exchanges, the nearest to the center first."""
    halves = (cell for cell in board.cells if cell <= board.rotate(cell))
    return sorted(halves, key=lambda cell: _distance(board, cell))


def _distance(board: Board, cell: int) -> int:
    """Return twice the number of steps from a cell to the center."""
    column, row = board.column_and_row(cell)
    right, down = 2 * column + 1 - board.columns, 2 * row + 1 - board.rows
    return max(abs(right), abs(down), abs(right + down))
