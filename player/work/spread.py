"""Calls that are spread over processes of this machine, or over the machines of a cluster."""

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
from itertools import count
from typing import Any, ParamSpec, Protocol, TypeVar

# Processes of this machine to play games in, which Ctrl-C does not reach.
#
# A terminal sends it to every process, also to one that is just starting; what is
# to be ended, the parent ends. They are forks of a server that has loaded, once for
# all of them, what the program had loaded when the first of them began.

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Processes(ProcessPoolExecutor):
    """A pool of processes that die when their parent does."""

    def __init__(self, workers: int) -> None:
        """Take this many at most; they start when there is work."""
        # A fork of this process would copy the threads of numba and of the progress bar half.
        forks = "forkserver" in multiprocessing.get_all_start_methods()  # not on Windows
        context = multiprocessing.get_context("forkserver" if forks else "spawn")
        names = [*sys.modules]
        ours = [name for name in names if name.partition(".")[0] in {"hsearch", "player"}]
        if forks:
            context.set_forkserver_preload(ours)
        super().__init__(workers, context, initializer=_enter)

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Hand out a call. A process that this starts inherits the signals blocked meanwhile."""
        if not hasattr(signal, "pthread_sigmask"):  # on Windows, where it ignores Ctrl-C later
            return super().submit(fn, *args, **kwargs)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def end(self) -> None:
        """End the processes, whatever they are at; others of the program go on."""
        ours = [*(self._processes or {}).values()]  # a shutdown forgets them
        self.shutdown(wait=False, cancel_futures=True)
        for process in ours:
            process.terminate()


def _enter() -> None:
    """Leave Ctrl-C to the parent, and die with it, also where it died before this had begun."""
    if not hasattr(signal, "pthread_sigmask"):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


# Spread calls over workers of any executor, and try again when they die.
#
# Nothing here knows what is called. What comes back is kept in the order in which
# it is finished, and nothing that was finished is lost.

TRIES = 5  # times in a row that all workers may die without finishing anything
LAST_SECONDS = 10.0  # for what other workers are about to finish when one of them is gone

T = TypeVar("T")
R = TypeVar("R")

Call = tuple[Any, ...]  # a function that can be pickled, and its arguments


class WorkersError(RuntimeError):
    """Workers that die whatever they are given."""


class CallSource(Protocol):
    """A source of calls that may depend on what came back. It holds state."""

    @property
    def left(self) -> int:
        """Number of things that are still missing."""
        ...

    def renew(self) -> None:
        """Forget what was handed out and did not come back: its workers are gone."""
        ...

    def take(self, most: int) -> Sequence[Call]:
        """Return this many calls at most; none if there are none before a result comes back."""
        ...


def spread(
    missing: Callable[[], Sequence[Call]],
    keep: Callable[[Any], bool],
    *,
    workers: int = 1,
    executor: Callable[[], Executor] | None = None,
    things: str = "games",
) -> None:
    """Call all that is missing; `keep` gets each result, and ends it all by returning true.

    `missing` is asked again after workers have died. With one worker the calls
    are made in this process, with more in processes of their own; `executor`
    makes any other place, with this many `workers`. Raise WorkersError, naming the
    `things` that are left, when workers keep dying.
    """
    source = _Listed(missing)
    spread_from(source, keep, workers=workers, executor=executor, ahead=2 * workers, things=things)


def spread_from(
    source: CallSource,
    keep: Callable[[Any], bool],
    *,
    workers: int = 1,
    executor: Callable[[], Executor] | None = None,
    ahead: int,
    things: str,
) -> None:
    """Call what a source hands out, this many calls `ahead` of the results; else as `spread`."""
    if executor is None and workers == 1:
        _call_here(source, keep)
        return
    failures = 0

    def keep_one(result: Any) -> bool:
        nonlocal failures
        failures = 0
        return keep(result)

    while source.left and failures < TRIES:
        made: Executor = Processes(workers) if executor is None else executor()
        try:
            if _hand_out(made, source, ahead, keep_one):
                return
            if executor is None:
                made.shutdown()  # they are idle by now, and leave nothing behind
        except (BrokenExecutor, CancelledError):
            failures += 1
        finally:
            # A pool that dies trips over futures that anybody but itself has cancelled.
            if isinstance(made, Processes):
                made.end()
            else:
                made.shutdown(wait=False, cancel_futures=True)
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
    """Return a `map` whose calls an executor makes, this many ahead of what is taken from it."""

    def mapped(function: Callable[[T], R], things: Iterable[T]) -> Iterator[R]:
        waiting: deque[Future[R]] = deque()
        for thing in things:
            waiting.append(executor.submit(function, thing))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    return mapped


class _Listed:
    """Calls that are all known, asked for again when workers have died."""

    def __init__(self, missing: Callable[[], Sequence[Call]]) -> None:
        self._missing = missing
        self.renew()

    @property
    def left(self) -> int:
        return len(self._calls)

    def renew(self) -> None:
        self._calls = self._missing()
        self._next = 0

    def take(self, most: int) -> Sequence[Call]:
        taken = self._calls[self._next : self._next + most]
        self._next += len(taken)
        return taken


def _hand_out(
    executor: Executor, source: CallSource, ahead: int, keep: Callable[[Any], bool]
) -> bool:
    """Hand out calls, this many at a time, and keep what comes back; return whether to end.

    Of results that are there at the same time, the one that was asked for first comes first.
    """
    waiting: set[Future[Any]] = set()
    places: dict[Future[Any], int] = {}
    asked = count()
    while True:
        for function, *arguments in source.take(ahead - len(waiting)):
            future = executor.submit(function, *arguments)
            waiting.add(future)
            places[future] = next(asked)
        if not waiting:
            return False
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        if any(map(_is_broken, done)):
            # Some may be about to finish; a cluster that is gone never says so of the others.
            done, waiting = done | wait(waiting, LAST_SECONDS).done, set()
        # What is finished is kept before anything is said about the rest.
        ordered = sorted(done, key=places.__getitem__)
        finished = [each for each in ordered if not (each.cancelled() or each.exception())]
        ends = [keep(future.result()) for future in finished]
        if any(ends):
            return True
        for future in ordered:
            future.result()
            del places[future]


def _is_broken(future: Future[Any]) -> bool:
    """Return whether the workers are gone: a pool says so, a cluster gives up what it was at."""
    return future.cancelled() or isinstance(future.exception(), BrokenExecutor)


# The machines of a Dask cluster.
#
# A client whose scheduler dies may hang up in the middle of anything, and names
# it differently each time: a broken pipe, a timeout, an error of its own. Games
# need to know one thing, whether to go on: that is BrokenExecutor here.

TALKERS = ("distributed", "distributed.client", "concurrent.futures", "tornado.application")
SECONDS = 5  # to find the scheduler
RETRIES = 10  # of a game whose worker died, by the cluster itself


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
        for name in TALKERS:  # WorkersError says what happens to the cluster, in one line
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            self._client = distributed.Client(address, timeout=SECONDS)
        except (OSError, ValueError) as error:
            raise WorkersError(f"no scheduler at {address}: {error}") from error
        except Exception as error:  # another server's answer, taken for the scheduler's
            message = f"what answers at {address} is not a Dask scheduler"
            raise WorkersError(message) from error
        self.workers = max(1, sum(self._client.nthreads().values()))

    def executor(self) -> "ClusterExecutor":
        """Return an executor; raise WorkersError when the scheduler is gone."""
        if not self.there:
            raise WorkersError(f"the scheduler at {self.address} is gone; finished games are kept")
        return ClusterExecutor(self, self._client.get_executor(retries=RETRIES))

    @property
    def there(self) -> bool:
        """Whether the scheduler is known to be there."""
        return bool(self._client.status == "running")

    def close(self) -> None:
        """Disconnect."""
        self._client.close()


class ClusterExecutor(Executor):
    """Dask's own executor, its errors said in the words of `concurrent.futures`."""

    def __init__(self, cluster: Cluster, executor: Executor) -> None:
        """Wrap an executor."""
        self._cluster = cluster
        self._executor = executor

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> "Future[_T]":
        """Hand out a call; raise BrokenExecutor when nobody may be there to take it."""
        try:
            future = self._executor.submit(fn, *args, **kwargs)
        except Exception as error:
            if self._cluster.there and not isinstance(error, OSError):
                raise
            raise BrokenExecutor from error
        # One handed out after the connection was lost would be waited for without end.
        if not self._cluster.there:
            raise BrokenExecutor
        return future

    def shutdown(self, wait: bool = True, **_options: Any) -> None:  # noqa: FBT001, FBT002 - Executor's
        """Give up what is left; a cluster that is gone has done so."""
        if wait or self._cluster.there:
            # It may go at this moment.
            with suppress(Exception):
                self._executor.shutdown(wait=wait)
