"""The tables of the exact pass, made once for each width of board.

Width 11 takes 3 MB and 0.1 s to make, width 13 takes 24 MB and 1.5 s. They are
kept in the user's cache folder. What can be there is known in advance, so that a
file is used only if its digest is the one below: any other is made again.
"""

import hashlib
import os
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

DIGESTS = (  # of widths 1, 2, ...; a test makes the tables and compares
    "7e8d5b72d290ba59f0edbe3d6f961eea1a534c250a6ef2cac5b85c0c2111735f",
    "056889a8ddc854e363c69101beac4e630839402943c4ded6d929014fbc4a0b0c",
    "a22ed668efb790625494763d2d2e59427cebd5ecd9e57d8e8787171ea9a444ce",
    "b2d52689dcb9bda5d9b80622a27d605cbd24f60a9955715ee3b351f763a8dadd",
    "a921779fdeacf2fa85c6258566a24af99766de1feaf83a872fec98e2b6900b31",
    "d14221c0c0936dd0a0edd56b5d3e8ab5844cf62e4b9cca62617a89574eca00a3",
    "54200f5dc3ad6b247bd2118d1bfc59b8f64b1b71036260dc9c9e4c66f132815d",
    "c1611f5505b8a98431c454b8da932dd8e5d9d4700b5ada2f56233c119bed4a65",
    "ef7ec3f5685256bc41e93cefb173245db20bac1403dc4f6eda7a071928d2ee7d",
    "127eacab7a3c6b953bc46ff615e1f461ca9b5e722a164024c80529410257ca67",
    "f3a1d2161d1bc6b2e0749bc06e9b9b6d14c65920114b35b2f458f773f0485447",
    "9e114bb3e8c6447df54c94d3b43928091f2e7be467765b71d8de2ed8cce9c3ae",
    "fc5653980ef077d1cdf2bae1ece68235d851900274ac188b14889b7bebf48063",
)
MAX_WIDTH = len(DIGESTS)
_KEPT = np.dtype("<i4")
_MOST_BYTES = 25_000_000


@cache
def onward(width: int) -> "Onward":
    """Return where each state of a board's frontier goes: by color, column and state."""
    path = _folder() / f"frontier-{width}.table"
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


def read(path: Path, width: int) -> "Onward | None":
    """Return a kept table; None if there is none, or if it is not the one of this width."""
    try:
        if not path.is_file():  # a pipe would be waited for
            return None
        with path.open("rb") as file:
            data = bytearray(file.read(_MOST_BYTES))
    except OSError:
        return None
    if hashlib.sha256(data).hexdigest() != DIGESTS[width - 1]:
        return None
    return np.frombuffer(data, _KEPT).astype(np.int32, copy=False).reshape(2, width, -1)


def write(path: Path, table: "Onward") -> None:
    """Keep a table: all of it or nothing, and nothing where that is forbidden."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, table.astype(_KEPT, copy=False).tobytes())
