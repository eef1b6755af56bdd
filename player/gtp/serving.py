"""Serve the Go Text Protocol: read lines, call a handler, write replies. Nothing about games.

This is the engine's side; `player.engine.external` is the other one. Two programs named HexGui
read the replies, one of them strictly, so the writer is stricter than the protocol.
"""

import os
import queue
import re
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from hsearch.kernels.stop import Flag, Stopped, stopping

# Reading a command from a line, and writing a reply.
#
# A reply begins with `= ` or `? ` and ends with an empty line. The older HexGui
# takes `=\n\n`, without a space, for an error. Both end a reply at its first
# empty line and read the rest as the reply to the next command.

_WORD = re.compile(r'"([^"]*)"|(\S+)')
_ID = re.compile(r"([0-9]+)(?:\s+|$)")
_EMPTY_LINES = re.compile(r"\n[^\S\n]*(?=\n)")


class CommandError(ValueError):
    """A failure of a command; the message is the reply."""


@dataclass(frozen=True, slots=True)
class Request:
    """A command as sent.

    id         the number before it, which the reply repeats; empty if there was none
    name       its name; empty if there is only a number
    arguments  the words after it; a quoted argument is one word
    """

    id: str
    name: str
    arguments: tuple[str, ...]


def request(line: str) -> Request | None:
    """Return the command in a line; None if it has only spaces and a comment."""
    line = line.removeprefix("\ufeff").replace("\t", " ")  # Windows begins files with this mark
    text = "".join(c for c in line if c >= " " and c != "\x7f")
    text = text.partition("#")[0].strip()
    if not text:
        return None
    number, rest = "", text
    if (match := _ID.match(text)) is not None:
        number, rest = match[1], text[match.end() :]
    name, _, rest = rest.partition(" ")
    words = (quoted or bare for quoted, bare in _WORD.findall(rest))
    return Request(number, name, tuple(words))


def reply(id: str, text: str, *, is_success: bool = True) -> str:  # noqa: A002 - the protocol's word
    """Return the text of a reply: one block without an empty line inside."""
    sign = "=" if is_success else "?"
    return f"{sign}{id} {_without_empty_lines(text)}\n\n"


def block(text: str) -> str:
    """Return the text of a block that precedes the reply, such as live graphics."""
    return f"{_without_empty_lines(text)}\n\n"


def _without_empty_lines(text: str) -> str:
    return _EMPTY_LINES.sub("", text.replace("\r", "")).rstrip()


# Lines of a file descriptor, as they arrive.
#
# Not `sys.stdin`: a thread that waits for its buffer holds a lock that the
# interpreter needs to exit.

LONGEST_LINE = 1_000_000
_CHUNK = 65536


def lines_of(descriptor: int) -> Iterator[str]:
    """Yield the lines without their ends; cut too long a line one byte past `LONGEST_LINE`.

    The last line may lack its end. Bytes that are not UTF-8 are replaced.
    """
    rest = bytearray()
    while chunk := _read(descriptor):
        *complete, tail = chunk.split(b"\n")
        for piece in complete:
            rest += piece
            yield _text(rest)
            rest.clear()
        rest += tail
        del rest[LONGEST_LINE + 1 :]
    if rest:
        yield _text(rest)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:
        return b""  # a closed input is at its end


def _text(line: bytearray) -> str:
    return line[: LONGEST_LINE + 1].decode("utf-8", errors="replace").removesuffix("\r")


# The standard output, reserved for replies.
#
# The client would take any other output, from Python or below it, for a reply. So
# descriptor 1 leads to stderr, and only the writer has the real one.

_OUT, _ERR = 1, 2


@contextmanager
def private_stdout() -> Iterator[Callable[[str], None]]:
    """Yield the function that alone writes to the standard output, without buffering."""
    sys.stdout.flush()
    stdout, descriptor = sys.stdout, os.dup(_OUT)
    _lead_elsewhere()
    sys.stdout = sys.stderr

    def write(text: str) -> None:
        data = text.encode("utf-8", errors="backslashreplace")
        while data:
            data = data[os.write(descriptor, data) :]

    try:
        yield write
    finally:
        sys.stdout = stdout
        os.dup2(descriptor, _OUT)
        os.close(descriptor)


def _lead_elsewhere() -> None:
    try:
        os.dup2(_ERR, _OUT)
    except OSError:  # no stderr
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _OUT)
        os.close(nowhere)


# Answer commands in order, and receive interruptions meanwhile.
#
# One thread reads. The line `# interrupt`, or `stop` alone, is not queued: it sets
# the flags of all commands that are received but not answered. The end of the
# input is queued like a command, so that all lines of a script are answered.

INTERRUPTION = re.compile(r"\s*(?:#\s*interrupt|stop)\s*", re.IGNORECASE)


class QuitError(Exception):
    """The end of the session; the text is the last reply."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a handler may use while it works.

    cancel  set when the command should answer soon, with the results so far
    show    sends a block of text before the reply
    """

    cancel: Flag = field(default_factory=Flag)
    show: Callable[[str], None] = lambda _text: None


RequestHandler: TypeAlias = Callable[[Request, Call], str]


class _Inbox:
    """Lines read by a separate thread, each with the flag that interrupts its command."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines
        self._queue: queue.SimpleQueue[tuple[str, Flag] | None] = queue.SimpleQueue()
        self._flags: deque[Flag] = deque()  # of lines not answered yet
        self._lock = threading.Lock()

    def start(self) -> None:
        threading.Thread(target=self._read, name="gtp input", daemon=True).start()

    def next(self) -> tuple[str, Flag] | None:
        """Wait for the next line and its flag; return None at the end."""
        return self._queue.get()

    def finish_line(self) -> None:
        """Drop the flag of the last line from `next`, which is answered."""
        with self._lock:
            self._flags.popleft()

    def _read(self) -> None:
        try:
            for line in self._lines:
                self._receive(line)
        finally:
            self._queue.put(None)

    def _receive(self, line: str) -> None:
        with self._lock:
            if INTERRUPTION.fullmatch(line):
                for flag in self._flags:
                    flag.set()
                return
            flag = Flag()
            self._flags.append(flag)
        self._queue.put((line, flag))


def serve(
    lines: Iterable[str],
    write: Callable[[str], None],
    handle: RequestHandler,
    *,
    debug: bool = False,
) -> None:
    """Answer the commands of all lines, until the end or `QuitError`.

    `handle` reports failures by CommandError. Any other exception is a defect: the reply is an
    internal error, `debug` prints the traceback to stderr, and the loop continues. Exceptions
    of `write` end the loop.
    """
    inbox = _Inbox(lines)
    inbox.start()
    while (item := inbox.next()) is not None:
        line, flag = item
        try:
            is_last = _answer(
                line, Call(flag, lambda text: write(block(text))), write, handle, debug
            )
        finally:
            inbox.finish_line()
        if is_last:
            return


def _answer(
    line: str,
    call: Call,
    write: Callable[[str], None],
    handle: RequestHandler,
    debug: bool,  # noqa: FBT001
) -> bool:
    """Answer a line if it has a command; return whether it was the last."""
    if len(line) > LONGEST_LINE:
        write(reply("", "line too long", is_success=False))
        return False
    command = request(line)
    if command is None:
        return False
    try:
        with stopping(call.cancel):
            text, is_success = handle(command, call), True
    except QuitError as end:
        write(reply(command.id, str(end)))
        return True
    except CommandError as error:
        text, is_success = str(error), False
    except Stopped:
        text, is_success = "stopped", False
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - one defect must not end the session
        if debug:
            traceback.print_exc(file=sys.stderr)
        text, is_success = f"internal error: {type(error).__name__}: {error}", False
    write(reply(command.id, text, is_success=is_success))
    return False
