"""Abilities of the terminal: colors, and characters beyond ASCII."""

import io
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hsearch.files.whole import write_whole
from hsearch.render.text import ASCII, UNICODE, Symbols, board, legend, plain
from player.console.command import COLOR, color_option
from player.console.errors import writing

if TYPE_CHECKING:
    from rich.console import RenderableType

    from hsearch.position import Position
    from hsearch.render import Marks

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Screen:
    """The terminal as a command prints to it, for people.

    color    whether to print colors
    symbols  the characters of a board
    """

    color: bool
    symbols: Symbols

    def show(self, position: "Position", marks: "Marks") -> None:
        """Print a board with marks; if it has colors, with a line that explains these."""
        lines = board(position, marks, self.symbols)
        if not self.color:
            click.echo(plain(lines))
            return
        from rich.text import Text  # noqa: PLC0415 - not needed without color

        shown = [*lines, [], legend(self.symbols)]
        self.rich(Text("\n").join(Text.assemble(*line) for line in shown))

    def rich(self, thing: "RenderableType") -> None:
        """Print a table or another thing of `rich`, never wrapped to the window."""
        from rich.console import Console  # noqa: PLC0415 - slow to import

        page = io.StringIO()
        console = Console(
            file=page,
            force_terminal=self.color,
            color_system="256" if self.color else None,
            width=200,
            legacy_windows=False,
        )
        console.print(thing, soft_wrap=True)
        text = "\n".join(line.rstrip() for line in page.getvalue().splitlines())
        click.echo(text, color=True)


def draws(function: F, *, colors: bool = True) -> F:
    """Add `--ascii` and `--color`; the command gets one `Screen` as `screen`.

    Where `--color` means a player, the colors of the terminal are chosen before
    the command: `hsearch --color never connections FILE`.
    """
    function = click.option(
        "--ascii",
        "screen",
        is_flag=True,
        callback=lambda context, _option, value: _screen(context, only_ascii=value),
        help="Draw with B W . instead of ● ○ ·.",
    )(function)
    return color_option(function) if colors else function


def wants_color(choice: str | None, environment: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Return whether to print colors: the option, then the environment, then the terminal."""
    if choice is not None:
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR") or environment.get("CLICOLOR_FORCE"):
        return True
    return environment.get("TERM") != "dumb" and is_terminal


def write_file(path: Path, text: str | bytes) -> None:
    """Write a text to a file, all of it or nothing; raise FailedError, naming it, if that fails."""
    with writing(path):
        write_whole(path, text)


def make_folder(folder: Path) -> Path:
    """Make a folder where there is none; raise FailedError, naming it, if that fails."""
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _screen(context: click.Context, *, only_ascii: bool) -> Screen:
    stdout = sys.stdout
    is_terminal = stdout is not None and stdout.isatty()
    encoding = getattr(stdout, "encoding", None) or "ascii"
    symbols = ASCII if only_ascii or not UNICODE.fit(encoding) else UNICODE
    if isinstance(stdout, io.TextIOWrapper):
        # Names in a file may hold any character, whatever the terminal can show.
        stdout.reconfigure(errors="replace")
    color = wants_color(context.meta.get(COLOR), os.environ, is_terminal=is_terminal)
    return Screen(color, symbols)
