"""The page's side of the socket, without a browser: send questions and receive answers."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from hsearch.hex.board import Board
from hsearch.hex.game import Game
from player.board.desk import Desk
from player.board.guard import Keys, hosts_of
from player.board.records import record_object
from player.board.serve import app

TOKEN = "a token for tests"  # noqa: S105 - it opens nothing
HOSTS = hosts_of(("127.0.0.1", "localhost", "::1"), 8765)
ORIGIN = "http://127.0.0.1:8765"
SOCKET = "ws://127.0.0.1:8765/socket"


def empty_desk(side: int = 11, **shared: Any) -> Desk:
    """Return a desk with an empty board on it."""
    return Desk(record_object(Game(Board(side, side))), **shared)


@contextmanager
def client(desk: Desk | None = None, keys: Keys | None = None) -> Iterator[TestClient]:
    """Yield a client whose address the server accepts."""
    served = app(desk or empty_desk(), keys or Keys(TOKEN), HOSTS)
    with TestClient(served, base_url=ORIGIN) as found:
        yield found


class Page:
    """A page that the server has let in."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.progress: list[dict[str, Any]] = []
        self._id = 0
        self._heard: dict[int | None, dict[str, Any]] = {}

    def send(self, kind: str, **fields: Any) -> int:
        """Send a question without waiting for its answer; return its id."""
        self._id += 1
        self.socket.send_text(json.dumps({"id": self._id, "kind": kind, **fields}))
        return self._id

    def hear(self, number: int | None) -> dict[str, Any]:
        """Return the answer to a question, or the error; store progress messages."""
        while number not in self._heard:
            self._receive()
        return self._heard.pop(number)

    def _receive(self) -> None:
        message: dict[str, Any] = json.loads(self.socket.receive_text())
        if message["kind"] == "progress":
            self.progress.append(message)
        else:
            self._heard[message["id"]] = message

    def hear_progress(self) -> dict[str, Any]:
        """Return the next progress message of any question."""
        count = len(self.progress)
        while len(self.progress) == count:
            self._receive()
        return self.progress[-1]

    def ask(self, kind: str, **fields: Any) -> Any:
        """Return the answer to a question; fail on an error."""
        message = self.hear(self.send(kind, **fields))
        assert message["kind"] == "answer", message
        return message["answer"]

    def refusal(self, kind: str, **fields: Any) -> str:
        """Return the error message that a question gets."""
        message = self.hear(self.send(kind, **fields))
        assert message["kind"] == "error", message
        return str(message["message"])


@contextmanager
def page(found: TestClient) -> Iterator[Page]:
    """Yield a page that has sent the token."""
    with found.websocket_connect(SOCKET, headers={"origin": ORIGIN}) as socket:
        socket.send_text(json.dumps({"token": TOKEN}))
        assert json.loads(socket.receive_text())["kind"] == "welcome"
        yield Page(socket)


def sent_back(found):
    """Return a game as the page sends it back: without the fields that only the page draws."""
    drawn = ("marks", "state")
    nodes = [{k: v for k, v in node.items() if k not in drawn} for node in found["nodes"]]
    return {k: v for k, v in found.items() if k != "guessed"} | {"nodes": nodes}
