"""A bar for long work, on stderr and only on a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar that is shown, or one that is not, when there is no terminal."""

    total: int
    progress: "Progress | None" = None
    task: "TaskID | None" = None

    def left(self, count: int) -> None:
        """Show how much is left to do."""
        if self.progress is not None and self.task is not None:
            self.progress.update(self.task, completed=self.total - count)


@contextmanager
def bar(what: str, total: int, unit: str) -> Iterator[Bar]:
    """Show a bar while the work goes on; it disappears in the end."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield Bar(total)
        return
    from rich.console import Console  # noqa: PLC0415 - slow to import
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield Bar(total, progress, progress.add_task(what, total=total))
