"""Output to a terminal: boards in color, progress of long work, and how Ctrl-C ends it."""

import io
import os
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, TypeVar

import click

from hsearch.formats.files import alone, write_whole
from hsearch.hex import Position
from hsearch.kernels.stop import Flag, stopping
from hsearch.render.text import ASCII, UNICODE, Marks, Symbols, board, legend, plain
from player.console.command import (
    COLOR,
    FailedError,
    InputError,
    color_option,
    one_line,
    writing,
)
from player.console.options import F, is_writable
from player.console.usage import WIDTH

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text


@dataclass(frozen=True, slots=True)
class Screen:
    """The terminal, to which a command prints for people.

    color    whether to print colors
    symbols  the characters of a board
    choice   `always` or `never` if `--color` was given
    """

    color: bool
    symbols: Symbols
    choice: str | None = None

    @property
    def options(self) -> tuple[str, ...]:
        """The options of a command that prints to the same screen."""
        color = () if self.choice is None else ("--color", self.choice)
        return (*color, *(("--ascii",) if self.symbols == ASCII else ()))

    def show(self, position: Position, marks: Marks) -> None:
        """Print a board with marks and, in color, a line that explains the colors."""
        lines = board(position, marks, self.symbols)
        if not self.color:
            click.echo(plain(lines))
            return
        from rich.text import Text  # noqa: PLC0415 - not needed without color

        width = screen_width() if stdout_is_terminal() else None
        parts = [*lines, [], *legend(self.symbols, width)]
        self.rich(Text("\n").join(Text.assemble(*line) for line in parts))

    def table(
        self, headings: Sequence[str], rows: Iterable[Sequence[str]], *, left: Collection[str]
    ) -> None:
        """Print a table, as `table` lays it out."""
        self.rich(table(headings, rows, left=left), fits=True)

    def rich(self, thing: "RenderableType", *, fits: bool = False) -> None:
        """Print what `rich` renders; `fits` breaks the cells of a table that is too wide.

        Boards are never broken, and nothing is outside a terminal.
        """
        from rich.console import Console  # noqa: PLC0415 - slow to import

        page, fits = io.StringIO(), fits and stdout_is_terminal()
        console = Console(
            file=page,
            force_terminal=self.color,
            color_system="256" if self.color else None,
            width=screen_width() if fits else 200,
            legacy_windows=False,
        )
        console.print(thing, soft_wrap=not fits)
        text = "\n".join(line.rstrip() for line in page.getvalue().splitlines())
        click.echo(text, color=True)


def table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], *, left: Collection[str]
) -> "Table":
    """Return a table of `rich`; columns with headings in `left` are aligned there, others right."""
    from rich.table import Table  # noqa: PLC0415 - slow to import

    page = Table(box=None, pad_edge=False)
    for heading in headings:
        page.add_column(heading, justify="left" if heading in left else "right")
    for row in rows:
        page.add_row(*row)
    return page


def draws(function: F) -> F:
    """Add `--ascii` and `--color`; the command gets one `Screen` as `screen`."""
    function = click.option(
        "--ascii",
        "screen",
        is_flag=True,
        callback=lambda context, _option, value: _screen(context, only_ascii=value),
        help="Draw with B W . instead of ● ○ ·.",
    )(function)
    return color_option(function)


def wants_color(choice: str | None, environment: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Return whether to print colors, by the option, else the environment, else the terminal."""
    if choice is not None:
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR") or environment.get("CLICOLOR_FORCE"):
        return True
    return environment.get("TERM") != "dumb" and is_terminal


def write_file(path: Path, text: str | bytes) -> None:
    """Write a file, all of it or nothing; raise FailedError, naming it, if that fails."""
    with writing(path):
        write_whole(path, text)


def make_folder(folder: Path) -> Path:
    """Create a folder if it is missing; raise FailedError, naming it, if it cannot be written."""
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    if not is_writable(folder):
        raise FailedError(f"{folder}: cannot be written: no permission")
    return folder


@contextmanager
def sole_writer(path: Path | None) -> Iterator[None]:
    """Hold the lock of a file, if its folder can hold one; raise InputError if it is taken."""
    with ExitStack() as stack:
        if path is not None and path.parent.is_dir():
            with suppress(OSError):  # what writes the file reports it
                stack.enter_context(alone(path, InputError))
        yield


def stdout_is_terminal() -> bool:
    """Return whether stdout is a terminal."""
    return sys.stdout.isatty()


def screen_width() -> int:
    """Return the most characters of a line: the width of the terminal, at most `WIDTH`."""
    return min(WIDTH, shutil.get_terminal_size().columns)


def _screen(context: click.Context, *, only_ascii: bool) -> Screen:
    stdout = sys.stdout
    encoding = getattr(stdout, "encoding", None) or "ascii"
    symbols = ASCII if only_ascii or not UNICODE.fit(encoding) else UNICODE
    if isinstance(stdout, io.TextIOWrapper):
        # Names in a file may have characters that the terminal cannot show.
        stdout.reconfigure(errors="replace")
    choice = context.meta.get(COLOR)
    color = wants_color(choice, os.environ, is_terminal=stdout_is_terminal())
    return Screen(color, symbols, choice)


# Progress of long work: on stderr, only on a terminal, and erased afterwards.
#
# It must be erased before anything is printed for people, so the block of `working`
# has only the work.

PLAIN = ("elapsed", "remaining", "download", "percentage", "spinner")  # too pale on white


@dataclass(frozen=True, slots=True)
class Work:
    """How running work reports its progress; by default, nowhere.

    say     replaces the text beside the bar
    update  sets how much of the total is done
    show    replaces what is below the bar
    """

    say: Callable[[str], None] = lambda _text: None
    update: Callable[[float], None] = lambda _count: None
    show: "Callable[[RenderableType], None]" = lambda _below: None

    def step(self, what: str, part: float) -> None:
        """Say what is done now, and set how much of it is done."""
        self.say(what)
        self.update(part)


@contextmanager
def working(
    what: str, total: float | None = None, *, unit: str = "", even: bool = True
) -> Iterator[Work]:
    """Show a spinner during the block; with a total, a bar, which counts units if they are named.

    With a total, the remaining time is estimated too, unless its parts are not `even`.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield Work()
        return
    from rich import progress  # noqa: PLC0415 - slow to import
    from rich.console import Console, Group  # noqa: PLC0415
    from rich.live import Live  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415
    from rich.theme import Theme  # noqa: PLC0415

    columns: list[progress.ProgressColumn] = [
        progress.SpinnerColumn(),
        progress.TextColumn("{task.description}"),
    ]
    if total is not None:
        columns.append(progress.BarColumn())
        columns += (
            [progress.MofNCompleteColumn(), progress.TextColumn(unit)]
            if unit
            else [progress.TaskProgressColumn()]
        )
    columns.append(progress.TimeElapsedColumn())
    if total is not None and even:
        columns.append(progress.TimeRemainingColumn())

    class Compiling(progress.ProgressColumn):
        """The number of kernels compiled, while that is under way."""

        def render(self, _task: progress.Task) -> "Text":
            kernels = sys.modules.get("player.console.compiling")  # once numba is loaded
            return Text(kernels.progress() if kernels else "", no_wrap=True, overflow="ellipsis")

    columns.append(Compiling())
    theme = Theme({f"progress.{name}": "none" for name in PLAIN})
    console = Console(stderr=True, theme=theme)
    bar = progress.Progress(*columns, console=console)
    task = bar.add_task(what, total=total)
    with _counting_in_bar(), Live(bar, console=console, transient=True) as live:
        yield Work(
            lambda text: bar.update(task, description=text),
            lambda count: bar.update(task, completed=count),
            lambda below: live.update(Group(bar, below)),
        )


@contextmanager
def _counting_in_bar() -> Iterator[None]:
    """Hide the line that counts compiled kernels while a bar shows the count."""
    kernels = sys.modules.get("player.console.compiling")
    if kernels:
        kernels.hide(hidden=True)
    try:
        yield
    finally:
        if kernels:
            kernels.hide(hidden=False)


# Long work that Ctrl-C can end.
#
# Python handles a signal only between steps of its main thread, and a kernel may be
# one step of an hour. So the work runs in a thread of its own, with a flag that
# kernels check; work that does not check it ends with the process.

T = TypeVar("T")

PATIENCE = 2.0  # seconds before progress is shown
GRACE = 0.7  # seconds for interrupted work to return
NOTHING = "nothing was saved"


def interruptible(work: Callable[[], T], what: str = "", interrupt: Event | None = None) -> T:
    """Run `work` in a thread; return what it returns, or raise what it raises.

    Ctrl-C raises KeyboardInterrupt at once and stops the kernels of the work. With an
    `interrupt`, that event is set first, and if the work returns within `GRACE`, its result is
    returned. If the work takes long, a terminal shows `what` it is.
    """
    future: Future[T] = Future()
    flag = Flag()

    def run() -> None:
        try:
            with stopping(flag):
                future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again where the result is awaited
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    try:
        if what and not wait([future], PATIENCE).done:
            with working(what):
                return future.result()
        return future.result()
    except KeyboardInterrupt:
        if interrupt is None or future.done():
            flag.set()
            raise
        interrupt.set()
        try:
            return future.result(GRACE)
        except TimeoutError:
            flag.set()
            raise KeyboardInterrupt from None


@contextmanager
def leaving(what: Callable[[], str]) -> Iterator[None]:
    """If the block is interrupted, print on stderr what it leaves; the command ends as usual."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(one_line(f"Interrupted; {what()}."), err=True)
        raise


def resume_note(path: object) -> str:
    """Return the words that say that the results so far are in a file."""
    return f"what was finished is in {path}, and the same command resumes"
