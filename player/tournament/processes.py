"""Processes of this machine to play games in, which Ctrl-C does not reach.

A terminal sends it to every process, also to one that is just starting; what is
to be ended, the parent ends. They are forks of a server that has loaded, once for
all of them, what the program had loaded when the first of them began.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Processes(ProcessPoolExecutor):
    """A pool of processes that die when their parent does."""

    def __init__(self, workers: int) -> None:
        """Take this many at most; they start when there is work."""
        # A fork of this process would copy the threads of numba and of the progress bar half.
        context = multiprocessing.get_context("forkserver")
        ours = [name for name in [*sys.modules] if name.partition(".")[0] in {"hsearch", "player"}]
        context.set_forkserver_preload(ours)
        super().__init__(workers, context, initializer=_enter)

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Hand out a call. A process that this starts inherits the signals blocked meanwhile."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _enter() -> None:
    """Die with the parent, also where it died before this process had begun."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
