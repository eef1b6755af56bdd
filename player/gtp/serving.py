"""Serve the Go Text Protocol: a line becomes a call, its answer a reply. It knows no game.

`request` and `serve` are the engine's side; `player.engine.external` is the other one. Two
programs named HexGui read these replies, one of them strictly, so the writer is stricter than
the protocol.
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

# A line to a command, and a text to a reply.
#
# A reply begins with `= ` or `? ` and ends with an empty line. An older HexGui
# takes `=\n\n`, with no blank, for an error, and both of them cut a reply at its
# first empty line and read the rest as the reply to the next command.

_WORD = re.compile(r'"([^"]*)"|(\S+)')
_COMMAND = re.compile(r"(?:([0-9]+)(?:\s+|$))?(.*)", re.DOTALL)
_EMPTY_LINES = re.compile(r"\n[^\S\n]*(?=\n)")


class CommandError(ValueError):
    """A command that is answered with a failure; the message is the reply."""


@dataclass(frozen=True, slots=True)
class Request:
    """A command as it was sent.

    id         the number before it, to be echoed; empty if there was none
    name       its name; empty if there is only a number
    arguments  the words after it, a quoted one as a whole
    """

    id: str
    name: str
    arguments: tuple[str, ...]


def request(line: str) -> Request | None:
    """Return the command in a line; None if there is none but blanks and a comment."""
    text = "".join(c for c in line.replace("\t", " ") if c >= " " and c != "\x7f")
    text = text.partition("#")[0].strip()
    if not text:
        return None
    match = _COMMAND.fullmatch(text)
    assert match is not None  # noqa: S101 - both of its parts may be empty
    name, _, rest = match[2].partition(" ")
    words = (quoted or bare for quoted, bare in _WORD.findall(rest))
    return Request(match[1] or "", name, tuple(words))


def reply(id: str, text: str, *, is_success: bool = True) -> str:  # noqa: A002 - the protocol's word
    """Return a reply as it is sent: one block without an empty line inside."""
    sign = "=" if is_success else "?"
    return f"{sign}{id} {_without_empty_lines(text)}\n\n"


def block(text: str) -> str:
    """Return a text that is sent before the reply, such as live graphics."""
    return f"{_without_empty_lines(text)}\n\n"


def _without_empty_lines(text: str) -> str:
    return _EMPTY_LINES.sub("", text.replace("\r", "")).rstrip()


# Lines of a file descriptor, as they arrive.
#
# Not `sys.stdin`: a thread that waits in its buffer would hold a lock that the
# interpreter needs when it ends.

LONGEST_LINE = 1_000_000
_CHUNK = 65536


def lines_of(descriptor: int) -> Iterator[str]:
    """Yield the lines, their ends taken off; of too long a line, its beginning.

    The last one need not be ended. Bytes that are not UTF-8 are replaced.
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
        return b""  # whoever has no input has reached its end


def _text(line: bytearray) -> str:
    return line[: LONGEST_LINE + 1].decode("utf-8", errors="replace").removesuffix("\r")


# The standard output, kept for replies.
#
# Whatever else prints, in Python or below it, would be taken for a reply. So its
# descriptor leads to stderr, and only the writer knows the true one.

_OUT, _ERR = 1, 2


@contextmanager
def private_stdout() -> Iterator[Callable[[str], None]]:
    """Yield what writes to the standard output at once; nothing else does meanwhile."""
    sys.stdout.flush()
    stdout, own = sys.stdout, os.dup(_OUT)
    _lead_elsewhere()
    sys.stdout = sys.stderr

    def write(text: str) -> None:
        data = text.encode("utf-8", errors="backslashreplace")
        while data:
            data = data[os.write(own, data) :]

    try:
        yield write
    finally:
        sys.stdout = stdout
        os.dup2(own, _OUT)
        os.close(own)


def _lead_elsewhere() -> None:
    try:
        os.dup2(_ERR, _OUT)
    except OSError:  # no stderr
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _OUT)
        os.close(nowhere)


# Answer commands one after another, and hear an interruption meanwhile.
#
# One thread reads. The line `# interrupt`, or `stop` alone, is not queued: it
# sets the flags of all commands that have come and are not answered yet. The end
# of the input is queued like a command, so that a script is answered to its last
# line.

INTERRUPTION = re.compile(r"\s*(?:#\s*interrupt|stop)\s*", re.IGNORECASE)


class QuitError(Exception):
    """A command after which no other is answered; the text is its reply."""


def _ignore(_text: str) -> None:
    """Show nothing, to nobody."""


@dataclass(frozen=True, slots=True)
class Call:
    """Means of a handler while it works.

    cancel  set when the command is to answer soon, with what it has
    show    sends a block of text before the reply
    """

    cancel: Flag = field(default_factory=Flag)
    show: Callable[[str], None] = _ignore


Handler: TypeAlias = Callable[[Request, Call], str]


class _Inbox:
    """Lines read by a thread of their own, each with the flag that interrupts it."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines
        self._queue: queue.SimpleQueue[tuple[str, Flag] | None] = queue.SimpleQueue()
        self._flags: deque[Flag] = deque()  # of lines not answered yet
        self._lock = threading.Lock()

    def start(self) -> None:
        threading.Thread(target=self._read, name="gtp input", daemon=True).start()

    def next(self) -> tuple[str, Flag] | None:
        """Return the next line and its flag, when there is one; None at the end."""
        return self._queue.get()

    def done(self) -> None:
        """Note that the line that came last from `next` was answered."""
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
    lines: Iterable[str], write: Callable[[str], None], handle: Handler, *, debug: bool = False
) -> None:
    """Answer the commands of all lines, until the end or a command to quit.

    `handle` fails with CommandError. Any other exception is a defect: it is
    answered as an internal error, its traceback goes to stderr with `debug`,
    and the next command is answered. What `write` raises ends the loop.
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
            inbox.done()
        if is_last:
            return


def _answer(
    line: str,
    call: Call,
    write: Callable[[str], None],
    handle: Handler,
    debug: bool,  # noqa: FBT001
) -> bool:
    """Answer a line if it is a command; return whether it was the last."""
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
