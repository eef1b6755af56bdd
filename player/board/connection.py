"""One page's socket: a word of welcome, then questions, each answered under its id.

The first message brings the token or a ticket; nothing else does, no cookie and
no header, so that no other site can speak for the page. A guest's brings what opens one seat of
a game of hidden stones: such a page gets no token, and may ask about that seat alone.

A question is an object with an `id` and a `kind`. It gets one `answer` or `error` with
its id, maybe `progress` before; `cancel` with the id of another gives that up.
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
from typing import Any, TypeAlias

from starlette.websockets import WebSocket, WebSocketDisconnect

from hsearch.formats import strict
from hsearch.version import __version__
from player.board.asked import GUEST, KINDS, LARGE, SMALL
from player.board.desk import Desk
from player.board.guard import Hello, Keys
from player.board.threads import OWN, BoardJob, BusyError, CancelledError, Lane, Threads, Visitors
from player.engine.levels import LEVELS, Level

MOST_JOBS = 6  # of a page at once, trifles apart
MOST_TRIFLES = 16
PATIENCE = 10.0  # seconds for the first message
MOST_UNREAD = 8_000_000  # characters of answers; a page that reads no more is asked no more
REFUSED, TOO_MANY = 4401, 4429  # why a socket is closed, for the page

Message: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class QuestionHead:
    """Fields that every question has; `job` is the id of the one that `cancel` means."""

    id: int
    kind: str
    job: int = -1


class PageSocket:
    """A socket and the jobs of its page; it holds state."""

    def __init__(
        self,
        socket: WebSocket,
        desk: Desk,
        threads: Threads,
        keys: Keys,
        visitors: Visitors | None = None,
    ) -> None:
        """Take a socket that is not accepted yet; with `visitors` it is a stranger's."""
        self._visitors = visitors
        self._allowance = OWN if visitors is None else visitors.allowance
        self._turns: dict[Lane, asyncio.Lock] = {}  # a visitor's questions of a lane take turns
        self.asked = time.monotonic()  # when it asked last
        self._socket, self._desk, self._threads, self._keys = socket, desk, threads, keys
        self._outgoing: asyncio.Queue[str] = asyncio.Queue()
        self._unread = 0  # characters in it
        self._is_read = asyncio.Event()
        self._jobs: dict[int, tuple[Lane, BoardJob]] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self.is_guest = False

    async def is_welcome(self) -> bool:
        """Return whether the first message has a key; else the socket is closed."""
        with suppress(RuntimeError, WebSocketDisconnect):  # it has gone already
            await self._socket.accept()
            if await self._has_key():
                return True
            await self.close(REFUSED, "not the token of this run")
        return False

    async def close(self, code: int, reason: str) -> None:
        """Close the socket, unless it is closed."""
        with suppress(RuntimeError, WebSocketDisconnect):
            await self._socket.close(code, reason)

    async def serve(self) -> None:
        """Answer a page that is welcome until it is gone; then nothing of its work goes on."""
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
                while self._unread > min(MOST_UNREAD, self._allowance.unread):
                    self._is_read.clear()
                    await self._is_read.wait()
                await self._receive(await self._socket.receive_text())
        except (WebSocketDisconnect, KeyError):  # KeyError: it sent bytes
            pass
        finally:
            self.cancel_all()
            writer.cancel()

    def cancel_all(self) -> None:
        """Give up all that is under way."""
        for number in [*self._jobs]:
            self._cancel(number)

    def _cancel(self, number: int) -> None:
        """Give up a job; one whose turn has not come makes room at once."""
        _, job = self._jobs[number]
        job.cancel.set()
        if not self._threads.has_begun(job):
            self._tasks[number].cancel()

    async def _has_key(self) -> bool:
        try:
            text = await asyncio.wait_for(self._socket.receive_text(), PATIENCE)
            hello = strict.read(_bounded(text, SMALL), Hello)
        except (ValueError, KeyError, WebSocketDisconnect, TimeoutError):
            return False
        if self._visitors is not None or self._keys.admits(hello):
            return True
        self.is_guest = self._desk.dark.admits(hello.invitation, hello.game, hello.key)
        return self.is_guest

    async def _write(self) -> None:
        """Send what there is to send, in order, while anyone listens."""
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
        if message["kind"] == "progress" and self._unread > min(
            MOST_UNREAD, self._allowance.unread
        ):
            return
        text = strict.write(message, ensure_ascii=False)
        self._unread += len(text)
        self._outgoing.put_nowait(text)

    async def _receive(self, text: str) -> None:
        """Take one message; report whatever is wrong with it, and no more than that."""
        try:
            head = strict.read(_bounded(text, LARGE), QuestionHead)
        except ValueError as error:
            self._send({"id": None, "kind": "error", "message": str(error)})
            return
        if head.kind == "cancel":
            if head.job in self._jobs:
                self._cancel(head.job)
            return
        self.asked = time.monotonic()
        try:
            work, lane, job = self._work(head, text)
        except ValueError as error:
            self._send({"id": head.id, "kind": "error", "message": str(error)})
            return
        self._jobs[head.id] = lane, job
        self._tasks[head.id] = asyncio.create_task(self._answer(head.id, job, work, lane))
        await asyncio.sleep(0)  # a task that is cancelled before it begins would answer nothing

    def _work(self, head: QuestionHead, text: str) -> tuple[Callable[[], Message], Lane, BoardJob]:
        """Return what answers a question. Raise ValueError when it is none, or one too many."""
        kind = KINDS.get(head.kind)
        if kind is None:
            raise ValueError(f"no kind of question: {head.kind[:40]!r}")
        if self.is_guest and head.kind not in GUEST:
            raise ValueError("an invitation opens its seat, and nothing else here")
        if self._allowance.kinds is not None and head.kind not in self._allowance.kinds:
            raise ValueError(f"{head.kind}: not for visitors; hsearch board on your machine has it")
        _bounded(text, min(kind.most, self._allowance.characters))
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

        job = BoardJob(tell, seconds=self._allowance.seconds_of(head.kind))

        def work() -> Message:
            fields, answer = kind.load()
            return answer(desk, job, strict.read(text, fields))

        return work, kind.lane, job

    async def _answer(
        self, number: int, job: BoardJob, work: Callable[[], Message], lane: Lane
    ) -> None:
        try:
            async with self._turn(lane):
                answer = await self._threads.run(job, work, lane)
            message = {"id": number, "kind": "answer", "answer": answer}
        except (CancelledError, asyncio.CancelledError):
            message = {"id": number, "kind": "cancelled"}
            if job.over.is_set():
                reason = f"stopped after {job.seconds:g} seconds, the most for a visitor's question"
                message = {"id": number, "kind": "error", "message": reason}
        except ValueError as error:
            message = {"id": number, "kind": "error", "message": str(error)}
        except Exception as error:  # noqa: BLE001 - a fault of ours must not end the server
            what = f"{type(error).__name__}: {error}"
            sys.stderr.write(f"hsearch: {what}\n")
            message = {"id": number, "kind": "error", "message": f"a fault of hsearch: {what}"}
        finally:
            del self._jobs[number], self._tasks[number]
        self._send(message)

    def _turn(self, lane: Lane) -> AbstractAsyncContextManager[Any]:
        """Wait until a visitor's question before this one is answered, and for memory."""
        if self._visitors is None:
            return nullcontext()
        if lane != "trifle" and self._visitors.is_full():
            self._desk.forget()
            raise BusyError("its memory is full", 10)
        return self._turns.setdefault(lane, asyncio.Lock())


def _bounded(text: str, most: int) -> str:
    """Return a message as it is; raise ValueError when it is too long."""
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
    """Return a name for this state of the program: what a page has kept of another one is stale."""
    rooms = Path(__file__).parents[1], Path(strict.__file__).parents[1]
    found = (file for room in rooms for file in room.rglob("*"))
    files = sorted(file for file in found if file.suffix in {".py", ".js"})
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def level_object(level: Level) -> Message:
    """Return a level as the page lists it."""
    return {
        "spec": level.spec,
        "title": level.title,
        "gain": level.gain,
        "gains": {str(side): gain for side, gain in level.gains.items()},
    }
