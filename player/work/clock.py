"""Clocks, and the end of a search: at a deadline, or when another thread cancels it."""

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from enum import StrEnum
from typing import TypeVar

from hsearch.kernels.stop import Stopped, check, within

T = TypeVar("T")

# What a clock counts: wall time, or processor time.
#
# Players and searches call `now`. A referee calls `spent`, which includes the processes of
# external engines. On a loaded machine wall time says little about the processor time that a
# player received.


class Clock(StrEnum):
    """What a clock counts: DAY is wall time, PROCESSOR is processor time."""

    DAY = "day"
    PROCESSOR = "processor"


_CLOCK = ContextVar("clock", default=Clock.DAY)


@contextlib.contextmanager
def counting(clock: Clock) -> Iterator[None]:
    """Use this clock in the current thread during the block."""
    token = _CLOCK.set(clock)
    try:
        yield
    finally:
        _CLOCK.reset(token)


def current_clock() -> Clock:
    """Return the clock in use."""
    return _CLOCK.get()


def now() -> float:
    """Return the wall time from some fixed start, or this process's processor time, in seconds."""
    return time.perf_counter() if _CLOCK.get() is Clock.DAY else time.process_time()


def spent() -> float:
    """Return `now`, with the processor time of child processes included.

    The system counts theirs in hundredths of a second.
    """
    if _CLOCK.get() is Clock.DAY:
        return now()
    import psutil  # noqa: PLC0415 - takes 20 ms, and only a referee needs it

    usage = os.times()
    seconds = time.process_time() + usage.children_user + usage.children_system
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):  # it may have ended meanwhile
            times = process.cpu_times()
            seconds += times.user + times.system
    return seconds


def kernels_within(seconds: float | None) -> contextlib.AbstractContextManager[None]:
    """Return a context that stops kernels after this wall time; with processor time, never."""
    return within(seconds if _CLOCK.get() is Clock.DAY else None)


# The end of a search: at a deadline, or when another thread cancels it.


class SearchClock:
    """Stops a search before its deadline.

    A probe (the evaluation of a position) cannot be interrupted, so none begins that would end
    too late if it took twice as long as the longest so far. `first_probe` has that margin.
    """

    def __init__(
        self, seconds: float | None, cancel: threading.Event | None, *, first_probe: float
    ) -> None:
        """Start the clock; `first_probe` is the most seconds that the first probe may take."""
        self._start = now()
        self._deadline = None if seconds is None else self._start + seconds
        self._cancel = cancel
        self._probe_start = self._start
        self._longest = first_probe / 2

    @property
    def seconds(self) -> float:
        """The seconds since the start."""
        return now() - self._start

    def before_probe(self) -> None:
        """Raise Stopped if there is no time for one more probe."""
        self._probe_start = now()
        self.check(2 * self._longest)

    def check(self, seconds: float) -> None:
        """Raise Stopped if canceled, or if fewer than `seconds` are left."""
        if self._cancel is not None and self._cancel.is_set():
            raise Stopped
        if self._deadline is not None and now() + seconds > self._deadline:
            raise Stopped

    def after_probe(self) -> None:
        """Record the duration of the probe."""
        self._longest = max(self._longest, now() - self._probe_start)


class Pace:
    """Decides when something is due again, from its creation on. Holds state."""

    def __init__(self, interval: float = 0.2) -> None:
        """Start the first interval, in seconds."""
        self._interval = interval
        self._begin = self._last = time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._begin

    def is_due(self) -> bool:
        """Return whether an interval is over; if so, start the next one."""
        now = time.monotonic()
        if now - self._last < self._interval:
            return False
        self._last = now
        return True

    def limit(self, call: Callable[[T], object]) -> Callable[[T], None]:
        """Return a function that makes a call where one is due, and else nothing."""

        def limited(value: T) -> None:
            if self.is_due():
                call(value)

        return limited


class TimeLeft:
    """Wall time for work in several parts; it starts on construction. It holds state."""

    def __init__(self, seconds: float | None) -> None:
        """Start with this many seconds; None means no limit."""
        self._end = None if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> float | None:
        """The seconds that are left, at least 0; None if there is no limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def is_up(self) -> bool:
        """Return whether no time is left."""
        return self.left == 0

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Run the block until the time is up, and then leave it without an error."""
        with within(self.left):
            try:
                yield
            except Stopped:
                check()  # raises if the work was canceled, not only late
