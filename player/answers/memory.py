"""The proofs of this process, and the solvers that share them.

A solver's table and lemmas serve all positions of a board, so all questions about a board go to
one solver: Analyze, the graph and the list of moves use the proofs of Solve, Hint, Review and
`verify`. A *lemma* (`player.solve.lemmas`) decides every position that has certain stones and
empty cells.

A short search is bounded by its tries of the two rules, so its answer does not depend on the
speed or load of the machine. If it fails, it leaves nothing in the table, so later answers do not
depend on failed searches; and it is not repeated with the same or a smaller budget until a long
search has run. So two hosts that ask one after the other get the same answer. What the solver
answered about two points is stored as well.
"""

import enum
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from threading import Event, Lock, RLock
from typing import ClassVar, TypeAlias

from hsearch.connect import Connection
from hsearch.connect.connection import steps_of
from hsearch.hex import Board, Cell, Color, Point, Position
from hsearch.hex.move import Ending
from hsearch.kernels.stop import WAIT_SECONDS, Stopped, check
from hsearch.render.text import quantity
from player.search.openings import chart_winner, winning_opening
from player.solve.budget import OutOfTimeError
from player.solve.pair import PairAnswer, join
from player.solve.proof import ProvedPart, write
from player.solve.solver import Answer, Solver, SolverProgress
from player.work.clock import kernels_within

MOST_BOARDS = 2
SOLVER_MEGABYTES = 100  # of one solver's table
FACT_BYTES = 50_000_000  # of all proved positions and failed searches
HARDLY_MORE = 1.5  # a pair is searched again only for more than this multiple of the earlier time


# What proves a winner. Each has `word`, as in JSON, and `words`, as in a sentence.


class Source(enum.Enum):
    """A proof of which only its kind is known."""

    CHAIN = "chain", "a chain of stones"
    SEARCH = "search", "a player's search"
    MEMORY = "memory", "an earlier proof"  # a lemma or an earlier proof
    MAP = "map", "the shipped map of openings"

    def __init__(self, word: str, words: str) -> None:
        self.word, self.words = word, words


@dataclass(frozen=True, slots=True)
class ByConnection:
    """A connection of the winner's edges; it has a key only if the winner is to move.

    is_deduced  whether it is a full that only must-play deduction found
    """

    connection: Connection
    is_deduced: bool = False

    @property
    def word(self) -> str:
        """The word in JSON."""
        return "deduction" if self.is_deduced else self.connection.kind

    @property
    def words(self) -> str:
        """Kind and size in a few words."""
        cells = quantity(self.connection.carrier.count(), "cell")
        if self.is_deduced:
            return f"a full connection of {cells}, by must-play deduction"
        return f"a {self.word} connection of {cells}"


@dataclass(frozen=True, slots=True)
class BySolver:
    """A search of the solver, and how many positions it examined."""

    positions: int
    word: ClassVar[str] = "solver"

    @property
    def words(self) -> str:
        """Kind and size in a few words."""
        return f"the solver, {quantity(self.positions, 'position')}"


@dataclass(frozen=True, slots=True)
class ByMove:
    """The move that was played in a game, and the proof of the position after it."""

    after: "Proved"
    word: ClassVar[str] = "move"
    words: ClassVar[str] = "the move played, which wins"


@dataclass(frozen=True, slots=True)
class ByRecord:
    """The record of a finished game, which proves nothing about the position.

    ending  how the game ended; None if the record names only the winner
    """

    ending: Ending | None

    @property
    def word(self) -> str:
        """The word in JSON."""
        return "record" if self.ending is None else self.ending.name.lower()

    @property
    def words(self) -> str:
        """The end of the game in a few words."""
        return {
            None: "the record",
            Ending.RESIGNED: "the opponent's resignation",
            Ending.FORFEITED: "the opponent's forfeit",
            Ending.LOST_ON_TIME: "the clock",
        }[self.ending]


Evidence: TypeAlias = Source | ByConnection | BySolver | ByMove | ByRecord


@dataclass(frozen=True, slots=True)
class Proved:
    """Proved winner of a position, and the proof.

    by    what proves it
    move  a winning move, if the winner is to move and one is known
    """

    winner: Color
    by: Evidence
    move: Cell | None = None

    @property
    def connection(self) -> Connection | None:
        """The proof, if it is a connection of the winner's edges."""
        return self.by.connection if isinstance(self.by, ByConnection) else None

    @property
    def kind(self) -> str:
        """Kind of the proof in a word: that of `by`, but a deduced connection is a full."""
        return self.by.word if self.connection is None else self.connection.kind

    @property
    def words(self) -> str:
        """Kind and size of the proof, in a few words."""
        return self.by.words

    @property
    def is_derived(self) -> bool:
        """Whether it is not stored, because each analysis derives it: from stones and rules."""
        if isinstance(self.by, ByConnection):
            return not self.by.is_deduced
        return self.by is Source.CHAIN

    @property
    def is_searched(self) -> bool:
        """Whether a search found it, so that the solver can write it."""
        return isinstance(self.by, BySolver) or self.by in {Source.SEARCH, Source.MEMORY}

    def trace(self) -> tuple[int, "Proved"]:
        """Return the proof that this one rests on, and how many moves of the game later it is."""
        proof, moves = self, 0
        while isinstance(proof.by, ByMove):
            proof, moves = proof.by.after, moves + 1
        return moves, proof


@dataclass(frozen=True, slots=True)
class _InVain:
    """A failed search.

    tries      its budget in tries of the rules
    longer     the number of long searches before it
    knowledge  `knows` of the board's solver at the last failed look-up; None before the first
    """

    tries: int
    longer: int
    knowledge: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class _Pair:
    """The question whether a player joins two points, each by the captain of its group.

    The turn of the position does not count.
    """

    position: Position
    color: Color
    captains: tuple[Point | None, Point | None]

    @property
    def board(self) -> Board:
        """The board."""
        return self.position.board


@dataclass(frozen=True, slots=True)
class _Joined:
    """The solver's answer about two points, and the limit of its search, as `join` takes it."""

    answer: PairAnswer
    seconds: float | None

    def serves(self, seconds: float | None) -> bool:
        """Return whether a search with this limit would find no more, or hardly more.

        What a search by the clock left open depends on the machine, so it does not answer a
        question without such a limit.
        """
        if self.answer.is_final:
            return True
        if seconds is None or self.seconds is None:
            return seconds is self.seconds
        return seconds <= HARDLY_MORE * self.seconds

    @property
    def connection(self) -> Connection | None:
        """The derived connection."""
        return self.answer.connection


_Question: TypeAlias = Position | _Pair
_Fact: TypeAlias = Proved | _InVain | _Joined


@dataclass(slots=True, eq=False)
class _SharedSolver:
    """The solver of a board, shared by all threads. Holds state.

    lock       held by the thread that uses the solver
    is_long    whether that thread runs a search of any length
    adoptions  how often it has adopted the results of another solver
    """

    solver: Solver
    lock: RLock = field(default_factory=RLock)
    is_long: bool = False
    adoptions: int = 0

    @property
    def knows(self) -> tuple[int, int]:
        """A version of its knowledge, which changes when it may decide more positions."""
        return self.solver.lemmas, self.adoptions

    def take(self) -> bool:
        """Acquire the lock unless a search of any length holds it; return whether it is held."""
        while not self.lock.acquire(timeout=WAIT_SECONDS):
            if self.is_long:
                return False
        return True


class Memory:
    """Proofs and solvers of one process. Threads may share it. Holds state.

    A fact is a proof, a failed search, or an answer about two points. Beyond the limit, the least
    recently used are dropped.
    """

    def __init__(self, fact_bytes: int = FACT_BYTES) -> None:
        """Begin empty."""
        self._fact_bytes = fact_bytes
        self._solvers: OrderedDict[Board, _SharedSolver] = OrderedDict()
        self._facts: OrderedDict[_Question, _Fact] = OrderedDict()
        self._lock = Lock()
        self._bytes = 0
        self._longer = 0

    @contextmanager
    def solver(
        self, board: Board, *, waits: bool = True, cancel: Event | None = None
    ) -> Iterator[Solver]:
        """Lock and yield the solver of a board for a search of any length.

        If another such search has it, wait until `cancel` is set; then, and without `waits`, yield
        a second solver, which starts with the decided positions of the first and hands its own
        back at the end.
        """
        with self._lock_solver(board, waits=waits, cancel=cancel) as solver:
            if solver is not None:
                yield solver
                return
            entry, second = self._entry(board), Solver(board, memory=SOLVER_MEGABYTES)
            second.adopt(entry.solver.results())
            try:
                yield second
            finally:
                entry.solver.adopt(second.results())
                entry.adoptions += 1
                if second.nodes:
                    self._longer += 1

    def idle_solver(self, board: Board) -> AbstractContextManager[Solver | None]:
        """Lock and yield the solver of a board; yield None while a search of any length has it."""
        return self._lock_solver(board, waits=False)

    @contextmanager
    def _lock_solver(
        self, board: Board, *, waits: bool, cancel: Event | None = None
    ) -> Iterator[Solver | None]:
        entry = self._entry(board)
        if waits:
            while not entry.lock.acquire(timeout=WAIT_SECONDS):
                check()
                if cancel is not None and cancel.is_set():
                    yield None
                    return
        elif not entry.take():
            yield None
            return
        before, was_long = entry.solver.nodes, entry.is_long
        entry.is_long = True
        try:
            yield entry.solver
        finally:
            entry.is_long = was_long
            if entry.solver.nodes > before:
                self._longer += 1
            entry.lock.release()

    def recall(self, position: Position) -> Proved | None:
        """Return an earlier proof of a position, stored or recalled by the solver; else None."""
        fact = self._fact(position)
        if isinstance(fact, Proved):
            return fact
        with self._lock:
            entry = self._solvers.get(position.board)
        is_new = not isinstance(fact, _InVain) or entry is None or fact.knowledge != entry.knows
        if entry is None or not is_new or not entry.take():
            return None
        try:
            answer, knows = entry.solver.recall(position), entry.knows
        finally:
            entry.lock.release()
        proof = None if answer is None else self.learn(answer)
        if proof is None and isinstance(fact, _InVain):
            self._keep(position, replace(fact, knowledge=knows))
        return proof

    def solve(
        self,
        position: Position,
        *,
        every: bool = False,
        seconds: float | None = None,
        cancel: Event | None = None,
        waits: bool = True,
        on_progress: Callable[[SolverProgress, Solver], None] | None = None,
    ) -> tuple[Answer, dict[Cell, Color]]:
        """Search as `Solver.solve` does, and store the proof; `waits` is as for `solver`.

        Return the answer, and the winner after each decided move. `seconds` excludes compiling.
        `on_progress` also receives the solver. Raise Stopped if the thread's work is canceled
        while it waits or compiles.
        """
        with self.solver(position.board, waits=waits, cancel=cancel) as solver:
            solver.prepare(seconds)
            before = solver.nodes  # in all questions
            if on_progress is not None:
                solver.on_progress = lambda progress: on_progress(
                    replace(progress, nodes=progress.nodes - before), solver
                )
            try:
                answer = solver.solve(position, every=every, seconds=seconds, cancel=cancel)
            finally:
                solver.on_progress = None
            decided = solver.move_winners(position)
        self.learn(answer)
        return answer, decided

    def look_up(self, position: Position) -> Proved | None:
        """Return the stored proof of a position, if there is one, without asking a solver."""
        fact = self._fact(position)
        return fact if isinstance(fact, Proved) else None

    def ask(
        self,
        position: Position,
        tries: int,
        seconds: float | None = None,
        cancel: Event | None = None,
    ) -> Proved | None:
        """Return an earlier proof, or else the solver's by at most `tries` tries of the rules.

        The solver also stops after `seconds`. The shipped maps of openings come last.
        Raise Stopped when `hsearch.kernels.stop` cancels the work.
        """
        earlier, fact = self.recall(position), self._fact(position)
        if earlier is not None:
            return earlier
        is_in_vain = (
            isinstance(fact, _InVain) and fact.tries >= tries and fact.longer == self._longer
        )
        if tries > 0 and not is_in_vain:
            longer = self._longer
            with self._free_solver(position.board) as solver:
                if not solver.nodes:
                    solver.prepare(0)  # compiling inside the search would use up its `seconds`
                answer = solver.solve(position, tries=tries, seconds=seconds, cancel=cancel)
            proof = self.learn(answer)
            check()  # raises if the thread's work was canceled: the search was not in vain
            if proof is None and not (cancel is not None and cancel.is_set()):
                proof = self._keep(position, _InVain(tries, longer))
            if proof is not None:
                return proof
        won_by = chart_winner(position)
        if won_by is None:
            return None
        return Proved(won_by, Source.MAP, winning_opening(position))

    def learn(self, answer: Answer) -> Proved | None:
        """Store an answer of a solver; return its proof, `MEMORY` if no search was needed."""
        if answer.winner is None:
            return None
        by = BySolver(answer.nodes) if answer.nodes else Source.MEMORY
        move = next(iter(answer.winning_moves), None)
        return self.keep(answer.position, Proved(answer.winner, by, move))

    def keep(self, position: Position, proof: Proved) -> Proved:
        """Store a proof of a position, unless there is an older one; return the stored proof.

        Proofs that every analysis derives from stones and connections are not stored.
        """
        if proof.is_derived:
            return self.look_up(position) or proof
        by = Source.MEMORY if isinstance(proof.by, ByMove) else proof.by
        return self._keep(position, replace(proof, by=by)) or proof

    def keep_win(self, position: Position, winner: Color, move: Cell | None) -> None:
        """Store a win that a player's search proved; `move` counts if the winner is to move."""
        first = move if winner is position.turn else None
        self.keep(position, Proved(winner, Source.SEARCH, first))

    def join(
        self,
        position: Position,
        color: Color,
        ends: tuple[Point, Point],
        *,
        captains: tuple[Point | None, Point | None],
        seconds: float | None = None,
    ) -> PairAnswer:
        """Return whether a player joins two points, as `player.solve.pair.join` does.

        `captains` name the groups of the ends. An earlier answer about the same groups, in any
        order, is returned without a search, unless a search of `seconds` may find more. Raise
        Stopped if the search was canceled.
        """
        # The same search in both orders, so that no answer depends on earlier questions.
        first, second = captains
        if first is not None and second is not None and first > second:
            ends, captains = (ends[1], ends[0]), (second, first)
        pair = _Pair(replace(position, turn=Color.BLACK), color, captains)
        fact = self._fact(pair)
        if isinstance(fact, _Joined) and fact.serves(seconds):
            return fact.answer
        answer = join(position, color, ends, seconds=seconds)
        check()  # what a canceled search left open is not an answer
        with self._lock:
            self._put(pair, _Joined(answer, seconds))
        return answer

    def read(self, part: ProvedPart) -> None:
        """Store a verified proof as a lemma."""
        entry = self._entry(part.start.board)
        is_free = entry.take()  # else a short search that fails would discard it
        try:
            entry.solver.learn(part)
        finally:
            if is_free:
                entry.lock.release()
        self._longer += 1

    def proof(
        self,
        position: Position,
        seconds: float | None = None,
        on_progress: Callable[[str], object] = lambda _text: None,
    ) -> str:
        """Return the proof of the winner of a position in the format of `hsearch verify`.

        Search for the parts that the table no longer has. Do not wait for another search.
        `on_progress` receives, in words, what is done. Raise OutOfTimeError if all this takes
        more than `seconds`, and Stopped if it is canceled.
        """

        def on_search(progress: SolverProgress) -> None:
            on_progress(f"solving: {quantity(progress.nodes, 'position')}")

        def on_reply(count: int) -> None:
            check(late=True)
            on_progress(f"writing the proof: {count:,} replies")

        with self.solver(position.board, waits=False) as solver:
            solver.prepare(seconds)  # compiling does not count
            before, solver.on_progress = solver.on_progress, on_search
            try:
                with kernels_within(seconds):
                    return write(solver, position, on_reply=on_reply)
            except (Stopped, OutOfTimeError):
                check()  # raises if the work was canceled, not only late
                raise OutOfTimeError from None
            finally:
                solver.on_progress = before

    def forget(self) -> None:
        """Drop all proofs and solvers."""
        with self._lock:
            self._solvers.clear()
            self._facts.clear()
            self._bytes = 0

    def _entry(self, board: Board) -> _SharedSolver:
        with self._lock:
            if board not in self._solvers:
                self._solvers[board] = _SharedSolver(Solver(board, memory=SOLVER_MEGABYTES))
            self._solvers.move_to_end(board)
            while len(self._solvers) > MOST_BOARDS:
                self._solvers.popitem(last=False)
            return self._solvers[board]

    @contextmanager
    def _free_solver(self, board: Board) -> Iterator[Solver]:
        """Yield the solver of a board, or a small new one while a long search has it."""
        entry = self._entry(board)
        if not entry.take():
            yield Solver(board, memory=SOLVER_MEGABYTES // 10)
            return
        try:
            yield entry.solver
        finally:
            entry.lock.release()

    def _fact(self, question: _Question) -> _Fact | None:
        with self._lock:
            fact = self._facts.get(question)
            if fact is not None:
                self._facts.move_to_end(question)
            return fact

    def _keep(self, position: Position, fact: Proved | _InVain) -> Proved | None:
        """Store a fact unless there is a proof already; return that proof, else None."""
        with self._lock:
            older = self._facts.get(position)
            if isinstance(older, Proved):
                self._facts.move_to_end(position)
                return older
            self._put(position, fact)
            return None

    def _put(self, question: _Question, fact: _Fact) -> None:
        """Store a fact in place of an older one, and drop those used least recently."""
        older = self._facts.pop(question, None)
        if older is not None:
            self._bytes -= _bytes_of(question, older)
        self._facts[question] = fact
        self._bytes += _bytes_of(question, fact)
        while self._bytes > self._fact_bytes and len(self._facts) > 1:
            self._bytes -= _bytes_of(*self._facts.popitem(last=False))


def _bytes_of(question: _Question, fact: _Fact) -> int:
    """Return an upper estimate of the bytes of a fact, with its position and derivation."""
    cells = question.board.size
    connection = None if isinstance(fact, _InVain) else fact.connection
    steps = 0 if connection is None else len(steps_of(connection))
    return 1000 + cells // 2 + steps * (500 + cells // 8)


MEMORY = Memory()  # of this process
