"""The server as an application: the page's files, and the sockets of its tabs."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import Mount, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from player.board.connection import TOO_MANY, Connection
from player.board.desk import Desk
from player.board.guard import Guard
from player.board.keys import Keys
from player.board.threads import Threads
from player.board.warming import warming

STATIC = Path(__file__).parent / "static"
MOST_CONNECTIONS = 8  # pages with a key, and as many guests; who has none takes no place of theirs
MOST_STRANGERS = 64


def app(desk: Desk, keys: Keys, hosts: frozenset[str]) -> ASGIApp:
    """Return the application. `hosts` is what the Host of a request may be."""
    threads = Threads()
    connections: set[Connection] = set()
    strangers: dict[Connection, None] = {}  # that have brought no key yet, the oldest first

    async def socket(websocket: WebSocket) -> None:
        connection = Connection(websocket, desk, threads, keys)
        strangers[connection] = None
        if len(strangers) > MOST_STRANGERS:
            await next(iter(strangers)).close(TOO_MANY, "it said nothing, and others wait")
        try:
            is_welcome = await connection.is_welcome()
        finally:
            del strangers[connection]
        alike = sum(other.is_guest == connection.is_guest for other in connections)
        if is_welcome and alike >= MOST_CONNECTIONS:
            await connection.close(TOO_MANY, f"{MOST_CONNECTIONS} tabs are open already")
        elif is_welcome:
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
    return Guard(Starlette(routes=routes, lifespan=lifespan), hosts)
