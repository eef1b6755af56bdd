"""The server: the page's files, the sockets of its tabs, and compiling while it is idle.

`guard` beside it has the address where it listens, and decides who is admitted.
"""

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Protocol

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from hsearch.formats import strict
from hsearch.hex import Board, Color, Game, Position
from player.answers.objects import position_object
from player.board.asked import KINDS, LARGE
from player.board.desk import Desk
from player.board.guard import IDLE, Guard, Keys, ServedPage, Visitors
from player.board.page_socket import TOO_MANY, PageSocket
from player.board.records import record_object
from player.board.threads import BoardJob, Threads
from player.console.command import INTERRUPTED, end_at_once
from player.variants.base import ALTERNATING

STATIC = Path(__file__).parent / "static"
MOST_CONNECTIONS = 8  # pages with a key, and as many guests
MOST_STRANGERS = 64  # sockets that have not sent a key yet


def app(
    desk: Desk,
    keys: Keys,
    hosts: frozenset[str],
    visitors: Visitors | None = None,
    names: frozenset[str] = frozenset(),
    threads: Threads | None = None,
) -> ASGIApp:
    """Return the application; `hosts` are the allowed values of the Host header.

    With `visitors` it admits strangers, by `names` too, and no other pages.
    """
    threads = threads or Threads(visitors)
    connections: set[PageSocket] = set()
    strangers: dict[PageSocket, None] = {}  # sockets without a key yet, the oldest first

    async def socket(websocket: WebSocket) -> None:
        connection = PageSocket(websocket, desk, threads, keys, visitors)
        strangers[connection] = None
        if len(strangers) > MOST_STRANGERS:
            await next(iter(strangers)).close(TOO_MANY, "it sent nothing, and others wait")
        try:
            is_welcome = await connection.is_welcome()
        finally:
            del strangers[connection]
        if not is_welcome:
            return
        if visitors is not None and len(connections) >= visitors.most:
            await _idlest_leaves(connections)
        alike = sum(other.is_guest == connection.is_guest for other in connections)
        if visitors is not None and alike >= visitors.most:
            await connection.close(TOO_MANY, f"{visitors.most} visitors are here: come back later")
        elif visitors is None and alike >= MOST_CONNECTIONS:
            await connection.close(
                TOO_MANY, f"{MOST_CONNECTIONS} tabs are open already: close one and reload"
            )
        else:
            connections.add(connection)
            try:
                await connection.serve()
            finally:
                connections.discard(connection)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with contextlib.AsyncExitStack() as stack:
            if (start := desk.start) is not None:
                threads.warm(lambda: desk.analyses.of(start))
                await stack.enter_async_context(warming(threads.rest))
            yield
        for connection in connections:
            connection.cancel_all()
        threads.close()

    routes = [
        WebSocketRoute("/socket", socket),
        Mount("/", StaticFiles(directory=STATIC, html=True)),
    ]
    site = Starlette(routes=routes, lifespan=lifespan)
    return Guard(site, hosts, names, is_public=visitors is not None)


async def _idlest_leaves(connections: set[PageSocket]) -> None:
    """Close the visitor that has been idle longest, if it has been idle for `IDLE` seconds."""
    idlest = min(connections, key=lambda each: each.last_question)
    if time.monotonic() - idlest.last_question >= IDLE:
        connections.discard(idlest)
        idlest.cancel_all()
        reason = "you asked nothing for a while, and others wait: reload the page"
        await idlest.close(TOO_MANY, reason)


# Compile for boards of other sizes while the server is idle.
#
# A set of cells takes one to six words of 64 bits, and the kernels of H-search are
# compiled for each number of words. A process of the lowest priority does that, so it
# does not hold up the server's loop, which later finds the kernels in their folder.

SIDES = (11, 13, 14, 7, 16, 19)  # of boards, one for each number of words
ENGINES = ("level:5", "level:7", "level:12")  # together they use the kernels of all levels
REST = 10.0  # seconds without a question after which the server is idle


class Compiler(Protocol):
    """A process that compiles; the part of `asyncio.subprocess.Process` used here."""

    @property
    def returncode(self) -> int | None:
        """Exit status; None while it runs."""

    def kill(self) -> None:
        """Kill it."""

    async def wait(self) -> int:
        """Wait until it has ended."""


async def compiler() -> Compiler:
    """Start a process that compiles the missing kernels for all sizes."""
    none = subprocess.DEVNULL
    words = sys.executable, "-P", "-m", "player.board.serve", str(os.getpid())
    return await asyncio.create_subprocess_exec(*words, stdin=none, stdout=none, stderr=none)


@contextlib.asynccontextmanager
async def warming(
    rest: Callable[[], float], start: Callable[[], Awaitable[Compiler]] = compiler
) -> AsyncIterator[None]:
    """Compile once `rest` returns `REST` seconds or more; stop when the block ends."""
    task = asyncio.create_task(_warm(rest, start))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _warm(rest: Callable[[], float], start: Callable[[], Awaitable[Compiler]]) -> None:
    while True:
        pause = REST - rest()
        if pause <= 0:
            break
        await asyncio.sleep(pause)
    try:
        process = await start()
    except OSError:  # kernels are then compiled when they are needed
        return
    try:
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()  # else asyncio prints a warning when the loop is closed


def positions(side: int) -> Iterator[Position]:
    """Yield an open position, and one in which Black is proved to win."""
    board = Board(side, side)
    chain = (move for row in range(2, side) for move in (f"c{row}", f"a{row}"))
    yield Game.of(board, ["a3", "c3", "d2", "b4"]).position()
    yield Game.of(board, list(chain)).position(turn=Color.WHITE)


def ask_all(side: int) -> None:
    """Ask the page's questions about a position, and prepare the engines."""
    desk = Desk(record_object(Game(Board(side, side))))
    for position in positions(side):
        text = strict.write({"position": position_object(position)})
        for kind in ("analyze", "links", "explain"):
            fields, answer = KINDS[kind].load()
            with contextlib.suppress(ValueError):  # `explain` without a proof
                answer(desk, BoardJob(lambda _message: None), strict.read(text, fields))
    for spec in ENGINES:
        with desk.seats.of(spec, ALTERNATING, Board(side, side)):
            pass  # `of` prepares it


def main() -> None:
    """Compile, size by size, while the server that started this process runs."""
    if hasattr(os, "nice"):
        os.nice(19)
    parent = int(sys.argv[1])
    for side in SIDES:
        if os.getppid() == parent:
            ask_all(side)


if __name__ == "__main__":
    main()


# Serve until interrupted.


def server(
    page: ServedPage,
    desk: Desk,
    on_start: Callable[[], None],
    visitors: Visitors | None = None,
    threads: Threads | None = None,
) -> uvicorn.Server:
    """Return the server; it calls `on_start` once the page can be opened."""
    names = frozenset[str]() if visitors is None else visitors.hosts(page.port)
    config = uvicorn.Config(
        app(desk, page.keys, page.hosts, visitors, names, threads),
        log_level="error",
        access_log=False,
        server_header=False,
        ws_max_size=4 * (LARGE if visitors is None else visitors.allowance.characters),
        limit_concurrency=None if visitors is None else 8 * visitors.most,
        timeout_graceful_shutdown=1,
    )
    return _Server(config, on_start)


def serve(
    page: ServedPage, desk: Desk, on_start: Callable[[], None], visitors: Visitors | None = None
) -> None:
    """Serve until interrupted."""
    threads = Threads(visitors)
    end_at_once(lambda: threads.is_at_work or desk.seats.is_preparing, INTERRUPTED)
    server(page, desk, on_start, visitors, threads).run(sockets=[page.socket])


class _Server(uvicorn.Server):
    """A server that calls `on_start` when the page can be opened."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_start()
