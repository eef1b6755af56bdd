"""Rows for the server of the board: the questions of the page, and other waits of a person."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np

from hsearch.formats import read_shipped, strict
from hsearch.hex import Board, Game, Position
from player.answers.limits import begin_analysis, options_of
from player.answers.objects import position_object
from player.board.asked import KINDS
from player.board.desk import Analyses, Desk
from player.board.records import page_record, record_object
from player.board.threads import BoardJob
from player.cli import bench_measure
from player.cli.bench_measure import BenchRow, Tally

# Questions that a click asks, on every position of the London games: from the question to
# the text of the answer, on a desk without earlier answers.


def question_rows() -> Iterator[BenchRow]:
    """Yield a row for each question that a click asks."""
    for kind, positions in (
        ("analyze", bench_measure.london_positions),
        ("explain", _positions_to_explain),
        ("links", bench_measure.london_positions),
    ):
        yield BenchRow(f"board/11x11/{kind}", positions, partial(_count, kind), passes=3)


def _positions_to_explain() -> list[Position]:
    """Return the positions of the London games in which the page explains a connection."""
    positions = bench_measure.london_positions()
    return [it for it in positions if _answer("analyze", it)["connection"] is not None]


def _count(kind: str, position: Position) -> Tally:
    """Count what the page shows of an answer."""
    answer = _answer(kind, position)
    if kind == "analyze":
        return {"mustplay": len(answer["analysis"]["mustplay"])}
    if kind == "explain":
        return {"replies": len(answer["explanation"]["replies"])}
    return {"links": len(answer["links"]) + answer["more"]}


def _answer(kind: str, position: Position) -> dict[str, Any]:
    """Return the answer to a question, read and written as on the socket."""
    plain = Analyses(partial(begin_analysis, options_of({})))  # no search: that has rows of its own
    desk = Desk(record_object(Game(position.board)), analyses=plain)
    question, ask = KINDS[kind].load()
    text = strict.write({"position": position_object(position)})
    answer = ask(desk, BoardJob(lambda _progress: None), strict.read(text, question))
    strict.write(answer, ensure_ascii=False)
    return answer


# A server in its own process, as a person starts it, and the page's end of the socket.

NEEDED = ("starlette", "uvicorn", "websockets")
LACKS = "the rows of the board need its extra: pip install 'hsearch[board]'"
PATIENCE = 30.0  # seconds that a socket may take to answer


def lacks() -> str:
    """Return a message if packages that the board needs are not installed; else an empty text."""
    return "" if all(map(importlib.util.find_spec, NEEDED)) else LACKS


class PageServer:
    """A running server, and the address that it printed; `close` ends it."""

    def __init__(self, **environment: str) -> None:
        """Start the server with these changes to its environment."""
        command = [sys.executable, "-P", "-m", "player.cli", "board", "--no-open", "--port", "0"]
        self._process = subprocess.Popen(  # noqa: S603 - this program
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | environment,
        )
        stdout = self._process.stdout
        self.address = "" if stdout is None else stdout.readline().strip()

    def megabytes(self) -> float:
        """Return the resident memory of the server; nan where there is no /proc."""
        status = Path(f"/proc/{self._process.pid}/status")
        if not status.exists():
            return float("nan")
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024

    def close(self) -> None:
        """End the server."""
        self._process.terminate()
        self._process.communicate()


@dataclass
class PageTalk:
    """The page's end of the socket, without a page. Holds state."""

    socket: Any
    last: int = 0
    heard: dict[int | None, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def with_(cls, server: PageServer, stack: ExitStack) -> "PageTalk":
        """Connect as the page does; closing `stack` disconnects and ends the server."""
        from websockets.sync.client import connect  # noqa: PLC0415 - of an extra

        site = urlsplit(server.address)
        (token,) = parse_qs(site.query)["token"]
        stack.callback(server.close)
        origin = {"Origin": f"http://{site.netloc}"}
        socket = connect(
            f"ws://{site.netloc}/socket", additional_headers=origin, max_size=None, proxy=None
        )
        stack.callback(socket.close)
        socket.send(strict.write({"token": token}))
        socket.recv(PATIENCE)
        return cls(socket)

    def send(self, kind: str, **fields: Any) -> int:
        """Send a question, and return its id."""
        self.last += 1
        self.socket.send(strict.write({"id": self.last, "kind": kind, **fields}))
        return self.last

    def hear(self, number: int) -> dict[str, Any]:
        """Wait for the message that answers a question, and return it."""
        while number not in self.heard:
            message = strict.read(self.socket.recv(20 * PATIENCE), dict[str, Any])
            if message["kind"] != "progress":
                self.heard[message["id"]] = message
        return self.heard.pop(number)

    def progress(self, patience: float) -> dict[str, Any] | None:
        """Return the next progress message of any question; None if `patience` seconds pass."""
        end = time.monotonic() + patience
        while (rest := end - time.monotonic()) > 0:
            try:
                message = strict.read(self.socket.recv(rest), dict[str, Any])
            except TimeoutError:
                return None
            if message["kind"] == "progress":
                return message
            self.heard[message["id"]] = message
        return None

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Return the answer to a question. Raise RuntimeError if it is an error."""
        message = self.hear(self.send(kind, **fields))
        if message["kind"] != "answer":
            raise RuntimeError(f"{kind}: {message}")
        answer: dict[str, Any] = message["answer"]
        return answer


# What a person at the board waits for besides clicks, with the server as a process.
#
# `board/start` ends when the address is printed; `board/cancel` runs from the message to
# the answer that the work has ended; `board/memory` is the memory of the server after 500
# positions; `board/first-use` is how soon a page gets messages and answers while kernels
# compile for the first time on a machine.

POSITIONS = 500
PROOF = "puzzles/proved/8x8-grade5-01.proof"
UNDER_WAY = 0.3  # seconds after which work has begun, even if it reports no progress
PAGE = 1.0  # seconds until a browser has started and shows the page
LOADED = 5.0  # seconds without a message after which kernels are loaded


def waiting_rows() -> Iterator[BenchRow]:
    """Yield the rows of the start, of canceling each kind of work, of memory and of first use."""
    yield BenchRow("board/start", lambda: [None], _start, passes=10, lacks=lacks())
    for kind, fields in _LONG.items():
        yield _Cancel(kind, fields).row()
    yield _Memory().row()
    for what in ("told", "answered"):
        yield _FirstUse(what).row()


def _start(_item: None) -> Tally:
    server = PageServer()
    server.close()
    return {"addresses": int("token=" in server.address)}


def empty_board(side: int) -> dict[str, Any]:
    """Return an empty board as the page sends it."""
    return position_object(Position.of(Board(side, side)))


def _london_game() -> Game:
    return bench_measure.london_games()[0]


# Kinds of work that take long on any machine, and the fields of their questions.
_LONG: dict[str, Callable[[], dict[str, Any]]] = {
    "solve": lambda: {"position": empty_board(9), "seconds": 60},
    "prove": lambda: {"position": empty_board(9)},
    "puzzle": lambda: {"position": empty_board(9), "cell": "a1"},
    "verify": lambda: {"text": read_shipped(PROOF)},
    "graph": lambda: {"game": page_record(_london_game())},
    "review": lambda: {"game": page_record(_london_game()), "effort": "deep"},
    "choose": lambda: {"game": page_record(_london_game().cut(20)), "seconds": 60},
    "odds": lambda: {"position": empty_board(13)},
}


class _Cancel:
    """One kind of work, which is started before each run and canceled in it."""

    def __init__(self, kind: str, fields: Callable[[], dict[str, Any]]) -> None:
        self._kind, self._fields = kind, fields
        self._stack = ExitStack()

    def row(self) -> BenchRow:
        return BenchRow(
            f"board/cancel/{self._kind}",
            self._begin,
            self._cancel,
            passes=10,
            ready=self._ready,
            close=self._stack.close,
            lacks=lacks(),
        )

    def _begin(self) -> list[None]:
        self._talk = PageTalk.with_(PageServer(), self._stack)
        self._request = self._fields()
        for _ in range(2):  # load the kernels first: loading cannot be canceled
            self._start(LOADED)
            self._cancel(None)
        return [None]

    def _ready(self, _item: None) -> None:
        self._start(UNDER_WAY)

    def _start(self, patience: float) -> None:
        """Start the work, and wait until it has begun."""
        self._number = self._talk.send(self._kind, **self._request)
        while (line := self._talk.progress(patience)) is not None and "compiling" in line:
            pass

    def _cancel(self, _item: None) -> Tally:
        self._talk.send("cancel", job=self._number)
        self._talk.hear(self._number)
        return {"ended": 1}


class _Memory:
    """A server that analyzes many positions."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    def row(self) -> BenchRow:
        return BenchRow(
            f"board/memory/11x11/{POSITIONS}",
            self._begin,
            self._ask,
            passes=1,
            memory=self._megabytes,
            close=self._stack.close,
            lacks=lacks(),
        )

    def _begin(self) -> list[Position]:
        """Start the server, and return the positions of random games, in order."""
        self._server = PageServer()
        self._talk = PageTalk.with_(self._server, self._stack)
        rng, board = np.random.default_rng(17), Board(11, 11)
        positions: list[Position] = []
        while len(positions) < POSITIONS:
            position = Position.of(board)
            for cell in rng.permutation(board.size)[:70].tolist():
                positions.append(position)
                position = position.play(cell)
        return positions[:POSITIONS]

    def _ask(self, position: Position) -> Tally:
        """Ask the questions that the page asks about a position."""
        fields = position_object(position)
        answer = self._talk.ask("analyze", position=fields)
        if answer["connection"] is not None:
            self._talk.ask("explain", position=fields)
        return {"links": len(self._talk.ask("links", position=fields)["links"])}

    def _megabytes(self) -> float:
        return self._server.megabytes()


class _FirstUse:
    """A server with an empty kernel cache; `what` is the time to measure.

    told      from the first question until the message that kernels compile
    answered  meanwhile, a question that needs no kernel
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._stack = ExitStack()

    def row(self) -> BenchRow:
        is_told = self._what == "told"
        return BenchRow(
            f"board/first-use/{self._what}",
            self._begin,
            self._tell if is_told else self._read,
            passes=3 if is_told else 1,
            ready=self._start if is_told else self._pause,
            close=self._stack.close,
            lacks=lacks(),
        )

    def _begin(self) -> list[int]:
        if self._what == "told":
            return [0]
        self._start(0)
        self._tell(0)
        return list(range(50))

    def _start(self, _item: int) -> None:
        self._stack.close()
        folder = self._stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        server = PageServer(NUMBA_CACHE_DIR=folder)
        time.sleep(PAGE)
        self._talk = PageTalk.with_(server, self._stack)
        self._talk.ask("read", text="a1")

    def _tell(self, _item: int) -> Tally:
        self._talk.send("analyze", position=empty_board(8))
        line = self._talk.progress(60)
        return {"told": int(line is not None and "compiling" in line)}

    def _pause(self, _item: int) -> None:
        time.sleep(0.05)

    def _read(self, _item: int) -> Tally:
        return {"games": len(self._talk.ask("read", text="a1 b2")["games"])}
