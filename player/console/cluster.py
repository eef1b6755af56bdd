"""`--scheduler`: the machines of a Dask cluster, for all commands that share work out."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress

from player.console.errors import FailedError
from player.tournament import Cluster, WorkersError


@contextmanager
def executor_at(
    address: str | None, workers: int
) -> Iterator[tuple[Callable[[], Executor] | None, int]]:
    """Give what makes an executor, and how many calls it takes at a time; disconnect in the end.

    Without an address these are processes of this machine. Raise FailedError when no
    scheduler is there.
    """
    if address is None:
        yield None, workers
        return
    try:
        cluster = Cluster(address)
    except WorkersError as error:
        raise FailedError(str(error)) from error
    try:
        yield cluster.executor, cluster.workers
    finally:
        with suppress(Exception):  # who hangs up on a scheduler that is gone may hear of anything
            cluster.close()
