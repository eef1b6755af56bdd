"""Time limits on a machine that others use, too."""

import time

TRIES = 5


def wait_until(holds, seconds=30):
    """Wait until `holds()` is true; fail after some seconds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def kept(limit, attempt):
    """Return whether one of a few attempts takes no more than `limit` seconds.

    A program without a limit exceeds it each time. The machine may suspend one that respects its
    limit, but hardly five times.
    """
    return any(attempt() <= limit for _ in range(TRIES))
