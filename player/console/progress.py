"""Progress of long work: on stderr, only on a terminal, and gone afterwards.

It has to be over before anything is printed for people, so the work is all that
stands inside `working`.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType

PLAIN = ("elapsed", "remaining", "download", "percentage", "spinner")  # colors that fade on white


@dataclass(frozen=True, slots=True)
class Work:
    """Work that goes on, and how to tell what it has come to; by default nobody is told.

    say   replaces the text beside the bar
    done  tells how much is done, of the total
    show  replaces what stands below the bar
    """

    say: Callable[[str], None] = lambda _text: None
    done: Callable[[float], None] = lambda _count: None
    show: "Callable[[RenderableType], None]" = lambda _below: None


@contextmanager
def working(what: str, total: float | None = None, *, unit: str = "") -> Iterator[Work]:
    """Show that work goes on: a bar if a total is known, which counts units if they have a name."""
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
    from rich.theme import Theme  # noqa: PLC0415

    columns: list[ProgressColumn] = [SpinnerColumn(), TextColumn("{task.description}")]
    if total is not None:
        columns.append(BarColumn())
        columns += [MofNCompleteColumn(), TextColumn(unit)] if unit else [TaskProgressColumn()]
    columns.append(TimeElapsedColumn())
    if total is not None:
        columns.append(TimeRemainingColumn())
    theme = Theme({f"progress.{name}": "none" for name in PLAIN})
    console = Console(stderr=True, theme=theme)
    bar = Progress(*columns, console=console)
    task = bar.add_task(what, total=total)
    with Live(bar, console=console, transient=True) as live:
        yield Work(
            lambda text: bar.update(task, description=text),
            lambda count: bar.update(task, completed=count),
            lambda below: live.update(Group(bar, below)),
        )
