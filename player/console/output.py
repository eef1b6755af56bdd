"""Answers of a command: sentences and boards for people, pictures, JSON for programs.

Sentences are wrapped so that no word is split by the end of a line. An object
is the same bytes for the same answer.
"""

import functools
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hsearch.files import strict
from player.console.picture import Picture, takes_picture
from player.console.screen import Screen, draws
from player.report.wrapping import rows

if TYPE_CHECKING:
    from hsearch.position import Position
    from hsearch.render import Marks

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


@dataclass(frozen=True, slots=True)
class Output:
    """The ways in which a command is asked to answer.

    as_json  whether for programs, as JSON, and nothing else
    picture  the pictures to draw besides
    screen   the terminal, for people
    """

    as_json: bool
    picture: Picture
    screen: Screen

    def tell(
        self,
        position: "Position",
        marks: "Marks",
        sentences: Iterable[str],
        *,
        piped: int | None = None,
    ) -> None:
        """Print a board for people, and below it sentences, as `say` does."""
        self.screen.show(position, marks)
        say(("", *sentences), piped=piped)


def takes_output(
    drawn: str, *, json: str = "one JSON object and nothing else", colors: bool = True
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the decorator that adds `--json`, pictures and `--ascii`; the command gets `output`.

    `drawn` tells what the pictures show, `json` what is printed for programs, and
    `colors` whether `--color` is about the terminal, and not about a player.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def answering(*, as_json: bool, picture: Picture, screen: Screen, **values: Any) -> Any:
            return function(output=Output(as_json, picture, screen), **values)

        return json_option(json)(takes_picture(drawn)(draws(answering, colors=colors)))

    return decorate


def json_option(what: str = "one JSON object and nothing else") -> Callable[[F], F]:
    """Return the decorator that adds `--json`; the command gets `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help=f"Print {what}.")


def print_object(thing: dict[str, Any]) -> None:
    """Print an object as one line, its fields in the order they were given."""
    click.echo(strict.write(thing, ensure_ascii=False))


def screen_width() -> int:
    """Return how many characters a line may have: the terminal's, and at most what reads well."""
    return min(WIDTH, shutil.get_terminal_size().columns)
