"""A file to which whole lines of JSON are added: first a head, then one a piece of finished work.

A line counts when it is whole, so a process that is killed while it writes, or
a disk that is full, loses nothing but that line. It may leave an empty NAME.lock,
which is free again: the next process takes it and removes it.
"""

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from filelock import FileLock, Timeout

from hsearch.files import strict

LOCK = ".lock"
CHUNK = 1 << 16


class LinesError(ValueError):
    """A file that is not what was looked for, or that another process writes to."""


class Lines:
    """The lines of a file by their number, from 1; none is kept in memory. It holds state.

    path   the file
    first  the first line, which is the head, if it is whole; None if there is no file yet
    cut    whether half a line stood at the end; the next line that is added goes over it
    """

    def __init__(self, path: Path, head: str, what: str) -> None:
        """Look at the file, if there is one; it is left untouched until a line is added.

        head  the first line of such a file if there is none yet
        what  what such a file is called

        Raise LinesError, naming the place, when the file has no whole line and
        is not the beginning of `head`: it would be written over. Raise OSError
        when it cannot be read.
        """
        self.path, self._head = path, head
        self._size = self._whole = 0
        self._ended, rest = True, b""
        if path.exists():
            with path.open("rb") as file:
                self._size = file.seek(0, os.SEEK_END)
                self._whole = _end_of_lines(file, self._size)
                file.seek(self._whole)
                rest = file.read()
        if self._whole and _is_object(rest):  # all but the end of the line was written
            self._whole, self._ended, rest = self._size, False, b""
        self.cut = bool(rest)
        self.first = next((line for _, line in self._numbered()), None)
        if self.first is None and not head.encode().startswith(rest):
            raise LinesError(f"{path}:1: no {what}: {short(rest)}")

    @property
    def rest(self) -> Iterator[tuple[int, bytes]]:
        """The whole lines below the head, with their numbers, read one by one."""
        return itertools.islice(self._numbered(), 1, None)

    def _numbered(self) -> Iterator[tuple[int, bytes]]:
        if self._whole == 0:
            return
        left = self._whole
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                left -= len(line)
                yield number, line.removesuffix(b"\n")
                if left <= 0:
                    return

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other processes from adding lines meanwhile.

        Raise LinesError when one does so already, or has since the file was
        read, and OSError when it cannot be written.
        """
        with self.path.open("ab"):  # it can be written, in a folder that is there
            pass
        lock = FileLock(self.path.with_name(self.path.name + LOCK), timeout=0)
        try:
            lock.acquire()
        except Timeout:
            raise LinesError(f"{self.path}: another process is writing to it") from None
        try:
            if self.path.stat().st_size != self._size:
                raise LinesError(f"{self.path}: another process has written to it; start again")
            yield
        finally:
            with suppress(OSError):  # who waits for it sees that it is gone, and makes another
                Path(lock.lock_file).unlink()
            lock.release()

    def add(self, line: str) -> None:
        """Add a line, so that it is on the disk when this returns."""
        text = f"{line}\n" if self.first is not None else f"{self._head}\n{line}\n"
        content = (b"" if self._ended else b"\n") + text.encode()
        with self.path.open("r+b" if self.path.exists() else "x+b") as file:
            file.truncate(self._whole)
            file.seek(self._whole)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        self._whole = self._size = self._whole + len(content)
        self._ended, self.cut = True, False
        self.first = self.first or self._head.encode()


def short(line: bytes) -> str:
    """Return the beginning of a line as an error shows it."""
    text = repr(line.decode(errors="replace"))
    return text if len(text) <= 60 else text[:57] + "..."


def _end_of_lines(file: BinaryIO, size: int) -> int:
    """Return where the last whole line of a file ends."""
    end = size
    while end > 0:
        start = max(0, end - CHUNK)
        file.seek(start)
        newline = file.read(end - start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0


def _is_object(line: bytes) -> bool:
    try:
        strict.read(line, dict[str, Any])
    except ValueError:
        return False
    return True
