"""How to stop work early: a flag that another thread sets, and that kernels read.

Python notices a signal or an event only between two calls of kernels, and one call may
take hours. So a kernel that may take longer than a tenth of a second gets the address of
a flag and reads the word there as it runs (`bits.is_stopped`). If it is not 0, the kernel
returns at once, with a partial result. Its caller then calls `check`.

The flag belongs to the thread: `stopping` sets it for all calls inside, so the functions
between a command and a kernel need not pass it on. This module does not load Numba.
"""

import threading
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

GO, CANCELED, LATE = 0, 1, 2  # values of a flag's word


class Stopped(Exception):  # noqa: N818 - not an error
    """The time is up, or the work was canceled."""


class Flag(threading.Event):
    """An event that kernels can read, too. Holds state.

    It is *set* when the answer is no longer needed, and *late* while the seconds of
    some `within` are over: work then ends with a partial result.
    """

    def __init__(self) -> None:
        """Start with the event not set."""
        super().__init__()
        self._word = array("q", [GO])
        self.address: int = self._word.buffer_info()[0]
        self._is_over: dict[object, bool] = {}  # of each call of `within`, whether its time is up
        self._is_late = False
        self._lock = threading.RLock()  # a signal handler may interrupt its holder

    def set(self) -> None:
        """Cancel the work."""
        super().set()
        self._write()

    def clear(self) -> None:
        """Reset the event."""
        super().clear()
        self._write()

    @property
    def is_late(self) -> bool:
        """Whether the seconds of a `within` are over."""
        return self._is_late

    def begin(self, call: object) -> None:
        """Record that a call has begun whose time may run out."""
        with self._lock:
            self._is_over[call] = False

    def expire(self, call: object) -> None:
        """Record that the time of a call is up, unless the call has ended."""
        with self._lock:
            if call in self._is_over:  # its timer may fire as it ends
                self._is_over[call] = True
        self._write()

    def forgive(self, call: object) -> None:
        """Remove a call that has ended."""
        with self._lock:
            self._is_over.pop(call, None)
        self._write()

    def _write(self) -> None:
        with self._lock:
            self._is_late = any(self._is_over.values())
            self._word[0] = CANCELED if self.is_set() else LATE if self._is_late else GO


_FLAG: ContextVar[Flag | None] = ContextVar("flag", default=None)


@contextmanager
def stopping(event: threading.Event | None) -> Iterator[None]:
    """Let a flag stop the work of this thread inside; any other event has no effect."""
    token = _FLAG.set(event if isinstance(event, Flag) else _FLAG.get())
    try:
        yield
    finally:
        _FLAG.reset(token)


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """Stop kernels that this thread calls inside after this many seconds; None means no limit."""
    if seconds is None or seconds > threading.TIMEOUT_MAX:
        yield
        return
    flag, call = _FLAG.get() or Flag(), object()
    flag.begin(call)
    timer = threading.Timer(float(seconds), flag.expire, [call])  # numpy's float32 does not wait
    timer.daemon = True
    with stopping(flag):
        if seconds > 0:
            timer.start()
        else:
            flag.expire(call)
        try:
            yield
        finally:
            timer.cancel()
            flag.forgive(call)


def address() -> int:
    """Return the address of the word that kernels of this thread read; 0 if there is no flag."""
    flag = _FLAG.get()
    return 0 if flag is None else flag.address


def check(*, late: bool = False) -> None:
    """Raise Stopped if this thread's work was canceled or, with `late`, if its time is up."""
    flag = _FLAG.get()
    if flag is not None and (flag.is_set() or (late and flag.is_late)):
        raise Stopped


WAIT_SECONDS = 0.05  # between checks of a thread that waits for a lock


@contextmanager
def holding(lock: threading.Lock, *, late: bool = False) -> Iterator[None]:
    """Hold a lock inside. Raise Stopped if this thread's work is canceled while it waits.

    With `late`, raise it also once the time of the work is up.
    """
    while not lock.acquire(timeout=WAIT_SECONDS):
        check(late=late)
    try:
        yield
    finally:
        lock.release()
