"""The file of a chunk of lessons, which hangs on its net and on where it comes from alone."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from hsearch.files import arrays as files
from player.learn.lessons import WHOLE, LessonOrigin, Lessons

SCHEMA = "hsearch/lessons/1"
KINDS: dict[str, Any] = {
    "stones": np.int8,
    "turns": np.int8,
    "lasts": np.int32,
    "values": np.float32,
    "policy": np.uint16,
}
LARGEST = {"stones": 3, "turns": 1, "values": 1, "policy": WHOLE}


class LessonError(ValueError):
    """A file that has no lessons, is damaged, or has those of another run."""


def path_in(folder: Path, origin: LessonOrigin) -> Path:
    """Return where a chunk is kept."""
    return folder / f"{origin.number:06}.npz"


def write_lessons(path: Path, origin: LessonOrigin, net: str, lessons: Lessons) -> None:
    """Write a chunk, whole or not at all. Raise OSError, naming the file, when that fails.

    net  the key of the net that was asked
    """
    files.save(path, SCHEMA, {"origin": _about(origin, net)}, lessons._asdict())


def read_lessons(path: Path, origin: LessonOrigin, net: str) -> Lessons:
    """Return the lessons of a file. Raise LessonError, naming it, when they are not these."""
    try:
        about, arrays = files.load(path, SCHEMA, "file of lessons")
    except files.ArraysError as error:
        raise LessonError(str(error)) from None
    expected = _about(origin, net)
    found = about.get("origin")
    if found != expected:
        told = found if isinstance(found, dict) else {}
        differs = [name for name in expected if told.get(name) != expected[name]]
        raise LessonError(f"{path}: lessons of another run: {', '.join(differs) or 'origin'}")
    if wrong := _wrong(arrays, origin):
        raise LessonError(f"{path}: not a file of lessons, kept as it is: {wrong}")
    return Lessons(**arrays)


def _about(origin: LessonOrigin, net: str) -> dict[str, Any]:
    return asdict(origin) | {"board": str(origin.board), "net": net}


def _wrong(arrays: files.Arrays, origin: LessonOrigin) -> str | None:
    """Return the name of an array that lessons do not have, or not so."""
    if set(arrays) != set(KINDS):
        return ", ".join(sorted(set(arrays) ^ set(KINDS)))
    board, count = origin.board, len(arrays["turns"]) if arrays["turns"].ndim else 0
    places = (board.rows + 2) * (board.columns + 2)
    shapes = {"stones": (count, places), "policy": (count, board.size)}
    for name, kind in KINDS.items():
        array = arrays[name]
        if array.dtype != kind or array.shape != shapes.get(name, (count,)):
            return name
        least, most = -1 if name == "lasts" else 0, LARGEST.get(name, places - 1)
        if not ((least <= array) & (array <= most)).all():
            return name
    return None
