"""A line on stderr while kernels are compiled, which takes seconds and looks like a hang.

Numba compiles a kernel when its cache lacks it: in the first runs of a command, and once
more for boards so large that a set of cells takes more words. On a terminal the line counts
the kernels, and is erased once they are there; elsewhere it is written once.
"""

import sys
from functools import cache

import click
from numba.core import event

COMPILING = "compiling kernels, kept for later runs ..."
_ERASED = "\r\033[K"


@cache
def announce_compiling() -> None:
    """Say, when numba begins to compile, that it does."""
    event.register("numba:compile", _announcement)  # type: ignore[no-untyped-call]


def has_compiled() -> bool:
    """Return whether that was said, so that times hold more than the work itself."""
    return _announcement.is_made


def compiled() -> str:
    """Return in words how many kernels were compiled while a bar is shown; empty if none was."""
    counted = _announcement.count
    return f"{counted} kernels compiled" if _announcement.is_under_way else ""


def hide(*, hidden: bool) -> None:
    """Leave the line to a bar that is shown on the terminal, or write it again."""
    _announcement.hide(hidden=hidden)


class _Announcement(event.Listener):
    """Holds state: how many kernels were compiled, and how many are now, one for the other."""

    def __init__(self) -> None:
        self.is_made = False
        self.count = 0
        self._depth = 0
        self._hidden = False

    @property
    def is_under_way(self) -> bool:
        """Whether a kernel is compiled now."""
        return self._depth > 0

    def hide(self, *, hidden: bool) -> None:
        if hidden and self.is_under_way and not self._hidden:
            self._write(_ERASED)
        self._hidden = hidden

    def on_start(self, _event: event.Event) -> None:
        self._depth += 1
        if not _is_terminal():
            if not self.is_made:
                click.echo(COMPILING, err=True)
        elif self._depth == 1:
            self._show()
        self.is_made = True

    def on_end(self, _event: event.Event) -> None:
        self._depth -= 1
        self.count += 1
        if _is_terminal():
            if self._depth:
                self._show()
            elif not self._hidden:
                self._write(_ERASED)

    def _show(self) -> None:
        if not self._hidden:
            self._write(f"\r{COMPILING} {self.count}")

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


_announcement = _Announcement()
