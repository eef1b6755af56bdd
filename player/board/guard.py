"""Access to the server: its address, requests from its page, keys, limits for visitors."""

import contextlib
import ipaddress
import os
import secrets
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from hmac import compare_digest
from math import inf
from threading import Lock

import psutil
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


# A board for visitors: the questions that strangers may ask, and their share of the machine.
#
# Each visitor has limits: seconds for a question, after which its work is stopped; one question of
# a lane at a time, while its others wait apart; short messages; few unread answers.
# The queue of all visitors is bounded: if it is full, the answer is "busy", with the time to wait.

# Not KINDS, so that a new kind is not open to strangers by oversight. Games of hidden stones are
# left out because the server holds few. None of these reads or writes a file that a visitor names.
_KINDS = """
    analyze explain follow links connections moves openings policy shipped graph solve prove
    verify review hint odds turn puzzle read states write
"""
KINDS_OF_VISITORS = frozenset(_KINDS.split())
WHOLE_GAMES = {"graph": 3, "review": 3}  # factors on the seconds of a question
IDLE = 120.0  # seconds without a question after which a visitor makes room for another


@dataclass(frozen=True, slots=True)
class Allowance:
    """Limits of a page.

    seconds     of work on a question, which is stopped then
    kinds       kinds of questions that it may ask; None for all
    characters  of a question
    unread      characters of unread answers, beyond which no more questions are received
    """

    seconds: float = inf
    kinds: frozenset[str] | None = None
    characters: int = 4 * 1024 * 1024
    unread: int = 8_000_000

    def seconds_of(self, kind: str) -> float:
        """Return the seconds for a question of a kind."""
        return self.seconds * WHOLE_GAMES.get(kind, 1)


@dataclass(frozen=True, slots=True)
class Visitors:
    """Limits of a board that is open to strangers.

    names      the names of the board, each NAME or NAME:PORT
    most       visitors at once
    seconds    of work on a question
    workers    threads for long questions, and as many for short ones
    waiting    questions that may wait in each lane
    megabytes  of memory beyond which the server drops analyses and proofs, and answers "busy"
    """

    names: tuple[str, ...] = ()
    most: int = 64
    seconds: float = 10.0
    workers: int = 1
    waiting: int = 50
    megabytes: int = 2000

    @property
    def allowance(self) -> Allowance:
        """The limits of one visitor."""
        return Allowance(self.seconds, KINDS_OF_VISITORS, 256 * 1024, 1_000_000)

    def hosts(self, port: int) -> frozenset[str]:
        """Return the allowed values of the Host header: the names, with the port and without."""
        plain = {f"{name}:{port}" for name in self.names if ":" not in name}
        return frozenset({*self.names, *plain})

    @property
    def words(self) -> str:
        """The limits in a sentence, for the page."""
        return (
            f"This board is open to visitors: at most {self.seconds:g} seconds a question, "
            f"one long question at a time."
        )

    def is_full(self) -> bool:
        """Return whether the server uses more memory than `megabytes`."""
        return bool(psutil.Process().memory_info().rss > self.megabytes * 1_000_000)


OWN = Allowance()  # of the pages of the person who started the server


# The address of the page, and the socket that listens there.

FIRST_PORT = 8765
_ONE = "name one address, by which the page is reached"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class AddressError(ValueError):
    """An address that cannot be served from."""


@dataclass(frozen=True, slots=True)
class ServedPage:
    """A listening socket, and the addresses of its page."""

    socket: socket.socket
    host: str
    port: int
    keys: Keys

    def address_for(self, visitors: Visitors) -> str:
        """Return the address for visitors, by a name of the board if it has one, without a key."""
        hosts = sorted(visitors.hosts(self.port), key=lambda host: (":" not in host, host))
        return f"http://{hosts[0]}/" if hosts else self._site

    @property
    def address(self) -> str:
        """The address to type into a browser, valid while the server runs."""
        return f"{self._site}?token={self.keys.token}"

    def address_once(self) -> str:
        """Return an address that opens the page once: others who read it cannot use it again."""
        return f"{self._site}?ticket={self.keys.ticket()}"

    @property
    def _site(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/"

    @property
    def hosts(self) -> frozenset[str]:
        """The allowed values of the Host header."""
        names = {*_LOOPBACK, self.host} if is_loopback(self.host) else {self.host}
        return hosts_of(names, self.port)


def bind(host: str, port: int | None, *, is_named: bool = False) -> ServedPage:
    """Listen on a port, by default the first free one. Raise AddressError if that fails.

    An address that means all addresses of the machine is refused, because the allowed Hosts
    must be known; `is_named` if the visitors' names give them.
    """
    if not host:
        raise AddressError(f"{host}: {_ONE}")
    if not host.isprintable():  # such as a lone surrogate, which cannot be encoded
        raise AddressError(f"{host!r}: not the name of a machine")
    ports = range(FIRST_PORT, FIRST_PORT + 10) if port is None else ()
    for candidate in ports:
        with contextlib.suppress(OSError):
            return _page_at(host, candidate, is_named=is_named)
    try:
        return _page_at(host, port or 0, is_named=is_named)
    except OSError as error:
        what = f"port {port} of {host}" if port is not None else host
        raise AddressError(f"{what}: {error.strerror or error}") from None


def _page_at(host: str, port: int, *, is_named: bool) -> ServedPage:
    """Listen on a port, 0 for any free one. Raise OSError if that fails."""
    listening = _listening(host, port, is_named=is_named)
    number = listening.getsockname()[1]
    return ServedPage(listening, host, number, Keys(secrets.token_urlsafe(24)))


def is_loopback(host: str) -> bool:
    """Return whether an address is reachable from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _listening(host: str, port: int, *, is_named: bool) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # on Windows another program could take the same port with it
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        # Check the address that the system made of it: "0" and "0x0" mean all addresses, too.
        address = ipaddress.ip_address(listening.getsockname()[0])
        is_any = (getattr(address, "ipv4_mapped", None) or address).is_unspecified
        if is_any and not is_named:
            raise AddressError(f"{host}: {_ONE}")  # noqa: TRY301 - closed below
        listening.listen()
    except (OSError, AddressError):
        listening.close()
        raise
    return listening
