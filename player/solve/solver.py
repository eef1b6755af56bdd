"""The solver: who wins a position, with which moves, and which openings win."""

import math
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from hsearch.connect.limits import Limits
from hsearch.hex.board import Board, Cell, CellSet, Color, to_number
from hsearch.hex.calls import Pictured
from hsearch.hex.position import Position, winner
from hsearch.kernels.stop import stopping
from player.solve import table as table_file
from player.solve.budget import Budget, OutOfTimeError, Techniques
from player.solve.examiner import Examiner
from player.solve.lemmas import Lemmas
from player.solve.proof import ProvedPart
from player.solve.proof_number import Remaining, Workers, remaining
from player.solve.table import INFINITE, Node, NodeTable
from player.work.clock import kernels_within, now

LIMITS = Limits(M=100, semis=40, K=4, templates=True, stop_at_win=True)
UNLESS_SWAPPED = "If nobody swaps: "  # before what is known where a swap is to come
_ALL = Techniques()


@dataclass(frozen=True, slots=True)
class Answer(Pictured):
    """Answer of the solver on a position. A notebook draws the board with the winning moves.

    winner         None if the time was too short
    winning_moves  moves that win for the player to move
    complete       whether these are all of them
    nodes          positions whose connections were looked at
    seconds        the time it took
    before_swap    whether a swap is to come, without which the answer is
    """

    position: Position
    winner: Color | None
    winning_moves: tuple[Cell, ...]
    complete: bool
    nodes: int
    seconds: float
    before_swap: bool = False

    def _shown_by(self) -> str:
        return "player.answers.solved"

    def __str__(self) -> str:
        if self.winner is None:
            return "Not solved in that time."
        return UNLESS_SWAPPED * self.before_swap + self._verdict(self.winner)

    def _verdict(self, won_by: Color) -> str:
        mover = self.position.turn.title
        if won_by is not self.position.turn:
            return f"{won_by.title} wins, whatever {mover} does."
        names = " ".join(map(self.position.board.name, self.winning_moves))
        if not names:
            return f"{mover} has won."
        only = ", and with no other move" if self.complete else ""
        return f"{mover} wins with {names}{only}."


@dataclass(frozen=True, slots=True)
class SolverProgress:
    """Progress of a search.

    proof     the least number of open positions that make a win for who is to move
    disproof  the same for a loss
    line      the moves that are looked at
    nodes     positions looked at so far, and seconds since the solver began
    """

    proof: int
    disproof: int
    line: tuple[Cell, ...]
    nodes: int
    seconds: float


class Solver:
    """A search of one board and its table, which serves one question after the other.

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
        techniques: Techniques = _ALL,
        table: NodeTable | None = None,
    ) -> None:
        """Start with an empty table, or one that others use as well.

        Raise ValueError when there is no megabyte or no worker.
        """
        if memory < 1:
            raise ValueError(f"not a number of megabytes: {memory}")
        if workers < 1:
            raise ValueError(f"not a number of workers: {workers}")
        self.board = board
        self.on_progress: Callable[[SolverProgress], None] | None = None
        self._limits, self._techniques = limits, techniques
        self._table = table or NodeTable(max(1, memory * 1_000_000 // node_bytes(board)))
        self._search = Workers(board, limits, self._table, techniques, workers)
        self._search.first.on_step = self._report
        self._began = now()

    @property
    def nodes(self) -> int:
        """The positions looked at so far."""
        return self._search.shared.examined

    @property
    def tries(self) -> int:
        """The tries of the rules so far."""
        return self._search.shared.tries

    @property
    def lemmas(self) -> int:
        """The lemmas learned so far."""
        return sum(self._search.shared.lemmas.learned)

    def prepare(self, seconds: float | None = None) -> None:
        """Compile the kernels, or the first question pays for it, many seconds the first time.

        For a question of so many seconds the net that it may ask is made ready as well; one
        without a limit does that itself if it takes long.
        """
        Examiner(self.board, self._limits, self._techniques).prepare()
        Lemmas(self.board).prepare()
        if seconds is not None:
            self._search.first.prepare(seconds)

    def decide(self, position: Position, *, seconds: float, tries: float = math.inf) -> Node | None:
        """Return who wins, what the proof needs, and its first move; None if the budget is spent.

        That is so many seconds, and tries of the rules (`Examiner.tries`).
        """
        numbers = _numbers(position)
        known = self._search.recall(*numbers)  # a limit of time would start a thread
        if known is not None:
            return known
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
        return Color(self._decide(position).winner or 0) if over is None else over

    def winning_move(self, position: Position) -> Cell | None:
        """Return a move that wins for the player to move; None if there is none."""
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
        """Tell who wins and one winning move, or every one.

        For every move, each move is solved on its own. When the time is up, or this many more
        positions have been looked at, or the rules were tried so often (`Examiner.tries`), or
        `cancel` is set, tell what is known by then; the table keeps the rest. But a search of so
        many tries leaves nothing if it is in vain, and takes of earlier ones only what they
        proved, so that it finds the same whatever was asked in vain before.
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
            with kernels_within(seconds), stopping(cancel), apart:
                answer = self._answer(answer, every=every)
        except _UnfinishedError as unfinished:
            answer = unfinished.answer
        finally:
            self._search.shared.budget = Budget()
        return replace(answer, nodes=self.nodes - before, seconds=now() - start)

    def recall(self, position: Position) -> Answer | None:
        """Return who wins by what was decided before, without a search; None if that is open.

        A lemma may decide a position that was never met, or a position after one move may.
        """
        over = winner(position)
        if over is not None:
            return Answer(position, over, (), complete=True, nodes=0, seconds=0)
        node = self._search.recall(*_numbers(position))
        if node is None or node.winner is None:
            moves = [
                move for move, won in self.decided_moves(position).items() if won is position.turn
            ]
            if not moves:
                return None
            return Answer(position, position.turn, (moves[0],), complete=False, nodes=0, seconds=0)
        won_by = Color(node.winner)
        if won_by is not position.turn:
            return Answer(position, won_by, (), complete=True, nodes=0, seconds=0)
        move = _move_of(node, position)
        return Answer(position, won_by, (move,), complete=False, nodes=0, seconds=0)

    def decided_moves(self, position: Position) -> dict[Cell, Color]:
        """Return the moves of a position whose winner the table knows, with the winner."""
        winners: dict[Cell, Color] = {}
        for cell in position.empty.search(1):
            won_by = self._search.known(*_numbers(position.play(cell)))
            if won_by is not None:
                winners[cell] = Color(won_by)
        return winners

    def remaining(self, position: Position) -> Remaining | None:
        """Return what is known of the moves of an open position that was looked at, else None."""
        return remaining(self._search.first, self._table, position)

    def learn(self, part: ProvedPart) -> None:
        """Take for known what is proved elsewhere. Another thread may search meanwhile."""
        stones, shared = part.start.stones(part.winner), self._search.shared
        with shared.lock:
            shared.lemmas.learn(int(part.winner), to_number(stones), to_number(part.carrier))

    def decided(self) -> dict[bytes, Node]:
        """Return the nodes that are decided, by key. Another thread may search meanwhile."""
        with self._search.shared.lock:
            return self._table.decided()

    def adopt(self, nodes: dict[bytes, Node]) -> None:
        """Take for known what a solver of the same board has decided. The same holds."""
        with self._search.shared.lock:
            self._table.adopt(nodes)

    def save(self, path: Path) -> None:
        """Write the table. Raise OSError when that fails; an old file stays then."""
        table_file.save(self._table, self.board, path)

    def load(self, path: Path) -> None:
        """Read a table into this one. Raise TableError when it is of another board or version."""
        table_file.load(self._table, self.board, path)

    def _answer(self, answer: Answer, *, every: bool) -> Answer:
        position = answer.position
        if answer.winner is not None:
            return replace(answer, complete=True)
        try:
            answer = replace(answer, winner=self.outcome(position))
            if answer.winner is not position.turn:
                return replace(answer, complete=True)
            move = self.winning_move(position)
            assert move is not None  # noqa: S101 - for the type checker
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
    """Return a move that wins, of a decided node of who is to move."""
    if node.first is not None:
        return node.first
    # A proof that needs no move wins after any; rather one of its own cells.
    carrier = node.carrier or to_number(position.empty)
    return (carrier & -carrier).bit_length() - 1


def _numbers(position: Position) -> tuple[int, int, int]:
    return to_number(position.black), to_number(position.white), int(position.turn)


def node_bytes(board: Board) -> int:
    """Return more than what a node takes on average, open or not, with where its moves lead.

    Measured were 860 to 1200 bytes on 7x7, 2050 on 8x8 and 5330 on 11x11.
    """
    return 1000 + 40 * board.size


# Which first stones of Black win, and how much work it was to find out.


@dataclass(frozen=True, slots=True)
class Opening:
    """A first stone of Black, and the one after half a turn.

    cell     where it is
    winner   who wins
    nodes    positions whose connections were looked at, after the openings before it
    seconds  the time that took
    """

    cell: Cell
    winner: Color
    nodes: int
    seconds: float


def winning_openings(
    solver: Solver, *, on_progress: Callable[[Opening], object] = lambda _opening: None
) -> CellSet:
    """Return the first moves with which Black wins, without swap.

    Half a turn makes an opening another one, so that one of the two is solved;
    those near the center come first, which are decided most quickly. `on_progress`
    hears of each one that is done.
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
