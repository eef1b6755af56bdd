"""The jobs of questions, and the worker threads that run them.

There are lanes for short questions, for long ones, and for trifles. A trifle, such as reading a
link, needs no analysis; its own thread answers it even while other questions wait for kernels
to be compiled.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import inf
from threading import Condition, Event, Thread, Timer, get_ident
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from hsearch.kernels.folder import has_kernels
from hsearch.kernels.stop import Flag, Stopped, stopping

if TYPE_CHECKING:
    from player.board.guard import Visitors

# A job: one question in progress.


class CancelledError(Exception):
    """A job was cancelled: by its page, or because its time is over."""


@dataclass(frozen=True, slots=True)
class BoardJob:
    """A question that reports progress and can be cancelled.

    tell       sends progress to the page; any thread may call it
    cancel     set when the page no longer wants the answer, or its time is over
    over       set when its time is over
    seconds    of work after which it is stopped
    departure  set when the page of a visitor has gone; None for other pages
    """

    tell: Callable[[dict[str, Any]], None]
    cancel: Flag = field(default_factory=Flag)
    over: Event = field(default_factory=Event)
    seconds: float = inf
    departure: Event | None = None

    def time_limit(self, seconds: float) -> float:
        """Return the time limit of a search, less than the job's so that it can answer."""
        return min(seconds, 0.8 * self.seconds)

    @contextmanager
    def listening(self) -> Iterator["BoardJob"]:
        """Yield the job for threads that may outlive it; it reports nothing after the block."""
        is_open = True
        try:
            yield replace(self, tell=lambda message: self.tell(message) if is_open else None)
        finally:
            is_open = False

    @contextmanager
    def deadline(self) -> Iterator[None]:
        """Cancel the job if the block takes longer than its seconds."""
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

    @contextmanager
    def ending_early(self) -> Iterator[None]:
        """Run work that checks `cancel` itself and then answers with what it has.

        No kernel stops in the block. Raise CancelledError after it if the time is over.
        """
        with stopping(Flag()):
            yield
        if self.over.is_set():
            raise CancelledError

    def _expire(self) -> None:
        self.over.set()
        self.cancel.set()

    def check(self) -> None:
        """Raise CancelledError once the job is cancelled."""
        if self.cancel.is_set():
            raise CancelledError


# The queue of a lane.


class BusyError(ValueError):
    """There is no room for a question now."""

    def __init__(self, why: str, seconds: float) -> None:
        """Make the message; `seconds` is the expected wait."""
        super().__init__(f"busy: {why}; try again in {min(max(round(seconds), 1), 600)} s")


class Typical:
    """A running average of the seconds that a question takes. Threads may share it."""

    def __init__(self) -> None:
        """Start at one second."""
        self.seconds = 1.0

    def add(self, begin: float) -> None:
        """Count a question that began at `begin` and ends now."""
        self.seconds += 0.1 * (time.monotonic() - begin - self.seconds)


# The threads: a lane for each kind of work.

T = TypeVar("T")
Lane: TypeAlias = Literal["trifle", "quick", "slow"]


class _Workers:
    """Threads that run calls in the order of arrival. Holds state.

    Beyond the limit calls are refused; a call that is cancelled while it waits leaves at once.
    Once closed, it cancels all calls that have not begun, and its threads end.
    Daemon threads, not an executor: Python waits for the threads of executors at exit, so a
    long kernel would outlive Ctrl-C.
    """

    def __init__(self, count: int, name: str, most: int | None = None) -> None:
        self._calls: dict[Future[Any], Callable[[], Any]] = {}
        self._condition = Condition()
        self._threads = [Thread(target=self._work, name=name, daemon=True) for _ in range(count)]
        self._count, self._most = count, most  # threads, and calls that may wait for one
        self._at_work = 0
        self._typical = Typical()
        self._is_closed = False

    def submit(self, call: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        with self._condition:
            ahead = len(self._calls) + self._at_work
            if self._most is not None and ahead >= self._most + self._count:
                seconds = ahead * self._typical.seconds / self._count
                raise BusyError(f"{self._most} questions wait", seconds)
            if self._is_closed:
                future.cancel()
                return future
            self._calls[future] = call
            self._condition.notify()
        future.add_done_callback(self._forget)
        if self._threads:
            self._threads.pop().start()
        return future

    def _forget(self, future: Future[Any]) -> None:
        with self._condition:
            self._calls.pop(future, None)

    def close(self) -> None:
        with self._condition:
            self._is_closed = True
            self._condition.notify_all()

    def _work(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._calls or self._is_closed)
                if not self._calls:  # a thread that ends frees its workspaces
                    return
                future = next(iter(self._calls))
                call = self._calls.pop(future)
                self._at_work += 1
            begin = time.monotonic()
            try:
                if self._is_closed or not future.set_running_or_notify_cancel():
                    future.cancel()
                    self._leave()
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
        self._leave()
        self._typical.add(begin)

    def _leave(self) -> None:
        with self._condition:
            self._at_work -= 1


@dataclass
class _Waiting:
    """A job that has not begun; `is_told` if its page knows that kernels are being compiled."""

    lane: Lane
    tell: Callable[[dict[str, Any]], None]
    is_told: bool


class Threads:
    """Runs jobs. A job that is cancelled before it begins never runs.

    Jobs that wait while kernels compile for another one report that as well.
    """

    def __init__(self, visitors: "Visitors | None" = None) -> None:
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
        self._running: set[Flag] = set()  # by `cancel`: jobs that have begun
        self._waiting: dict[Flag, _Waiting] = {}  # the others, except trifles
        self._compiling: set[int] = set()  # identifiers of the threads that compile
        self._warming: Thread | None = None
        self._compiles_all = False  # a guess before Numba is loaded: no kernel is compiled yet
        self._at_work, self._last = 0, time.monotonic()  # jobs; when one last began or ended

    def warm(self, work: Callable[[], object]) -> None:
        """Do work in advance for the first question; all questions except trifles wait for it."""
        job = BoardJob(lambda _message: None)
        self._compiles_all = not has_kernels()
        # A daemon, so that Ctrl-C does not wait for the compiler.
        self._warming = Thread(target=lambda: self._announce(job, work, None), daemon=True)
        self._warming.start()

    async def run(self, job: BoardJob, work: Callable[[], T], lane: Lane) -> T:
        """Return the result of a job's work, without blocking the loop."""
        is_cold = self._compiles_all and self._warming is not None and self._warming.is_alive()
        is_told = (lane == "quick" and bool(self._compiling)) or (lane != "trifle" and is_cold)

        def start() -> T:
            self._running.add(job.cancel)
            try:
                if lane != "trifle":
                    self._await_warm(job)
                    self._waiting.pop(job.cancel)
                job.check()
                with job.deadline():
                    return self._announce(job, work, lane)
            finally:
                self._running.discard(job.cancel)

        if is_told:
            job.tell({"compiling": True})
        if lane != "trifle":
            self._waiting[job.cancel] = _Waiting(lane, job.tell, is_told)
        self._count(1)
        try:
            return await asyncio.wrap_future(self._lanes[lane].submit(start))
        finally:
            self._waiting.pop(job.cancel, None)
            self._count(-1)

    def has_begun(self, job: BoardJob) -> bool:
        """Return whether a thread has begun a job."""
        return job.cancel in self._running

    @property
    def is_at_work(self) -> bool:
        """Whether a thread works on a job, or in advance for the first one."""
        return bool(self._running) or (self._warming is not None and self._warming.is_alive())

    def rest(self) -> float:
        """Return the seconds since the last job ended; 0 while one is in progress."""
        return 0.0 if self._at_work else time.monotonic() - self._last

    def _count(self, step: int) -> None:
        self._at_work += step
        self._last = time.monotonic()

    def close(self) -> None:
        """Begin no more jobs; those in progress end when they are cancelled."""
        for workers in self._lanes.values():
            workers.close()

    def _announce(self, job: BoardJob, work: Callable[[], T], lane: Lane | None) -> T:
        """Return the result of a job's work; report the kernels that it compiles.

        Jobs that wait in its lane report that, too; all waiting jobs do if `lane` is None.
        """
        from player.console.compiling import announcing  # noqa: PLC0415 - loads numba

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
        """Wait for the work in advance; report once if it compiles."""
        waiting = self._waiting[job.cancel]
        while self._warming is not None and self._warming.is_alive() and not job.cancel.is_set():
            self._warming.join(0.1)
            if self._compiling and not waiting.is_told:
                job.tell({"compiling": True})
                waiting.is_told = True
