"""The folder of a run of self-play: a file a chunk, named by its number.

    000000.games.gz, 000001.games.gz, ...

What a chunk holds hangs on the settings, the seed and its number alone, so a run
that was killed goes on with the numbers that are missing, and several that use
other seeds or nets go into folders of their own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hsearch.files.held import held
from hsearch.files.whole import write_whole
from player.learn.chunk import Chunk, ChunkError, pack, read_chunk

SUFFIX = ".games.gz"


class ChunkFolderError(ValueError):
    """A folder that is in use, or holds something else."""


class ChunkFolder:
    """A folder of chunks, which need not be there yet."""

    def __init__(self, path: Path) -> None:
        """Look at it. Raise ChunkFolderError when there is a file of that name."""
        if path.exists() and not path.is_dir():
            raise ChunkFolderError(f"{path}: not a folder")
        self.path = path

    @contextmanager
    def held(self) -> Iterator[None]:
        """Make the folder if need be, and keep other processes from adding chunks meanwhile.

        Raise ChunkFolderError when one does so already, and OSError when it cannot be written.
        """
        with held(self.path, doing="plays into", error=ChunkFolderError):
            yield

    @property
    def numbers(self) -> list[int]:
        """The numbers of the chunks that are there, in order."""
        names = [path.name.removesuffix(SUFFIX) for path in self.path.glob(f"*{SUFFIX}")]
        numbers = (int(name) for name in names if name.isascii() and name.isdecimal())
        return sorted({each for each in numbers if self.path_of(each).exists()})

    def path_of(self, number: int) -> Path:
        """Return where a chunk is, or would be."""
        return self.path / f"{number:06}{SUFFIX}"

    def add(self, chunk: Chunk) -> None:
        """Write a chunk whole. Raise OSError when the disk does not take it."""
        write_whole(self.path_of(chunk.origin.number), pack(chunk))

    def chunks(self) -> Iterator[Chunk]:
        """Read all chunks, in the order of their numbers.

        Raise ChunkError, naming the file, where one is damaged or is not what its name says.
        """
        for number in self.numbers:
            path = self.path_of(number)
            chunk = read_chunk(path)
            if chunk.origin.number != number:
                raise ChunkError(f"{path}: chunk {chunk.origin.number}, not {number}")
            yield chunk
