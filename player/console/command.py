"""What all commands share: their options and examples, and how they end."""

import atexit
import errno
import io
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice, pairwise
from pathlib import Path
from threading import Event, Thread, Timer, current_thread, main_thread
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from hsearch.kernels.stop import Flag, Stopped, stopping
from player.console.options import OutputFile, eager_option, force_option
from player.console.usage import (
    Context,
    OneLineError,
    command_words,
    name_value,
    write_costs,
    write_examples,
    wrong_usage,
)
from player.work.naming import FileError

if TYPE_CHECKING:
    from player.engine.player import Participant

COLOR = "player.console.color"
DEBUG = "player.console.debug"
FILE = "player.console.file"  # which of several files a command works on
HELP = {"help_option_names": ["-h", "--help"]}  # of each command: click caches the first names


# Adds `--debug`, which `endings` checks.
debug_option = eager_option(
    "--debug", key=DEBUG, is_flag=True, help="Show the traceback of a failure."
)

# Adds `--color`, which `draws` checks; the last one given wins.
color_option = eager_option(
    "--color",
    "terminal_color",
    key=COLOR,
    type=click.Choice(["always", "never"]),
    help="Print colors; else only on a terminal.",
)


class MaybeFile(click.Option):
    """An option whose FILE may be omitted; its value is then empty.

    The next word is its FILE if a file has that name, or if it ends like a file name, which
    `tree:blend=0.5` does not.
    """

    def complete_args(self, args: list[str]) -> list[str]:
        """Return the arguments, with an empty value if the FILE is omitted."""
        return [
            f"{word}=" if word in self.opts and not _is_file(after) else word
            for word, after in pairwise([*args, ""])
        ]


def _is_file(word: str) -> bool:
    return not word.startswith("-") and (
        Path(word).is_file() or bool(re.search(r"\.[^\W\d]\w*$", word))
    )


class Command(click.Command):
    """A command whose help ends with examples, one command line each."""

    context_class = Context
    allow_extra_args = True  # `parse_args` refuses them, by name

    def __init__(
        self, *args: Any, examples: tuple[str, ...] = (), instead: str = "", **settings: Any
    ) -> None:
        """Take click's arguments, the examples, and what to give instead of an argument."""
        settings.setdefault("context_settings", HELP)
        super().__init__(*args, **settings)
        self.examples, self.instead = examples, instead
        for each in self.params:
            name_value(each)

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the first sentence of the help in full: a list of commands wraps its lines."""
        return super().get_short_help_str(max(limit, 1000))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse arguments, of which a FILE may be omitted, and refuse superfluous ones."""
        for option in self.params:
            if isinstance(option, MaybeFile):
                args = option.complete_args(args)
        if not ctx.resilient_parsing:
            self._refuse_names_as_values(ctx, args)
        command_words(ctx).extend(args)
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            usage = " ".join((ctx.command_path, *self.collect_usage_pieces(ctx)))
            ctx.fail(f"{rest[0]!r} is an argument too many: {self.instead or usage}")
        return rest

    def _refuse_names_as_values(self, ctx: click.Context, args: list[str]) -> None:
        """Fail if an option would take the next one for its value: `--puzzle --grade 3`."""
        options = {name: each for each in self.get_params(ctx) for name in each.opts}
        words = iter(args)
        for word in words:
            option = options.get(word)
            if word == "--":
                return
            if option is None or getattr(option, "is_flag", False):
                continue
            if not options.keys().isdisjoint(islice(words, option.nargs)):
                raise click.BadOptionUsage(word, "", ctx)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; if it has loaded numba, announce when kernels are compiled."""
        if "numba" in sys.modules:
            from player.console.compiling import announce_compiling  # noqa: PLC0415

            announce_compiling()
        return super().invoke(ctx)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the time and memory that the command takes, and the examples."""
        super().format_epilog(ctx, formatter)
        write_costs(ctx, formatter)
        write_examples(self.examples, formatter)


class CommandGroup(click.Group):
    """A group of commands, whose help ends with examples."""

    context_class = Context

    def __init__(self, *args: Any, examples: tuple[str, ...] = (), **settings: Any) -> None:
        """Take click's arguments, and the examples."""
        settings.setdefault("context_settings", HELP)
        super().__init__(*args, **settings)
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        super().format_epilog(ctx, formatter)
        write_examples(self.examples, formatter)


def command(
    name: str, *examples: str, instead: str = ""
) -> Callable[[Callable[..., Any]], Command]:
    """Return the decorator that makes a function a command with `--debug` and examples.

    The help of the command is the docstring of the function. For a command without arguments,
    `instead` says what to give in place of one, such as a file given to `play`.
    """

    def decorate(function: Callable[..., Any]) -> Command:
        result = click.command(name, cls=Command, examples=examples, instead=instead)(function)
        debug_option(result)
        if any(isinstance(each.type, OutputFile) for each in result.params):
            force_option(result)
        return result

    return decorate


def group(name: str, *examples: str) -> Callable[[Callable[..., Any]], CommandGroup]:
    """Return the decorator that makes a function a group of commands, with examples."""

    def decorate(function: Callable[..., Any]) -> CommandGroup:
        return click.group(name, cls=CommandGroup, examples=examples)(function)

    return decorate


# How commands end: exit codes, and one line on stderr.
#
# 0    done
# 1    failed
# 2    wrong usage: wrong by the command line alone, whatever the files contain
# 3    bad input: what is read, or named in it, is missing, unreadable or illegal
# 130  interrupted
# 141  the reader of the output is gone
#
# Output that cannot be written, as on a full disk or because stdout was closed before the program
# began, is a failure, as it is for GNU tools: a script would take it for success.

INTERRUPTED = 130
CLOSED_PIPE = 141


def end_at_once(is_at_work: Callable[[], bool], code: int) -> None:
    """At exit, end the process with a code, without unwinding threads that are still at work.

    Python unwinds a thread when it next runs Python code. Inside a compiler, or the library
    that runs a net, that aborts the process.
    """

    def leave() -> None:
        if is_at_work():
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()
            os._exit(code)

    atexit.register(leave)


class FailedError(OneLineError):
    """A command that could not do its work."""

    exit_code = 1

    def __init__(self, message: str) -> None:
        """Take a message, whose line ends and control characters are escaped."""
        super().__init__(one_line(message))


class InputError(FailedError):
    """Input that cannot be read, or that is not a legal position."""

    exit_code = 3


def unreadable(file: object, error: OSError | UnicodeDecodeError) -> InputError:
    """Return the error for a file that cannot be read, with the reason."""
    why = "not text" if isinstance(error, UnicodeDecodeError) else error.strerror or error
    if isinstance(error, IsADirectoryError):
        why = f"{why}; name a file in it"
    return InputError(f"{file}: {why}")


def wrong_spec(error: ValueError) -> click.ClickException:
    """Return the error for a text that names no player: bad input if a file in it is at fault."""
    if isinstance(error, FileError):
        return InputError(str(error))
    return click.UsageError(one_line(str(error)))


@contextmanager
def failing(player: "Participant", what: str = "move") -> Iterator[None]:
    """Raise FailedError when an engine fails or breaks the rules.

    Raise InputError when its file is bad.
    """
    from player.engine.player import PlayerError, PlayerFileError  # noqa: PLC0415 - loads a search

    try:
        yield
    except (PlayerError, ValueError) as error:
        kind = InputError if isinstance(error, PlayerFileError) else FailedError
        raise kind(f"{player.name} cannot {what}: {error}") from error


@contextmanager
def reading(place: object = None) -> Iterator[None]:
    """Turn errors of the input into InputError, whose line begins with `place`, if it is given.

    A message that begins with the place already stays as it is.
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


def warn(text: str) -> None:
    """Print a warning, in one line on stderr."""
    click.echo(one_line(f"warning: {text}"), err=True)


@contextmanager
def endings(context: click.Context | None = None) -> Iterator[None]:
    """Turn every exception that ends a command into an exit code.

    With `--debug`, an unexpected exception passes through.
    """
    try:
        yield
        sys.stdout.flush()  # a closed pipe would be reported in three lines at the exit
    except (KeyboardInterrupt, Stopped):
        raise click.exceptions.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _silence_stdout()
        raise click.exceptions.Exit(CLOSED_PIPE) from None
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        raise wrong_usage(error) from error
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as error:
        if _is_interruption(error):
            raise click.exceptions.Exit(INTERRUPTED) from None
        failure = _failure(error)
        if isinstance(error, OSError):
            _silence_stdout()
        if context is not None and context.meta.get(DEBUG):
            raise
        raise failure from error


def _failure(error: Exception) -> FailedError:
    """Return the error for an unexpected exception: bad input if a file's name is too long."""
    if isinstance(error, OSError) and error.filename is None and not _takes_more():
        return FailedError(f"stdout: cannot be written: {error.strerror or error}")
    if isinstance(error, FileNotFoundError) and error.filename is None:  # of `os.getcwd`
        return FailedError("the current folder no longer exists: change to another")
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        from hsearch.formats.error import quote  # noqa: PLC0415 - it loads the formats

        return InputError(f"{quote(str(error.filename))}: {error.strerror}")
    return FailedError(f"hsearch: {_what(error)}")


# Python calls the handler of a signal between two steps of its main thread, which may be in a
# kernel for a long time. But the number of the signal is written to a pipe at once: a thread waits
# for it there and sets the flag of the main thread, so the kernel returns and the handler is
# called. Signals within `TOGETHER` are one Ctrl-C: a terminal signals a whole group of processes,
# one of which may pass it on. An exception that is raised while LLVM calls back into Python is
# lost, so that signal is sent again. So is one that arrives while the main thread blocks it, as it
# does while it starts a process: the system delivers it to another thread.

TOGETHER = 0.5  # seconds
AGAIN = 0.02  # seconds until a lost signal is sent again
LINGER = 0.2  # seconds to catch the second of two, by which Python's handler would end the process


@contextmanager
def interruptions() -> Iterator[None]:
    """Let Ctrl-C also stop a running kernel, and take two in quick succession for one."""
    is_ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not is_ours or current_thread() is not main_thread() or os.name == "nt":
        yield
        return
    signals = _Signals()
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    Thread(target=signals.watch, args=(reader,), name="interruptions", daemon=True).start()
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, signals.handle)
    signals.unraisable, sys.unraisablehook = sys.unraisablehook, signals.send_again
    try:
        with stopping(signals.flag):
            yield
    finally:
        if signals.is_fresh:
            time.sleep(LINGER)
        sys.unraisablehook = signals.unraisable
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.set_wakeup_fd(before)
        os.close(writer)


class _Signals:
    """The interrupt signals received. Holds state."""

    def __init__(self) -> None:
        self.flag = Flag()  # of the main thread
        self.unraisable: Callable[[Any], object] = sys.unraisablehook
        self._arrival = Event()
        self._last = -TOGETHER
        self._is_handling = self._is_pending = False

    @property
    def is_fresh(self) -> bool:
        """Whether a Ctrl-C has come within the last `TOGETHER` seconds."""
        return time.monotonic() - self._last < TOGETHER

    def watch(self, reader: int) -> None:
        """Set the flag for each interrupt in the pipe, until the pipe is closed."""
        while numbers := os.read(reader, 64):
            if signal.SIGINT in numbers:
                now = time.monotonic()
                if now - self._last > TOGETHER:
                    self._last = now
                    self.flag.set()
                self._arrival.set()
        os.close(reader)

    def handle(self, _number: int, _frame: FrameType | None) -> None:
        """Raise KeyboardInterrupt, once the other thread has set the flag.

        Python may call this again for the next signal while it waits, in the same thread, which
        then holds the lock of the event. That signal is handled after this one, unless this one
        has raised already: both ask for the same.
        """
        self._is_pending = True
        while self._is_pending and not self._is_handling:
            self._is_handling, self._is_pending = True, False
            try:
                self._handle_one()
            finally:
                self._is_handling = False

    def _handle_one(self) -> None:
        is_seen = self._arrival.wait(1)
        self._arrival.clear()
        if signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []):
            self.flag.clear()
            self._send_later()
            return
        if self.flag.is_set() or not is_seen:
            self.flag.clear()
            raise KeyboardInterrupt

    def send_again(self, failure: Any) -> None:
        """Send the signal again if its KeyboardInterrupt was lost."""
        if not issubclass(failure.exc_type, KeyboardInterrupt):
            self.unraisable(failure)
            return
        self._send_later()

    def _send_later(self) -> None:
        self._last = -TOGETHER
        # To the main thread: a signal to another thread would not end its sleep.
        timer = Timer(AGAIN, signal.pthread_kill, [main_thread().ident, signal.SIGINT])
        timer.daemon = True
        timer.start()


def _is_interruption(error: BaseException) -> bool:
    """Return whether an error was caused by Ctrl-C, such as the SystemError of a kernel."""
    cause = error.__cause__
    return cause is not None and (
        isinstance(cause, KeyboardInterrupt | Stopped) or _is_interruption(cause)
    )


def _what(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        place = "" if error.filename is None else f"{error.filename}: "
        return one_line(f"{place}{error.strerror}")
    name = type(error).__name__
    return f"{name}: {error}" if str(error) else name


def open_closed_streams() -> None:
    """Open those of stdin, stdout and stderr that are closed, so that no file gets their numbers.

    Such a file would also get the output to the stream. Writing to such a stdout fails, which
    `endings` reports; output to such a stderr is lost.
    """
    for number, flags in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_RDWR)):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, flags), True)  # noqa: FBT003 - opens `number`
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), encoding="utf-8")


def _takes_more() -> bool:
    """Return whether stdout can still be written; unwritten output stays in its buffer."""
    try:
        sys.stdout.flush()
        os.write(sys.stdout.fileno(), b"")
    except OSError as error:
        return isinstance(error, io.UnsupportedOperation)  # not a file of the system
    return True


def _silence_stdout() -> None:
    # Buffered output would fail again when the interpreter flushes it.
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):
        return  # not a file of the system, as under a test
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
