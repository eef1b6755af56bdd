"""Time limits on a machine that others use, too."""

import os
import resource
import time

import psutil

TRIES = 5
# Generous, for a loaded machine that compiles kernels meanwhile; no test sleeps that long.
PATIENCE = int(os.environ.get("HSEARCH_PATIENCE", "180000"))  # milliseconds
HOLD = 2 * PATIENCE / 1000  # seconds; a test that holds back an answer waits for others meanwhile


def wait_until(holds, seconds=PATIENCE / 1000):
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


def spent(process):
    """Return the processor seconds that a running process has taken, with those of its children."""
    times = psutil.Process(process.pid).cpu_times()
    return times.user + times.system + times.children_user + times.children_system


def meter(process):
    """Return a function of no argument, to be called when the process has ended.

    It returns the processor seconds that the process has taken since `meter` was called. Other
    processes do not lengthen them, and a process that does not stop takes them.
    """
    before = _spent_by_ended() + spent(process)
    return lambda: _spent_by_ended() - before


def _spent_by_ended():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime
