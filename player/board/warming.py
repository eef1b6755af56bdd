"""Compile for boards of other sizes while nobody asks for anything.

A set of cells takes one to six words of 64 bits, and what finds connections is
compiled for each number of words on its own. That is done in a process of the lowest
priority, which does not hold up the server's loop; what it compiles lies in the
folder of kernels then, where the server finds it.
"""

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Protocol

from hsearch.board import Board, Color
from hsearch.files import strict
from hsearch.game import Game
from hsearch.position import Position
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.kinds import KINDS
from player.board.records import record_object
from player.report.objects import position_object

SIDES = (11, 13, 14, 7, 16, 19)  # of boards, one for each number of words
REST = 10.0  # seconds without a question after which nobody is taken to wait


class Compiler(Protocol):
    """A process that compiles, as asyncio has them."""

    @property
    def returncode(self) -> int | None:
        """Exit status; None while it works."""

    def kill(self) -> None:
        """End it."""

    async def wait(self) -> int:
        """Wait until it has ended."""


async def compiler() -> Compiler:
    """Start a process that compiles for all sizes what is not compiled yet."""
    none = subprocess.DEVNULL
    words = sys.executable, "-m", "player.board.warming", str(os.getpid())
    return await asyncio.create_subprocess_exec(*words, stdin=none, stdout=none, stderr=none)


@contextlib.asynccontextmanager
async def warming(
    rest: Callable[[], float], start: Callable[[], Awaitable[Compiler]] = compiler
) -> AsyncIterator[None]:
    """Compile once `rest` says that nobody has asked for so many seconds; end that at the end."""
    task = asyncio.create_task(_warm(rest, start))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _warm(rest: Callable[[], float], start: Callable[[], Awaitable[Compiler]]) -> None:
    while True:
        left = REST - rest()
        if left <= 0:
            break
        await asyncio.sleep(left)
    process = await start()
    try:
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()


def positions(side: int) -> Iterator[Position]:
    """Yield a position in which all is open, and one in which Black is proved to win."""
    board = Board(side, side)
    chain = (move for row in range(2, side) for move in (f"c{row}", f"a{row}"))
    yield Game.of(board, ["a3", "c3", "d2", "b4"]).position()
    yield Game.of(board, list(chain)).position(turn=Color.WHITE)


def ask_all(side: int) -> None:
    """Ask what the page asks of a position."""
    desk = Desk(record_object(Game(Board(side, side))))
    for position in positions(side):
        text = strict.write({"position": position_object(position)})
        for kind in ("analyze", "links", "explain"):
            question, answer = KINDS[kind].load()
            with contextlib.suppress(ValueError):  # nothing is proved that it could explain
                answer(desk, BoardJob(lambda _told: None), strict.read(text, question))


def main() -> None:
    """Compile, size by size, while the process that asked for it is there."""
    if hasattr(os, "nice"):
        os.nice(19)
    parent = int(sys.argv[1])
    for side in SIDES:
        if os.getppid() == parent:
            ask_all(side)


if __name__ == "__main__":
    main()
