"""Long work that Ctrl-C can end.

Python sees a signal only between steps of its main thread, and a kernel may be
one step of an hour. So the work goes to a thread of its own, which dies with
the process.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from threading import Event, Thread
from typing import TypeVar

import click

from player.console.errors import one_line
from player.console.progress import working

T = TypeVar("T")

PATIENCE = 2.0  # seconds without a word
GRACE = 0.7  # seconds for work that was interrupted to come to an end
NOTHING = "nothing was saved"


def interruptible(work: Callable[[], T], what: str = "", interrupt: Event | None = None) -> T:
    """Return what `work` returns, or raise what it raises.

    An interruption is raised at once and leaves the work running. Where there is an
    `interrupt`, that is set first, and what the work still returns within `GRACE` is
    returned. If `what` is done takes long, a terminal shows it.
    """
    future: Future[T] = Future()

    def run() -> None:
        try:
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
            raise
        interrupt.set()
        try:
            return future.result(GRACE)
        except TimeoutError:
            raise KeyboardInterrupt from None


@contextmanager
def leaving(what: Callable[[], str]) -> Iterator[None]:
    """Say on stderr what an interruption of the work inside leaves; it ends the command as ever."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(one_line(f"Interrupted; {what()}."), err=True)
        raise


def kept_in(path: object) -> str:
    """Return in words that the results so far are in a file."""
    return f"what was finished is in {path}, and the same command goes on"
