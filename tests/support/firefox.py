"""Start Firefox as Playwright does, and answer the emulation requests it does not support.

Playwright uses WebDriver BiDi with an installed Firefox, and requests emulations that the
long-term release lacks, such as a color scheme. As a program, this module starts Firefox with its
arguments behind a proxy that answers those requests without any effect.
"""

import asyncio
import json
import os
import re
import shutil
import stat
import sys
from contextlib import suppress
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

FIREFOX = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
LISTENS = re.compile(r"(WebDriver BiDi listening on ws://127\.0\.0\.1:)(\d+)")


def starter(folder: Path) -> Path:
    """Write a program that starts Firefox into a folder; return its path."""
    file = folder / "firefox"
    file.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{__file__}" "$@"\n')
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file


async def _pass_on(page: ServerConnection, port: int) -> None:
    """Forward messages between page and Firefox; an unsupported emulation has no effect."""
    emulations: set[int] = set()
    path = page.request.path if page.request else "/session"
    async with connect(f"ws://127.0.0.1:{port}{path}", max_size=None) as firefox:

        async def there() -> None:
            async for text in page:
                question = json.loads(text)
                if question["method"].startswith("emulation."):
                    emulations.add(question["id"])
                await firefox.send(text)
            await firefox.close()

        async def back() -> None:
            async for text in firefox:
                answer = json.loads(text)
                is_unknown = answer.get("error") == "unknown command"
                if is_unknown and answer["id"] in emulations:
                    answer = {"type": "success", "id": answer["id"], "result": {}}
                await page.send(json.dumps(answer))
            await page.close()

        await asyncio.gather(there(), back())


async def _run(arguments: list[str]) -> int:
    """Start Firefox, and print the proxy's port in place of Firefox's."""
    assert FIREFOX is not None
    process = await asyncio.create_subprocess_exec(
        FIREFOX, *arguments, stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    servers = []
    while line := (await process.stderr.readline()).decode(errors="replace"):
        if match := LISTENS.search(line):
            port = int(match[2])
            server = await serve(
                lambda page, port=port: _pass_on(page, port), "127.0.0.1", 0, max_size=None
            )
            servers.append(server)
            own = server.sockets[0].getsockname()[1]
            line = LISTENS.sub(rf"\g<1>{own}", line)
        sys.stderr.write(line)
        sys.stderr.flush()
    return await process.wait()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        sys.exit(asyncio.run(_run(sys.argv[1:])))
