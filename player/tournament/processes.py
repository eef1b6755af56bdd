"""Processes of this machine to play games in, which Ctrl-C does not reach.

A terminal sends it to every process, also to one that is just starting; what is
to be ended, the parent ends.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from typing import ParamSpec, TypeVar

LOOK_SECONDS = 0.5

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Processes(ProcessPoolExecutor):
    """A pool of processes that die when their parent does."""

    def __init__(self, workers: int) -> None:
        """Take this many at most; they start when there is work."""
        # A fork would copy the threads of numba and of the progress bar half.
        context = multiprocessing.get_context("spawn")
        super().__init__(workers, context, initializer=_enter, initargs=(os.getpid(),))

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Hand out a call. A process that this starts inherits the signals blocked meanwhile."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _enter(parent: int) -> None:
    """Die with the parent, also where it died before this process had begun."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
