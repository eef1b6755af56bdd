"""Base of all commands: examples at the end of the help, `--debug` and `--color`."""

import re
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import click

from player.console.errors import DEBUG
from player.console.option import OutputFile, force_option

F = TypeVar("F", bound=Callable[..., Any])

COLOR = "player.console.color"


def debug_option(function: F) -> F:
    """Add `--debug`, which `endings` looks for."""
    return click.option(
        "--debug",
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_remember,
        help="Show the traceback of a failure.",
    )(function)


def _remember(context: click.Context, _option: click.Parameter, value: object) -> None:
    if value:
        context.find_root().meta[DEBUG] = True


def color_option(function: F) -> F:
    """Add `--color`, which `Screen` looks for; the last one given wins."""
    return click.option(
        "--color",
        type=click.Choice(["always", "never"]),
        is_eager=True,
        expose_value=False,
        callback=_remember_color,
        help="Print colors; else only on a terminal.",
    )(function)


def _remember_color(context: click.Context, _option: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.meta[COLOR] = value


class MaybeFile(click.Option):
    """An option whose FILE may be left out; it has no text then.

    What follows is its file if there is one of that name, or the name ends as one does.
    """

    def completed(self, args: list[str]) -> list[str]:
        """Return the arguments in which the option always has a value."""
        return [
            f"{word}=" if word in self.opts and not _is_file(after) else word
            for word, after in pairwise([*args, ""])
        ]


def _is_file(word: str) -> bool:
    return not word.startswith("-") and (Path(word).is_file() or bool(re.search(r"\.\w+$", word)))


class Command(click.Command):
    """A command whose help ends with examples, one command line each."""

    def __init__(self, *args: Any, examples: tuple[str, ...] = (), **settings: Any) -> None:
        """Take click's arguments, and the examples."""
        super().__init__(*args, **settings)
        self.examples = examples

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Give options whose FILE may be left out what they have then."""
        for option in self.params:
            if isinstance(option, MaybeFile):
                args = option.completed(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; if it has loaded numba, say when kernels are compiled."""
        if "numba" in sys.modules:
            from player.console.compiling import announce_compiling  # noqa: PLC0415

            announce_compiling()
        return super().invoke(ctx)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        super().format_epilog(ctx, formatter)
        _write_examples(self.examples, formatter)


class Group(click.Group):
    """A command of commands, whose help ends with examples of these."""

    def __init__(self, *args: Any, examples: tuple[str, ...] = (), **settings: Any) -> None:
        """Take click's arguments, and the examples."""
        super().__init__(*args, **settings)
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        super().format_epilog(ctx, formatter)
        _write_examples(self.examples, formatter)


def _write_examples(examples: tuple[str, ...], formatter: click.HelpFormatter) -> None:
    """Write command lines as they are, never wrapped."""
    with formatter.section("Examples"):
        for example in examples:
            formatter.write(f"{'':{formatter.current_indent}}{example}\n")


def command(name: str, *examples: str) -> Callable[[Callable[..., Any]], Command]:
    """Return the decorator that makes a function a command with `--debug` and examples.

    The help of the command is the docstring of the function.
    """

    def decorate(function: Callable[..., Any]) -> Command:
        made = click.command(name, cls=Command, examples=examples)(function)
        debug_option(made)
        if any(isinstance(each.type, OutputFile) for each in made.params):
            force_option(made)
        return made

    return decorate


def group(name: str, *examples: str) -> Callable[[Callable[..., Any]], Group]:
    """Return the decorator that makes a function a group of commands, with examples of these."""

    def decorate(function: Callable[..., Any]) -> Group:
        return click.group(name, cls=Group, examples=examples)(function)

    return decorate
