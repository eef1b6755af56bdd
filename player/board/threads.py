"""The threads that work, the question each is at, and how much of them a visitor may take.

There are some for what a person waits for, for what takes long, and for trifles.

A trifle, such as reading a link, needs no analysis. It has a thread of its own, so
that it is answered even while another question waits for kernels to be compiled.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import inf
from threading import Condition, Event, Thread, Timer, get_ident
from typing import Any, Literal, TypeAlias, TypeVar

import psutil

from hsearch.kernels.folder import has_kernels
from hsearch.kernels.stop import Flag, Stopped, stopping

# One question under way, as the thread that works on it sees it; and how often it reports.

INTERVAL = 0.2  # seconds


class Pace:
    """Says when progress is due; begins when it is made."""

    def __init__(self) -> None:
        """Begin."""
        self._begin = self._last = time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds that it has taken by now."""
        return time.monotonic() - self._begin

    def is_due(self) -> bool:
        """Return whether it is time to tell again; then it is not for a while."""
        now = time.monotonic()
        if now - self._last < INTERVAL:
            return False
        self._last = now
        return True


class CancelledError(Exception):
    """The page no longer wants the answer."""


@dataclass(frozen=True, slots=True)
class BoardJob:
    """A question that can be cancelled, and that tells how far it has come.

    tell    sends progress to the page; may be called in any thread
    cancel  set when the page no longer wants the answer, or is gone
    over    set as well when its seconds are over
    seconds of work after which it is stopped
    """

    tell: Callable[[dict[str, Any]], None]
    cancel: Flag = field(default_factory=Flag)
    over: Event = field(default_factory=Event)
    seconds: float = inf

    def bounded(self, seconds: float) -> float:
        """Return how long a search may take, so that it answers before the job is stopped."""
        return min(seconds, 0.8 * self.seconds)

    @contextmanager
    def listening(self) -> Iterator["BoardJob"]:
        """Give the job to threads that may outlive it: it hears nothing after the block."""
        is_open = True
        try:
            yield replace(self, tell=lambda message: self.tell(message) if is_open else None)
        finally:
            is_open = False

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Stop what is done inside when the seconds of the job are over."""
        if self.seconds == inf:
            yield
            return
        timer = Timer(self.seconds, self._expire)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _expire(self) -> None:
        self.over.set()
        self.cancel.set()

    def check(self) -> None:
        """Raise CancelledError once the job is cancelled."""
        if self.cancel.is_set():
            raise CancelledError


# A board for visitors: what whoever has its address may ask, and how much of the machine it takes.
#
# Strangers share one server. So each of them gets a share: seconds a question, after which its
# work is stopped; one question of a lane at work at a time, while its others wait in a line of
# their own; short messages, and few answers unread. All together wait in a line of bounded length:
# whoever comes when it is full gets an answer at once, that the board is busy and for how long.
# What is allowed is listed, so that a new kind of question is not open to strangers by oversight.

# A list of its own, not KINDS: games of hidden stones are left out, for the server holds few of
# them. None of these reads or writes a file that a visitor names.
_KINDS = """
    analyze explain follow links connections moves openings policy shipped graph solve prove
    verify review hint odds turn puzzle read states write
"""
KINDS_OF_VISITORS = frozenset(_KINDS.split())
WHOLE_GAMES = {"graph": 3, "review": 3}  # these get so many times the seconds of a question
IDLE = 120.0  # seconds without a question after which a visitor makes room for another


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a page may take.

    seconds     of work at a question; then it is stopped
    kinds       of questions it may ask; None are all
    characters  of a question
    unread      characters of answers that wait for it to read them
    """

    seconds: float = inf
    kinds: frozenset[str] | None = None
    characters: int = 4 * 1024 * 1024
    unread: int = 8_000_000

    def seconds_of(self, kind: str) -> float:
        """Return the seconds of work at a question of a kind."""
        return self.seconds * WHOLE_GAMES.get(kind, 1)


@dataclass(frozen=True, slots=True)
class Visitors:
    """Limits of a board that is open to strangers.

    names      by which it is reached, each NAME or NAME:PORT
    most       visitors at once
    seconds    of work at a question
    workers    threads for long questions of all, and as many for short ones
    waiting    questions of all that may wait, long ones and short ones apart
    megabytes  of memory beyond which the server forgets what it remembers, and answers "busy"
    """

    names: tuple[str, ...] = ()
    most: int = 64
    seconds: float = 10.0
    workers: int = 1
    waiting: int = 50
    megabytes: int = 2000

    @property
    def allowance(self) -> Allowance:
        """What one visitor may take."""
        return Allowance(self.seconds, KINDS_OF_VISITORS, 256 * 1024, 1_000_000)

    def hosts(self, port: int) -> frozenset[str]:
        """Return what the Host of a request may be, by the names; behind a proxy without a port."""
        plain = {f"{name}:{port}" for name in self.names if ":" not in name}
        return frozenset({*self.names, *plain})

    @property
    def words(self) -> str:
        """The limits in a sentence, for the page."""
        return (
            f"This board is open to visitors: at most {self.seconds:g} seconds a question, "
            f"one long question at a time."
        )

    def is_full(self) -> bool:
        """Return whether the server takes more memory than it may."""
        return bool(psutil.Process().memory_info().rss > self.megabytes * 1_000_000)


OWN = Allowance()  # of the page of whoever started the server


class BusyError(ValueError):
    """There is no room for a question now."""

    def __init__(self, why: str, seconds: float) -> None:
        """Word it; `seconds` is when to ask again."""
        super().__init__(f"busy: {why}; try again in {min(max(round(seconds), 1), 600)} s")


class Typical:
    """How long a question takes, on average of the last ones. Threads may share it."""

    def __init__(self) -> None:
        """Suppose a second until one was answered."""
        self.seconds = 1.0

    def add(self, begin: float) -> None:
        """Count a question that began then and has ended now."""
        self.seconds += 0.1 * (time.monotonic() - begin - self.seconds)


# The threads: a lane for each kind of work.

T = TypeVar("T")
Lane: TypeAlias = Literal["trifle", "quick", "slow"]


class _Workers:
    """Threads that take calls in the order they came. Holds state.

    One call too many is refused; one that is cancelled while it waits makes room at once.
    They end with the process, whatever they are at: Python waits for those of its
    own executors, so that one long kernel would outlive Ctrl-C.
    """

    def __init__(self, count: int, name: str, most: int | None = None) -> None:
        self._calls: dict[Future[Any], Callable[[], Any]] = {}
        self._changed = Condition()
        self._threads = [Thread(target=self._work, name=name, daemon=True) for _ in range(count)]
        self._count, self._most = count, most  # threads, and calls that may wait for one
        self._at_work = 0
        self._typical = Typical()
        self._is_closed = False

    def submit(self, call: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        with self._changed:
            ahead = len(self._calls) + self._at_work
            if self._most is not None and ahead >= self._most + self._count:
                seconds = ahead * self._typical.seconds / self._count
                raise BusyError(f"{self._most} questions wait", seconds)
            self._calls[future] = call
            self._changed.notify()
        future.add_done_callback(self._forget)
        if self._threads:
            self._threads.pop().start()
        return future

    def _forget(self, future: Future[Any]) -> None:
        with self._changed:
            self._calls.pop(future, None)

    def close(self) -> None:
        self._is_closed = True

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._calls)
                future = next(iter(self._calls))
                call = self._calls.pop(future)
                self._at_work += 1
            begin = time.monotonic()
            try:
                if self._is_closed or not future.set_running_or_notify_cancel():
                    future.cancel()
                    self._end(begin)
                    continue
                result = call()
            except BaseException as error:  # noqa: BLE001 - raised where the result is awaited
                self._end(begin)
                future.set_exception(error)
            else:
                self._end(begin)
                future.set_result(result)
                del result
            del future, call

    def _end(self, begin: float) -> None:
        with self._changed:
            self._at_work -= 1
        self._typical.add(begin)


@dataclass
class _Waiting:
    """A job whose turn has not come, and whether it knows that kernels compile."""

    lane: Lane
    tell: Callable[[dict[str, Any]], None]
    is_told: bool


class Threads:
    """Runs jobs. A job that is cancelled before its turn comes never starts.

    Whoever waits while kernels compile for somebody else hears of it as well, with the count.
    """

    def __init__(self, visitors: Visitors | None = None) -> None:
        """Start no thread yet."""
        if visitors is None:  # three: one tab reviews a game and searches, another one plays
            quick, slow, most = 1, 3, None
        else:
            quick, slow, most = visitors.workers, visitors.workers, visitors.waiting
        self._lanes: dict[Lane, _Workers] = {
            "trifle": _Workers(1, "trifle", most),
            "quick": _Workers(quick, "quick", most),
            "slow": _Workers(slow, "slow", most),
        }
        self._begun: set[Flag] = set()  # of the jobs whose turn has come
        self._waiting: dict[Flag, _Waiting] = {}  # the others, but for trifles
        self._compiling: set[int] = set()  # the threads that do
        self._warming: Thread | None = None
        self._compiles_all = False  # before Numba is loaded, which can tell more
        self._at_work, self._last = 0, time.monotonic()  # jobs, and when one began or ended

    def warm(self, work: Callable[[], object]) -> None:
        """Do what the first question will need; questions but trifles wait until it is done."""
        job = BoardJob(lambda _told: None)
        self._compiles_all = not has_kernels()
        # It ends with the process, however far it is: Ctrl-C does not wait for a compiler.
        self._warming = Thread(target=lambda: self._announced(job, work, None), daemon=True)
        self._warming.start()

    async def run(self, job: BoardJob, work: Callable[[], T], lane: Lane) -> T:
        """Return what a job's work returns, without keeping the loop from other questions."""
        is_cold = self._compiles_all and self._warming is not None and self._warming.is_alive()
        is_told = (lane == "quick" and bool(self._compiling)) or (lane != "trifle" and is_cold)

        def started() -> T:
            self._begun.add(job.cancel)
            try:
                if lane != "trifle":
                    self._await_warm(job)
                    self._waiting.pop(job.cancel)
                job.check()
                with job.timed():
                    return self._announced(job, work, lane)
            finally:
                self._begun.discard(job.cancel)

        if is_told:
            job.tell({"compiling": True})
        if lane != "trifle":
            self._waiting[job.cancel] = _Waiting(lane, job.tell, is_told)
        self._count(1)
        try:
            return await asyncio.wrap_future(self._lanes[lane].submit(started))
        finally:
            self._waiting.pop(job.cancel, None)
            self._count(-1)

    def has_begun(self, job: BoardJob) -> bool:
        """Return whether a thread works on a job."""
        return job.cancel in self._begun

    @property
    def is_at_work(self) -> bool:
        """Whether a thread is at a job, or loads what the first one will need."""
        return bool(self._begun) or (self._warming is not None and self._warming.is_alive())

    def rest(self) -> float:
        """Return for how many seconds no job has been under way."""
        return 0.0 if self._at_work else time.monotonic() - self._last

    def _count(self, begun: int) -> None:
        self._at_work += begun
        self._last = time.monotonic()

    def close(self) -> None:
        """Begin nothing more; what is under way ends when its job is cancelled."""
        for workers in self._lanes.values():
            workers.close()

    def _announced(self, job: BoardJob, work: Callable[[], T], lane: Lane | None) -> T:
        """Return what a job's work returns; tell of kernels that compile meanwhile.

        Those that wait in its lane hear of it, and of what is loaded in advance all do.
        """
        from player.console.compiling import announcing  # noqa: PLC0415 - it loads numba

        def tell(message: dict[str, Any]) -> None:
            self._compiling.add(get_ident())
            job.tell(message)
            for waiting in [*self._waiting.values()]:
                if lane in {None, waiting.lane}:
                    waiting.is_told = True
                    waiting.tell(message)

        try:
            with announcing(tell), stopping(job.cancel):
                return work()
        except Stopped:
            raise CancelledError from None
        finally:
            self._compiling.discard(get_ident())

    def _await_warm(self, job: BoardJob) -> None:
        """Wait for what is loaded in advance; tell once if that turns out to compile."""
        waiting = self._waiting[job.cancel]
        while self._warming is not None and self._warming.is_alive() and not job.cancel.is_set():
            self._warming.join(0.1)
            if self._compiling and not waiting.is_told:
                job.tell({"compiling": True})
                waiting.is_told = True
