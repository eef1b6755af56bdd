"""The engines that a page may play against: a fixed list, for a text could name any program."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from hsearch.board import Board

Spec: TypeAlias = Literal[
    "hexy",
    "hexy:level=1",
    "hexy:level=2",
    "hexy:level=3",
    "hexy:level=4",
    "hexy:level=5",
    "hexy:level=6",
    "hexy:level=7",
    "hexy:level=8",
    "hexy:level=9",
    "tree:time=1",
    "tree:time=5",
]
BidderSpec: TypeAlias = Literal["bidding:fillings=3000", "bidding"]
DarkSpec: TypeAlias = Literal["belief", "blind", "random"]


class Seats:
    """Holds each engine that has played, which remembers what it has proved. Threads may share it.

    One question at a time is put to an engine.
    """

    def __init__(self) -> None:
        """Hold none yet."""
        self._kept: dict[tuple[str, str], tuple[Any, Lock]] = {}
        self._lock = Lock()

    @contextmanager
    def of(self, spec: str, variant: str, board: "Board") -> Iterator[Any]:
        """Give an engine of a variant, ready to play on a board."""
        from player.engine import participant  # noqa: PLC0415 - it loads numba

        with self._lock:
            if (spec, variant) not in self._kept:
                self._kept[spec, variant] = participant(spec, variant), Lock()
            engine, lock = self._kept[spec, variant]
        with lock:
            engine.prepare(board)
            yield engine
