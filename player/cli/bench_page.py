"""Rows for the page in a real browser: from a click to what is painted.

A London game is clicked through, move after move, with a server that knows none of
its positions. A run ends two frames after the page shows the stone, the analysis or
the explanation. A step by a key through a game that was analyzed ends in the frame that shows it.
"""

import importlib.util
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.formats import hexworld
from hsearch.hex.board import Board
from hsearch.hex.game import Game
from player.cli import bench_board
from player.cli.bench_measure import BenchRow, Tally, london_games

NO_BROWSER = "the rows in the browser need one, and Playwright: apt-get install -y chromium"
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
CHROMIUMS = "chromium", "chromium-headless-shell"
PAUSE = 150  # milliseconds between clicks, for what follows one
# Click, wait until the page has what is waited for, and let two frames be painted.
CLICK = """async ([cell, shown]) => {
  const frame = () => new Promise((ready) => requestAnimationFrame(ready));
  const clicked = document.querySelector("[data-cell='" + cell + "']");
  const board = document.querySelector(".board");
  const isThere = () => clicked.ariaLabel.includes("last move") && (shown === ".stone"
    || (board.dataset.looking === "false" && document.querySelector(shown) !== null
      && document.querySelector(".verdict .waiting") === null));
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
  const counted = shown === ".stone" ? ".picture .stone"
    : ".picture .stone, .picture .dot, .picture .ring";
  return document.querySelectorAll(counted).length;
}"""
# Press the key of the next move, and let the frame be painted that shows it with its verdict.
STEP = """async (moves) => {
  const isThere = () => document.querySelector(".standing").textContent.includes(`after ${moves} `)
    && document.querySelector(".verdict .waiting") === null;
  await new Promise((ready) => {
    const watch = new MutationObserver(() => {
      if (!isThere()) return;
      watch.disconnect();
      ready();
    });
    watch.observe(document.body, { subtree: true, childList: true, characterData: true });
    const options = { key: "ArrowRight", bubbles: true, cancelable: true };
    document.body.dispatchEvent(new KeyboardEvent("keydown", options));
  });
  await new Promise((ready) => requestAnimationFrame(() => setTimeout(ready)));
  return document.querySelectorAll(".picture .stone").length;
}"""
QUIET = """async () => {
  const frame = () => new Promise((ready) => requestAnimationFrame(ready));
  while (document.querySelector(".board[data-looking=true], .verdict .waiting") !== null)
    await frame();
}"""


def page_rows() -> Iterator[BenchRow]:
    """Yield rows for the stone and the analysis after a click, and for the explanation of a proof.

    The analysis also on a larger board, and while the server solves for another page.
    """
    yield _Pages(_london).row("board/click/stone/11x11", ".stone", lambda _: True)
    for size, game in (("11x11", _london), ("14x14", _scattered)):
        yield _Pages(game).row(f"board/click/analysis/{size}", ".verdict", lambda _: True)
    solving = _Pages(_london, solves=True)
    yield solving.row("board/click/solving/11x11", ".verdict", lambda _: True)
    yield _Pages(_london).row("board/click/explanation/11x11", ".why", _is_explained)
    yield _Pages(_london, steps=True).row("board/step/11x11", ".verdict", lambda _: True)


def _london() -> Game:
    return london_games()[0]


def _scattered() -> Game:
    """Return moves all over a board of 14x14."""
    large = Board(14, 14)
    cells = np.random.default_rng(14).permutation(large.size)[:50]
    return Game.of(large, map(large.name, cells.tolist()))


def _is_explained(game: Game) -> bool:
    """Return whether the page explains the position after a game: a win that is not joined yet."""
    analysis = ConnectionAnalysis(game.position())
    return analysis.winner is not None and analysis.chain is None


class _Click(NamedTuple):
    """A move of a game, and whether another page is to be opened for it."""

    game: Game
    moves: int
    is_first: bool

    @property
    def cell(self) -> str:
        return self.game.moves[self.moves].name(self.game.board)


class _Pages:
    """A browser, and the page and server of the game that is clicked through. Holds state."""

    def __init__(
        self, game: Callable[[], Game], *, solves: bool = False, steps: bool = False
    ) -> None:
        self._game, self._solves, self._steps = game, solves, steps
        self._browser, self._tab = ExitStack(), ExitStack()

    def row(self, name: str, shown: str, is_asked: Callable[[Game], bool]) -> BenchRow:
        """Return a row of the clicks after which `is_asked`, until `shown` is there."""
        self._shown = shown
        has_browser = importlib.util.find_spec("playwright") and _chromium()
        return BenchRow(
            name,
            lambda: self._clicks(is_asked),
            self._click,
            passes=1,
            ready=self._ready,
            close=self._close,
            lacks=bench_board.lacks() or ("" if has_browser else NO_BROWSER),
        )

    def _clicks(self, is_asked: Callable[[Game], bool]) -> list[_Click]:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - for tests and rows

        chromium = self._browser.enter_context(sync_playwright()).chromium
        self._chromium = chromium.launch(executable_path=_chromium(), args=FLAGS)
        self._browser.callback(self._chromium.close)
        game, clicks = self._game(), list[_Click]()
        for number in range(len(game.moves)):
            if isinstance(game.moves[number].action, int) and is_asked(game.cut(number + 1)):
                is_first = not clicks or clicks[-1].moves + 1 != number
                clicks.append(_Click(game, number, is_first=is_first))
        return clicks

    def _ready(self, click: _Click) -> None:
        """Let the page be at the position before the click, with nothing under way."""
        if click.is_first:
            self._tab.close()
            served = bench_board.Served()
            if self._solves:
                self._other = _Solving(bench_board.Talk.with_(served, self._tab))
            else:
                self._tab.callback(served.close)
            context = self._chromium.new_context(viewport={"width": 1280, "height": 800})
            self._tab.callback(context.close)
            self._page: Any = context.new_page()
            game = replace(click.game, cursor=click.moves)
            shown = game if self._steps else game.cut()
            fragment = hexworld.write(shown).partition("#")[2]
            self._page.goto(f"{served.address}#{fragment}")
            self._page.locator(".graph .waiting").wait_for(state="detached")
        self._page.evaluate(QUIET)
        self._page.wait_for_timeout(PAUSE)
        if self._solves:
            self._other.go_on()

    def _click(self, click: _Click) -> Tally:
        if self._steps:
            return {"stones": self._page.evaluate(STEP, click.moves + 1)}
        return {"marks": self._page.evaluate(CLICK, [click.cell, self._shown])}

    def _close(self) -> None:
        self._tab.close()
        self._browser.close()


def _chromium() -> str | None:
    """Return the path of a browser; None if there is none."""
    return next((path for name in CHROMIUMS if (path := shutil.which(name))), None)


class _Solving:
    """Another page, for which the server solves without end. Holds state."""

    def __init__(self, talk: bench_board.Talk) -> None:
        self._talk = talk
        self._begin()

    def _begin(self) -> None:
        self._asked = self._talk.send("solve", position=bench_board.empty_board(9), seconds=60)

    def go_on(self) -> None:
        """Ask again if that has been answered."""
        while self._talk.progress(0.001) is not None:
            pass
        if self._talk.heard.pop(self._asked, None) is not None:
            self._begin()
