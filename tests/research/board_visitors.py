"""Load a public board with visitors: waiting times, refusals and memory.

    python tests/research/board_visitors.py [VISITORS [SECONDS [OPTIONS ...]]]

Starts `hsearch board --public` with the options. VISITORS, by default 50, arrive within ten
seconds. Each steps through a London 2000 game from its start, one move a second like a reader, and
has every position analyzed; after ten moves it also requests the review. It runs for SECONDS, by
default 60, and prints the seconds from question to answer by kind, the refusals, and the server's
peak memory, with the load of the machine before and after.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from urllib.parse import urlsplit

import psutil
from websockets.asyncio.client import connect

from hsearch import formats
from hsearch.hex.game import Game
from player.answers.objects import position_object
from player.board.records import page_record

GAMES = sorted(Path("positions/games").glob("london-2000-*.sgf"))
REVIEW_AFTER = 10  # moves


async def main(visitors: int, seconds: float, options: list[str]) -> None:
    """Serve, load, and print."""
    words = ["-m", "player.cli", "board", "--public", "--no-open", "--port", "0", *options]
    server = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True)  # noqa: ASYNC220, S603
    assert server.stdout is not None
    site, before = urlsplit(server.stdout.readline().strip()).netloc, os.getloadavg()[0]
    waits: dict[str, list[float]] = defaultdict(list)
    refusals, peak = Counter[str](), 0
    games = [formats.load(path) for path in GAMES]
    until = time.monotonic() + seconds
    tasks = [
        asyncio.create_task(
            _visit(site, games[number % len(games)], 10 * number / visitors, until, waits, refusals)
        )
        for number in range(visitors)
    ]
    while not all(task.done() for task in tasks):
        peak = max(peak, psutil.Process(server.pid).memory_info().rss)
        await asyncio.sleep(0.2)
    server.terminate()
    print(f"{visitors} visitors, {seconds:g} s, {os.cpu_count()} cores, load", end=" ")  # noqa: T201
    print(f"{before:.1f} before, {os.getloadavg()[0]:.1f} after")  # noqa: T201
    for kind, times in waits.items():
        cut = statistics.quantiles(times, n=20) if len(times) > 1 else times * 19
        print(f"{kind}: {len(times)} answers, median {cut[9]:.2f} s, 95 % {cut[18]:.2f} s")  # noqa: T201
    print(f"refused: {dict(refusals)}; peak memory {peak / 1e6:.0f} MB")  # noqa: T201
    for task in tasks:
        task.result()


async def _visit(
    site: str,
    game: Game,
    pause: float,
    until: float,
    waits: dict[str, list[float]],
    refusals: Counter[str],
) -> None:
    """Step through a game until the time is up."""
    await asyncio.sleep(pause)
    async with connect(f"ws://{site}/socket", origin=f"http://{site}") as socket:  # type: ignore[arg-type]
        await socket.send("{}")
        await socket.recv()
        asked: dict[int, tuple[str, float]] = {}
        number = 0

        async def ask(kind: str, **fields: object) -> None:
            """Send a question, and store its kind and time."""
            nonlocal number
            number += 1
            asked[number] = kind, time.monotonic()
            await socket.send(json.dumps({"id": number, "kind": kind, **fields}))

        async def hear(least: int) -> None:
            while len(asked) > least:
                message = json.loads(await socket.recv())
                if message["kind"] == "progress":
                    continue
                kind, begin = asked.pop(message["id"])
                if message["kind"] == "answer":
                    waits[kind].append(time.monotonic() - begin)
                else:
                    refusals[f"{kind}: {message['message'].partition(';')[0]}"] += 1
                if kind == "analyze":
                    return

        ply = 0
        while time.monotonic() < until:
            position = game.position(ply % (len(game.moves) + 1))
            await ask("analyze", position=position_object(position))
            if ply == REVIEW_AFTER:
                await ask("review", game=page_record(game))
            await hear(0)
            ply += 1
            await asyncio.sleep(1)
        await hear(0)


if __name__ == "__main__":
    given = sys.argv[1:3]
    count, length = *given, *("50", "60")[len(given) :]
    asyncio.run(main(int(count), float(length), sys.argv[3:]))
