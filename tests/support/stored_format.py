"""The description of a format that is written and read again, for the tests that damage it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from click.testing import CliRunner

from player.cli import main

Mutate = Callable[[bytes], bytes]
BOMB = bytes(100_000_000)


@dataclass(frozen=True)
class StoredFormat:
    """A file format.

    name     name of the format
    writers  the modules that write such files, as paths without `.py`
    make     writes a valid file
    read     reads a file as the commands do
    errors   what the reader may raise
    inner    damages what a checksum or a packing covers, and makes that fit again
    command  a command that reads the file, and its input
    """

    name: str
    writers: tuple[str, ...]
    make: Callable[[Path], None]
    read: Callable[[Path], object]
    errors: tuple[type[Exception], ...]
    inner: Callable[[bytes, Mutate], bytes] | None = None
    command: Callable[[Path], tuple[list[str], str]] | None = None

    @cache  # noqa: B019 - there are few, and they live as long as the tests
    def sample(self, folder: Path) -> bytes:
        """Return the content of a valid file."""
        path = folder / re.sub(r"\W+", "-", self.name)
        self.make(path)
        return path.read_bytes()


def cli(*words: str, typed: str = "") -> str:
    """Return the output of a command, which must succeed."""
    done = CliRunner().invoke(main, list(words), input=typed)
    assert done.exit_code == 0, done.output
    return done.stdout
