"""The threads that work: for what a person waits for, for what takes long, for trifles.

A trifle, such as reading a link, needs no analysis. It has a thread of its own, so
that it is answered even while another question waits for kernels to be compiled.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from queue import SimpleQueue
from threading import Thread, get_ident
from typing import Any, Literal, TypeAlias, TypeVar

from hsearch.kernels.folder import has_kernels
from hsearch.kernels.stop import Stopped, stopping
from player.board.job import BoardJob, CancelledError

T = TypeVar("T")
Lane: TypeAlias = Literal["trifle", "quick", "slow"]


class _Workers:
    """Threads that take calls from a queue. Holds state.

    They end with the process, whatever they are at: Python waits for those of its
    own executors, so that one long kernel would outlive Ctrl-C.
    """

    def __init__(self, count: int, name: str) -> None:
        self._calls: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self._waiting = [Thread(target=self._work, name=name, daemon=True) for _ in range(count)]
        self._is_closed = False

    def submit(self, call: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        self._calls.put((future, call))
        if self._waiting:
            self._waiting.pop().start()
        return future

    def close(self) -> None:
        self._is_closed = True

    def _work(self) -> None:
        while True:
            future, call = self._calls.get()
            if self._is_closed or not future.set_running_or_notify_cancel():
                future.cancel()
                continue
            try:
                future.set_result(call())
            except BaseException as error:  # noqa: BLE001 - raised where the result is awaited
                future.set_exception(error)
            del future, call


class Threads:
    """Runs jobs. A job that is cancelled before its turn comes never starts.

    Whoever waits while kernels compile for somebody else is told as well.
    """

    def __init__(self) -> None:
        """Start no thread yet."""
        self._lanes: dict[Lane, _Workers] = {
            "trifle": _Workers(1, "trifle"),
            "quick": _Workers(1, "quick"),
            # Two, so that a game goes on while the solver thinks about another position.
            "slow": _Workers(2, "slow"),
        }
        self._compiling: set[int] = set()  # the threads that do
        self._warming: Thread | None = None
        self._compiles_all = False  # before Numba is loaded, which can tell more
        self._at_work, self._last = 0, time.monotonic()  # jobs, and when one began or ended

    def warm(self, work: Callable[[], object]) -> None:
        """Do what the first question will need; questions but trifles wait until it is done."""
        job = BoardJob(lambda _told: None)
        self._compiles_all = not has_kernels()
        # It ends with the process, however far it is: Ctrl-C does not wait for a compiler.
        self._warming = Thread(target=lambda: self._announced(job, work), daemon=True)
        self._warming.start()

    async def run(self, job: BoardJob, work: Callable[[], T], lane: Lane) -> T:
        """Return what a job's work returns, without keeping the loop from other questions."""
        is_cold = self._compiles_all and self._warming is not None and self._warming.is_alive()
        is_told = (lane == "quick" and bool(self._compiling)) or (lane != "trifle" and is_cold)

        def started() -> T:
            if lane != "trifle":
                self._await_warm(job, is_told=is_told)
            job.check()
            return self._announced(job, work)

        if is_told:
            job.tell({"compiling": True})
        self._count(1)
        try:
            return await asyncio.wrap_future(self._lanes[lane].submit(started))
        finally:
            self._count(-1)

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

    def _announced(self, job: BoardJob, work: Callable[[], T]) -> T:
        """Return what a job's work returns; tell of kernels that compile meanwhile."""
        from player.board.compiling import announcing  # noqa: PLC0415 - it loads numba

        def tell(told: dict[str, Any]) -> None:
            self._compiling.add(get_ident())
            job.tell(told)

        try:
            with announcing(replace(job, tell=tell)), stopping(job.cancel):
                return work()
        except Stopped:
            raise CancelledError from None
        finally:
            self._compiling.discard(get_ident())

    def _await_warm(self, job: BoardJob, *, is_told: bool) -> None:
        """Wait for what is loaded in advance; tell once if that turns out to compile."""
        while self._warming is not None and self._warming.is_alive() and not job.cancel.is_set():
            self._warming.join(0.1)
            if self._compiling and not is_told:
                job.tell({"compiling": True})
                is_told = True
