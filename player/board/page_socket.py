"""The socket of a page: a welcome, then questions, each answered under its id.

The first message must contain the token or a ticket. Cookies and headers do not count, so no
other site can speak for the page. The first message of a guest opens one seat of a game of hidden
stones instead: that page gets no token and may ask about its seat only.

A question is an object with an `id` and a `kind`. The reply is an `answer`, an `error` or
`cancelled` with the same id, perhaps after `progress`. The kind `cancel` cancels another question,
its `job`.
"""

import asyncio
import hashlib
import sys
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Event
from typing import Any, TypeAlias

from starlette.websockets import WebSocket, WebSocketDisconnect

from hsearch.formats import strict
from hsearch.version import __version__
from player.board.asked import GUEST, KINDS, LARGE, SMALL
from player.board.desk import Desk
from player.board.guard import OWN, Hello, Keys, Visitors
from player.board.threads import BoardJob, BusyError, CancelledError, Lane, Threads
from player.console.command import one_line
from player.engine.levels import LEVELS, Level

MOST_JOBS = 6  # of a page at once, trifles not counted
MOST_TRIFLES = 16
PATIENCE = 10.0  # seconds for the first message
REFUSED, TOO_MANY = 4401, 4429  # codes with which a socket is closed

Message: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class QuestionHead:
    """The fields of every question; `job` is the id of the question to `cancel`."""

    id: int
    kind: str
    job: int = -1


class PageSocket:
    """A socket and the jobs of its page. Holds state."""

    def __init__(
        self,
        socket: WebSocket,
        desk: Desk,
        threads: Threads,
        keys: Keys,
        visitors: Visitors | None = None,
    ) -> None:
        """Take a socket before it is accepted; with `visitors`, the page is a stranger's."""
        self._visitors = visitors
        self._allowance = OWN if visitors is None else visitors.allowance
        self._lane_locks: dict[Lane, asyncio.Lock] = {}
        self._departure = None if visitors is None else Event()
        self.last_question = time.monotonic()  # time of the last question
        self._socket, self._desk, self._threads, self._keys = socket, desk, threads, keys
        self._outgoing: asyncio.Queue[str] = asyncio.Queue()
        self._unread = 0  # characters not sent yet
        self._is_read = asyncio.Event()
        self._jobs: dict[int, tuple[Lane, BoardJob]] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self.is_guest = False

    async def is_welcome(self) -> bool:
        """Return whether the first message has a valid key; if not, close the socket."""
        with suppress(RuntimeError, WebSocketDisconnect):  # the page has gone already
            await self._socket.accept()
            if await self._has_key():
                return True
            await self.close(REFUSED, "not the token of this run")
        return False

    async def close(self, code: int, reason: str) -> None:
        """Close the socket, unless it is closed already."""
        with suppress(RuntimeError, WebSocketDisconnect):
            await self._socket.close(code, reason)

    async def serve(self) -> None:
        """Answer an admitted page until it disconnects; then cancel all its jobs."""
        if self._visitors is not None:
            first = _first(self._desk)
            first["warnings"].append(self._visitors.words)
            self._send({"kind": "welcome", "visitor": True, **first})
        elif self.is_guest:
            self._send({"kind": "welcome", "version": __version__, "guest": True})
        else:
            self._send({"kind": "welcome", "token": self._keys.token, **_first(self._desk)})
        writer = asyncio.create_task(self._write())
        try:
            while True:
                while self._unread > self._allowance.unread:
                    self._is_read.clear()
                    await self._is_read.wait()
                await self._receive(await self._text())
        except WebSocketDisconnect:
            pass
        finally:
            self.cancel_all()
            writer.cancel()
            if self._departure is not None:
                self._departure.set()

    def cancel_all(self) -> None:
        """Cancel all jobs."""
        for number in [*self._jobs]:
            self._cancel(number)

    def _cancel(self, number: int) -> None:
        """Cancel a job; one that has not begun leaves its queue at once."""
        _, job = self._jobs[number]
        job.cancel.set()
        if not self._threads.has_begun(job):
            self._tasks[number].cancel()

    async def _text(self) -> str:
        """Return the next message. Raise WebSocketDisconnect if the page has gone or sent bytes."""
        try:
            return await self._socket.receive_text()
        except KeyError:  # it sent bytes
            raise WebSocketDisconnect from None

    async def _has_key(self) -> bool:
        try:
            text = await asyncio.wait_for(self._text(), PATIENCE)
            hello = strict.read(_check_length(text, SMALL), Hello)
        except (ValueError, WebSocketDisconnect, TimeoutError):
            return False
        if self._visitors is not None or self._keys.admits(hello):
            return True
        self.is_guest = self._desk.dark.admits(hello.invitation, hello.game, hello.key)
        return self.is_guest

    async def _write(self) -> None:
        """Send the queued messages, in order, until the socket is closed."""
        try:
            while True:
                text = await self._outgoing.get()
                await self._socket.send_text(text)
                self._unread -= len(text)
                self._is_read.set()
        except (WebSocketDisconnect, RuntimeError):  # it was closed meanwhile
            self.cancel_all()
            self._unread = 0
            self._is_read.set()

    def _send(self, message: Message) -> None:
        if message["kind"] == "progress" and self._unread > self._allowance.unread:
            return
        text = strict.write(message, ensure_ascii=False)
        self._unread += len(text)
        self._outgoing.put_nowait(text)

    async def _receive(self, text: str) -> None:
        """Start the job of a message, or reply with the error in it."""
        try:
            text = _without_halves(text)
            head = _head(text)
        except ValueError as error:
            self._send({"id": None, "kind": "error", "message": str(error)})
            return
        if head.kind == "cancel":
            if head.job in self._jobs:
                self._cancel(head.job)
            return
        self.last_question = time.monotonic()
        try:
            work, lane, job = self._work(head, text)
        except ValueError as error:
            self._send({"id": head.id, "kind": "error", "message": str(error)})
            return
        self._jobs[head.id] = lane, job
        self._tasks[head.id] = asyncio.create_task(self._answer(head.id, job, work, lane))
        await asyncio.sleep(0)  # let it begin: a task cancelled before would not answer

    def _work(self, head: QuestionHead, text: str) -> tuple[Callable[[], Message], Lane, BoardJob]:
        """Return the work, lane and job of a question. Raise ValueError if it is not allowed."""
        kind = KINDS.get(head.kind)
        if kind is None:
            raise ValueError(f"not a kind of question: {head.kind[:40]!r}")
        if self.is_guest and head.kind not in GUEST:
            raise ValueError("an invitation opens its seat, and nothing else here")
        if self._allowance.kinds is not None and head.kind not in self._allowance.kinds:
            raise ValueError(f"{head.kind}: not for visitors; hsearch board on your machine has it")
        _check_length(text, min(kind.most, self._allowance.characters))
        if head.id in self._jobs:
            raise ValueError(f"the id {head.id} is in use")
        is_trifle = kind.lane == "trifle"
        most = MOST_TRIFLES if is_trifle else MOST_JOBS
        if sum((lane == "trifle") == is_trifle for lane, _ in self._jobs.values()) >= most:
            raise ValueError(f"{most} questions are being answered: wait, or cancel one")
        desk, loop, number = self._desk, asyncio.get_running_loop(), head.id

        def tell(progress: Message) -> None:
            message = {"id": number, "kind": "progress", **progress}
            loop.call_soon_threadsafe(self._send, message)

        seconds = self._allowance.seconds_of(head.kind)
        job = BoardJob(tell, seconds=seconds, departure=self._departure)

        def work() -> Message:
            fields, answer = kind.load()
            return answer(desk, job, strict.read(text, fields))

        return work, kind.lane, job

    async def _answer(
        self, number: int, job: BoardJob, work: Callable[[], Message], lane: Lane
    ) -> None:
        try:
            self._check_memory(lane)
            async with self._lane_lock(lane):
                answer = await self._threads.run(job, work, lane)
            message = {"id": number, "kind": "answer", "answer": answer}
        except (CancelledError, asyncio.CancelledError):
            message = {"id": number, "kind": "cancelled"}
            if job.over.is_set():
                reason = f"stopped after {job.seconds:g} seconds, the most for a visitor's question"
                message = {"id": number, "kind": "error", "message": reason}
        except ValueError as error:
            message = {"id": number, "kind": "error", "message": str(error)}
        except Exception as error:  # noqa: BLE001 - a defect must not end the server
            what = one_line(f"{type(error).__name__}: {error}")  # it may quote a visitor
            sys.stderr.write(f"hsearch: {what}\n")
            message = {"id": number, "kind": "error", "message": f"a fault of hsearch: {what}"}
        finally:
            del self._jobs[number], self._tasks[number]
        self._send(message)

    def _check_memory(self, lane: Lane) -> None:
        """Free memory and raise BusyError if it is full and a visitor asks for work."""
        if self._visitors is not None and lane != "trifle" and self._visitors.is_full():
            self._desk.forget()
            raise BusyError("its memory is full", 10)

    def _lane_lock(self, lane: Lane) -> AbstractAsyncContextManager[Any]:
        """Return a lock, with which a visitor's questions of a lane are answered one at a time."""
        if self._visitors is None:
            return nullcontext()
        return self._lane_locks.setdefault(lane, asyncio.Lock())


def _without_halves(text: str) -> str:
    """Return a message with a question mark for each half of a surrogate pair.

    A browser has such halves in texts that were pasted, and escapes them; JSON may not contain
    them. Raise ValueError if the message is not JSON.
    """
    if "\\ud" not in text:
        return text
    message, _ = strict.decode(text, 0)
    return strict.write(message, ensure_ascii=False).encode(errors="replace").decode()


def _head(text: str) -> QuestionHead:
    """Return the head of a question. Raise ValueError if the message has none.

    A question that is too long has one: its page waits for a reply with its id.
    """
    try:
        return strict.read(text, QuestionHead)
    except ValueError:
        _check_length(text, LARGE)  # the length is the better reason
        raise


def _check_length(text: str, most: int) -> str:
    """Return a message unchanged. Raise ValueError if it is too long."""
    if len(text) > most:
        raise ValueError(f"a message of {len(text)} characters: at most {most}")
    return text


def _first(desk: Desk) -> Message:
    return {
        "version": __version__,
        "build": build(),
        "game": desk.first,
        "warnings": list(desk.warnings),
        "levels": [level_object(level) for level in LEVELS],
    }


@cache
def build() -> str:
    """Return a hash of the program: a page drops what it has stored under another one."""
    rooms = Path(__file__).parents[1], Path(strict.__file__).parents[1]
    paths = (file for room in rooms for file in room.rglob("*"))
    files = sorted(file for file in paths if file.suffix in {".py", ".js"})
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def level_object(level: Level) -> Message:
    """Return a level as a JSON object for the page."""
    return {
        "spec": level.spec,
        "title": level.title,
        "gain": level.gain,
        "gains": {str(side): gain for side, gain in level.gains.items()},
    }
