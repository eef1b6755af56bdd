"""Keys that let a page in: the token of this run, or a ticket, which does so once.

Whoever is invited to a seat of a game of hidden stones has neither: the invitation opens that
seat and nothing else, and so does the key of the seat, when that page comes back.

A browser is started with its address on a command line, which everybody on the
machine can read. So that address has a ticket; the page that brings it gets the
token in exchange, and whoever reads it later has nothing.
"""

import secrets
from dataclasses import dataclass
from hmac import compare_digest
from threading import Lock


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
