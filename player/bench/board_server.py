"""A board that is served to the benchmark: a process of its own, as for a person."""

import importlib.util
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from hsearch.files import strict

NEEDED = ("starlette", "uvicorn", "websockets")
LACKS = "the rows of the board need its extra: pip install 'hsearch[board]'"
WORD = 30.0  # seconds in which a socket says something


def lacks() -> str:
    """Return what is not installed that a board needs; empty if nothing is."""
    return "" if all(map(importlib.util.find_spec, NEEDED)) else LACKS


class Served:
    """A server under way, and the address that it has printed. Ends with `close`."""

    def __init__(self, **environment: str) -> None:
        """Start it, with what is to be changed in its environment."""
        command = [sys.executable, "-m", "player.cli", "board", "--no-open", "--port", "0"]
        self._process = subprocess.Popen(  # noqa: S603 - this program
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | environment,
        )
        assert self._process.stdout is not None  # noqa: S101 - for the type checker
        self.address = self._process.stdout.readline().strip()

    def megabytes(self) -> float:
        """Return how much memory the server holds, where the system tells."""
        status = Path(f"/proc/{self._process.pid}/status")
        if not status.exists():
            return float("nan")
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024

    def close(self) -> None:
        """End the server."""
        self._process.terminate()
        self._process.communicate()


@dataclass
class Talk:
    """A page's side of the socket, without a page. Holds state."""

    socket: Any
    last: int = 0
    heard: dict[int | None, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def with_(cls, served: Served, held: ExitStack) -> "Talk":
        """Come in as the page does; when `held` is closed, go, and end the server."""
        from websockets.sync.client import connect  # noqa: PLC0415 - of an extra

        site = urlsplit(served.address)
        (token,) = parse_qs(site.query)["token"]
        held.callback(served.close)
        origin = {"Origin": f"http://{site.netloc}"}
        socket = connect(
            f"ws://{site.netloc}/socket", additional_headers=origin, max_size=None, proxy=None
        )
        held.callback(socket.close)
        socket.send(strict.write({"token": token}))
        socket.recv(WORD)
        return cls(socket)

    def send(self, kind: str, **fields: Any) -> int:
        """Ask, and return the id."""
        self.last += 1
        self.socket.send(strict.write({"id": self.last, "kind": kind, **fields}))
        return self.last

    def hear(self, number: int) -> dict[str, Any]:
        """Return the answer to a question."""
        while number not in self.heard:
            message = strict.read(self.socket.recv(20 * WORD), dict[str, Any])
            if message["kind"] != "progress":
                self.heard[message["id"]] = message
        return self.heard.pop(number)

    def progress(self, patience: float) -> dict[str, Any] | None:
        """Return the next progress of any question; None if there is none for this many seconds."""
        end = time.monotonic() + patience
        while (left := end - time.monotonic()) > 0:
            try:
                message = strict.read(self.socket.recv(left), dict[str, Any])
            except TimeoutError:
                return None
            if message["kind"] == "progress":
                return message
            self.heard[message["id"]] = message
        return None

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Return the answer to a question. Raise RuntimeError when it is an error."""
        message = self.hear(self.send(kind, **fields))
        if message["kind"] != "answer":
            raise RuntimeError(f"{kind}: {message}")
        answer: dict[str, Any] = message["answer"]
        return answer
