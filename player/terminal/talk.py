"""Input from a person at a terminal: lines, shown or hidden, commands, and whose screen it is."""

import difflib
import getpass
import importlib
import os
import re
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, NoReturn, TextIO, TypeAlias

import click

from hsearch.formats import sgf
from hsearch.hex.position import winning_chain
from hsearch.render.text import Marks
from player.console.command import FailedError, InputError, writing
from player.console.options import names_folder, refuse_other_game
from player.console.output import say
from player.console.screen import Screen, stdout_is_terminal, write_file
from player.console.usage import shorten
from player.variants.base import GameState, Variant

# A function of the text after the command's name, and the help. If the command takes an argument,
# the help begins with the argument's name and two blanks. A command without help is not listed.
TalkCommand: TypeAlias = tuple[Callable[[str], None], str]
TalkCommands: TypeAlias = dict[str, TalkCommand]
GAP = "  "
CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # clears the screen and its scrollback
_SWAP_OF = re.compile(r"^swap\s+(?=(?:pieces|sides)$)", re.IGNORECASE)
SHORTER = {"?": "help", "h": "help", "q": "quit"}


class LeaveError(Exception):
    """The person at the terminal leaves."""


class Talk(ABC):
    """Executes lines: commands by name; any other line is an answer. Holds state."""

    state: GameState
    variant: Variant[Any]
    screen: Screen
    commands: TalkCommands
    who_answers: str
    own_files: frozenset[Path] = frozenset()  # that hold the game, and may be replaced

    @abstractmethod
    def answer(self, line: str) -> None:
        """Process a line that is not a command. Raise ValueError when it has no meaning."""

    def obey(self, line: str) -> None:
        """Execute a line, or print why not."""
        line = _SWAP_OF.sub("swap-", line)  # one word, as in files: a swap has no argument
        name, _, argument = line.partition(" ")
        name = name.rstrip("?") or name  # as in "why?"
        command = self.commands.get(SHORTER.get(name.lower(), name.lower()))
        try:
            if command is None:
                self.answer(line)
            else:
                _obey(command, name, argument.strip())
        except (FailedError, ValueError) as error:
            message = error.message if isinstance(error, FailedError) else str(error)
            hint = "" if command else self._hint(name)
            say([f"{shorten(message)}. {hint}Type help for the commands."])

    def _hint(self, word: str) -> str:
        """Return a question with the command most like an unknown word; empty without one."""
        names = [name for name, (_, words) in self.commands.items() if words != GAP]
        like = difflib.get_close_matches(word.lower(), names, n=1, cutoff=0.7)
        return f"Did you mean {like[0]}? " if like else ""

    def board(self, _argument: str) -> None:
        """Show the board and the moves."""
        last, ends = self.state.game.last_cell(), winning_chain(self.state.position)
        self.screen.show(self.state.position, Marks(last=last, ends=ends))
        moves = enumerate(self.variant.moves(self.state.game), start=1)
        if line := " ".join(f"{number}.{move}" for number, move in moves):
            say(("", line))
        click.echo()

    def help(self, _argument: str) -> None:
        """Print what can be typed, and who answers."""
        here = (each for each in self.commands.items() if each[0] != "swap" or self.variant.swap)
        say([*(f"{words:20} {meaning}" for words, meaning in self.variant.inputs), *_explain(here)])
        say(("", self.who_answers))

    def save(self, argument: str) -> None:
        """Save the game in the file that a person names.

        Raise ValueError if none is named, or the file holds something else.
        """
        if not argument:
            raise ValueError("name the file: save FILE")
        if names_folder(argument):
            raise ValueError(f"{argument} is the name of a folder: name a file")
        path, game = Path(argument), self.variant.public_record(self.state)
        with writing(path):  # a file that cannot be read, or whose name is too long
            refuse_other_game(path, game, self.own_files)
        write_file(path, sgf.write(game))
        self.own_files |= {path.resolve()}
        click.echo(f"Saved as {argument}.")

    def quit(self, _argument: str) -> None:
        """Leave.

        Raise LeaveError, which ends the game.
        """
        raise LeaveError


def _obey(command: TalkCommand, name: str, argument: str) -> None:
    """Execute a command. Raise ValueError at an argument that it does not take."""
    do, words = command
    if argument and GAP not in words:
        raise ValueError(f"{name} takes no argument: leave out {argument!r}")
    do(argument)


def _explain(commands: Iterable[tuple[str, TalkCommand]]) -> Iterator[str]:
    """Yield how to type each listed command, and what it does."""
    for name, (_, words) in commands:
        word, _, rest = words.rpartition(GAP)
        if rest:
            yield f"{f'{name} {word}':20} {rest}"


def refusal(why: str) -> TalkCommand:
    """Return a command that other games have and this one refuses, with the reason."""

    def refuse(_argument: str) -> None:
        raise ValueError(why)

    return refuse, GAP


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let SIGHUP, as when a terminal is closed, and SIGTERM end the block as Ctrl-C does.

    Later ones are ignored, so that what ends the block is not interrupted: a closed terminal often
    sends two. A signal that was ignored before, as under `nohup`, remains so.
    """
    numbers = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
    if current_thread() is not main_thread():
        numbers = []  # only there handlers can be set
    numbers = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]

    def end(_number: int, _frame: FrameType | None) -> NoReturn:
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    for number in numbers:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)


def next_line(lines: TextIO, prompt: str, *, is_hidden: bool = False) -> str:
    """Return the next line that is not empty. Raise LeaveError at the end of input."""
    while True:
        line = read_hidden(lines, prompt) if is_hidden else read_line(lines, prompt)
        if not line:
            click.echo()
            raise LeaveError
        text = line.removeprefix("\ufeff").strip()  # Windows begins files with this mark
        if text:
            return text


@contextmanager
def _expecting_text() -> Iterator[None]:
    """Raise InputError if what is read in the block is not text."""
    try:
        yield
    except UnicodeDecodeError as error:
        click.echo()
        raise InputError("-: not text: type a cell such as c3, or help") from error


@_expecting_text()
def read_line(lines: TextIO, prompt: str) -> str:
    """Return the next line, with editing and history on a terminal; empty at the end of input."""
    try:
        if lines is not sys.stdin or not (lines.isatty() and stdout_is_terminal()):
            click.echo(prompt, nl=False)
            return lines.readline()
        with suppress(ImportError):  # not on every system
            import readline  # noqa: F401, PLC0415 - `input` uses it once it is there
        return input(prompt) + "\n"
    except EOFError:
        return ""


def is_confirmed(lines: TextIO, question: str) -> bool:
    """Return whether a person at a terminal answers yes; lines from elsewhere are not asked."""
    if not lines.isatty():
        return True
    return read_line(lines, question).strip().lower() in {"y", "yes"}


@_expecting_text()
def wait_for_enter(message: str, lines: TextIO) -> None:
    """Wait for a line after a message. Raise LeaveError at the end of input."""
    click.echo(message)
    if not lines.readline():
        raise LeaveError


def clear_screen() -> None:
    """Clear the terminal and its scrollback; draw a line if there is no terminal."""
    is_terminal = stdout_is_terminal()
    click.echo(CLEAR if is_terminal else "-" * 40, nl=not is_terminal)


def forget_lines() -> None:
    """Clear the history of typed lines, which the next person at the keyboard could recall."""
    with suppress(ImportError):
        import readline  # noqa: PLC0415 - not on every system

        readline.clear_history()


@_expecting_text()
def read_hidden(lines: TextIO, prompt: str) -> str:
    """Return the next line after a prompt; a terminal does not show it, except its end."""
    if not lines.isatty():
        click.echo(prompt, nl=False)
        return lines.readline()
    if os.name != "posix":
        return getpass.getpass(prompt) + "\n"
    termios = importlib.import_module("termios")  # not on every system
    before = termios.tcgetattr(lines)
    hidden = list(before)
    hidden[3] = hidden[3] & ~termios.ECHO | termios.ECHONL
    termios.tcsetattr(lines, termios.TCSADRAIN, hidden)
    try:
        # Prompt only after the echo is off, or a fast answer would be shown.
        click.echo(prompt, nl=False)
        return lines.readline()
    finally:
        termios.tcsetattr(lines, termios.TCSADRAIN, before)
