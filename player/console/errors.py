"""Ends of commands: the exit codes, and one line on stderr.

0    done
1    failed
2    wrong usage, which click finds and reports
3    unreadable or illegal input
130  interrupted
141  the reader of the output is gone
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

DEBUG = "player.console.debug"
INTERRUPTED = 130
CLOSED_PIPE = 141


class FailedError(click.ClickException):
    """A command that could not do its work."""

    exit_code = 1

    def __init__(self, message: str) -> None:
        """Take a message; in what it quotes, line ends and control characters are escaped."""
        super().__init__(one_line(message))

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the message as one line."""
        click.echo(self.message, file=file, err=file is None)


class InputError(FailedError):
    """Input that cannot be read, or that is no legal position."""

    exit_code = 3


def unreadable(file: object, error: OSError | UnicodeDecodeError) -> InputError:
    """Return the error that says why a file cannot be read."""
    why = "not text" if isinstance(error, UnicodeDecodeError) else error.strerror or error
    return InputError(f"{file}: {why}")


@contextmanager
def reading(place: object = None) -> Iterator[None]:
    """Turn errors of the input into InputError; its line begins with `place`, if there is one.

    An error that names the place itself is taken as it is.
    """
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        file = getattr(error, "filename", None) if place is None else place
        raise (InputError(str(error)) if file is None else unreadable(file, error)) from error
    except ValueError as error:
        is_named = place is None or str(error).startswith(f"{place}:")
        raise InputError(str(error) if is_named else f"{place}: {error}") from error


@contextmanager
def writing(file: object) -> Iterator[None]:
    """Turn an error of the disk into FailedError, which names the file."""
    try:
        yield
    except OSError as error:
        raise FailedError(f"{file}: cannot be written: {error.strerror or error}") from error


def one_line(text: str) -> str:
    """Return a text with line ends and other control characters escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


@contextmanager
def endings(context: click.Context | None = None) -> Iterator[None]:
    """Turn whatever ends a command into an exit code.

    With `--debug`, an exception that is no click exception passes through.
    """
    try:
        yield
        _flush()
    except KeyboardInterrupt:
        raise click.exceptions.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _silence_stdout()
        raise click.exceptions.Exit(CLOSED_PIPE) from None
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as error:
        if isinstance(error, OSError):
            _silence_stdout()
        if context is not None and context.find_root().meta.get(DEBUG):
            raise
        raise FailedError(f"hsearch: {_what(error)}") from error


def _what(error: Exception) -> str:
    name = type(error).__name__
    return f"{name}: {error}" if str(error) else name


def _flush() -> None:
    # Left to the interpreter's exit, a closed pipe is reported in three lines.
    if sys.stdout is not None:
        sys.stdout.flush()


def _silence_stdout() -> None:
    # What is still buffered would fail again when the interpreter flushes it.
    if sys.stdout is None:
        return
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):
        return  # not a file of the system, as under a test
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
