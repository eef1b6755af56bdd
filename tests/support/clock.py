"""Limits of time, on a machine that others use, too."""

import time

TRIES = 5


def wait_until(holds, seconds=30):
    """Wait for what does not take long; fail where it takes longer."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def kept(limit, attempt):
    """Return whether one of a few attempts takes no more than these seconds.

    A program that knows no limit breaks it each time; one that does may be put
    to sleep by the machine, though hardly five times.
    """
    return any(attempt() <= limit for _ in range(TRIES))
