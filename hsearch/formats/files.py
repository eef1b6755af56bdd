"""Files that survive a killed process, compressed files, and files shipped with the program."""

import errno
import io
import lzma
import os
import platform
import shutil
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count, islice
from pathlib import Path
from typing import Any, BinaryIO, cast

from filelock import FileLock, Timeout

from hsearch.formats import strict

# Files that are read whole.


def contents(path: Path) -> bytes:
    """Return the bytes of a file. Raise OSError for a device, which may have no end."""
    if path.is_char_device() or path.is_block_device():
        raise OSError(errno.EINVAL, "a device, not a file", str(path))
    return path.read_bytes()


# Files that are written whole, or not at all.
#
# The new file is written beside the old one, as NAME.MACHINE-PROCESS-THREAD.partial, and then
# replaces it. What a killed process has left is removed when the file is next written.

PARTIAL = ".partial"
_LONG, _BEGINNING = 200, 32  # bytes of a name that is abbreviated, characters that stay
_MACHINE = f"{zlib.crc32(platform.node().encode()):08x}"


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """Yield a file to write to, which replaces `path` once it is on the disk.

    Until then, whatever happens, `path` stays as it was. A device or a pipe is
    written directly. Raise OSError, naming `path`, if it cannot be written.
    """
    is_plain = path.is_file() or not path.exists()
    target = path.resolve() if is_plain else path  # the pipe behind /dev/stdout has no name
    writer = f"{os.getpid()}-{threading.get_ident()}"  # others may write the same file
    partial = _partial(target, writer)
    with _naming(path):
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
        except BaseException:
            if is_plain:
                with suppress(OSError):  # a read-only disk refuses this, too
                    partial.unlink(missing_ok=True)
            raise


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Let an error of the disk name this file: it may name a partial one, or none."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


@contextmanager
def whole_or_xz(path: Path) -> Iterator[BinaryIO]:
    """Yield a file to write to, as `whole` does; what is written to NAME.xz is compressed."""
    with whole(path) as file:
        if path.suffix.lower() != XZ:
            yield file
            return
        with lzma.LZMAFile(file, "wb") as stream:
            yield cast("BinaryIO", stream)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all; raise OSError, naming it, if that fails."""
    with whole(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def free_name(path: Path) -> Path:
    """Return the path with the first number, from 2 up, that no file has: `a-2.txt`."""
    names = (path.with_stem(f"{path.stem}-{n}") for n in count(2))
    return next(name for name in names if not name.exists())


def _partial(target: Path, writer: str) -> Path:
    name, content = target.name, os.fsencode(target.name)
    if len(content) > _LONG:  # with the ending it would be too long for a file system
        name = f"{name[:_BEGINNING]}~{zlib.crc32(content):08x}"
    return target.with_name(f"{name}.{_MACHINE}-{writer}{PARTIAL}")


def _clear(target: Path) -> None:
    """Remove the partial files of `target` from processes of this machine that have ended."""
    start = _partial(target, "").name.removesuffix(PARTIAL)
    for partial in target.parent.iterdir():
        if partial.name.startswith(start) and partial.suffix == PARTIAL:
            process, _, _ = partial.stem.removeprefix(start).partition("-")
            if process.isdecimal() and not _lives(int(process)):
                partial.unlink(missing_ok=True)


def _lives(process: int) -> bool:
    import psutil  # noqa: PLC0415 - 20 ms; on Windows `os.kill(process, 0)` would end it

    with suppress(OverflowError):
        return bool(psutil.pid_exists(process))
    return True


# Compressed files. A few kilobytes can expand to gigabytes, so a file is decompressed as it is
# read, in bounded memory.

XZ = ".xz"
_XZ_SIGN = b"\xfd7zXZ\0"
_XZ_MEMORY = 100_000_000  # bytes; files of `xz -9` need 65 MiB


class _Decompressing(io.RawIOBase):
    """The decompressed bytes of a stream. Reading raises ValueError where it is damaged."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._xz = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._xz.eof:
            data = self._stream.read(CHUNK) if self._xz.needs_input else b""
            if self._xz.needs_input and not data:
                raise ValueError("the .xz file ends too early")
            try:
                content = self._xz.decompress(data, len(buffer))
            except lzma.LZMAError as error:
                raise ValueError(f"the .xz file is damaged: {error}") from None
            if content:
                buffer[: len(content)] = content
                return len(content)
        if self._xz.unused_data or self._stream.read(1):
            raise ValueError("the .xz file has data after its end")
        return 0


class _Joined(io.RawIOBase):
    """A stream from its start, given its first bytes, which were already read, and the rest."""

    def __init__(self, start: bytes, rest: io.BufferedReader) -> None:
        self._start, self._rest = start, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._start[: len(buffer)] or self._rest.read1(len(buffer))
        self._start = self._start[len(data) :]
        buffer[: len(data)] = data
        return len(data)


def decompress(stream: BinaryIO) -> BinaryIO:
    """Return a stream, decompressed if it begins like an .xz file.

    Reading from it raises ValueError where the .xz file is damaged.
    """
    reader = stream if isinstance(stream, io.BufferedReader) else _buffer(stream)
    start = reader.read(len(_XZ_SIGN))  # `peek` returns less if a pipe has less so far
    joined = _buffer(_Joined(start, reader))
    return _buffer(_Decompressing(joined)) if start == _XZ_SIGN else joined


def _buffer(stream: Any) -> io.BufferedReader:
    return io.BufferedReader(stream)


# Locks: a folder or a file that one process writes to at a time.

LOCK = ".lock"


@contextmanager
def hold(folder: Path, *, doing: str, error: type[ValueError]) -> Iterator[None]:
    """Create a folder if it is missing, and hold its lock in the block.

    Raise `error` if another process holds it, saying what that process is `doing` to the
    folder, such as `plays into`; raise OSError if the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _lock(folder / LOCK, error(f"{folder}: another process {doing} this folder")):
        yield


@contextmanager
def alone(path: Path, error: type[Exception]) -> Iterator[None]:
    """Hold the lock of a file in the block.

    Raise `error` if another process holds it, and OSError if the folder cannot be written.
    """
    lock = path.with_name(path.name + LOCK)
    with _lock(lock, error(f"{path}: another process is writing to it")):
        try:
            yield
        finally:
            with suppress(OSError):  # a process that opened it sees that, and tries again
                lock.unlink()


@contextmanager
def _lock(path: Path, refusal: Exception) -> Iterator[None]:
    """Hold a lock in the block. Raise the refusal if another process holds it."""
    lock = FileLock(path, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise refusal from None
    try:
        yield
    finally:
        lock.release()


# A file to which whole lines of JSON are added: first a head, then one for each piece of work.
#
# Only whole lines count, so a process that is killed while it writes, or a full disk,
# loses only that line. A killed process may leave an empty NAME.lock, which nobody
# holds: the next process takes it and removes it.

CHUNK = 1 << 16
LONGEST = 1 << 26  # most bytes of an unfinished line that are read to recognize it


class LinesError(ValueError):
    """A file that is not of the expected kind, or that another process writes to."""


class Lines:
    """The lines of a file by number, from 1; they are not held in memory. Holds state.

    path   the file
    first  the first line, which is the head; None if there is no whole line yet
    cut    whether the file ended in half a line, which the next added line overwrites
    """

    def __init__(self, path: Path, head: str, what: str) -> None:
        """Read the file, if there is one, without changing it.

        head  the first line of a new file
        what  the kind of file, for messages

        Raise LinesError, naming the place, if the file has no whole line and is
        not the beginning of `head`: it would be overwritten. Raise OSError if it
        cannot be read.
        """
        self.path, self._head = path, head
        self._size = self._whole = 0
        self._has_end, rest = True, b""
        if path.exists() and not path.is_file() and not path.is_dir():
            raise LinesError(f"{path}: a device, not a {what}")
        if path.exists():
            with path.open("rb") as file:
                self._size = file.seek(0, os.SEEK_END)
                self._whole = _end_of_lines(file, self._size)
                file.seek(self._whole)
                rest = file.read(LONGEST)
        if self._whole and _is_object(rest):  # only the line end was not written
            self._whole, self._has_end, rest = self._size, False, b""
        self.cut = bool(rest)
        self.first = next((line for _, line in self._read_lines()), None)
        if self.first is None and not head.encode().startswith(rest):
            raise LinesError(f"{path}:1: not a {what}: {short(rest)}")

    @property
    def rest(self) -> Iterator[tuple[int, bytes]]:
        """The whole lines below the head, with their numbers, read one by one."""
        return islice(self._read_lines(), 1, None)

    def _read_lines(self) -> Iterator[tuple[int, bytes]]:
        if self._whole == 0:
            return
        remaining = self._whole
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                remaining -= len(line)
                yield number, line.removesuffix(b"\n")
                if remaining <= 0:
                    return

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the lock of the file in the block, so that no other process adds lines.

        Raise LinesError if another process holds it, or has written since the file
        was read, and OSError if it cannot be written.
        """
        with self.path.open("ab"):  # raises OSError if it cannot be written
            pass
        with alone(self.path, LinesError):
            if self.path.stat().st_size != self._size:
                raise LinesError(f"{self.path}: another process has written to it; start again")
            yield

    def add(self, line: str) -> None:
        """Add a line, and return once it is on the disk.

        Raise LinesError if the file has lost lines, and OSError, naming the file, if it is gone
        or cannot be written.
        """
        text = f"{line}\n" if self.first is not None else f"{self._head}\n{line}\n"
        content = (b"" if self._has_end else b"\n") + text.encode()
        with _naming(self.path), self._open() as file:
            file.truncate(self._whole)
            file.seek(self._whole)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        self._whole = self._size = self._whole + len(content)
        self._has_end, self.cut = True, False
        self.first = self.first or self._head.encode()

    def _open(self) -> BinaryIO:
        """Open the file to write behind its whole lines, which must still be there."""
        file = self.path.open("r+b" if self._whole or self.path.exists() else "x+b")
        if file.seek(0, os.SEEK_END) < self._whole:
            file.close()
            raise LinesError(f"{self.path}: it has lost lines meanwhile; start again")
        return file


def short(line: bytes) -> str:
    """Return the beginning of a line for an error message."""
    text = repr(line.decode(errors="replace"))
    return text if len(text) <= 60 else text[:57] + "..."


def _end_of_lines(file: BinaryIO, size: int) -> int:
    """Return the offset after the last whole line of a file."""
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


# Files that are shipped with the program.

_PACKAGE = Path(__file__).parent.parent

# An installed wheel has them inside the package, a checkout beside it.
_FOLDERS = (_PACKAGE / "positions", _PACKAGE.parent / "positions")


def find_shipped(path: str) -> Path | None:
    """Return the path of a shipped file such as `positions/bench.txt`; None if there is none.

    `positions/` may be left out.
    """
    relative = Path(path.removeprefix("positions/"))
    if relative.is_absolute() or ".." in relative.parts:
        return None
    return next((folder / relative for folder in _FOLDERS if (folder / relative).is_file()), None)


def read_shipped(path: str) -> str:
    """Return the text of a shipped file. Raise RuntimeError, naming it, if this copy lacks it."""
    file = find_shipped(path)
    if file is None:
        raise RuntimeError(f"missing in this installation: {path}")
    return file.read_text(encoding="utf-8")
