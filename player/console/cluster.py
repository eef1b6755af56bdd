"""`--scheduler`: the machines of a Dask cluster, for all commands that share work out."""

from collections.abc import Callable
from concurrent.futures import Executor

from player.console.errors import FailedError
from player.tournament import Cluster, WorkersError


def executor_at(address: str | None, workers: int) -> tuple[Callable[[], Executor] | None, int]:
    """Return what makes an executor, and how many calls it takes at a time.

    Without an address these are processes of this machine. Raise FailedError when no
    scheduler is there.
    """
    if address is None:
        return None, workers
    try:
        cluster = Cluster(address)
    except WorkersError as error:
        raise FailedError(str(error)) from error
    return cluster.executor, cluster.workers
