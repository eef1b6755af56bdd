"""Bind, tell the address, and serve until interrupted."""

import ipaddress
import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass

import uvicorn

from player.board.app import app
from player.board.desk import Desk
from player.board.guard import hosts_of
from player.board.keys import Keys
from player.board.kinds import LARGE

FIRST_PORT = 8765
_ONE = "name one address, by which the page is reached"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class AddressError(ValueError):
    """An address that cannot be served from."""


@dataclass(frozen=True, slots=True)
class ServedPage:
    """A socket that listens, and the addresses of the page there."""

    socket: socket.socket
    host: str
    port: int
    keys: Keys

    @property
    def address(self) -> str:
        """Address to type into a browser; it holds as long as the server runs."""
        return f"{self._site}?token={self.keys.token}"

    def address_once(self) -> str:
        """Return an address that opens the page once: what others read of it later is void."""
        return f"{self._site}?ticket={self.keys.ticket()}"

    @property
    def _site(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/"

    @property
    def hosts(self) -> frozenset[str]:
        """Values that the Host of a request may have."""
        names = {*_LOOPBACK, self.host} if is_loopback(self.host) else {self.host}
        return hosts_of(names, self.port)


def bind(host: str, port: int | None) -> ServedPage:
    """Listen on a port, by default the first free one; raise AddressError if it cannot be.

    An address that stands for all of a machine's is refused: the page must know
    by which name it is reached.
    """
    if not host:
        raise AddressError(f"{host}: {_ONE}")
    ports = range(FIRST_PORT, FIRST_PORT + 10) if port is None else (port,)
    taken: OSError | None = None
    for candidate in (*ports, *((0,) if port is None else ())):
        try:
            listening = _listening(host, candidate)
        except OSError as error:
            taken = error
            continue
        number = listening.getsockname()[1]
        return ServedPage(listening, host, number, Keys(secrets.token_urlsafe(24)))
    assert taken is not None  # noqa: S101 - one port at least was tried
    what = f"port {port} of {host}" if port is not None else host
    raise AddressError(f"{what}: {taken.strerror or taken}")


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def server(bound: ServedPage, desk: Desk, started: Callable[[], None]) -> uvicorn.Server:
    """Return what serves until interrupted; `started` is called once the page can be opened."""
    config = uvicorn.Config(
        app(desk, bound.keys, bound.hosts),
        log_level="error",
        access_log=False,
        server_header=False,
        ws_max_size=LARGE,
        timeout_graceful_shutdown=1,
    )
    return _Server(config, started)


def serve(bound: ServedPage, desk: Desk, started: Callable[[], None]) -> None:
    """Serve until interrupted."""
    server(bound, desk, started).run(sockets=[bound.socket])


class _Server(uvicorn.Server):
    """A server that says when it has started."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._started()


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        # As the system reads it: "0" and "0x0" are all addresses, too.
        address = ipaddress.ip_address(listening.getsockname()[0])
        if (getattr(address, "ipv4_mapped", None) or address).is_unspecified:
            raise AddressError(f"{host}: {_ONE}")  # noqa: TRY301 - closed below
        listening.listen()
    except (OSError, AddressError):
        listening.close()
        raise
    return listening
