"""A client for engines that speak the Go Text Protocol, each in a process of its own.

Knows no game. Whatever goes wrong on the other side, such as an end, a silence
or a reply that is none, becomes an `EngineError` that tells what the engine
wrote on stderr.
"""

import contextlib
import queue
import shlex
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterable
from types import TracebackType
from typing import IO, Self

STDERR_LINES = 20  # the last lines of stderr that a failure reports
LONGEST_LINE = 1_000_000
QUIT_SECONDS = 2.0


class EngineError(Exception):
    """An engine that cannot be played with any more: it ended, hangs or writes garbage."""


class RefusedError(Exception):
    """A command that the engine answered with a failure; the message is the engine's."""


class Client:
    """A running engine. Use it in a `with` block, which ends the process."""

    def __init__(self, command: str) -> None:
        """Start the engine; `command` is split as a shell would.

        Raise EngineError when it does not start.
        """
        self.command = command
        try:
            self._process = subprocess.Popen(  # noqa: S603 - running a given engine is the point
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
        except (OSError, ValueError, IndexError) as error:
            why = getattr(error, "strerror", None) or error
            raise EngineError(f"cannot start {command!r}: {why}") from error
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._threads = [
            threading.Thread(target=self._read_stdout, daemon=True),
            threading.Thread(target=self._read_stderr, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def send(self, *words: str, seconds: float | None = None) -> str:
        """Send a command and return the text of the reply, without waiting longer than that.

        Raise RefusedError when the engine says it failed, and EngineError when
        there is no reply. After an EngineError nothing more can be sent.
        """
        line = " ".join(words)
        deadline = None if seconds is None else time.monotonic() + seconds
        stdin = self._process.stdin
        assert stdin is not None  # noqa: S101 - it was asked for
        try:
            stdin.write(line + "\n")
            stdin.flush()
        except (OSError, ValueError):
            raise self._ended(line) from None
        return self._reply(line, deadline)

    def close(self) -> None:
        """End the engine: politely first, then by force."""
        process = self._process
        stdin = process.stdin
        if stdin is not None:
            with contextlib.suppress(OSError, ValueError):
                stdin.write("quit\n")
                stdin.flush()
            with contextlib.suppress(OSError, ValueError):
                stdin.close()
        try:
            process.wait(QUIT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for thread in self._threads:
            thread.join(QUIT_SECONDS)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()

    def _reply(self, command: str, deadline: float | None) -> str:
        first = self._line(command, deadline)
        while not first.strip():
            first = self._line(command, deadline)
        if first[0] not in "=?":
            message = f"{self.command!r} answered {command!r} with garbage: {first[:80]!r}"
            raise EngineError(message + self._said())
        lines = [first[1:].lstrip("0123456789").strip()]
        while line := self._line(command, deadline).rstrip():
            lines.append(line)
        text = "\n".join(lines).strip()
        if first[0] == "?":
            raise RefusedError(text or "failed without a message")
        return text

    def _line(self, command: str, deadline: float | None) -> str:
        try:
            wait = None if deadline is None else max(0.0, deadline - time.monotonic())
            line = self._lines.get(timeout=wait)
        except queue.Empty:
            raise EngineError(
                f"{self.command!r} did not answer {command!r} in time" + self._said()
            ) from None
        if line is None:
            raise self._ended(command)
        return line

    def _ended(self, command: str) -> EngineError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_SECONDS)
        self._threads[1].join(QUIT_SECONDS)
        code = self._process.returncode
        how = "closed its output" if code is None else f"ended with status {code}"
        return EngineError(f"{self.command!r} {how} at {command!r}" + self._said())

    def _said(self) -> str:
        return "; on stderr: " + " | ".join(self._stderr) if self._stderr else ""

    def _read_stdout(self) -> None:
        for line in _lines(self._process.stdout):
            self._lines.put(line)
        self._lines.put(None)

    def _read_stderr(self) -> None:
        for line in _lines(self._process.stderr):
            if line.strip():
                self._stderr.append(line.strip()[:500])


def _lines(stream: IO[str] | None) -> Iterable[str]:
    assert stream is not None  # noqa: S101 - it was asked for
    with contextlib.suppress(OSError, ValueError):
        while line := stream.readline(LONGEST_LINE):
            yield line
