"""Answer commands one after another, and hear an interruption meanwhile.

One thread reads. The line `# interrupt`, or `stop` alone, is not queued: it
sets the flags of all commands that have come and are not answered yet. The end
of the input is queued like a command, so that a script is answered to its last
line.
"""

import queue
import re
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from player.gtp.framing import CommandError, Request, block, reply, request
from player.gtp.lines import LONGEST_LINE

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

    cancel: threading.Event = field(default_factory=threading.Event)
    show: Callable[[str], None] = _ignore


Handler: TypeAlias = Callable[[Request, Call], str]


class _Inbox:
    """Lines read by a thread of their own, each with the flag that interrupts it."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines
        self._queue: queue.SimpleQueue[tuple[str, threading.Event] | None] = queue.SimpleQueue()
        self._flags: deque[threading.Event] = deque()  # of lines not answered yet
        self._lock = threading.Lock()

    def start(self) -> None:
        threading.Thread(target=self._read, name="gtp input", daemon=True).start()

    def next(self) -> tuple[str, threading.Event] | None:
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
            flag = threading.Event()
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
    asked = request(line)
    if asked is None:
        return False
    try:
        text, is_success = handle(asked, call), True
    except QuitError as end:
        write(reply(asked.id, str(end)))
        return True
    except CommandError as error:
        text, is_success = str(error), False
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - one defect must not end the session
        if debug:
            traceback.print_exc(file=sys.stderr)
        text, is_success = f"internal error: {type(error).__name__}: {error}", False
    write(reply(asked.id, text, is_success=is_success))
    return False
