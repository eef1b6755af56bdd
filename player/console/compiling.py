"""Messages while kernels are compiled, which takes seconds and would look like a hang.

Numba compiles a kernel that its cache lacks: in the first runs of a command, and again for
boards so large that a set of cells takes more words. On a terminal, a line on stderr counts the
kernels, as 3 of 7, and is erased at the end; elsewhere a line is written once. The page receives
the same count. The total is known for one kernel at a time that Python calls: it includes all
kernels that this one calls.
"""

import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import click
from numba.core import event

from hsearch.kernels.cache import with_called

COMPILING = "compiling kernels, kept for later runs ..."
_ERASED = "\r\033[K"


@cache
def announce_compiling() -> None:
    """Print a message when numba begins to compile."""
    event.register("numba:compile", _announcement)  # type: ignore[no-untyped-call]


def has_compiled() -> bool:
    """Return whether anything was compiled, so that measured times include more than the work."""
    return _announcement.is_made


def progress() -> str:
    """Return the number of compiled kernels in words, for a bar; empty if none is compiled now."""
    return f"{_announcement.counting} kernels compiled" if _announcement.is_under_way else ""


def hide(*, hidden: bool) -> None:
    """Hide the line, as while a bar is shown on the terminal, or allow it again."""
    _announcement.hide(hidden=hidden)


class Counting:
    """The number of kernels compiled, and the depth of those being compiled. Holds state.

    `total` is the number once the kernel that Python called is compiled.
    """

    def __init__(self) -> None:
        self.count = self.total = 0
        self.depth = 0
        self._waiting: set[Any] = set()

    def __str__(self) -> str:
        return f"{self.count} of {self.total}"

    def start(self, event: event.Event) -> None:
        """Record that a kernel begins to be compiled; the outermost one sets the total."""
        if not self.depth:
            kernel = event.data["dispatcher"]
            kernels = [each for each in with_called(kernel) if hasattr(each, "overloads")]
            if not kernel.overloads:  # else the board has wider sets, for which all are compiled
                kernels = [each for each in kernels if not each.overloads]
            self._waiting = set(kernels)
            self.total = self.count + len(self._waiting)
        self.depth += 1

    def end(self, event: event.Event) -> None:
        """Count a compiled kernel; functions of Numba itself, compiled too, do not count."""
        self.depth -= 1
        if event.data["dispatcher"] in self._waiting:
            self._waiting.remove(event.data["dispatcher"])
            self.count += 1
        if not self.depth:
            self.count = self.total  # the others were in the cache


class _Announcement(event.Listener):
    """The progress of compiling, and whether it is shown. Holds state."""

    def __init__(self) -> None:
        self.is_made = False
        self.counting = Counting()
        self._hidden = False

    @property
    def is_under_way(self) -> bool:
        """Whether a kernel is being compiled."""
        return self.counting.depth > 0

    def hide(self, *, hidden: bool) -> None:
        if hidden and self.is_under_way and not self._hidden and _is_terminal():
            self._write(_ERASED)
        self._hidden = hidden

    def on_start(self, event: event.Event) -> None:
        self.counting.start(event)
        if not _is_terminal():
            if not self.is_made:
                click.echo(COMPILING, err=True)
        elif self.counting.depth == 1:
            self._show()
        self.is_made = True

    def on_end(self, event: event.Event) -> None:
        self.counting.end(event)
        if _is_terminal():
            if self.is_under_way:
                self._show()
            elif not self._hidden:
                self._write(_ERASED)

    def _show(self) -> None:
        if not self._hidden:
            width = shutil.get_terminal_size().columns - 1  # a full line would begin another
            whole = f"{COMPILING} {self.counting}"
            line = whole if len(whole) <= width else f"compiling {self.counting}"[:width]
            self._write(f"\r{line}")

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


_announcement = _Announcement()


# For the page: what is compiled in the thread that works on its question.

_working = threading.local()


@contextmanager
def announcing(tell: Callable[[dict[str, Any]], object]) -> Iterator[None]:
    """Report what is compiled in this thread, kernel by kernel, with a count, to `tell`."""
    _listen()
    _working.tell, _working.counting = tell, Counting()
    try:
        yield
    finally:
        _working.tell = None


@cache
def _listen() -> None:
    event.register("numba:compile", _ThreadAnnouncement())  # type: ignore[no-untyped-call]


class _ThreadAnnouncement(event.Listener):
    def on_start(self, event: event.Event) -> None:
        tell = getattr(_working, "tell", None)
        if tell is not None:
            _working.counting.start(event)
            if _working.counting.depth == 1:
                tell({"compiling": str(_working.counting)})

    def on_end(self, event: event.Event) -> None:
        tell = getattr(_working, "tell", None)
        if tell is not None:
            _working.counting.end(event)
            if _working.counting.depth:
                tell({"compiling": str(_working.counting)})
