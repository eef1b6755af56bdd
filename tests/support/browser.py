"""A real browser, shared by all tests of a process; the console of each page must stay empty."""

import json
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import firefox
from clock import PATIENCE
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)

from hsearch.hex.board import Board
from hsearch.hex.game import Game
from player.board.desk import Desk
from player.board.records import record_object
from player.board.serve import ServedPage, bind, server

# The headless shell draws no windows, and takes a fifth less processor time.
CHROMIUM = (
    os.environ.get("CHROMIUM")
    or shutil.which("chromium-headless-shell")
    or shutil.which("chromium")
)
# The suggestions of the address bar are a page of their own in every window of the browser, and
# take more processor time than the board.
NO_FEATURES = (
    "AimEnabled",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "SpareRendererForSitePerProcess",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(NO_FEATURES)}",  # the last of two such flags counts
)
UNREVIEWED = {"reviews": False}  # settings: Red and Blue, and no review of a game that is opened
GAME = 2 * PATIENCE  # for the analysis or the review of a whole game
expect.set_options(timeout=PATIENCE)


@contextmanager
def launched() -> Iterator[Callable[[str], Browser | None]]:
    """Yield a function that starts a browser by name, once; it returns None if not installed."""
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browsers: dict[str, Browser] = {}

        def start(name: str) -> Browser | None:
            if name in browsers:
                return browsers[name]
            if name == "chromium" and CHROMIUM:
                browsers[name] = playwright.chromium.launch(
                    executable_path=CHROMIUM, args=list(FLAGS), timeout=PATIENCE
                )
            if name == "firefox" and firefox.FIREFOX:
                browsers[name] = playwright.firefox.launch(
                    channel="moz-firefox",
                    executable_path=firefox.starter(Path(folder)),
                    timeout=PATIENCE,
                )
            return browsers.get(name)

        try:
            yield start
        finally:
            _idle.clear()
            for browser in browsers.values():
                browser.close()


@contextmanager
def served(game: Game | None = None, bound: ServedPage | None = None) -> Iterator[ServedPage]:
    """Serve a game in a thread."""
    desk = Desk(record_object(game or Game(Board(11, 11))))
    bound = bound or bind("127.0.0.1", 0)
    up = threading.Event()
    serving = server(bound, desk, up.set)
    thread = threading.Thread(target=serving.run, args=([bound.socket],), daemon=True)
    thread.start()
    assert up.wait(PATIENCE / 1000)
    try:
        yield bound
    finally:
        serving.should_exit = True
        thread.join(PATIENCE / 1000)


@dataclass
class Watched:
    """What a page logs, and what it requests from other hosts; there must be neither."""

    own: tuple[str, ...]
    logged: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)

    def ask(self, url: str) -> None:
        """Record an address that is another host's."""
        if not url.startswith(self.own):
            self.strangers.append(url)

    def log(self, message: ConsoleMessage) -> None:
        """Record a console message, unless it says that a busy machine used the font late."""
        if not (message.type == "warning" and "preloaded using link preload" in message.text):
            self.logged.append(f"{message.type}: {message.text}")


def setting(values: dict[str, Any]) -> str:
    """Return a script that sets how the page looks, to run before the page loads."""
    script = f"localStorage['hsearch.settings'] ??= {json.dumps(json.dumps(values))}"
    return f"if (location.protocol === 'http:') {script}"  # the empty page has no storage


@contextmanager
def opened(
    browser: Browser,
    bound: ServedPage,
    fragment: str = "",
    *,
    may_log: bool = False,
    is_alone: bool = False,
    settings: dict[str, Any] | None = None,
    **options: Any,
) -> Iterator[Page]:
    """Open the board in a new tab; fail if its console does not stay empty.

    Without `settings` the players are Black and White, and games are not reviewed automatically.
    Nothing is searched unless `settings` request it.

    In Chromium the policy of the page, which `test_board_guard.py` tests, refuses and logs
    requests to other hosts wherever the page stays. Watching each request costs a tenth of the
    processor time of a visit, so it is done only for other browsers, `is_alone` and `may_log`.

    `is_alone`: for tests that change more than the tab, such as the clock, or open another one.
    """
    own = (f"http://127.0.0.1:{bound.port}/", f"ws://127.0.0.1:{bound.port}/", "blob:", "data:")
    watched = Watched(own)
    settings = settings or {"redBlue": False, "reviews": False}
    is_shared = browser.browser_type.name == "chromium" and not (is_alone or may_log)
    viewport = options.pop("viewport", None) if is_shared else None  # a tab has its own
    with _context(browser, options, is_shared=is_shared) as context:
        page = context.new_page()
        if viewport:
            page.set_viewport_size(viewport)
        (page if is_shared else context).add_init_script(setting({"searches": False} | settings))
        page.on("console", watched.log)
        page.on("pageerror", lambda error: watched.logged.append(str(error)))
        page.on("framenavigated", lambda frame: watched.ask(frame.url))
        if is_shared:
            _forget(page, own[0])
        else:
            page.on("request", lambda request: watched.ask(request.url))
        page.goto(bound.address + fragment)
        yield page
        assert may_log or watched.logged == [], watched.logged
        assert watched.strangers == []


# Return whether a game whose address ends with the argument is among the recent games.
IS_RECENT = """end => new Promise((resolve) => {
  indexedDB.open("hsearch", 1).onsuccess = ({ target: { result } }) => {
    result.transaction("games").objectStore("games").getAll().onsuccess = ({ target }) => {
      result.close();
      resolve(target.result.some(({ fragment }) => fragment.endsWith(end)));
    };
  };
})"""

# Idle contexts of each browser, by their options. A page loads faster in a context that has loaded
# one before, which saves a sixth of the processor time of a visit.
#
# A passing test returns its context without its tab, and the site's storage is cleared before the
# next tab opens there. Only tests that are alone change anything else in a context.

_idle: dict[tuple[Browser, str], list[BrowserContext]] = {}


@contextmanager
def _context(
    browser: Browser, options: dict[str, Any], *, is_shared: bool
) -> Iterator[BrowserContext]:
    """Yield a context that no other test uses now; it is new unless it may be shared."""
    idle = _idle.setdefault((browser, json.dumps(options, sort_keys=True)), [])
    if is_shared and idle:
        context = idle.pop()
    else:
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
    passed = False
    try:
        yield context
        passed = True
    finally:
        if passed and is_shared and len(context.pages) == 1:
            context.pages[0].close()
            idle.append(context)
        else:
            context.close()


def _forget(page: Page, site: str) -> None:
    """Clear the storage that other tabs of the context have left for a site."""
    session = page.context.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", {"origin": site, "storageTypes": "all"})
    session.detach()


def cell(page: Page, name: str) -> Any:
    """Return a cell of the board."""
    return page.locator(f'[data-cell="{name}"]')


def go_to(page: Page, move: int) -> None:
    """Move the slider, and wait until that position is shown and analyzed.

    The picture that holds the verdict, or waits for it, names the move.
    """
    page.get_by_role("slider", name="Move").fill(str(move))
    standing = f"after {move} " if move else "to move."
    expect(page.locator(".standing").first).to_contain_text(standing)
    expect(page.locator(".verdict .waiting")).to_have_count(0)


def choose(page: Page, mode: str) -> None:
    """Go to a mode of the page, through the menu More if it is there.

    Return once the mode, or the reason to stay, is drawn: before that, the elements of both modes
    cannot be told apart.
    """
    button = page.locator("header").get_by_role("button", name=mode, exact=True)
    if not button.is_visible():
        page.get_by_text("More", exact=True).click()
    button.click()
    here = page.locator("header [aria-current=page]", has_text=re.compile(f"^{re.escape(mode)}$"))
    expect(here.or_(page.locator(".problem, .notice")).first).to_be_attached()


def end_game(page: Page) -> None:
    """End a game of bids or of hidden stones, and confirm it."""
    page.get_by_role("button", name="End the game").click()
    page.get_by_role("button", name="Yes, end it").click()


def tab(page: Page, name: str) -> None:
    """Show one of the tabs of Analyze."""
    page.get_by_role("tab", name=name).click()
