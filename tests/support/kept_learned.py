"""What is learned from: chunks of games."""

import gzip
from pathlib import Path

from kept_format import Kept, Mutate

from hsearch.board import Board
from player.learn.chunk import ChunkError, read_chunk, samples_of
from player.learn.folder import ChunkFolder
from player.learn.play import SelfPlayRun, run

RUN = SelfPlayRun((Board(4, 4),), 3, 20, 1)


def _made_chunk(path: Path) -> None:
    folder = ChunkFolder(path.with_name("games"))
    run(RUN, folder)
    path.write_bytes(folder.path_of(0).read_bytes())


def _packed_anew(content: bytes, mutate: Mutate) -> bytes:
    return gzip.compress(mutate(gzip.decompress(content)))


LEARNED: tuple[Kept, ...] = (
    Kept(
        "chunk of games",
        ("player/learn/chunk", "player/learn/folder"),
        _made_chunk,
        lambda path: samples_of(read_chunk(path)),
        (ChunkError,),
        _packed_anew,
    ),
)
