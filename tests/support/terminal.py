"""A command in a terminal of its own."""

import os
import pty
import re
import select
import subprocess
import sys
import time

from places import ROOT

PATIENCE = 60  # seconds, in which kernels may have to be compiled


class Terminal:
    """A command in a terminal; what it prints is read as it comes.

    `program` runs it, where the fixture of that name is at hand; else a new Python does.
    """

    def __init__(self, *arguments, program=None):
        self.master, slave = pty.openpty()
        command = [sys.executable, "-m", "player.cli"] if program is None else [program]
        self.process = subprocess.Popen(  # noqa: S603 - our own command
            [*command, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "xterm", "PYTHONPATH": str(ROOT)},
            close_fds=True,
        )
        os.close(slave)
        self.seen, self.read = "", 0

    def until(self, *texts):
        """Read on until one of the texts comes; return all up to it."""
        deadline = time.monotonic() + PATIENCE
        pattern = re.compile("|".join(map(re.escape, texts)))
        while not (match := pattern.search(self.seen, self.read)):
            rest = self.seen[self.read :]
            assert time.monotonic() < deadline, f"never saw {texts} in {rest!r}"
            if not select.select([self.master], [], [], 1)[0]:
                continue
            try:
                chunk = os.read(self.master, 65536).decode(errors="replace")
            except OSError:
                raise AssertionError(f"ended before {texts}: {rest!r}") from None
            self.seen += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", chunk)
        start, self.read = self.read, match.end()
        return self.seen[start : self.read]

    def say(self, line, *texts):
        """Type a line and read on until one of the texts comes."""
        os.write(self.master, f"{line}\n".encode())
        return self.until(*texts)

    def end(self):
        """Press Ctrl-D; return the exit status."""
        os.write(self.master, b"\x04")
        return self.process.wait(PATIENCE)

    def close(self):
        """End the process, whatever it does."""
        self.process.kill()
        self.process.wait()
        os.close(self.master)
