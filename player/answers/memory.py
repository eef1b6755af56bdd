"""What was proved in this process, and the solvers that go on from it.

A solver's table and lemmas serve all positions of a board, so every question of a
process goes to the same solver: what Solve, Hint, Review or `verify` has proved is
known to Analyze, to the graph and to the list of moves. A *lemma* (`player.solve.lemmas`)
decides every position with some stones and cells, wherever they are met.

A search is bounded by the number of positions it looks at, so that the answer does not
depend on how fast or how busy a machine is. A position that was searched in vain is
not searched again with as small a budget, unless somebody has searched longer meanwhile:
two hosts that ask one after the other get one answer.
"""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Lock, RLock

from hsearch.board import Board, Cell, Color
from hsearch.connection import Connection
from hsearch.position import Position
from player.openings import known_winner, winning_opening
from player.solve import Answer, ProvedPart, Solver, write_proof

MOST_BOARDS = 2
SOLVER_BYTES = 100_000_000  # of one solver's table
FACT_BYTES = 50_000_000  # of all proved positions, and of those searched in vain
BY_SEARCH = ("solver", "search", "memory")  # what such a proof rests on is written by the solver
WAIT_SECONDS = 0.05  # for a solver that somebody else has: a long search may go on there
POSITIONS_A_SECOND = 120_000  # cells of positions that a free core looks at in a second


def positions_in(seconds: float, board: Board) -> int:
    """Return how many positions the solver looks at in so many seconds of a free core."""
    return round(seconds * POSITIONS_A_SECOND / board.size)


@dataclass(frozen=True, slots=True)
class Proved:
    """Proved winner of a position, and the proof.

    by          chain, full, semi, deduction; solver; search: that of a player; memory: a lemma
                or a position proved before;
                map: the shipped map of openings; or move: the move that was played wins
    size        cells of the connection, positions the solver looked at; for a move, those of
                the proof that it leads to; 0 for the map
    connection  between the winner's edges, if one is the proof; with a key if the winner is
                to move
    move        a winning move, if the winner is to move and one is known
    """

    winner: Color
    by: str
    size: int
    connection: Connection | None = None
    move: Cell | None = None

    @property
    def words(self) -> str:
        """Kind and size of the proof, in a few words."""
        size = self.size
        return {
            "chain": "a chain of stones",
            "solver": f"the solver, {size} positions",
            "search": "a player's search",
            "memory": "what was proved before",
            "map": "the shipped map of openings",
            "move": "the move played, which wins",
            "deduction": f"a full connection of {size} cells, by must-play deduction",
        }.get(self.by, f"a {self.by} connection of {size} cells")


@dataclass(frozen=True, slots=True)
class _InVain:
    """A search without an answer: how many positions it looked at, and after which long search."""

    positions: int
    longer: int


class Memory:
    """Proofs and solvers of one process. Threads may share it.

    Holds state. The proofs that were asked for longest ago go first where there are too many.
    """

    def __init__(self, solver_bytes: int = SOLVER_BYTES, fact_bytes: int = FACT_BYTES) -> None:
        """Know nothing yet."""
        self._solver_bytes, self._fact_bytes = solver_bytes, fact_bytes
        self._solvers: OrderedDict[Board, tuple[Solver, RLock]] = OrderedDict()
        self._facts: OrderedDict[Position, Proved | _InVain] = OrderedDict()
        self._lock = Lock()
        self._bytes = 0
        self._longer = 0

    @contextmanager
    def solver(self, board: Board) -> Iterator[Solver]:
        """Give the solver of a board, to one question at a time, for a search however long."""
        solver, lock = self._solver_of(board)
        with lock:
            before = solver.nodes
            try:
                yield solver
            finally:
                if solver.nodes > before:
                    self._longer += 1

    def known(self, position: Position) -> Proved | None:
        """Return what was proved before, or what a shipped map of openings has proved."""
        fact = self._fact(position)
        if isinstance(fact, Proved):
            return fact
        recalled = self._recalled(position)
        if recalled is not None:
            return recalled
        won_by = known_winner(position)
        if won_by is None:
            return None
        return Proved(won_by, "map", 0, move=winning_opening(position))

    def ask(self, position: Position, positions: int, cancel: Event | None = None) -> Proved | None:
        """Return what is known, or what the solver proves by looking at so many positions."""
        known = self.known(position)
        if known is not None or positions <= 0:
            return known
        fact = self._fact(position)
        if (
            isinstance(fact, _InVain)
            and fact.positions >= positions
            and fact.longer == self._longer
        ):
            return None
        longer = self._longer
        with self._free_solver(position.board) as solver:
            answer = solver.solve(position, nodes=positions, cancel=cancel)
        proved = self.learn(answer)
        if proved is None and not (cancel is not None and cancel.is_set()):
            self._keep(position, _InVain(positions, longer))
        return proved

    def learn(self, answer: Answer) -> Proved | None:
        """Keep an answer of a solver; return what it proves."""
        if answer.winner is None:
            return None
        move = next(iter(answer.winning_moves), None)
        return self.keep(answer.position, Proved(answer.winner, "solver", answer.nodes, move=move))

    def keep(self, position: Position, proved: Proved) -> Proved:
        """Keep what is proved of a position; return what is kept of it, the older proof."""
        fact = self._fact(position)
        if isinstance(fact, Proved):
            return fact
        self._keep(position, proved)
        return proved

    def keep_win(self, position: Position, winner: Color, move: Cell | None) -> None:
        """Keep what a player has proved who searched the position: the winner, and a move."""
        first = move if winner is position.turn else None
        self.keep(position, Proved(winner, "search", 0, move=first))

    def read(self, part: ProvedPart) -> None:
        """Keep what a proof proves that was read and verified, as a lemma."""
        solver, lock = self._solver_of(part.start.board)
        with lock:
            solver.learn(part)
        self._longer += 1

    def proof(self, position: Position) -> str:
        """Return the proof of a position by search, as `verify` reads it.

        Raise ValueError when nothing of it is known.
        """
        if self.known(position) is None:
            raise ValueError("who wins is not proved")
        with self.solver(position.board) as solver:
            return write_proof(solver, position)

    def forget(self) -> None:
        """Forget all that was proved."""
        with self._lock:
            self._solvers.clear()
            self._facts.clear()
            self._bytes = 0

    def _solver_of(self, board: Board) -> tuple[Solver, RLock]:
        with self._lock:
            if board not in self._solvers:
                memory = max(1, self._solver_bytes // 1_000_000)
                self._solvers[board] = Solver(board, memory=memory), RLock()
            self._solvers.move_to_end(board)
            while len(self._solvers) > MOST_BOARDS:
                self._solvers.popitem(last=False)
            return self._solvers[board]

    @contextmanager
    def _free_solver(self, board: Board) -> Iterator[Solver]:
        """Give the solver of a board, or another one while a long search goes on."""
        solver, lock = self._solver_of(board)
        if not lock.acquire(timeout=WAIT_SECONDS):
            yield Solver(board, memory=max(1, self._solver_bytes // 10_000_000))
            return
        try:
            yield solver
        finally:
            lock.release()

    def _recalled(self, position: Position) -> Proved | None:
        """Return what the solver's table or its lemmas decide, without a search."""
        with self._lock:
            found = self._solvers.get(position.board)
        if found is None or not found[1].acquire(timeout=WAIT_SECONDS):
            return None
        try:
            answer = found[0].recall(position)
        finally:
            found[1].release()
        if answer is None or answer.winner is None:
            return None
        move = next(iter(answer.winning_moves), None)
        return self.keep(position, Proved(answer.winner, "memory", 0, move=move))

    def _fact(self, position: Position) -> Proved | _InVain | None:
        with self._lock:
            fact = self._facts.get(position)
            if fact is not None:
                self._facts.move_to_end(position)
            return fact

    def _keep(self, position: Position, fact: Proved | _InVain) -> None:
        with self._lock:
            if position not in self._facts:
                self._bytes += _bytes_of(position)
            self._facts[position] = fact
            while self._bytes > self._fact_bytes and len(self._facts) > 1:
                eldest, _ = self._facts.popitem(last=False)
                self._bytes -= _bytes_of(eldest)


def _bytes_of(position: Position) -> int:
    """Return more than what a fact and its position take, connections not counted."""
    return 1000 + position.board.size // 2


MEMORY = Memory()  # of this process
