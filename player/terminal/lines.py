"""Lines that a person types: with editing and a history on a terminal."""

import sys
from contextlib import suppress
from typing import TextIO

import click


def read_line(lines: TextIO, prompt: str) -> str:
    """Return the next line after a prompt; an empty text at the end of input."""
    if lines is not sys.stdin or not (lines.isatty() and sys.stdout.isatty()):
        click.echo(prompt, nl=False)
        return lines.readline()
    with suppress(ImportError):  # not on every system
        import readline  # noqa: F401, PLC0415 - `input` uses it once it is there
    try:
        return input(prompt) + "\n"
    except EOFError:
        return ""


def forget_lines() -> None:
    """Forget the lines that were typed, which the next one at the keyboard could call up."""
    with suppress(ImportError):
        import readline  # noqa: PLC0415 - not on every system

        readline.clear_history()
