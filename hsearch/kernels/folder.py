"""The folders of what is kept, compiled kernels above all, and how processes take turns in them."""

import contextlib
import hashlib
import importlib
import os
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

# What is kept from one run to the next; compiled kernels in `NUMBA_CACHE_DIR` if that is set.
#
# Numba takes a second or two to load, and is not needed to look there.


def user_folder() -> Path:
    """Return the folder of what is kept for a user, by the XDG Base Directory Specification."""
    caches = os.environ.get("XDG_CACHE_HOME")
    if caches:
        return Path(caches) / "hsearch"
    try:
        home = Path.home()
    except RuntimeError:  # of a user whom the system does not know, as in a container
        home = Path("/")  # where nothing can be kept, which is said
    return home / ".cache" / "hsearch"


def folder_of(setting: str) -> Path:
    """Return the folder of compiled kernels, given Numba's setting; empty if there is none."""
    return Path(setting) / "hsearch" if setting else user_folder()


def has_kernels() -> bool:
    """Return whether anything was ever compiled on this machine."""
    folder = folder_of(os.environ.get("NUMBA_CACHE_DIR", ""))
    return any(folder.glob("*.kernel"))


# Integers of kernels wrap around and keep their width, which those of Python do not.

UNCOMPILED = "NUMBA_DISABLE_JIT is set, but kernels run compiled only: unset it"


def require_compiling() -> None:
    """Raise ImportError where Numba is set to compile nothing, before threads find out one by one.

    Numba ignores a setting that is not a number.
    """
    with contextlib.suppress(ValueError):
        if int(os.environ.get("NUMBA_DISABLE_JIT", "0")):
            raise ImportError(UNCOMPILED)


# A file begins with a digest of the rest. None ever changes: what it is named after does.

_DIGEST = 32  # bytes


def read_kept(path: Path) -> bytes | None:
    """Return what was written there, unless it is missing or damaged."""
    try:
        kept = path.read_bytes()
    except OSError:
        return None
    digest, data = kept[:_DIGEST], kept[_DIGEST:]
    return data if hashlib.sha256(data).digest() == digest else None


def write_kept(path: Path, data: bytes) -> None:
    """Write data, whole or not at all. Raise OSError without room or right to write."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        try:
            file.write(hashlib.sha256(data).digest() + data)
            file.close()
            Path(file.name).replace(path)
        except OSError:
            Path(file.name).unlink(missing_ok=True)
            raise


# Processes that take turns: what one compiles, the others wait for rather than compile it too.

LONGEST = 600  # seconds to wait for a process that is alive; then both compile
_PAUSE = 0.02


@contextlib.contextmanager
def turn(folder: Path, name: str) -> Iterator[None]:
    """Hold what is called `name`, once no other process does.

    The operating system gives it back when a process ends, however it ends.
    Where it has no such locks, nothing is waited for.
    """
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError, ImportError):
            fcntl = importlib.import_module("fcntl")  # not on Windows
            file, place = _file(folder), int(name[-15:], 16)
            until = time.monotonic() + LONGEST
            while time.monotonic() < until:
                with contextlib.suppress(BlockingIOError, PermissionError):
                    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
                    held.callback(fcntl.lockf, file, fcntl.LOCK_UN, 1, place)
                    break
                time.sleep(_PAUSE)
        yield


@cache
def _file(folder: Path) -> int:
    """Return the open file whose bytes are locked, one a name; to close it would free them all."""
    folder.mkdir(parents=True, exist_ok=True)
    return os.open(folder / "turns", os.O_RDWR | os.O_CREAT, 0o600)
