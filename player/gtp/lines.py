"""Lines of a file descriptor, as they arrive.

Not `sys.stdin`: a thread that waits in its buffer would hold a lock that the
interpreter needs when it ends.
"""

import os
from collections.abc import Iterator

LONGEST_LINE = 1_000_000
_CHUNK = 65536


def lines_of(descriptor: int) -> Iterator[str]:
    """Yield the lines, their ends taken off; of too long a line, its beginning.

    The last one need not be ended. Bytes that are no UTF-8 are replaced.
    """
    rest = bytearray()
    while chunk := _read(descriptor):
        *complete, tail = chunk.split(b"\n")
        for piece in complete:
            rest += piece
            yield _text(rest)
            rest.clear()
        rest += tail
        del rest[LONGEST_LINE + 1 :]
    if rest:
        yield _text(rest)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:
        return b""  # whoever has no input has reached its end


def _text(line: bytearray) -> str:
    return line[: LONGEST_LINE + 1].decode("utf-8", errors="replace").removesuffix("\r")
