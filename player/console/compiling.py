"""One line on stderr when kernels are compiled, which takes seconds and looks like a hang.

Numba compiles a kernel when its cache lacks it: on the first run, and once more
for boards so large that a set of cells takes more words.
"""

from functools import cache

import click
from numba.core import event

COMPILING = "compiling kernels, first run only ..."


@cache
def announce_compiling() -> None:
    """Say once, when numba begins to compile, that it does."""
    event.register("numba:compile", _announcement)  # type: ignore[no-untyped-call]


def has_compiled() -> bool:
    """Return whether that was said, so that times hold more than the work itself."""
    return _announcement.is_made


class _Announcement(event.Listener):
    def __init__(self) -> None:
        self.is_made = False

    def on_start(self, _event: event.Event) -> None:
        if not self.is_made:
            click.echo(COMPILING, err=True)
        self.is_made = True

    def on_end(self, _event: event.Event) -> None:
        pass


_announcement = _Announcement()
