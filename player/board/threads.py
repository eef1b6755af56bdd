"""The threads that work: one for what the person waits for, two for what takes long."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from player.board.job import Job

T = TypeVar("T")


class Threads:
    """Runs jobs. A job that is cancelled before its turn comes never starts."""

    def __init__(self) -> None:
        """Start no thread yet."""
        self._quick = ThreadPoolExecutor(1, "quick")
        # Two, so that a game goes on while the solver thinks about another position.
        self._slow = ThreadPoolExecutor(2, "slow")

    async def run(self, job: Job, work: Callable[[], T], *, is_slow: bool) -> T:
        """Return what a job's work returns, without keeping the loop from other questions."""

        def started() -> T:
            from player.board.compiling import announcing  # noqa: PLC0415 - it loads numba

            job.check()
            with announcing(job):
                return work()

        threads = self._slow if is_slow else self._quick
        return await asyncio.get_running_loop().run_in_executor(threads, started)

    def close(self) -> None:
        """Begin nothing more; what is under way ends when its job is cancelled."""
        for threads in (self._quick, self._slow):
            threads.shutdown(wait=False, cancel_futures=True)
