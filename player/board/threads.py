"""The threads that work: for what a person waits for, for what takes long, for trifles.

A trifle, such as reading a link, needs no analysis. It has a thread of its own, so
that it is answered even while another question waits for kernels to be compiled.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, TypeAlias, TypeVar

from player.board.job import Job

T = TypeVar("T")
Lane: TypeAlias = Literal["trifle", "quick", "slow"]


class Threads:
    """Runs jobs. A job that is cancelled before its turn comes never starts."""

    def __init__(self) -> None:
        """Start no thread yet."""
        self._lanes: dict[Lane, ThreadPoolExecutor] = {
            "trifle": ThreadPoolExecutor(1, "trifle"),
            "quick": ThreadPoolExecutor(1, "quick"),
            # Two, so that a game goes on while the solver thinks about another position.
            "slow": ThreadPoolExecutor(2, "slow"),
        }

    async def run(self, job: Job, work: Callable[[], T], lane: Lane) -> T:
        """Return what a job's work returns, without keeping the loop from other questions."""

        def started() -> T:
            from player.board.compiling import announcing  # noqa: PLC0415 - it loads numba

            job.check()
            with announcing(job):
                return work()

        return await asyncio.get_running_loop().run_in_executor(self._lanes[lane], started)

    def close(self) -> None:
        """Begin nothing more; what is under way ends when its job is cancelled."""
        for threads in self._lanes.values():
            threads.shutdown(wait=False, cancel_futures=True)
