"""Clocks, and the end of a search: at a time, or when another thread asks for it."""

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from contextvars import ContextVar
from enum import StrEnum

from hsearch.kernels.stop import Stopped, check, within

# What a clock counts: the time of day, or what players take of the processor.
#
# Players and searches ask `now`, and a referee `spent`, which knows the processes of other
# engines as well. On a loaded machine seconds of the day tell little of what a player
# was given.


class Clock(StrEnum):
    """What is counted."""

    DAY = "day"
    PROCESSOR = "processor"


_CLOCK = ContextVar("clock", default=Clock.DAY)


@contextlib.contextmanager
def counting(clock: Clock) -> Iterator[None]:
    """Count this in the thread, for as long as the block lasts."""
    token = _CLOCK.set(clock)
    try:
        yield
    finally:
        _CLOCK.reset(token)


def counted() -> Clock:
    """Return what is counted."""
    return _CLOCK.get()


def now() -> float:
    """Return the seconds of the day from some time on, or those that this process has had."""
    return time.perf_counter() if _CLOCK.get() is Clock.DAY else time.process_time()


def spent() -> float:
    """Return the same as `now`, with what processes have had that this one has started.

    The system counts theirs in hundredths of a second.
    """
    if _CLOCK.get() is Clock.DAY:
        return now()
    import psutil  # noqa: PLC0415 - 20 ms, and only a referee asks

    ended = os.times()
    seconds = time.process_time() + ended.children_user + ended.children_system
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):  # it has ended meanwhile
            times = process.cpu_times()
            seconds += times.user + times.system
    return seconds


def kernels_within(seconds: float | None) -> contextlib.AbstractContextManager[None]:
    """Return what ends kernels after so many seconds of the day; others cannot be waited for."""
    return within(seconds if _CLOCK.get() is Clock.DAY else None)


# The end of a search: at a time, or when another thread says so.


class SearchClock:
    """Says when to stop, in time for what is under way to end.

    Looking at a position cannot be interrupted, so no look begins that would
    end too late if it took twice as long as the longest so far. What the first
    one takes is known with something to spare.
    """

    def __init__(
        self, seconds: float | None, cancel: threading.Event | None, *, first_probe: float
    ) -> None:
        """Start to run; `first_probe` is how long the first look is expected to take."""
        self._start = now()
        self._deadline = None if seconds is None else self._start + seconds
        self._cancel = cancel
        self._probe_start = self._start
        self._longest = first_probe / 2

    @property
    def seconds(self) -> float:
        """Seconds that the clock has run."""
        return now() - self._start

    def before_probe(self) -> None:
        """Raise Stopped if there is no time for one more look."""
        self._probe_start = now()
        self.check(2 * self._longest)

    def check(self, needed: float) -> None:
        """Raise Stopped if fewer seconds are left than are needed."""
        if self._cancel is not None and self._cancel.is_set():
            raise Stopped
        if self._deadline is not None and now() + needed > self._deadline:
            raise Stopped

    def after_probe(self) -> None:
        """Note how long the look took."""
        self._longest = max(self._longest, now() - self._probe_start)


class TimeLeft:
    """Time for work in several parts, which begins to run when it is made. Holds state."""

    def __init__(self, seconds: float | None) -> None:
        """Begin with so many seconds of the day; None means no limit."""
        self._end = None if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> float | None:
        """The seconds that are left, 0 at the least; None if there is no limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Do what is inside as long as there is time; what is not finished then is left."""
        with within(self.left):
            try:
                yield
            except Stopped:
                check()  # it may have been canceled
