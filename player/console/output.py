"""Text on stdout: sentences for people, and JSON for programs, one object a line.

Sentences are wrapped so that no word is split by the end of a line. An object
is the same bytes for the same answer.
"""

import shutil
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from hsearch.files import strict
from player.report.wrapping import rows

F = TypeVar("F", bound=Callable[..., Any])

WIDTH = 100  # the most that is read with ease
COMMAND = "Next: "  # begins a line to copy, which is never broken


def say(sentences: Iterable[str], *, piped: int | None = None) -> None:
    """Print sentences, each on lines of its own; one that is indented belongs to the one above.

    On a terminal they are wrapped to its width. Elsewhere they are as wide as
    `piped`, or each is one line, for programs that read lines.
    """
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    width = screen_width() if is_terminal else piped
    for sentence in sentences:
        if width is None or sentence.startswith(COMMAND) or not sentence.strip():
            click.echo(sentence)
            continue
        click.echo("\n".join(rows(sentence, width)))


def json_option(what: str = "one JSON object and nothing else") -> Callable[[F], F]:
    """Return the decorator that adds `--json`; the command gets `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help=f"Print {what}.")


def print_object(thing: dict[str, Any]) -> None:
    """Print an object as one line, its fields in the order they were given."""
    click.echo(strict.write(thing, ensure_ascii=False))


def screen_width() -> int:
    """Return how many characters a line may have: the terminal's, and at most what reads well."""
    return min(WIDTH, shutil.get_terminal_size().columns)
