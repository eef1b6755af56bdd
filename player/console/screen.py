"""What a terminal shows: boards in color, progress of long work, and how Ctrl-C ends it."""

import io
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hsearch.formats.files import write_whole
from hsearch.hex.position import Position
from hsearch.kernels.stop import Flag, stopping
from hsearch.render.text import ASCII, UNICODE, Marks, Symbols, board, legend, plain
from player.console.command import COLOR, color_option, one_line, writing

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Task
    from rich.table import Table
    from rich.text import Text


F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Screen:
    """The terminal as a command prints to it, for people.

    color    whether to print colors
    symbols  the characters of a board
    """

    color: bool
    symbols: Symbols

    def show(self, position: Position, marks: Marks) -> None:
        """Print a board with marks; if it has colors, with a line that explains these."""
        lines = board(position, marks, self.symbols)
        if not self.color:
            click.echo(plain(lines))
            return
        from rich.text import Text  # noqa: PLC0415 - not needed without color

        shown = [*lines, [], legend(self.symbols)]
        self.rich(Text("\n").join(Text.assemble(*line) for line in shown))

    def table(
        self, headings: Sequence[str], rows: Iterable[Sequence[str]], *, left: Collection[str]
    ) -> None:
        """Print a table, as `table` lays it out."""
        self.rich(table(headings, rows, left=left))

    def rich(self, thing: "RenderableType") -> None:
        """Print a table or another thing of `rich`, never wrapped to the window."""
        from rich.console import Console  # noqa: PLC0415 - slow to import

        page = io.StringIO()
        console = Console(
            file=page,
            force_terminal=self.color,
            color_system="256" if self.color else None,
            width=200,
            legacy_windows=False,
        )
        console.print(thing, soft_wrap=True)
        text = "\n".join(line.rstrip() for line in page.getvalue().splitlines())
        click.echo(text, color=True)


def table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], *, left: Collection[str]
) -> "Table":
    """Return a table of `rich`: columns of the headings in `left` start there, others end right."""
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
    """Return whether to print colors: the option, then the environment, then the terminal."""
    if choice is not None:
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR") or environment.get("CLICOLOR_FORCE"):
        return True
    return environment.get("TERM") != "dumb" and is_terminal


def write_file(path: Path, text: str | bytes) -> None:
    """Write a text to a file, all of it or nothing; raise FailedError, naming it, if that fails."""
    with writing(path):
        write_whole(path, text)


def make_folder(folder: Path) -> Path:
    """Make a folder where there is none; raise FailedError, naming it, if that fails."""
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def stdout_is_terminal() -> bool:
    """Return whether what is printed goes to a terminal."""
    return sys.stdout.isatty()


def _screen(context: click.Context, *, only_ascii: bool) -> Screen:
    stdout = sys.stdout
    encoding = getattr(stdout, "encoding", None) or "ascii"
    symbols = ASCII if only_ascii or not UNICODE.fit(encoding) else UNICODE
    if isinstance(stdout, io.TextIOWrapper):
        # Names in a file may hold any character, whatever the terminal can show.
        stdout.reconfigure(errors="replace")
    color = wants_color(context.meta.get(COLOR), os.environ, is_terminal=stdout_is_terminal())
    return Screen(color, symbols)


# Progress of long work: on stderr, only on a terminal, and gone afterwards.
#
# It has to be over before anything is printed for people, so the work is all that
# stands inside `working`.

PLAIN = ("elapsed", "remaining", "download", "percentage", "spinner")  # colors that fade on white


@dataclass(frozen=True, slots=True)
class Work:
    """Work that goes on, and how to report what it has come to; by default nobody hears of it.

    say   replaces the text beside the bar
    done  tells how much is done, of the total
    show  replaces what stands below the bar
    """

    say: Callable[[str], None] = lambda _text: None
    done: Callable[[float], None] = lambda _count: None
    show: "Callable[[RenderableType], None]" = lambda _below: None


@contextmanager
def working(
    what: str, total: float | None = None, *, unit: str = "", even: bool = True
) -> Iterator[Work]:
    """Show that work goes on: a bar if a total is known, which counts units if they have a name.

    How long the rest takes is guessed from what was done, unless the parts are not `even`.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield Work()
        return
    from rich.console import Console, Group  # noqa: PLC0415 - slow to import
    from rich.live import Live  # noqa: PLC0415
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        SpinnerColumn,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text  # noqa: PLC0415
    from rich.theme import Theme  # noqa: PLC0415

    columns: list[ProgressColumn] = [SpinnerColumn(), TextColumn("{task.description}")]
    if total is not None:
        columns.append(BarColumn())
        columns += [MofNCompleteColumn(), TextColumn(unit)] if unit else [TaskProgressColumn()]
    columns.append(TimeElapsedColumn())
    if total is not None and even:
        columns.append(TimeRemainingColumn())

    class Compiling(ProgressColumn):
        """How many kernels were compiled, while that goes on."""

        def render(self, _task: "Task") -> "Text":
            kernels = sys.modules.get("player.console.compiling")  # once numba is loaded
            return Text(kernels.compiled() if kernels else "", no_wrap=True, overflow="ellipsis")

    columns.append(Compiling())
    theme = Theme({f"progress.{name}": "none" for name in PLAIN})
    console = Console(stderr=True, theme=theme)
    bar = Progress(*columns, console=console)
    task = bar.add_task(what, total=total)
    with _counting_in_bar(), Live(bar, console=console, transient=True) as live:
        yield Work(
            lambda text: bar.update(task, description=text),
            lambda count: bar.update(task, completed=count),
            lambda below: live.update(Group(bar, below)),
        )


@contextmanager
def _counting_in_bar() -> Iterator[None]:
    """Keep the line that counts compiled kernels from a terminal that shows a bar."""
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
# Python sees a signal only between steps of its main thread, and a kernel may be
# one step of an hour. So the work goes to a thread of its own, which has a flag that
# kernels see; whatever does not heed it dies with the process.

T = TypeVar("T")

PATIENCE = 2.0  # seconds without a word
GRACE = 0.7  # seconds for work that was interrupted to come to an end
NOTHING = "nothing was saved"


def interruptible(work: Callable[[], T], what: str = "", interrupt: Event | None = None) -> T:
    """Return what `work` returns, or raise what it raises.

    An interruption is raised at once, and tells the kernels of the work to stop. Where there is
    an `interrupt`, that is set first, and what the work still returns within `GRACE` is
    returned. If `what` is done takes long, a terminal shows it.
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
    """Say on stderr what an interruption of the work inside leaves; the command ends as always."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(one_line(f"Interrupted; {what()}."), err=True)
        raise


def kept_in(path: object) -> str:
    """Return in words that the results so far are in a file."""
    return f"what was finished is in {path}, and the same command goes on"
