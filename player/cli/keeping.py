"""A solver at work: its progress on the terminal, and its table on disk.

The table is saved while the solver works, more rarely the longer it does, and
in the end, however it ends.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from player.console.errors import InputError, one_line, reading
from player.console.interruptible import NOTHING, kept_in, leaving
from player.console.progress import Work, working
from player.numbers import numbered
from player.solve import Solver, SolverProgress

SHORTEST, LONGEST = 1.0, 60.0  # seconds between two savings
UNKEPT = f"{NOTHING}: --table FILE keeps what is known"
BLINK = 0.2  # seconds between two lines of progress


@contextmanager
def keeping(solver: Solver, path: Path | None, kept: str = UNKEPT) -> Iterator["Keeper"]:
    """Read the table at `path`, if it is there, and keep it up to date while work goes on.

    `kept` is what an interruption leaves where there is no table.
    Raise InputError when it is no table for this board: it is left alone then.
    """
    keeper = Keeper(solver, path)
    keeper.read()
    solver.on_progress = keeper.progress
    with leaving(lambda: kept if path is None else keeper.left()):
        try:
            yield keeper
        finally:
            solver.on_progress = None
            keeper.save()


class Keeper:
    """Remembers when it has last saved and shown. Holds state."""

    def __init__(self, solver: Solver, path: Path | None) -> None:
        """Begin with nothing saved or shown."""
        self._solver = solver
        self._path = path
        self._next_save = SHORTEST
        self._next_line = 0.0
        self._work = Work()
        self._is_saved = False

    def left(self) -> str:
        """Return in words what is on disk."""
        return kept_in(self._path) if self._is_saved else NOTHING

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show how the solver gets on, until it is to print something."""
        with working("solving") as self._work:
            yield
        self._work = Work()

    def read(self) -> None:
        """Take over the table on disk."""
        if self._path is None or not self._path.exists():
            return
        if not self._path.is_file():
            raise InputError(f"{self._path}: not a file that can keep a table")
        with reading(self._path):
            self._solver.load(self._path)

    def progress(self, progress: SolverProgress) -> None:
        """Show how far the solver is, and save the table from time to time."""
        if progress.seconds >= self._next_line:
            self._next_line = progress.seconds + BLINK
            line = " ".join(map(self._solver.board.name, progress.line))
            numbers = f"proof {progress.proof}, disproof {progress.disproof}"
            self._work.say(f"{numbered(progress.nodes, 'position')}, {numbers}: {line}")
        if progress.seconds >= self._next_save:
            self.save()
            self._next_save = progress.seconds + min(LONGEST, max(SHORTEST, progress.seconds / 10))

    def save(self) -> None:
        """Save the table; a disk that refuses costs a warning, and the search goes on."""
        if self._path is None:
            return
        try:
            self._solver.save(self._path)
            self._is_saved = True
        except OSError as error:
            message = f"warning: {self._path}: not saved: {error.strerror or error}"
            click.echo(one_line(message), err=True)
