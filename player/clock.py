"""What a clock counts: the time of day, or what players take of the processor.

Players and searches ask `now`, and a referee `spent`, which knows the processes of other
engines as well. On a loaded machine seconds of the day tell little of what a player
was given.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from contextvars import ContextVar
from enum import StrEnum


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
