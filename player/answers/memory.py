"""What was proved in this process, and the solvers that build on it.

A solver's table and lemmas serve all positions of a board, so every question of a
process goes to the same solver: what Solve, Hint, Review or `verify` has proved is
known to Analyze, to the graph and to the list of moves. A *lemma* (`player.solve.lemmas`)
decides every position with some stones and cells, wherever they are met.

A search is bounded by how often it tries the two rules, so that the answer does not
depend on how fast or how busy a machine is. A failed one leaves nothing, so that the answer does
not depend on what else was asked in vain; and it is not repeated with the same or a smaller
budget, unless a longer one has run since: two hosts that ask one after the other get one answer.
"""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Event, Lock, RLock

from hsearch.connect.connection import Connection
from hsearch.hex.board import Board, Cell, Color
from hsearch.hex.position import Position
from hsearch.render.text import numbered
from player.search.openings import known_winner, winning_opening
from player.solve.budget import TRIES_A_SECOND
from player.solve.proof import ProvedPart, write
from player.solve.solver import Answer, Solver

MOST_BOARDS = 2
SOLVER_BYTES = 100_000_000  # of one solver's table
FACT_BYTES = 50_000_000  # of all proved positions, and of those searched in vain
BY_SEARCH = ("solver", "search", "memory")  # the solver can write these proofs
DERIVED = ("chain", "full", "semi")  # by each analysis again, so not stored
WAIT_SECONDS = 0.05  # for a solver that somebody else has, maybe for a long search
# With more empty cells than this, or than this share of all, the solver rarely proves anything.
OPENING, OPENING_SHARE = 95, 0.785


def budget(seconds: float, position: Position) -> int:
    """Return how often the solver may try the rules: as often as in `seconds` of a free core.

    With many empty cells it gets less, for it rarely proves anything there.
    """
    cells = position.board.size
    most = max(OPENING, OPENING_SHARE * cells)
    share = min(1.0, (most / max(1, position.empty.count())) ** 16)
    return round(seconds * TRIES_A_SECOND * share)


@dataclass(frozen=True, slots=True)
class Proved:
    """Proved winner of a position, and the proof.

    by          chain, full, semi, deduction; solver; search: a player's search; memory: a lemma
                or a position proved before;
                map: the shipped map of openings; move: the move that was played wins;
                resigned, forfeited, lost_on_time, record: the game is over, and the record
                names its winner, which proves nothing of the position
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
    def kind(self) -> str:
        """What it rests on, in a word: a connection that was deduced is a full one."""
        return "full" if self.by == "deduction" else self.by

    @property
    def words(self) -> str:
        """Kind and size of the proof, in a few words."""
        size = self.size
        return {
            "chain": "a chain of stones",
            "solver": f"the solver, {numbered(size, 'position')}",
            "search": "a player's search",
            "memory": "what was proved before",
            "map": "the shipped map of openings",
            "move": "the move played, which wins",
            "resigned": "the opponent's resignation",
            "forfeited": "the opponent's forfeit",
            "lost_on_time": "the clock",
            "record": "the record",
            "deduction": f"a full connection of {numbered(size, 'cell')}, by must-play deduction",
        }.get(self.by, f"a {self.by} connection of {numbered(size, 'cell')}")


@dataclass(frozen=True, slots=True)
class _InVain:
    """A search without an answer.

    tries   of the rules that it was granted
    longer  how many long searches were made before it
    seen    what the solver of the board knew at the last look-up (`knows` below); None before
    """

    tries: int
    longer: int
    seen: tuple[int, int] | None = None


@dataclass(slots=True, eq=False)
class _SharedSolver:
    """The solver of a board, which all threads share. Holds state.

    lock     held by whoever searches with it
    is_long  whether that is a search of any length
    given    how often it was given what another solver has decided
    """

    solver: Solver
    lock: RLock = field(default_factory=RLock)
    is_long: bool = False
    given: int = 0

    @property
    def knows(self) -> tuple[int, int]:
        """What is another pair once it may decide more positions."""
        return self.solver.lemmas, self.given

    def take(self) -> bool:
        """Wait for its lock, but not for a search of any length; return whether that is held."""
        while not self.lock.acquire(timeout=WAIT_SECONDS):
            if self.is_long:
                return False
        return True


class Memory:
    """Proofs and solvers of one process. Threads may share it.

    Holds state. When there are too many facts, the least recently used are dropped.
    """

    def __init__(self, solver_bytes: int = SOLVER_BYTES, fact_bytes: int = FACT_BYTES) -> None:
        """Begin empty."""
        self._solver_bytes, self._fact_bytes = solver_bytes, fact_bytes
        self._solvers: OrderedDict[Board, _SharedSolver] = OrderedDict()
        self._facts: OrderedDict[Position, Proved | _InVain] = OrderedDict()
        self._lock = Lock()
        self._bytes = 0
        self._longer = 0

    @contextmanager
    def solver(self, board: Board, *, waits: bool = True) -> Iterator[Solver]:
        """Lock and yield the solver of a board for a search of any length.

        While another such search has it, wait; or else yield a second one, which is given what the
        first one has decided by now, and gives back what it decides.
        """
        with self._locked(board, waits=waits) as solver:
            if solver is not None:
                yield solver
                return
            shared, second = self._shared_solver(board), Solver(board, memory=self._megabytes)
            second.adopt(shared.solver.decided())
            try:
                yield second
            finally:
                shared.solver.adopt(second.decided())
                shared.given += 1
                if second.nodes:
                    self._longer += 1

    @contextmanager
    def idle_solver(self, board: Board) -> Iterator[Solver | None]:
        """Do the same for whoever needs what it knows; None while another such search has it."""
        with self._locked(board, waits=False) as solver:
            yield solver

    @contextmanager
    def _locked(self, board: Board, *, waits: bool) -> Iterator[Solver | None]:
        shared = self._shared_solver(board)
        if waits:
            shared.lock.acquire()
        elif not shared.take():
            yield None
            return
        before, was_long = shared.solver.nodes, shared.is_long
        shared.is_long = True
        try:
            yield shared.solver
        finally:
            shared.is_long = was_long
            if shared.solver.nodes > before:
                self._longer += 1
            shared.lock.release()

    def known(self, position: Position) -> Proved | None:
        """Return what was proved before."""
        fact = self._fact(position)
        if isinstance(fact, Proved):
            return fact
        with self._lock:
            shared = self._solvers.get(position.board)
        is_new = not isinstance(fact, _InVain) or shared is None or fact.seen != shared.knows
        if shared is None or not is_new or not shared.take():
            return None
        try:
            answer, knows = shared.solver.recall(position), shared.knows
        finally:
            shared.lock.release()
        if answer is None or answer.winner is None:
            if isinstance(fact, _InVain):
                self._keep(position, replace(fact, seen=knows))
            return None
        move = next(iter(answer.winning_moves), None)
        return self.keep(position, Proved(answer.winner, "memory", 0, move=move))

    def kept(self, position: Position) -> Proved | None:
        """Return the stored proof of a position, without a look into a solver; None if none is."""
        fact = self._fact(position)
        return fact if isinstance(fact, Proved) else None

    def ask(
        self,
        position: Position,
        tries: int,
        seconds: float | None = None,
        cancel: Event | None = None,
    ) -> Proved | None:
        """Return what is known, or what the solver proves by so many tries of the rules.

        It gives up after so many `seconds` as well. Last come the shipped maps of openings.
        """
        known, fact = self.known(position), self._fact(position)
        if known is not None:
            return known
        is_in_vain = (
            isinstance(fact, _InVain) and fact.tries >= tries and fact.longer == self._longer
        )
        if tries > 0 and not is_in_vain:
            longer = self._longer
            with self._free_solver(position.board) as solver:
                if not solver.nodes:
                    solver.prepare(0)  # compiling takes longer than the `seconds`
                answer = solver.solve(position, tries=tries, seconds=seconds, cancel=cancel)
            proved = self.learn(answer)
            if proved is None and not (cancel is not None and cancel.is_set()):
                proved = self._keep(position, _InVain(tries, longer))
            if proved is not None:
                return proved
        won_by = known_winner(position)
        if won_by is None:
            return None
        return Proved(won_by, "map", 0, move=winning_opening(position))

    def learn(self, answer: Answer) -> Proved | None:
        """Keep an answer of a solver; return what it proves: without a search, what it knew."""
        if answer.winner is None:
            return None
        move, by = next(iter(answer.winning_moves), None), "solver" if answer.nodes else "memory"
        return self.keep(answer.position, Proved(answer.winner, by, answer.nodes, move=move))

    def keep(self, position: Position, proved: Proved) -> Proved:
        """Store a proof of a position; return the stored one: an older proof stays.

        What an analysis derives each time from stones and connections is not stored.
        """
        if proved.by in DERIVED:
            return self.kept(position) or proved
        by = "memory" if proved.by == "move" else proved.by
        return self._keep(position, replace(proved, by=by)) or proved

    def keep_win(self, position: Position, winner: Color, move: Cell | None) -> None:
        """Store a win that a player's search proved, and a winning move."""
        first = move if winner is position.turn else None
        self.keep(position, Proved(winner, "search", 0, move=first))

    def read(self, part: ProvedPart) -> None:
        """Store a verified proof as a lemma."""
        shared = self._shared_solver(part.start.board)
        is_free = shared.take()  # or a short search in vain would forget it
        try:
            shared.solver.learn(part)
        finally:
            if is_free:
                shared.lock.release()
        self._longer += 1

    def proof(self, position: Position) -> str:
        """Return the proof of who wins a position, as `verify` reads it.

        What is not remembered of it is searched for, however long that takes; no other search is
        waited for.
        """
        with self.solver(position.board, waits=False) as solver:
            return write(solver, position)

    def forget(self) -> None:
        """Forget all that was proved."""
        with self._lock:
            self._solvers.clear()
            self._facts.clear()
            self._bytes = 0

    def _shared_solver(self, board: Board) -> _SharedSolver:
        with self._lock:
            if board not in self._solvers:
                self._solvers[board] = _SharedSolver(Solver(board, memory=self._megabytes))
            self._solvers.move_to_end(board)
            while len(self._solvers) > MOST_BOARDS:
                self._solvers.popitem(last=False)
            return self._solvers[board]

    @property
    def _megabytes(self) -> int:
        return max(1, self._solver_bytes // 1_000_000)

    @contextmanager
    def _free_solver(self, board: Board) -> Iterator[Solver]:
        """Give the solver of a board, or another one while a long search goes on."""
        shared = self._shared_solver(board)
        if not shared.take():
            yield Solver(board, memory=max(1, self._solver_bytes // 10_000_000))
            return
        try:
            yield shared.solver
        finally:
            shared.lock.release()

    def _fact(self, position: Position) -> Proved | _InVain | None:
        with self._lock:
            fact = self._facts.get(position)
            if fact is not None:
                self._facts.move_to_end(position)
            return fact

    def _keep(self, position: Position, fact: Proved | _InVain) -> Proved | None:
        """Store a fact. Return the proof that was stored before, which stays; None if none was."""
        with self._lock:
            older = self._facts.pop(position, None)
            if isinstance(older, Proved):
                self._facts[position] = older
                return older
            if older is not None:
                self._bytes -= _bytes_of(position, older)
            self._facts[position] = fact
            self._bytes += _bytes_of(position, fact)
            while self._bytes > self._fact_bytes and len(self._facts) > 1:
                self._bytes -= _bytes_of(*self._facts.popitem(last=False))
            return None


def _bytes_of(position: Position, fact: Proved | _InVain) -> int:
    """Return an upper estimate of the bytes of a fact, its position and its derivation."""
    cells = position.board.size
    steps = _steps(fact.connection) if isinstance(fact, Proved) and fact.connection else 0
    return 1000 + cells // 2 + steps * (500 + cells // 8)


def _steps(connection: Connection) -> int:
    """Return how many connections one was derived from, itself included."""
    steps, seen = [connection], {id(connection)}
    for step in steps:
        joins = (fill.join for fill in step.fills if fill.join is not None)
        news = [each for each in (*step.premises, *joins) if id(each) not in seen]
        seen.update(map(id, news))
        steps += news
    return len(steps)


MEMORY = Memory()  # of this process
