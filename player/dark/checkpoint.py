"""Checkpoints: the state of a long run in one file, written whole or not at all.

A file that is cut, changed, or of another run is refused with the reason, and
left as it is.
"""

from pathlib import Path
from typing import Any

from hsearch.files import arrays as files
from player.dark.regret import Arrays

SCHEMA = "hsearch/dark-checkpoint/1"


class CheckpointError(ValueError):
    """A checkpoint that cannot be used."""


def save(path: Path, about: dict[str, Any], arrays: Arrays) -> None:
    """Write a checkpoint: what run it is of, in JSON's types, and its arrays.

    Raise OSError, naming the file itself, when it cannot be written.
    """
    files.save(path, SCHEMA, about, arrays)


def load(path: Path, about: dict[str, Any]) -> tuple[dict[str, Any], Arrays]:
    """Return the description and the arrays of a checkpoint.

    Raise CheckpointError when the file is damaged, or differs from `about` in
    one of its keys.
    """
    try:
        found, arrays = files.load(path, SCHEMA, "checkpoint")
    except files.ArraysError as error:
        raise CheckpointError(str(error)) from None
    for key, value in about.items():
        if found.get(key) != value:
            raise CheckpointError(f"{path}: {key} is {found.get(key)!r}, not {value!r}; kept")
    return found, arrays
