"""The standard output, kept for replies.

Whatever else prints, in Python or below it, would be taken for a reply. So its
descriptor leads to stderr, and only the writer knows the true one.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_OUT, _ERR = 1, 2


@contextmanager
def private_stdout() -> Iterator[Callable[[str], None]]:
    """Yield what writes to the standard output at once; nothing else does meanwhile."""
    if sys.stdout is not None:
        sys.stdout.flush()
    kept, own = sys.stdout, os.dup(_OUT)
    _lead_elsewhere()
    sys.stdout = sys.stderr

    def write(text: str) -> None:
        data = text.encode("utf-8", errors="backslashreplace")
        while data:
            data = data[os.write(own, data) :]

    try:
        yield write
    finally:
        sys.stdout = kept
        os.dup2(own, _OUT)
        os.close(own)


def _lead_elsewhere() -> None:
    try:
        os.dup2(_ERR, _OUT)
    except OSError:  # no stderr
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _OUT)
        os.close(nowhere)
