"""Training data: games, in chunks and as arrays."""

import gzip
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from stored_dark import repacked
from stored_format import Mutate, StoredFormat

from hsearch.hex.board import Board
from player.study.cycle import (
    PER_WEIGHT,
    Accuracy,
    CycleSettings,
    Generation,
    read_state,
    record_of,
    write_state,
)
from player.study.fitting import FitError, FitSettings, shapes_of
from player.study.learning_games import (
    ChunkError,
    ChunkFolder,
    SelfPlayRun,
    read_chunk,
    run,
    samples_of,
)
from player.study.side_by_side import GamesError, PlaySettings, SeatTable, read_games, write_games
from player.study.side_by_side import samples_of as samples_of_arrays

RUN = SelfPlayRun((Board(4, 4),), 3, 20, 1)


def _made_chunk(path: Path) -> None:
    folder = ChunkFolder(path.with_name("games"))
    run(RUN, folder)
    path.write_bytes(folder.path_of(0).read_bytes())


def _packed_anew(content: bytes, mutate: Mutate) -> bytes:
    return gzip.compress(mutate(gzip.decompress(content)))


def _made_arrays(path: Path) -> None:
    """Write games on 3x3 by a net that gives all moves the same probability."""
    table, games = SeatTable(3, 4, PlaySettings(simulations=4, weighed=2), [1]), None
    logits, values = np.zeros((4, 9), np.float32), np.zeros(4, np.float32)
    with ThreadPoolExecutor(1) as pool:
        while games is None:
            games = table.advance(logits, values, np.zeros((4, 9), np.int8), pool, 1)
    write_games(path, games, {})


CYCLE = CycleSettings({3: 2}, fit=FitSettings(blocks=1, channels=8))


def _made_cycle(path: Path) -> None:
    known = Accuracy(0.5, 0.75, 2.0, 0.625)
    generation = Generation(1, 3, 20, 1.5, 0.5, by_learner=False, before=known, start=known, loss=2)
    arrays = {
        f"{kind}.{name}": np.ones(shape, np.float32)
        for kind in PER_WEIGHT
        for name, shape in shapes_of(CYCLE.fit).items()
    }
    write_state(path, record_of(CYCLE, None, [generation]), arrays | {"steps": np.array([7])})


LEARNED: tuple[StoredFormat, ...] = (
    StoredFormat(
        "chunk of games",
        ("player/study/learning_games", "player/study/learning_games"),
        _made_chunk,
        lambda path: samples_of(read_chunk(path)),
        (ChunkError,),
        _packed_anew,
    ),
    StoredFormat(
        "games as arrays",
        ("player/study/side_by_side",),
        _made_arrays,
        lambda path: samples_of_arrays(read_games(path)),
        (GamesError,),
        repacked,
    ),
    StoredFormat(
        "state of a cycle",
        ("player/study/cycle",),
        _made_cycle,
        lambda path: read_state(path, CYCLE, None),
        (FitError,),
        repacked,
    ),
)
