"""The end of a search: at a time, or when another thread says so."""

import threading

from player.clock import now


class Stopped(Exception):  # noqa: N818 - no error
    """The time is up, or the search was canceled."""


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
