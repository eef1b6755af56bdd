"""Options that many commands have: a file to write, a folder to read, numbers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

OUT = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
OUT_FOLDER = click.Path(file_okay=False, path_type=Path)

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def out_option(*names: str, metavar: str = "OUT", **about: Any) -> Decorator:
    """Return the decorator that adds the path of a file to be written."""
    return click.option(*names, type=OUT, metavar=metavar, **about)


def folder_option(*names: str, metavar: str = "FOLDER", **about: Any) -> Decorator:
    """Return the decorator that adds the path of a folder, which has to be there."""
    return click.option(*names, type=FOLDER, metavar=metavar, **about)


def out_folder_option(*names: str, metavar: str = "FOLDER", **about: Any) -> Decorator:
    """Return the decorator that adds the path of a folder to write into.

    The command makes it, by `make_folder`, before it goes to work.
    """
    return click.option(*names, type=OUT_FOLDER, metavar=metavar, **about)


def number_option(
    *names: str, least: int = 1, most: int | None = None, metavar: str = "N", **about: Any
) -> Decorator:
    """Return the decorator that adds a whole number, whose default is shown if it has one."""
    span = click.IntRange(least, most)
    return click.option(
        *names, type=span, metavar=metavar, show_default="default" in about, **about
    )


def processes_option(name: str, *, most: int = 1024, default: int = 1, **about: Any) -> Decorator:
    """Return the decorator that adds the number of processes, by either word for them."""
    return number_option("--workers", "--jobs", name, most=most, default=default, **about)
