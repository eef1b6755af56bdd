"""The tables of the exact pass, made once for each width of board.

Width 11 takes 3 MB and 0.1 s to make, width 13 takes 24 MB and 1.5 s. They are
kept in the user's cache folder. A file there that is damaged, or was made by
other sources, is passed over and made again.
"""

import hashlib
import os
import zlib
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from hsearch.files.whole import write_whole
from player.kernels import frontier

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Onward: TypeAlias = NDArray[np.int32]

MAX_WIDTH = 13
CHECK_BYTES = 4


@cache
def onward(width: int) -> "Onward":
    """Return where each state of a board's frontier goes: by color, column and state."""
    path = _folder() / f"frontier-{width}-{_version()}.table"
    table = read(path, width)
    if table is None:
        table = build(width)
        write(path, table)
    return table


def build(width: int) -> "Onward":
    """Make a table; `onward` looks for a kept one first."""
    slots = 1 << 10
    while True:
        codes, keys = np.zeros(slots // 2, np.int64), np.zeros(slots, np.int64)
        found = frontier.enumerate_codes(width, codes, keys)
        if found != frontier.FULL:
            break
        slots *= 2
    # In the order of codes, states that go to like states lie near each other.
    codes = np.sort(codes[:found])
    table = np.empty((2, width, found + 1), np.int32)
    frontier.link_codes(width, codes, keys, table)
    return table


def _folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hsearch"


def _version() -> str:
    return hashlib.sha256(Path(frontier.__file__).read_bytes()).hexdigest()[:16]


def read(path: Path, width: int) -> "Onward | None":
    """Return a kept table; None if there is none, or not all of it."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    body, check = data[:-CHECK_BYTES], data[-CHECK_BYTES:]
    if zlib.crc32(body).to_bytes(CHECK_BYTES, "little") != check or len(body) % (8 * width):
        return None
    return np.frombuffer(bytearray(body), np.int32).reshape(2, width, -1)


def write(path: Path, table: "Onward") -> None:
    """Keep a table: all of it or nothing, and nothing where that is forbidden."""
    body = table.tobytes()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, body + zlib.crc32(body).to_bytes(CHECK_BYTES, "little"))
