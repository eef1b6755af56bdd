"""Rows for the board: what the page waits for, from the question to the text of the answer."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import numpy as np

from hsearch import formats
from hsearch.analysis.analysis import Analysis
from hsearch.formats import files as strict
from hsearch.formats import hexworld
from hsearch.hex.board import Board
from hsearch.hex.game import Game
from hsearch.hex.position import Position
from player.answers.objects import position_object
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.kinds import KINDS
from player.board.records import record_object
from player.cli.bench_measure import BenchRow, Tally


def board_rows(london: Callable[[], list[Game]]) -> Iterator[BenchRow]:
    """Yield a row for each question that a click asks: on every position of the London games.

    And those of the page in a browser, and of a server as a process.
    """
    for kind in ("analyze", "explain", "links"):
        name = f"board/11x11/{kind}"
        yield BenchRow(name, partial(_positions, london, kind), partial(_count, kind), passes=3)
    yield from page_rows(london)
    yield from waiting_rows(london)


def _positions(london: Callable[[], list[Game]], kind: str) -> Iterable[Position]:
    games = london()
    every = (game.position(moves) for game in games for moves in range(len(game.moves) + 1))
    return list(every) if kind != "explain" else [p for p in every if _is_explained(p)]


def _is_explained(position: Position) -> bool:
    desk = _desk(position)
    return _asked(desk, "analyze", position)["connection"] is not None


def _count(kind: str, position: Position) -> Tally:
    """Ask on a desk that knows nothing, as after a click; count what the page shows."""
    found = _asked(_desk(position), kind, position)
    if kind == "analyze":
        return {"mustplay": len(found["analysis"]["mustplay"])}
    if kind == "explain":
        return {"replies": len(found["explanation"]["replies"])}
    return {"links": len(found["links"]) + found["more"]}


def _desk(position: Position) -> Desk:
    return Desk(record_object(Game(position.board)))


def _asked(desk: Desk, kind: str, position: Position) -> dict[str, Any]:
    """Return an answer, once it was read and written as on the socket."""
    question, answer = KINDS[kind].load()
    text = strict.write({"position": position_object(position)})
    found = answer(desk, BoardJob(lambda _progress: None), strict.read(text, question))
    strict.write(found, ensure_ascii=False)
    return found


# A board that is served to the benchmark: a process of its own, as for a person.

NEEDED = ("starlette", "uvicorn", "websockets")
LACKS = "the rows of the board need its extra: pip install 'hsearch[board]'"
WORD = 30.0  # seconds in which a socket says something


def lacks() -> str:
    """Return what is not installed that a board needs; empty if nothing is."""
    return "" if all(map(importlib.util.find_spec, NEEDED)) else LACKS


class Served:
    """A server under way, and the address that it has printed. Ends with `close`."""

    def __init__(self, **environment: str) -> None:
        """Start it, with what is to be changed in its environment."""
        command = [sys.executable, "-m", "player.cli", "board", "--no-open", "--port", "0"]
        self._process = subprocess.Popen(  # noqa: S603 - this program
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | environment,
        )
        assert self._process.stdout is not None  # noqa: S101 - for the type checker
        self.address = self._process.stdout.readline().strip()

    def megabytes(self) -> float:
        """Return how much memory the server holds, where the system tells."""
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
class Talk:
    """A page's side of the socket, without a page. Holds state."""

    socket: Any
    last: int = 0
    heard: dict[int | None, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def with_(cls, served: Served, held: ExitStack) -> "Talk":
        """Come in as the page does; when `held` is closed, go, and end the server."""
        from websockets.sync.client import connect  # noqa: PLC0415 - of an extra

        site = urlsplit(served.address)
        (token,) = parse_qs(site.query)["token"]
        held.callback(served.close)
        origin = {"Origin": f"http://{site.netloc}"}
        socket = connect(
            f"ws://{site.netloc}/socket", additional_headers=origin, max_size=None, proxy=None
        )
        held.callback(socket.close)
        socket.send(strict.write({"token": token}))
        socket.recv(WORD)
        return cls(socket)

    def send(self, kind: str, **fields: Any) -> int:
        """Ask, and return the id."""
        self.last += 1
        self.socket.send(strict.write({"id": self.last, "kind": kind, **fields}))
        return self.last

    def hear(self, number: int) -> dict[str, Any]:
        """Return the answer to a question."""
        while number not in self.heard:
            message = strict.read(self.socket.recv(20 * WORD), dict[str, Any])
            if message["kind"] != "progress":
                self.heard[message["id"]] = message
        return self.heard.pop(number)

    def progress(self, patience: float) -> dict[str, Any] | None:
        """Return the next progress of any question; None if there is none for this many seconds."""
        end = time.monotonic() + patience
        while (left := end - time.monotonic()) > 0:
            try:
                message = strict.read(self.socket.recv(left), dict[str, Any])
            except TimeoutError:
                return None
            if message["kind"] == "progress":
                return message
            self.heard[message["id"]] = message
        return None

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Return the answer to a question. Raise RuntimeError when it is an error."""
        message = self.hear(self.send(kind, **fields))
        if message["kind"] != "answer":
            raise RuntimeError(f"{kind}: {message}")
        answer: dict[str, Any] = message["answer"]
        return answer


# Rows for the page in a real browser: from a click to what is painted.
#
# A London game is clicked through, move after move, with a server that knows none of
# its positions. A run ends two frames after the page shows the analysis, or
# the explanation.

BOARD_PAGE_LACKS = "the rows in the browser need one, and Playwright: apt-get install -y chromium"
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
PAUSE = 150  # milliseconds between clicks, for what follows one
# Click, wait until the page has what is waited for, and let two frames be painted.
CLICK = """async ([cell, shown]) => {
  const frame = () => new Promise((ready) => requestAnimationFrame(ready));
  const clicked = document.querySelector("[data-cell='" + cell + "']");
  const isThere = () => clicked.ariaLabel.includes("last move")
    && document.querySelector(".verdict .waiting") === null
    && document.querySelector(shown) !== null;
  await new Promise((ready) => {
    const watch = new MutationObserver(() => {
      if (!isThere()) return;
      watch.disconnect();
      ready();
    });
    watch.observe(document.body, { subtree: true, childList: true, attributes: true });
    clicked.click();
  });
  await frame();
  await frame();
  return document.querySelectorAll(".picture .stone, .picture .dot, .picture .ring").length;
}"""
QUIET = """async () => {
  const frame = () => new Promise((ready) => requestAnimationFrame(ready));
  while (document.querySelector(".verdict .waiting") !== null) await frame();
}"""


class _Click(NamedTuple):
    """A move of a game, and whether another page is to be opened for it."""

    game: Game
    moves: int
    is_first: bool

    @property
    def cell(self) -> str:
        return self.game.moves[self.moves].name(self.game.board)


def page_rows(london: Callable[[], list[Game]]) -> Iterator[BenchRow]:
    """Yield a row for the analysis after a click, and one for the explanation of a proof.

    The analysis also on a larger board, and while the server solves for another page.
    """
    games = {"11x11": lambda: london()[0], "14x14": _scattered}
    for size, game in games.items():
        yield _Pages(game).row(f"board/click/analysis/{size}", ".verdict", lambda _: True)
    solving = _Pages(games["11x11"], solves=True)
    yield solving.row("board/click/solving/11x11", ".verdict", lambda _: True)
    yield _Pages(games["11x11"]).row(
        "board/click/explanation/11x11", ".why", _board_page_is_explained
    )


def _scattered() -> Game:
    """Return moves all over a board of 14x14."""
    board = Board(14, 14)
    cells = np.random.default_rng(14).permutation(board.size)[:50]
    return Game.of(board, map(board.name, cells.tolist()))


def _board_page_is_explained(game: Game) -> bool:
    analysis = Analysis(game.position())
    return analysis.winner is not None and analysis.chain is None


class _Pages:
    """A browser, and the page and server of the game that is clicked through. Holds state."""

    def __init__(self, game: Callable[[], Game], *, solves: bool = False) -> None:
        self._game, self._solves = game, solves
        self._browser, self._tab = ExitStack(), ExitStack()

    def row(self, name: str, shown: str, is_asked: Callable[[Game], bool]) -> BenchRow:
        """Return a row of the clicks after which `is_asked`, until `shown` is there."""
        self._shown = shown
        has_browser = importlib.util.find_spec("playwright") and shutil.which("chromium")
        return BenchRow(
            name,
            lambda: self._clicks(is_asked),
            self._click,
            passes=1,
            ready=self._ready,
            close=self._close,
            lacks=lacks() or ("" if has_browser else BOARD_PAGE_LACKS),
        )

    def _clicks(self, is_asked: Callable[[Game], bool]) -> list[_Click]:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - for tests and rows

        chromium = self._browser.enter_context(sync_playwright()).chromium
        self._chromium = chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        self._browser.callback(self._chromium.close)
        game, found = self._game(), list[_Click]()
        for number in range(len(game.moves)):
            if isinstance(game.moves[number].action, int) and is_asked(game.cut(number + 1)):
                is_first = not found or found[-1].moves + 1 != number
                found.append(_Click(game, number, is_first=is_first))
        return found

    def _ready(self, click: _Click) -> None:
        """Let the page be at the position before the click, with nothing under way."""
        if click.is_first:
            self._tab.close()
            served = Served()
            if self._solves:
                self._other = _Solving(Talk.with_(served, self._tab))
            else:
                self._tab.callback(served.close)
            context = self._chromium.new_context(viewport={"width": 1280, "height": 800})
            self._tab.callback(context.close)
            self._page: Any = context.new_page()
            fragment = hexworld.write(click.game.cut(click.moves)).partition("#")[2]
            self._page.goto(f"{served.address}#{fragment}")
            self._page.locator(".graph .waiting").wait_for(state="detached")
        self._page.evaluate(QUIET)
        self._page.wait_for_timeout(PAUSE)
        if self._solves:
            self._other.go_on()

    def _click(self, click: _Click) -> Tally:
        return {"marks": self._page.evaluate(CLICK, [click.cell, self._shown])}

    def _close(self) -> None:
        self._tab.close()
        self._browser.close()


class _Solving:
    """Another page, for which the server solves without end. Holds state."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._begin()

    def _begin(self) -> None:
        self._asked = self._talk.send("solve", position=_empty(9), seconds=60)

    def go_on(self) -> None:
        """Ask again if that has been answered."""
        while self._talk.progress(0.001) is not None:
            pass
        if self._talk.heard.pop(self._asked, None) is not None:
            self._begin()


def _empty(side: int) -> dict[str, Any]:
    return position_object(Position.of(Board(side, side)))


# Rows for what a person at the board waits for besides a click, with the server as a process.
#
# `board/start` is until the address is printed; `board/cancel` from the word to
# the answer that the work has ended; `board/memory` what the server holds after 500
# positions; `board/first-use` what a page hears while kernels compile that were never
# compiled on this machine.

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


def _board_waiting_empty(side: int) -> dict[str, Any]:
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
    "solve": lambda _: {"position": _board_waiting_empty(9), "seconds": 60},
    "prove": lambda _: {"position": _board_waiting_empty(9)},
    "puzzle": lambda _: {"position": _board_waiting_empty(9), "cell": "a1"},
    "verify": lambda _: {"text": _proof()},
    "graph": lambda london: {"game": _record(london[0])},
    "review": lambda london: {"game": _record(london[0]), "effort": "deep"},
    "choose": lambda london: {"game": _record(london[0].cut(20)), "seconds": 60},
    "odds": lambda _: {"position": _board_waiting_empty(13)},
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
        self._talk.send("analyze", position=_board_waiting_empty(8))
        told = self._talk.progress(60)
        return {"told": int(told is not None and "compiling" in told)}

    def _pause(self, _item: int) -> None:
        time.sleep(0.05)

    def _read(self, _item: int) -> Tally:
        return {"games": len(self._talk.ask("read", text="a1 b2")["games"])}
