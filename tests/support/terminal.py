"""Run a command in a terminal of its own."""

import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from fcntl import ioctl

import psutil
from clock import spent
from places import ROOT

PATIENCE = 300  # seconds; kernels may have to be compiled on a busy machine


class Terminal:
    """A command in a terminal; its output is read as it arrives.

    The fixture `program` runs it if given; else a new Python does, with `settings` in its
    environment. `silence` is the most processor seconds so far that a new Python took without any
    output, `compiling` the most while the last line on the screen counts kernels.
    """

    def __init__(self, *arguments, program=None, columns=None, settings=None, patience=PATIENCE):
        self.master, slave = pty.openpty()
        if columns is not None:
            ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        command = [sys.executable, "-m", "player.cli"] if program is None else [program]
        # In a worker of pytest, COLUMNS is the width of pytest's terminal.
        kept = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        self.process = subprocess.Popen(  # noqa: S603 - our own command
            [*command, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**kept, "TERM": "xterm", "PYTHONPATH": str(ROOT), **(settings or {})},
            close_fds=True,
        )
        os.close(slave)
        self.seen, self.read, self.patience = "", 0, patience
        self.silence = self.compiling = 0.0

    def until(self, *texts):
        """Read until one of the texts arrives; return all output up to it."""
        taken = self.spent()
        deadline = time.monotonic() + self.patience
        pattern = re.compile("|".join(map(re.escape, texts)))
        while not (match := pattern.search(self.seen, self.read)):
            rest = self.seen[self.read :]
            assert time.monotonic() < deadline, f"never saw {texts} in {rest!r}"
            if not select.select([self.master], [], [], 1)[0]:
                continue
            before, taken = taken, self.spent()
            if "compiling kernels" in re.split(r"[\r\n]", self.seen)[-1]:
                self.compiling = max(self.compiling, taken - before)
            else:
                self.silence = max(self.silence, taken - before)
            try:
                chunk = os.read(self.master, 65536).decode(errors="replace")
            except OSError:
                raise AssertionError(f"ended before {texts}: {rest!r}") from None
            self.seen += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", chunk)
        start, self.read = self.read, match.end()
        return self.seen[start : self.read]

    def spent(self):
        """Return the processor seconds of the program so far; 0 once it has ended."""
        try:
            return spent(self.process)
        except psutil.NoSuchProcess:
            return 0.0

    def say(self, line, *texts):
        """Type a line and read until one of the texts arrives."""
        os.write(self.master, f"{line}\n".encode())
        return self.until(*texts)

    def end(self):
        """Press Ctrl-D; return the exit status."""
        os.write(self.master, b"\x04")
        return self.process.wait(PATIENCE)

    def close(self):
        """End the process, whatever its state."""
        self.process.kill()
        self.process.wait()
        os.close(self.master)
