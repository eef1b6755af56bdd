"""Files that are written whole, or not at all."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

PARTIAL = ".partial"


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """Give a file to write to that takes the place of `path` once it is on the disk.

    Whatever happens meanwhile, `path` stays as it was. A device or a pipe is
    written to as it is. Raise OSError, naming `path`, when it cannot be written.
    """
    target = path.resolve()
    partial = target.with_name(f"{target.name}.{os.getpid()}{PARTIAL}")  # others may write it, too
    is_plain = target.is_file() or not target.exists()
    try:
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
