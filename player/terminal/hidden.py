"""Reading a line that nobody else at the screen should see."""

import importlib
import os
from typing import TextIO

import click


def read_hidden(lines: TextIO, prompt: str) -> str:
    """Return the next line after a prompt; on a terminal it is not shown, but for its end."""
    if not lines.isatty() or os.name != "posix":
        click.echo(prompt, nl=False)
        return lines.readline()
    termios = importlib.import_module("termios")  # not on every system
    before = termios.tcgetattr(lines)
    hidden = list(before)
    hidden[3] = hidden[3] & ~termios.ECHO | termios.ECHONL
    termios.tcsetattr(lines, termios.TCSADRAIN, hidden)
    try:
        # Not before the terminal keeps to itself what is typed.
        click.echo(prompt, nl=False)
        return lines.readline()
    finally:
        termios.tcsetattr(lines, termios.TCSADRAIN, before)
