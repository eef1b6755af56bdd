"""Cached results: compiled kernels, fillings, windows."""

import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import numba
import numpy as np
import pytest
from stored_format import Mutate, StoredFormat

from hsearch.connect.window_answers import CacheError, CacheFile, WindowAnswer, _sum
from hsearch.connect.window_shape import STRIDE, Window
from hsearch.formats import strict
from hsearch.kernels.cache import kernel
from hsearch.kernels.folder import read_kept, write_kept
from player.cli import warm
from player.evaluate import exact
from player.evaluate.int8 import graph_of
from player.evaluate.net import random_net


def _increment(number):
    return number + 1


def _cached(folder: Path) -> tuple[Any, Path]:
    """Return a cached kernel, and its file in a folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numba.config, "CACHE_DIR", str(folder))
        compiled = kernel(_increment)
        compiled.compile((numba.int64,))
        return compiled, next(folder.rglob("*.kernel"))


def _made_kernel(path: Path) -> None:
    path.write_bytes(_cached(path.parent / "kernels")[1].read_bytes())


def _read_kernel(path: Path) -> object:
    compiled, file = _cached(path.parent / "kernels")
    content = file.read_bytes()
    file.write_bytes(path.read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numba.config, "CACHE_DIR", str(path.parent / "kernels"))
        cache = compiled._cache  # noqa: SLF001 - Numba has no public access
        found = cache.load_overload((numba.int64,), compiled.targetctx)
    file.write_bytes(content)
    return found


def _made_net(path: Path) -> None:
    pytest.importorskip("onnx", reason="a net in eight bits needs the extra fast")
    write_kept(path, graph_of(NET, 3, 4).SerializeToString())


def _read_net(path: Path) -> object:
    """Read a net in eight bits; a damaged one is ignored and made again."""
    return read_kept(path)


NET = random_net(1, 8, np.random.default_rng(5))
STATE = {"source": "of a time", "machine": "somewhere"}


def _made_note(path: Path) -> None:
    note = {**STATE, "kernels": 3, "runs": ["analyze --size 5 < "]}
    path.write_bytes(strict.write(note).encode())


def _read_note(path: Path) -> object:
    """Read the note; a damaged one is ignored."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(warm, "cache_folder", lambda: path.parent)
        patch.setattr(warm, "WARMED", path.name)
        return warm._complete_runs(STATE, 3)  # noqa: SLF001


WINDOWS = [Window(3 << STRIDE | n << 2 * STRIDE, 1 << 3 * STRIDE, 3) for n in range(1, 60)]


def _made_windows(path: Path) -> None:
    said = (True, False, None)
    CacheFile(path).put(
        (window, WindowAnswer(said[n % 3], 3 << STRIDE if n % 3 == 0 else 0, n))
        for n, window in enumerate(WINDOWS)
    )


def _read_windows(path: Path) -> object:
    """Read all windows that were stored, then every row, also of a window that was damaged."""
    file = CacheFile(path)
    found = [file.get(window) for window in WINDOWS]
    with file._connect() as rows:  # noqa: SLF001
        for row in rows.execute("SELECT window, joined, used, carrier, sum FROM answers"):
            file._answer(*row)  # noqa: SLF001
    return found


def _rewritten(content: bytes, mutate: Mutate) -> bytes:
    """Damage the rows, and correct the checksums where possible."""
    file = sqlite3.connect(":memory:")
    file.deserialize(content)
    rows = file.execute("SELECT id, window, joined, used, carrier FROM answers").fetchall()
    for number, window, joined, used, carrier in rows:
        key, kept = mutate(window), mutate(carrier)
        chance = Random(key)  # noqa: S311 - not a secret
        values: list[Any] = [key, chance.choice([joined, 7, -1, 10**18]), used, kept]
        values.append(_sum(key, values[1], used, kept))
        if chance.random() < 0.5:
            values[chance.randrange(5)] = chance.choice([-1, 10**18, 1.5, "a", b"a", b"", "\0"])
        file.execute(
            "UPDATE OR IGNORE answers SET window = ?, joined = ?, used = ?, carrier = ?, sum = ? "
            "WHERE id = ?",
            (*values, number),
        )
    file.commit()
    changed: bytes = file.serialize()
    file.close()
    return changed


CACHES: tuple[StoredFormat, ...] = (
    StoredFormat(
        "cache of fillings",
        ("player/evaluate/exact",),
        lambda path: exact.write(path, exact.build(3)),
        lambda path: exact.read(path, 3),
        (),
    ),
    StoredFormat("note of warm", ("player/cli/warm",), _made_note, _read_note, ()),
    StoredFormat("compiled kernel", ("hsearch/kernels/cache",), _made_kernel, _read_kernel, ()),
    StoredFormat("net in eight bits", ("player/evaluate/int8",), _made_net, _read_net, ()),
    StoredFormat(
        "cache of windows",
        ("hsearch/connect/window_answers",),
        _made_windows,
        _read_windows,
        (CacheError,),
        _rewritten,
    ),
)
