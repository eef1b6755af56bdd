"""The folders of caches, compiled kernels above all, and how processes take turns in them."""

import contextlib
import hashlib
import importlib
import os
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

# Files kept from one run to the next; compiled kernels in `NUMBA_CACHE_DIR` if that is set.
#
# This module does not load Numba, which takes a second or two.


def user_folder() -> Path:
    """Return a user's folder for caches, by the XDG Base Directory Specification."""
    caches = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if caches.is_absolute():  # else it is ignored, as the specification demands
        return caches / "hsearch"
    try:
        home = Path.home()
    except RuntimeError:  # the system does not know the user, as in a container
        home = Path("/")  # not writable, which is reported
    return home / ".cache" / "hsearch"


def folder_of(setting: str) -> Path:
    """Return the folder of compiled kernels, given Numba's setting; empty if there is none."""
    return Path(setting) / "hsearch" if setting else user_folder()


def has_kernels() -> bool:
    """Return whether the folder has any compiled kernel."""
    folder = folder_of(os.environ.get("NUMBA_CACHE_DIR", ""))
    return any(folder.glob("*.kernel"))


# Kernels need compiled integers, which wrap around and keep their width, as Python's do not.

UNCOMPILED = "NUMBA_DISABLE_JIT is set, but kernels run compiled only: unset it"


def require_compiling() -> None:
    """Raise ImportError if Numba is set to compile nothing, before each thread fails by itself.

    Numba ignores a setting that is not a number.
    """
    with contextlib.suppress(ValueError):
        if int(os.environ.get("NUMBA_DISABLE_JIT", "0")):
            raise ImportError(UNCOMPILED)


# A file begins with a digest of the rest. A file never changes: other content has another name.

_DIGEST = 32  # bytes
_PARTIAL = ".partial"
_ABANDONED = 3600  # seconds since an unfinished file changed, which a living process has finished


def read_kept(path: Path) -> bytes | None:
    """Return the data in a file; None if it is missing or damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    digest, data = content[:_DIGEST], content[_DIGEST:]
    return data if hashlib.sha256(data).digest() == digest else None


def write_kept(path: Path, data: bytes) -> None:
    """Write data, whole or not at all. Raise OSError without space or permission."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _clear(path.parent)
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=_PARTIAL, delete=False) as file:
        try:
            file.write(hashlib.sha256(data).digest() + data)
            file.close()
            Path(file.name).replace(path)
        except BaseException:  # also when the user interrupts
            Path(file.name).unlink(missing_ok=True)
            raise


def _clear(folder: Path) -> None:
    """Remove what processes that were killed have left of files, unless it is recent."""
    for partial in folder.glob(f"*{_PARTIAL}"):
        with contextlib.suppress(OSError):  # another process may remove it
            if time.time() - partial.stat().st_mtime > _ABANDONED:
                partial.unlink()


# Processes take turns: if one compiles a kernel, others wait rather than compile it, too.

LONGEST = 600  # seconds to wait for a process that is alive; then both compile
_PAUSE = 0.02


@contextlib.contextmanager
def turn(folder: Path, name: str) -> Iterator[None]:
    """Hold the lock called `name`, once no other process holds it.

    The last 15 characters of the name are hexadecimal digits: the place of the lock. The
    operating system releases it when a process ends, however it ends. If the system has no
    such locks, do not wait.
    """
    with contextlib.ExitStack() as locks:
        with contextlib.suppress(OSError, ImportError):
            fcntl = importlib.import_module("fcntl")  # not on Windows
            file, place = _file(folder), int(name[-15:], 16)
            until = time.monotonic() + LONGEST
            while time.monotonic() < until:
                with contextlib.suppress(BlockingIOError, PermissionError):
                    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
                    locks.callback(fcntl.lockf, file, fcntl.LOCK_UN, 1, place)
                    break
                time.sleep(_PAUSE)
        yield


@cache
def _file(folder: Path) -> int:
    """Return the open file whose bytes are the locks; closing it would release all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    return os.open(folder / "turns", os.O_RDWR | os.O_CREAT, 0o600)
