"""The end of the program while threads of ours are still at work."""

import atexit
import os
import sys
import threading

NAMES = {"warm", "player"}  # of threads that nobody waits for


def end_at_once() -> None:
    """Let the program end, with success, without unwinding such threads.

    Python unwinds them where they next want to run Python. In the midst of a compiler
    or of what runs a net that aborts the process.
    """
    atexit.register(_leave)


def _leave() -> None:
    if any(thread.name in NAMES for thread in threading.enumerate()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
