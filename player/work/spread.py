"""Calls distributed over processes of this machine, or over the machines of a cluster."""

import importlib
import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar

if TYPE_CHECKING:
    import psutil

# Worker processes on this machine, which ignore Ctrl-C.
#
# A terminal sends it to every process, even one that is just starting, but only the
# parent decides what ends. Workers are forks of a server, which imports once for all
# of them the modules that the program had imported when the first one started. Python would look
# for these in the current folder first, where a user's own engine may be in player.py.

SAFE_PATH = "PYTHONSAFEPATH"  # in the environment of a Python that leaves out the current folder

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Processes(ProcessPoolExecutor):
    """A pool of processes that end when their parent does."""

    def __init__(self, workers: int) -> None:
        """Limit the number of processes, which start when there is work."""
        # A fork of this process would copy the state of threads, but not the threads.
        forks = "forkserver" in multiprocessing.get_all_start_methods()  # not on Windows
        context = multiprocessing.get_context("forkserver" if forks else "spawn")
        names = [*sys.modules]
        ours = [name for name in names if name.partition(".")[0] in {"hsearch", "player"}]
        if forks:
            context.set_forkserver_preload(ours)
        is_safe = SAFE_PATH in os.environ
        super().__init__(workers, context, initializer=_enter, initargs=(is_safe,))

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Submit a call. A process that this starts inherits the blocked signals."""
        if not hasattr(signal, "pthread_sigmask"):  # on Windows `_enter` ignores Ctrl-C
            return super().submit(fn, *args, **kwargs)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            _start_server()
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def end(self) -> None:
        """Terminate the pool's processes, even at work, and kill the processes that they started.

        Other child processes continue.
        """
        ours = [*(self._processes or {}).values()]  # `shutdown` drops the list
        self.shutdown(wait=False, cancel_futures=True)
        started = [each for process in ours for each in below(process.pid)]
        for process in ours:
            process.terminate()
        kill(started)


def _start_server() -> None:
    """Start the server, unless it runs already; it loads no module of the current folder."""
    from multiprocessing import forkserver  # noqa: PLC0415 - not on every system

    if SAFE_PATH in os.environ:
        return
    os.environ[SAFE_PATH] = "1"
    try:
        forkserver.ensure_running()
    finally:
        os.environ.pop(SAFE_PATH, None)  # another thread may have removed it


def _enter(is_safe: bool) -> None:  # noqa: FBT001 - called by position
    """Leave Ctrl-C to the parent, and end with it, even if it ended before this call.

    What this process has started, such as an engine, ends then, too.

    Unless the environment of the parent `is_safe`, programs that this process starts load modules
    of their current folder as usual.
    """
    if not is_safe:
        os.environ.pop(SAFE_PATH, None)
    if not hasattr(signal, "pthread_sigmask"):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        try:
            kill(below(os.getpid()))
        finally:
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def below(process: int | None) -> "list[psutil.Process]":
    """Return the processes that a process has started, and those that they have; none if it ended.

    A process that has ended no longer has any, so ask first.
    """
    import psutil  # noqa: PLC0415 - takes 20 ms, and most processes start none

    with suppress(psutil.Error):
        return list(psutil.Process(process).children(recursive=True))
    return []


def kill(processes: "Iterable[psutil.Process]") -> None:
    """Kill processes, except those that have ended meanwhile."""
    import psutil  # noqa: PLC0415 - see `below`

    for each in processes:
        with suppress(psutil.Error):
            each.kill()


# Distribute calls over the workers of any executor, and retry when workers die.
#
# The calls may be anything. Results are stored in the order in which they finish, and
# no finished result is lost.

TRIES = 5  # times in a row that workers may die without finishing a call
LAST_SECONDS = 10.0  # to wait for calls that other workers are finishing when one worker dies

T = TypeVar("T")
R = TypeVar("R")

PickledCall = tuple[Any, ...]  # a function that can be pickled, and its arguments


class WorkersError(RuntimeError):
    """Workers keep dying, or the cluster is not available."""


class CallSource(Protocol):
    """A source of calls that may depend on earlier results. It holds state."""

    @property
    def left(self) -> int:
        """The number of results that are still missing."""
        ...

    def renew(self) -> None:
        """Return calls without a result to the source: their workers are gone."""
        ...

    def take(self, most: int) -> Sequence[PickledCall]:
        """Return at most this many calls; none while the next ones need a result first."""
        ...


@dataclass(frozen=True, slots=True)
class WorkerPool:
    """Who makes calls: one worker in this process, several in processes of their own.

    count     how many there are
    executor  makes any other pool of as many, such as on a cluster; None for those of this machine
    """

    count: int = 1
    executor: Callable[[], Executor] | None = None

    def start(self) -> Executor:
        """Return a new executor."""
        return Processes(self.count) if self.executor is None else self.executor()


ONE_WORKER = WorkerPool()


def spread(
    missing: Callable[[], Sequence[PickledCall]],
    keep: Callable[[Any], bool],
    *,
    workers: WorkerPool = ONE_WORKER,
    things: str = "games",
) -> None:
    """Make all missing calls; `keep` receives each result, and ends the run by returning true.

    `missing` returns the calls; it is called again after workers have died. Raise WorkersError,
    with the number of `things` that are left, when workers keep dying.
    """
    spread_from(_Listed(missing), keep, workers, ahead=2 * workers.count, things=things)


def spread_from(
    source: CallSource,
    keep: Callable[[Any], bool],
    workers: WorkerPool,
    *,
    ahead: int,
    things: str,
) -> None:
    """Make the calls of a source, with at most `ahead` calls under way; else as `spread`.

    Raise WorkersError, with the number of `things` that are left, when workers keep dying.
    """
    if workers == ONE_WORKER:
        _call_here(source, keep)
        return
    failures = 0

    def keep_one(result: Any) -> bool:
        nonlocal failures
        failures = 0
        return keep(result)

    while source.left and failures < TRIES:
        pool = workers.start()
        try:
            if _hand_out(pool, source, ahead, keep_one):
                return
            if workers.executor is None:
                pool.shutdown()  # the processes are idle now, and end cleanly
        except (BrokenExecutor, CancelledError):
            failures += 1
        finally:
            # The pool cancels its futures: a dying pool fails on those that others cancel.
            if isinstance(pool, Processes):
                pool.end()
            else:
                pool.shutdown(wait=False, cancel_futures=True)
        source.renew()
    if source.left:
        raise WorkersError(f"workers died {TRIES} times in a row; {source.left} {things} are left")


def _call_here(source: CallSource, keep: Callable[[Any], bool]) -> None:
    while calls := source.take(1):
        for function, *arguments in calls:
            if keep(function(*arguments)):
                return


def in_order(
    executor: Executor, ahead: int
) -> Callable[[Callable[[T], R], Iterable[T]], Iterator[R]]:
    """Return a `map` whose calls an executor makes.

    At most `ahead` of them are under way or have a result that is not taken yet.
    """

    def map_ahead(function: Callable[[T], R], things: Iterable[T]) -> Iterator[R]:
        waiting: deque[Future[R]] = deque()
        for thing in things:
            waiting.append(executor.submit(function, thing))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    return map_ahead


class _Listed:
    """Calls that are all known in advance; after workers have died they are listed again."""

    def __init__(self, missing: Callable[[], Sequence[PickledCall]]) -> None:
        self._missing = missing
        self.renew()

    @property
    def left(self) -> int:
        return len(self._calls)

    def renew(self) -> None:
        self._calls = self._missing()
        self._next = 0

    def take(self, most: int) -> Sequence[PickledCall]:
        calls = self._calls[self._next : self._next + most]
        self._next += len(calls)
        return calls


def _hand_out(
    executor: Executor, source: CallSource, ahead: int, keep: Callable[[Any], bool]
) -> bool:
    """Submit calls, at most `ahead` at a time, and pass on results; return whether to end.

    Results that arrive at the same time are passed on in the order of their calls.
    """
    waiting: set[Future[Any]] = set()
    places: dict[Future[Any], int] = {}
    numbers = count()
    while True:
        for function, *arguments in source.take(ahead - len(waiting)):
            future = _submit(executor, function, *arguments)
            waiting.add(future)
            places[future] = next(numbers)
        if not waiting:
            return False
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        if any(map(_is_broken, done)):
            # Others may be about to finish; a lost cluster never reports the rest.
            done, waiting = done | wait(waiting, LAST_SECONDS).done, set()
        # Pass on finished results before raising the errors of others.
        order = sorted(done, key=places.__getitem__)
        successes = [each for each in order if not (each.cancelled() or each.exception())]
        ends = [keep(future.result()) for future in successes]
        if any(ends):
            return True
        for future in order:
            future.result()
            del places[future]


def _submit(executor: Executor, function: Any, *arguments: Any) -> Future[Any]:
    """Submit a call; if the workers are gone, return a future that fails, as those under way do."""
    try:
        return executor.submit(function, *arguments)
    except BrokenExecutor as error:
        lost: Future[Any] = Future()
        lost.set_exception(error)
        return lost


def _is_broken(future: Future[Any]) -> bool:
    """Return whether the workers are gone: a pool raises BrokenExecutor, a cluster cancels."""
    return future.cancelled() or isinstance(future.exception(), BrokenExecutor)


# The machines of a Dask cluster.
#
# When its scheduler dies, a client may fail anywhere, with various errors: a broken pipe,
# a timeout, an error of its own. Here all of them become BrokenExecutor.

TALKERS = ("distributed", "distributed.client", "concurrent.futures", "tornado.application")
SECONDS = 5  # to find the scheduler
RETRIES = 10  # by the cluster itself, of a game whose worker died


class Cluster:
    """A connection to the scheduler at an address.

    Raise WorkersError when the library is missing or no scheduler is there.
    """

    def __init__(self, address: str) -> None:
        """Connect."""
        self.address = address
        try:
            distributed = importlib.import_module("distributed")  # the extra `cluster`
        except ImportError:
            message = "--scheduler needs the extra `cluster`: pip install 'hsearch[cluster]'"
            raise WorkersError(message) from None
        for name in TALKERS:  # WorkersError reports a lost cluster in one line
            logging.getLogger(name).setLevel(logging.CRITICAL)
        connect = partial(distributed.Client, address, timeout=SECONDS)
        try:
            try:
                self._client = connect()
            except AssertionError:  # its thread had not started after 10 s: the machine is busy
                self._client = connect()
        except (OSError, ValueError) as error:
            raise WorkersError(f"no scheduler at {address}: {error}") from error
        except Exception as error:  # the answer of another kind of server
            message = f"what answers at {address} is not a Dask scheduler"
            raise WorkersError(message) from error
        self.workers = max(1, sum(self._client.nthreads().values()))

    def executor(self) -> "ClusterExecutor":
        """Return an executor; raise WorkersError when the scheduler is gone."""
        if not self.is_connected:
            raise WorkersError(f"the scheduler at {self.address} is gone; finished games are kept")
        return ClusterExecutor(self, self._client.get_executor(retries=RETRIES))

    @property
    def is_connected(self) -> bool:
        """Whether the client is connected to the scheduler."""
        return bool(self._client.status == "running")

    def close(self) -> None:
        """Disconnect."""
        self._client.close()


class ClusterExecutor(Executor):
    """Dask's executor, with the errors of `concurrent.futures`."""

    def __init__(self, cluster: Cluster, executor: Executor) -> None:
        """Wrap an executor."""
        self._cluster = cluster
        self._executor = executor

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> "Future[_T]":
        """Submit a call; raise BrokenExecutor when the scheduler may be gone."""
        try:
            future = self._executor.submit(fn, *args, **kwargs)
        except Exception as error:
            if self._cluster.is_connected and not isinstance(error, OSError):
                raise
            raise BrokenExecutor from error
        # A call submitted after the connection was lost would never finish.
        if not self._cluster.is_connected:
            raise BrokenExecutor
        return future

    def shutdown(self, wait: bool = True, **_options: Any) -> None:  # noqa: FBT001, FBT002 - Executor's
        """Cancel the remaining calls; a lost cluster has done so."""
        if wait or self._cluster.is_connected:
            # The cluster may be lost at this moment.
            with suppress(Exception):
                self._executor.shutdown(wait=wait)
