"""Who may talk to the server: nobody but the page that it serves itself, and whoever has a key."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from hmac import compare_digest
from threading import Lock

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Guard of the server: nobody but the page that it serves itself may talk to it.
#
# A page of another site can make a browser send requests here, and can let its
# own name point to 127.0.0.1. So the Host must be just ours, and the Origin of a
# socket one of ours; neither is ever compared with the other.

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
_METHODS = {"GET", "HEAD"}
_OWN_SITES = {"same-origin", "none"}


@dataclass(frozen=True, slots=True)
class Guard:
    """Hands a request through to `app` if it comes from the page; refuses it otherwise.

    hosts      what the Host of a request may be, each with its port
    names      what it may be besides, of a board for visitors, by http or by a proxy's https
    is_public  whether links of other sites may open the page; there is no key to be misused then
    """

    app: ASGIApp
    hosts: frozenset[str]
    names: frozenset[str] = frozenset()
    is_public: bool = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request of HTTP, or take one socket."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        fault = self._fault(scope, headers)
        if scope["type"] == "websocket":
            if fault is None:
                await self.app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008, "reason": fault})
            return
        answer = self.app if fault is None else PlainTextResponse(f"{fault}\n", status_code=403)
        await answer(scope, receive, _with_headers(send))

    def _fault(self, scope: Scope, headers: Headers) -> str | None:
        """Return why a request is refused; None if it is not."""
        if headers.get("host") not in self.hosts | self.names:
            return "this is not an address of the board"
        origins = headers.getlist("origin")
        own = origins_of(self.hosts | self.names) | {f"https://{name}" for name in self.names}
        is_ours = all(origin in own for origin in origins)
        if scope["type"] == "websocket":
            return None if origins and is_ours else "a socket for the board's own page only"
        if scope["method"] not in _METHODS:
            return "nothing can be sent here"
        is_link = self.is_public and headers.get("sec-fetch-mode") == "navigate"
        if is_ours and is_link and headers.get("sec-fetch-dest") == "document":
            return None
        if not is_ours or headers.get("sec-fetch-site", "none") not in _OWN_SITES:
            return "for the board's own page only: type or paste its address"
        return None


def hosts_of(names: Iterable[str], port: int) -> frozenset[str]:
    """Return what the Host of a request may be, for names and addresses of this machine."""
    return frozenset(f"[{name}]:{port}" if ":" in name else f"{name}:{port}" for name in names)


def origins_of(hosts: Iterable[str]) -> frozenset[str]:
    """Return what the Origin of a request may be."""
    return frozenset(f"http://{host}" for host in hosts)


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return send_with_headers


# Keys that let a page in: the token of this run, or a ticket, which does so once.
#
# Whoever is invited to a seat of a game of hidden stones has neither: the invitation opens that
# seat and nothing else, and so does the key of the seat, when that page comes back.
#
# A browser is started with its address on a command line, which everybody on the
# machine can read. So that address has a ticket; the page that brings it gets the
# token in exchange, and whoever reads it later has nothing.


@dataclass(frozen=True, slots=True)
class Hello:
    """A page's first message: a token or a ticket; or, of a guest, what opens a seat.

    invitation  to a seat of a game of hidden stones that nobody has taken yet
    game, key   of a seat that was taken
    """

    token: str = ""
    ticket: str = ""
    invitation: str = ""
    game: str = ""
    key: str = ""


class Keys:
    """The token, and the tickets that nobody has used. Threads may share it."""

    def __init__(self, token: str) -> None:
        """Take a token; there is no ticket yet."""
        self.token = token
        self._tickets: set[str] = set()
        self._lock = Lock()

    def ticket(self) -> str:
        """Return a new ticket."""
        ticket = secrets.token_urlsafe(24)
        with self._lock:
            self._tickets.add(ticket)
        return ticket

    def admits(self, hello: Hello) -> bool:
        """Return whether a page may come in. Its ticket is used up then."""
        if compare_digest(hello.token.encode(), self.token.encode()):
            return True
        with self._lock:
            for ticket in self._tickets:
                if compare_digest(hello.ticket.encode(), ticket.encode()):
                    self._tickets.remove(ticket)
                    return True
        return False
