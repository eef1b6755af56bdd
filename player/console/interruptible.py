"""Long work that Ctrl-C can end.

Python sees a signal only between steps of its main thread, and a kernel may be
one step of an hour. So the work goes to a thread of its own, which dies with
the process.
"""

from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from typing import TypeVar

from player.console.progress import working

T = TypeVar("T")

PATIENCE = 2.0  # seconds without a word


def interruptible(work: Callable[[], T], what: str = "") -> T:
    """Return what `work` returns, or raise what it raises.

    An interruption is raised at once and leaves the work running. If `what` is
    done takes long, a terminal shows it.
    """
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again where the result is awaited
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    if what and not wait([future], PATIENCE).done:
        with working(what):
            return future.result()
    return future.result()
