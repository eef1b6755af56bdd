"""Files that are written whole, or not at all.

A file grows beside the one whose place it takes, as NAME.MACHINE-PROCESS.partial.
What a process that was killed has left there goes when the file is written next.
"""

import os
import platform
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO

PARTIAL = ".partial"
_MACHINE = f"{zlib.crc32(platform.node().encode()):08x}"


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """Give a file to write to that takes the place of `path` once it is on the disk.

    Whatever happens meanwhile, `path` stays as it was. A device or a pipe is
    written to as it is. Raise OSError, naming `path`, when it cannot be written.
    """
    is_plain = path.is_file() or not path.exists()
    target = path.resolve() if is_plain else path  # what /dev/stdout leads to has no name
    partial = _partial(target, str(os.getpid()))  # others may write it, too
    try:
        if is_plain:
            _clear(target)
        with (partial if is_plain else target).open("wb") as file:
            yield file
            file.flush()
            if is_plain:
                os.fsync(file.fileno())
        if is_plain:
            if target.exists():
                shutil.copymode(target, partial)
            partial.replace(target)
    except BaseException as error:
        if is_plain:
            partial.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror or str(error), str(path)) from error
        raise


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all; raise OSError, naming it, when that fails."""
    with whole(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def free_name(path: Path) -> Path:
    """Return the name of a file with the first number, from 2 on, that none has yet."""
    names = (path.with_stem(f"{path.stem}-{n}") for n in count(2))
    return next(name for name in names if not name.exists())


def _partial(target: Path, process: str) -> Path:
    return target.with_name(f"{target.name}.{_MACHINE}-{process}{PARTIAL}")


def _clear(target: Path) -> None:
    """Remove what processes of this machine that live no more have begun to write there."""
    start = _partial(target, "").name.removesuffix(PARTIAL)
    for left in target.parent.iterdir():
        if left.name.startswith(start) and left.suffix == PARTIAL:
            process = left.stem.removeprefix(start)
            if process.isdecimal() and not _lives(int(process)):
                left.unlink(missing_ok=True)


def _lives(process: int) -> bool:
    with suppress(PermissionError, OverflowError):  # it lives, and is somebody else's
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
    return True
