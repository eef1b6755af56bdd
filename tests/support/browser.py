"""A real browser, shared by all tests of a process; the console of each page must stay empty."""

import json
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
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
from starlette.datastructures import MutableHeaders

from hsearch.hex.board import Board
from hsearch.hex.game import Game
from hsearch.hex.position import Position
from player.answers.analysis import Analysis
from player.answers.limits import begin_analysis, options_of
from player.board.desk import Analyses, Desk
from player.board.guard import AddressError, ServedPage, Visitors, bind
from player.board.records import record_object
from player.board.serve import server

# The headless shell draws no windows, and takes a fifth less processor time.
CHROMIUM = (
    os.environ.get("CHROMIUM")
    or shutil.which("chromium-headless-shell")
    or shutil.which("chromium")
)
# The suggestions of the address bar are a page of their own in every window of the browser, and
# take more processor time than the board. `RenderDocument` makes each page in a new frame, with
# its own compositor, which takes a sixth of the processor time of a visit.
NO_FEATURES = (
    "AimEnabled",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "RenderDocument",
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
    "--js-flags=--no-opt,--no-maglev",  # optimizing the scripts of a visit does not pay
    "--default-tile-width=1280",  # each picture is drawn in one piece, not in fifteen
    "--default-tile-height=720",
    f"--disable-features={','.join(NO_FEATURES)}",  # the last of two such flags counts
)
VIEWPORT = {"width": 1280, "height": 720}
UNREVIEWED = {"reviews": False}  # settings: Red and Blue, and no review of a game that is opened
SEARCHING = UNREVIEWED | {"searches": True}
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
def served(
    game: Game | None = None,
    bound: ServedPage | None = None,
    *,
    solves: bool = True,
    visitors: Visitors | None = None,
) -> Iterator[ServedPage]:
    """Serve a game in a thread; without `solves`, no position is solved for its analysis.

    With `visitors` all pages are those of strangers.

    A browser loads its files once, as long as servers follow each other on one port. If it asked
    for each page whether they have changed, as other servers request, a visit would take a fifth
    more processor time; for another port it loads and compiles them anew, which doubles it.
    """
    analyses = {} if solves else {"analyses": Analyses(_unsolved)}
    desk = Desk(record_object(game or Game(Board(11, 11))), **analyses)
    is_own = bound is None
    bound = bound or _bound()
    up = threading.Event()
    serving = server(bound, desk, up.set, visitors)
    serving.config.app = _cached(serving.config.app)
    thread = threading.Thread(target=serving.run, args=([bound.socket],), daemon=True)
    thread.start()
    assert up.wait(PATIENCE / 1000)
    try:
        yield bound
    finally:
        serving.should_exit = True
        thread.join(PATIENCE / 1000)
        if is_own and not thread.is_alive():
            _left.append(bound.port)


_left: list[int] = []  # ports of servers that have ended


def _bound() -> ServedPage:
    """Listen on a port that a server has left, or on any free one."""
    while _left:
        with suppress(AddressError):  # another process has taken it
            return bind("127.0.0.1", _left.pop())
    return bind("127.0.0.1", 0)


def _unsolved(position: Position) -> Analysis:
    """Return the analysis of a position without a search by the solver."""
    return begin_analysis(options_of({}), position, search=0.0)


def _cached(app: Any) -> Any:
    """Return an application whose files browsers store."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        async def send_stored(message: Any) -> None:
            if message["type"] == "http.response.start" and message["status"] == HTTPStatus.OK:
                MutableHeaders(scope=message)["Cache-Control"] = "max-age=3600"
            await send(message)

        await app(scope, receive, send_stored if scope["type"] == "http" else send)

    return answer


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

    @contextmanager
    def watch(self, page: Page, *, requests: bool) -> Iterator[None]:
        """Record what a page logs and where it goes, and all `requests` if they are wanted."""
        handlers: dict[Any, Callable[..., None]] = {
            "console": self.log,
            "pageerror": lambda error: self.logged.append(str(error)),
            "framenavigated": lambda frame: self.ask(frame.url),
        }
        if requests:
            handlers["request"] = lambda request: self.ask(request.url)
        for event, handler in handlers.items():
            page.on(event, handler)
        yield
        for event, handler in handlers.items():
            page.remove_listener(event, handler)


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
    script, site = setting({"searches": False} | settings), own[0]
    with _tab(browser, options, site if is_shared else "", script) as page:
        with watched.watch(page, requests=not is_shared):
            page.goto(bound.address + fragment)
            with _closing(page):
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

# Idle contexts of each browser, by their options, each with a tab. A page loads faster where one
# has been loaded before, which saves a third of the processor time of a visit.
#
# A passing test leaves its tab at a picture of its site, since any other place would end the tab's
# process. What the tab stores is cleared then, and the storage of a site before its next page
# opens. The tab is closed if a test has called a method that changes more than the page, and the
# context if there are other tabs. Only tests that are alone change anything else in a context.

_idle: dict[tuple[Browser, str], list[BrowserContext]] = {}
LASTING = ("add_init_script", "emulate_media", "expose_binding", "expose_function", "on", "route")


@contextmanager
def _tab(browser: Browser, options: dict[str, Any], site: str, script: str) -> Iterator[Page]:
    """Yield a tab that no other test uses now, and in which a script precedes each page.

    It is new, and its context is closed at the end, unless a `site` is given: it may be shared.
    """
    viewport = options.pop("viewport", VIEWPORT) if site else None  # a tab has its own
    idle = _idle.setdefault((browser, json.dumps(options, sort_keys=True)), [])
    if site and idle:
        context = idle.pop()
    else:
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
    passed = False
    try:
        page = context.pages[0] if context.pages else context.new_page()
        if site:
            page.set_viewport_size(viewport)
            with _visit(page, site, script):
                yield page
        else:
            context.add_init_script(script)
            yield page
        passed = True
    finally:
        if passed and site and len(context.pages) <= 1:
            idle.append(context)
        else:
            context.close()


@contextmanager
def _visit(page: Page, site: str, script: str) -> Iterator[None]:
    """Clear the storage that others have left for a site, and leave the site at the end."""
    session = page.context.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", {"origin": site, "storageTypes": "all"})
    session.send("Page.enable")
    session.send("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    yield
    if page.is_closed():
        return
    page.goto(f"{site}icon.svg")
    # Chromium 156 would do without the next two: it clears this, and no cell stays hovered.
    page.evaluate("sessionStorage.clear()")
    page.mouse.move(-1, -1)
    session.send("Page.resetNavigationHistory")
    session.detach()  # removes the script


@contextmanager
def _closing(page: Page) -> Iterator[None]:
    """Close a page at the end if a method has been called that changes more than the page."""
    called: list[str] = []

    def noted(name: str) -> Callable[..., Any]:
        method = getattr(page, name)

        def call(*arguments: Any, **options: Any) -> Any:
            called.append(name)
            return method(*arguments, **options)

        return call

    for name in LASTING:
        setattr(page, name, noted(name))
    yield
    for name in LASTING:
        delattr(page, name)
    if called:
        page.close()


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
    answered(page)


def answered(page: Page) -> None:
    """Wait until Analyze shows the answer about its position, and not the one before.

    Before the first drawing nothing waits yet, and after a move the old answer stays in sight.
    """
    expect(page.locator(".verdict .headline:not(.waiting)")).to_be_attached()
    expect(page.locator(".board")).to_have_attribute("data-looking", "false")


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
