"""What is learned from: chunks of games."""

import gzip
from pathlib import Path

from kept_format import Kept, Mutate

from hsearch.hex.board import Board
from player.study.learning_games import (
    ChunkError,
    ChunkFolder,
    SelfPlayRun,
    read_chunk,
    run,
    samples_of,
)

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
        ("player/study/learning_games", "player/study/learning_games"),
        _made_chunk,
        lambda path: samples_of(read_chunk(path)),
        (ChunkError,),
        _packed_anew,
    ),
)
