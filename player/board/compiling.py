"""Tell the page when its question waits for kernels to be compiled, and for which board.

Numba says when it begins, in the thread that asked. Boards of up to 62, 126, 190,
... cells are compiled for each on their own, once on a machine.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from numba.core import event

from player.board.job import BoardJob
from player.console.compiling import Counting

_working = threading.local()


@contextmanager
def announcing(job: BoardJob) -> Iterator[None]:
    """Let the page know what is compiled in this thread, kernel by kernel, with a count."""
    _listen()
    _working.job, _working.counting = job, Counting()
    try:
        yield
    finally:
        _working.job = None


@cache
def _listen() -> None:
    event.register("numba:compile", _Announcement())  # type: ignore[no-untyped-call]


class _Announcement(event.Listener):
    def on_start(self, event: event.Event) -> None:
        job: BoardJob | None = getattr(_working, "job", None)
        if job is not None:
            _working.counting.start(event)
            if _working.counting.depth == 1:
                job.tell({"compiling": str(_working.counting)})

    def on_end(self, event: event.Event) -> None:
        job: BoardJob | None = getattr(_working, "job", None)
        if job is not None:
            _working.counting.end(event)
            if _working.counting.depth:
                job.tell({"compiling": str(_working.counting)})
