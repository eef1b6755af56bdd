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

_working = threading.local()


@contextmanager
def announcing(job: BoardJob) -> Iterator[None]:
    """Let whatever is compiled in this thread be told to the page, once a job."""
    _listen()
    _working.job = job
    try:
        yield
    finally:
        _working.job = None


@cache
def _listen() -> None:
    event.register("numba:compile", _Announcement())  # type: ignore[no-untyped-call]


class _Announcement(event.Listener):
    def on_start(self, _event: event.Event) -> None:
        job: BoardJob | None = getattr(_working, "job", None)
        if job is not None:
            _working.job = None
            job.tell({"compiling": True})

    def on_end(self, _event: event.Event) -> None:
        pass
