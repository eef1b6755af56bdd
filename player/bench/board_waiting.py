"""Rows for what a person at the board waits for besides a click, with the server as a process.

`board/start` is until the address is printed; `board/cancel` from the word to
the answer that the work has ended; `board/memory` what the server holds after 500
positions; `board/first-use` what a page hears while kernels compile that were never
compiled on this machine.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import numpy as np

from hsearch import formats
from hsearch.board import Board
from hsearch.game import Game
from hsearch.position import Position
from player.bench.board_server import Served, Talk, lacks
from player.bench.measure import BenchRow, Tally
from player.board.records import record_object
from player.report.objects import position_object

POSITIONS = 500
UNDER_WAY = 0.3  # seconds after which work has begun that tells nothing
PAGE = 1.0  # until a browser has started and shows the page
LOADED = 5.0  # and after which its kernels are loaded


def waiting_rows(london: Callable[[], list[Game]]) -> Iterator[BenchRow]:
    """Yield the rows."""
    yield BenchRow("board/start", lambda: [None], _start, passes=10, lacks=lacks())
    for kind, fields in _LONG.items():
        cancel = _Cancel(kind, lambda fields=fields: fields(london()))  # type: ignore[misc]
        yield cancel.row()
    yield _Memory().row()
    for what in ("told", "answered"):
        yield _FirstUse(what).row()


def _start(_item: None) -> Tally:
    served = Served()
    served.close()
    return {"addresses": int("token=" in served.address)}


def _empty(side: int) -> dict[str, Any]:
    return position_object(Position.of(Board(side, side)))


def _record(game: Game) -> dict[str, Any]:
    """Return a game as the page sends it."""
    found = record_object(game)
    for node in found["nodes"]:
        del node["marks"]
    return found


def _proof() -> str:
    file = formats.shipped("puzzles/proved/8x8-grade5-01.proof")
    return "" if file is None else file.read_text()


# Work that takes long, whatever the machine.
_LONG: dict[str, Callable[[list[Game]], dict[str, Any]]] = {
    "solve": lambda _: {"position": _empty(9), "seconds": 60},
    "prove": lambda _: {"position": _empty(9)},
    "puzzle": lambda _: {"position": _empty(9), "cell": "a1"},
    "verify": lambda _: {"text": _proof()},
    "graph": lambda london: {"game": _record(london[0])},
    "review": lambda london: {"game": _record(london[0]), "effort": "deep"},
    "choose": lambda london: {"game": _record(london[0].cut(20)), "seconds": 60},
    "odds": lambda _: {"position": _empty(13)},
}


class _Cancel:
    """One kind of work, begun before each run and given up in it."""

    def __init__(self, kind: str, fields: Callable[[], dict[str, Any]]) -> None:
        self._kind, self._fields = kind, fields
        self._held = ExitStack()

    def row(self) -> BenchRow:
        return BenchRow(
            f"board/cancel/{self._kind}",
            self._begin,
            self._cancel,
            passes=10,
            ready=self._ready,
            close=self._held.close,
            lacks=lacks(),
        )

    def _begin(self) -> list[None]:
        self._talk = Talk.with_(Served(), self._held)
        self._asked = self._fields()
        for _ in range(2):  # the kernels are loaded then: that cannot be stopped
            self._start(LOADED)
            self._cancel(None)
        return [None]

    def _ready(self, _item: None) -> None:
        self._start(UNDER_WAY)

    def _start(self, patience: float) -> None:
        """Begin, and wait until it is under way."""
        self._number = self._talk.send(self._kind, **self._asked)
        while (told := self._talk.progress(patience)) is not None and "compiling" in told:
            pass

    def _cancel(self, _item: None) -> Tally:
        self._talk.send("cancel", job=self._number)
        self._talk.hear(self._number)
        return {"ended": 1}


class _Memory:
    """A server that many positions are put to."""

    def __init__(self) -> None:
        self._held = ExitStack()

    def row(self) -> BenchRow:
        return BenchRow(
            f"board/memory/11x11/{POSITIONS}",
            self._begin,
            self._ask,
            passes=1,
            memory=self._megabytes,
            close=self._held.close,
            lacks=lacks(),
        )

    def _begin(self) -> list[Position]:
        """Return the positions of random games, in order."""
        self._served = Served()
        self._talk = Talk.with_(self._served, self._held)
        rng, board = np.random.default_rng(17), Board(11, 11)
        found: list[Position] = []
        while len(found) < POSITIONS:
            position = Position.of(board)
            for cell in rng.permutation(board.size)[:70].tolist():
                found.append(position)
                position = position.play(cell)
        return found[:POSITIONS]

    def _ask(self, position: Position) -> Tally:
        """Ask what the page asks of a position."""
        fields = position_object(position)
        found = self._talk.ask("analyze", position=fields)
        if found["connection"] is not None:
            self._talk.ask("explain", position=fields)
        return {"links": len(self._talk.ask("links", position=fields)["links"])}

    def _megabytes(self) -> float:
        return self._served.megabytes()


class _FirstUse:
    """A server whose machine has compiled nothing yet; `what` is timed of it.

    told      from the first question until the page hears that kernels compile
    answered  meanwhile, a question that needs none: what the page's own clicks ask
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._held = ExitStack()

    def row(self) -> BenchRow:
        is_told = self._what == "told"
        return BenchRow(
            f"board/first-use/{self._what}",
            self._begin,
            self._tell if is_told else self._read,
            passes=3 if is_told else 1,
            ready=self._start if is_told else self._pause,
            close=self._held.close,
            lacks=lacks(),
        )

    def _begin(self) -> list[int]:
        if self._what == "told":
            return [0]
        self._start(0)
        self._tell(0)
        return list(range(50))

    def _start(self, _item: int) -> None:
        self._held.close()
        folder = self._held.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        served = Served(NUMBA_CACHE_DIR=folder)
        time.sleep(PAGE)
        self._talk = Talk.with_(served, self._held)
        self._talk.ask("read", text="a1")

    def _tell(self, _item: int) -> Tally:
        self._talk.send("analyze", position=_empty(8))
        told = self._talk.progress(60)
        return {"told": int(told is not None and "compiling" in told)}

    def _pause(self, _item: int) -> None:
        time.sleep(0.05)

    def _read(self, _item: int) -> Tally:
        return {"games": len(self._talk.ask("read", text="a1 b2")["games"])}
