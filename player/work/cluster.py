"""The machines of a Dask cluster as an executor that says in one way when they are gone.

A client whose scheduler dies may hang up in the middle of anything, and names
it differently each time: a broken pipe, a timeout, an error of its own. Games
need to know one thing, whether to go on: that is BrokenExecutor here.
"""

import importlib
import logging
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from player.work.spread import WorkersError

TALKERS = ("distributed", "distributed.client", "concurrent.futures", "tornado.application")
SECONDS = 5  # to find the scheduler
RETRIES = 10  # of a game whose worker died, by the cluster itself

_P = ParamSpec("_P")
_T = TypeVar("_T")


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
        for name in TALKERS:  # what happens to the cluster is told by WorkersError, in one line
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
