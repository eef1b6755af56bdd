"""One question under way, as the thread that works on it sees it; and how often it reports."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from hsearch.kernels.stop import Flag

INTERVAL = 0.2  # seconds


class Pace:
    """Says when progress is due; begins when it is made."""

    def __init__(self) -> None:
        """Begin."""
        self._begin = self._last = time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds that it has taken by now."""
        return time.monotonic() - self._begin

    def is_due(self) -> bool:
        """Return whether it is time to tell again; then it is not for a while."""
        now = time.monotonic()
        if now - self._last < INTERVAL:
            return False
        self._last = now
        return True


class CancelledError(Exception):
    """The page no longer wants the answer."""


@dataclass(frozen=True, slots=True)
class BoardJob:
    """A question that can be cancelled, and that tells how far it has come.

    tell    sends progress to the page; may be called in any thread
    cancel  set when the page no longer wants the answer, or is gone
    over    set as well when its seconds are over
    seconds of work after which it is stopped
    """

    tell: Callable[[dict[str, Any]], None]
    cancel: Flag = field(default_factory=Flag)
    over: threading.Event = field(default_factory=threading.Event)
    seconds: float = inf

    def bounded(self, seconds: float) -> float:
        """Return how long a search may take, so that it answers before the job is stopped."""
        return min(seconds, 0.8 * self.seconds)

    @contextmanager
    def listening(self) -> Iterator["BoardJob"]:
        """Give the job to threads that may outlive it: it hears nothing after the block."""
        is_open = True
        try:
            yield replace(self, tell=lambda message: self.tell(message) if is_open else None)
        finally:
            is_open = False

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Stop what is done inside when the seconds of the job are over."""
        if self.seconds == inf:
            yield
            return
        timer = threading.Timer(self.seconds, self._expire)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _expire(self) -> None:
        self.over.set()
        self.cancel.set()

    def check(self) -> None:
        """Raise CancelledError once the job is cancelled."""
        if self.cancel.is_set():
            raise CancelledError
