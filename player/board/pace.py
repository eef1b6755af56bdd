"""Pace at which a page is told of progress."""

import time

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
