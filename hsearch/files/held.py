"""A folder that one process writes to at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout


@contextmanager
def held(folder: Path, *, doing: str, error: type[ValueError]) -> Iterator[None]:
    """Make a folder if need be, and keep other processes that ask for it away meanwhile.

    Raise `error`, saying what another process is doing there, as `plays into`, when there is
    one, and OSError when the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / ".lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise error(f"{folder}: another process {doing} this folder") from None
    try:
        yield
    finally:
        lock.release()
