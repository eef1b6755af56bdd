"""Access to the server: requests from its own page only, and sockets with a key."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from hmac import compare_digest
from threading import Lock

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# A page of another site can make the browser send requests here, and its domain can
# resolve to 127.0.0.1 (DNS rebinding). So the Host must be one of ours, and so must the
# Origin of a socket; it is not enough that they are equal.

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
    """Passes a request on to `app` if it comes from the page; refuses it otherwise.

    hosts      allowed values of the Host header, with the port
    names      more of them, for a board for visitors, by http or by the https of a proxy
    is_public  whether links on other sites may open the page; then there is no key to misuse
    """

    app: ASGIApp
    hosts: frozenset[str]
    names: frozenset[str] = frozenset()
    is_public: bool = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request, or accept one socket."""
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
    """Return the allowed values of the Host header, for names and addresses of this machine."""
    return frozenset(f"[{name}]:{port}" if ":" in name else f"{name}:{port}" for name in names)


def origins_of(hosts: Iterable[str]) -> frozenset[str]:
    """Return the allowed values of the Origin header."""
    return frozenset(f"http://{host}" for host in hosts)


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return send_with_headers


# Keys that admit a page: the token of this run, or a ticket, which is valid once.
#
# A person who is invited to a seat of a game of hidden stones has neither: the invitation,
# or later the key of the seat, opens that seat and nothing else.
#
# The command line that starts a browser contains the address, and every user of the
# machine can read it. So that address has a ticket, which the page exchanges for the
# token; after that the ticket is void.


@dataclass(frozen=True, slots=True)
class Hello:
    """A page's first message: a token or a ticket; from a guest, access to a seat.

    invitation  to an open seat of a game of hidden stones
    game, key   the game and the key of a seat that the guest has taken
    """

    token: str = ""
    ticket: str = ""
    invitation: str = ""
    game: str = ""
    key: str = ""


class Keys:
    """The token and the unused tickets. Threads may share it."""

    def __init__(self, token: str) -> None:
        """Take the token; begin without tickets."""
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
        """Return whether a page is admitted; use up its ticket."""
        if compare_digest(hello.token.encode(), self.token.encode()):
            return True
        with self._lock:
            for ticket in self._tickets:
                if compare_digest(hello.ticket.encode(), ticket.encode()):
                    self._tickets.remove(ticket)
                    return True
        return False
