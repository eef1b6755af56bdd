"""`hsearch bench`: signatures and times of fixed tasks; and the rows of the page in a browser."""

import dataclasses
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, NamedTuple

import click
import numpy as np

from hsearch import formats
from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.formats import hexworld
from hsearch.hex import Board, Game
from player.cli import bench_board, bench_connections
from player.cli.bench_engine import engine_rows
from player.cli.bench_measure import BenchRow, Measurement, Tally, london_games, measure
from player.console.command import command
from player.console.output import json_option, print_object


@command(
    "bench",
    "hsearch bench closure/11x11 circuit",
    "hsearch bench start --json",
    "hsearch bench --switches > table.md",
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@json_option("one JSON object a row")
@click.option(
    "--switches",
    "compare",
    is_flag=True,
    help="Instead, print a table of what templates, shrinking and deduction bring.",
)
def bench(*, names: tuple[str, ...], as_json: bool, compare: bool) -> None:
    """Measure the rows whose names start with a NAME, by default all.

    The signature counts what was found: it depends on the rules, not on the
    machine. The times are of one run: the first pass, in which kernels may
    compile, then median, 95th and 99th percentile and the fastest pass. A ratio is
    how many times as much of the processor's time a rival takes in the same
    run, in the median of as many passes; with threads, how much on the wall.
    """
    if compare:
        _compare(names, as_json=as_json)
        return
    all_rows = rows()
    for name in names:
        if not any(row.name.startswith(name) for row in all_rows):
            first = " ".join(dict.fromkeys(row.name.partition("/")[0] for row in all_rows))
            raise click.UsageError(f"no row begins with {name!r}; rows begin with: {first}")
    selection = [row for row in all_rows if not names or row.name.startswith(names)]
    if not as_json:
        click.echo(_heading(selection))
    missing = (message for row in selection for message in (row.absent, row.lacks) if message)
    for message in dict.fromkeys(missing):
        click.echo(message, err=True)
    for row in selection:
        if row.lacks:
            continue
        report = measure(row)
        if as_json:
            print_object({"schema": "hsearch/bench/1", **dataclasses.asdict(report)})
        else:
            click.echo(_line(report, selection))


def rows() -> list[BenchRow]:
    """Return all rows, in the order in which they are printed."""
    file = str(formats.find_shipped("games/london-2000-queenbee-hexy.sgf"))
    analyze = ["analyze", file, "--move", "30", "--json"]
    most = [*analyze, "--knowledge", "all", "--deduction", "3", "--time", "1"]
    review = ["review", file, "--effort", "quick", "--json"]
    return [
        *bench_connections.connection_rows(),
        *engine_rows(),
        *bench_board.question_rows(),
        *page_rows(),
        *bench_board.waiting_rows(),
        _Start("start/help", ["--help"]).row(),
        _Start("start/analyze", analyze).row(),
        _Start("start/analyze/all", most).row(passes=2),
        _Start("start/review", review).row(passes=1),
    ]


# Commands in processes of their own, with the memory that they need.
#
# A process counts the memory of the one that started it, up to its own first line, so a
# small one stands between this program and the command.

HAS_MEMORY = sys.platform != "win32"
BETWEEN = """import subprocess, sys
done = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, check=True)
most = 0
if sys.argv[1] == "True":
    import resource
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(done.stdout.count(b"\\n"), most)
"""


class _Start:
    """A command that is started again for each run. Holds the most memory that a run used."""

    def __init__(self, name: str, arguments: list[str]) -> None:
        self._name, self._arguments, self._kilobytes = name, arguments, 0

    def row(self, passes: int = 5) -> BenchRow:
        """Return the row: its signature is the number of lines that the command prints."""
        return BenchRow(
            self._name,
            lambda: [self._arguments],
            self._run,
            passes=passes,
            memory=self._megabytes if HAS_MEMORY else None,
        )

    def _run(self, arguments: list[str]) -> Tally:
        command = [sys.executable, "-P", "-m", "player.cli", *arguments]
        between = [sys.executable, "-c", BETWEEN, str(HAS_MEMORY), *command]
        done = subprocess.run(between, capture_output=True, check=True)  # noqa: S603 - ours
        lines, kilobytes = map(int, done.stdout.split())
        self._kilobytes = max(self._kilobytes, kilobytes)
        return {"lines": lines}

    def _megabytes(self) -> float:
        unit = 1e6 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
        return self._kilobytes / unit


def _compare(names: tuple[str, ...], *, as_json: bool) -> None:
    """Print the table of the switches, on the suites whose names start with one of `names`."""
    all_suites = bench_connections.switch_suites()
    suites = {name: s for name, s in all_suites.items() if not names or name.startswith(names)}
    if not suites or as_json:
        raise click.UsageError(
            f"--switches prints a table of {', '.join(all_suites)}, or of those named"
        )
    for line in bench_connections.switch_lines(suites, lambda what: click.echo(what, err=True)):
        click.echo(line)


def _heading(selection: list[BenchRow]) -> str:
    columns = ("signature", "runs", "first", "median", "p95", "p99", "best")
    return _name("row", selection) + "".join(f"{column:>11}" for column in columns) + "  ratio"


def _line(report: Measurement, selection: list[BenchRow]) -> str:
    times = (report.first, report.median, report.p95, report.p99, report.best)
    columns = "".join(f"{_duration(seconds):>11}" for seconds in times)
    ratios = ", ".join(f"{ratio:.1f} {name}" for name, ratio in report.ratio.items())
    numbers = f"{report.signature:11}{report.runs:11}{columns}"
    if report.per_second is not None:
        ratios = f"{_rate(report.per_second)}  {ratios}"
    if report.megabytes is not None:
        ratios = f"{report.megabytes:.0f} MB  {ratios}"
    return f"{_name(report.name, selection)}{numbers}  {ratios}".rstrip()


def _name(name: str, selection: list[BenchRow]) -> str:
    return name.ljust(max(len(row.name) for row in selection))


def _rate(per_second: float) -> str:
    return f"{per_second / 1e6:.1f} M/s" if per_second >= 1e5 else f"{per_second:.0f}/s"


def _duration(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{1000 * seconds:.2f} ms" if seconds >= 0.001 else f"{1e6 * seconds:.0f} µs"


# Rows of the page in a browser.
#
# A game is clicked through, move by move, with a server that has analyzed none of its
# positions. A run ends two frames after the page shows the stone, the analysis or the
# explanation. A step by a key through an analyzed game ends with the frame that shows it.

NO_BROWSER = "the rows in the browser need one, and Playwright: apt-get install -y chromium"
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
CHROMIUMS = "chromium", "chromium-headless-shell"
PAUSE = 150  # milliseconds before a click, for work that the last one left behind
# Count the cells with a stone; with an analysis, also those in its proof or its must-play region.
# Count by their names, because the picture replaces marks by the numbers of candidates, which a
# search in the background changes.
COUNT = """(shown) => [...document.querySelectorAll("[data-cell]")].filter(({ ariaLabel }) =>
  (shown === ".stone" ? / stone\\b/ : / stone\\b|'s proof\\b|, must-play\\b/).test(ariaLabel)
).length"""
# Click, wait until the page shows the result, and let two frames be painted.
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
}"""
# Press the key for the next move, and wait for the frame that shows it with its verdict.
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
    """Yield the rows of a click until its stone, analysis or explanation is shown, and of a step.

    The analysis is also measured on a larger board, and while the server solves for another page.
    """
    yield _Pages(_london).row("board/click/stone/11x11", ".stone", lambda _: True)
    for size, game in (("11x11", _london), ("14x14", _random_game)):
        yield _Pages(game).row(f"board/click/analysis/{size}", ".verdict", lambda _: True)
    solving = _Pages(_london, solves=True)
    yield solving.row("board/click/solving/11x11", ".verdict", lambda _: True)
    yield _Pages(_london).row("board/click/explanation/11x11", ".why", _is_explained)
    yield _Pages(_london, steps=True).row("board/step/11x11", ".verdict", lambda _: True)


def _london() -> Game:
    return london_games()[0]


def _random_game() -> Game:
    """Return a game of 50 random moves on 14x14."""
    large = Board(14, 14)
    cells = np.random.default_rng(14).permutation(large.size)[:50]
    return Game.of(large, map(large.name, cells.tolist()))


def _is_explained(game: Game) -> bool:
    """Return whether the page explains the last position: a proved win without a chain."""
    analysis = ConnectionAnalysis(game.position())
    return analysis.winner is not None and analysis.chain is None


class _Click(NamedTuple):
    """A click that plays a move of a game, and whether it needs a new page."""

    game: Game
    moves: int
    is_first: bool

    @property
    def cell(self) -> str:
        return self.game.moves[self.moves].name(self.game.board)


class _Pages:
    """A browser, with the page and the server of one game. Holds state."""

    def __init__(
        self, game: Callable[[], Game], *, solves: bool = False, steps: bool = False
    ) -> None:
        self._game, self._solves, self._steps = game, solves, steps
        self._browser, self._tab = ExitStack(), ExitStack()

    def row(self, name: str, pattern: str, is_asked: Callable[[Game], bool]) -> BenchRow:
        """Return a row of the clicks after which `is_asked` holds, each until `pattern` matches."""
        self._pattern = pattern
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
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - tests and rows

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
        """Bring the page to the position before the click, and wait until it is idle."""
        if click.is_first:
            self._tab.close()
            server = bench_board.PageServer()
            if self._solves:
                self._other = _Solving(bench_board.PageTalk.with_(server, self._tab))
            else:
                self._tab.callback(server.close)
            context = self._chromium.new_context(viewport={"width": 1280, "height": 800})
            self._tab.callback(context.close)
            self._page: Any = context.new_page()
            game = replace(click.game, cursor=click.moves)
            view = game if self._steps else game.cut()
            fragment = hexworld.write(view).partition("#")[2]
            self._page.goto(f"{server.address}#{fragment}")
            self._page.locator(".graph .waiting").wait_for(state="detached")
        self._page.evaluate(QUIET)
        self._page.wait_for_timeout(PAUSE)
        if self._solves:
            self._other.ask_again()

    def _click(self, click: _Click) -> Tally:
        if self._steps:
            return {"stones": self._page.evaluate(STEP, click.moves + 1)}
        self._page.evaluate(CLICK, [click.cell, self._pattern])
        return {"marks": self._page.evaluate(COUNT, self._pattern)}

    def _close(self) -> None:
        self._tab.close()
        self._browser.close()


def _chromium() -> str | None:
    """Return the path of a browser; None if there is none."""
    return next((path for name in CHROMIUMS if (path := shutil.which(name))), None)


class _Solving:
    """Another page, for which the server is always solving. Holds state."""

    def __init__(self, talk: bench_board.PageTalk) -> None:
        self._talk = talk
        self._begin()

    def _begin(self) -> None:
        self._question = self._talk.send("solve", position=bench_board.empty_board(9), seconds=60)

    def ask_again(self) -> None:
        """Ask again if the last question has been answered."""
        while self._talk.progress(0.001) is not None:
            pass
        if self._talk.heard.pop(self._question, None) is not None:
            self._begin()
