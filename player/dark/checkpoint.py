"""Arrays and a description in one file, written whole or not at all.

A file that is cut, changed, or of another run is refused with the reason, and
left as it is.
"""

import hashlib
import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from player.dark.regret import Arrays

SCHEMA = "hsearch/dark-checkpoint/1"


class CheckpointError(ValueError):
    """A checkpoint that cannot be used."""


def save(path: Path, about: dict[str, Any], arrays: Arrays) -> None:
    """Write a checkpoint: what run it is of, in JSON's types, and its arrays.

    Raise OSError, naming the file itself, when it cannot be written.
    """
    header = json.dumps(about | {"schema": SCHEMA, "digest": _digest(arrays)}, sort_keys=True)
    unfinished = path.with_name(path.name + ".unfinished")
    try:
        with unfinished.open("wb") as file:
            np.savez(file, allow_pickle=False, header=np.array(header), **arrays)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def load(path: Path, about: dict[str, Any]) -> tuple[dict[str, Any], Arrays]:
    """Return the description and the arrays of a checkpoint.

    Raise CheckpointError when the file is damaged, or differs from `about` in
    one of its keys.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"{path}: {error.strerror or error}") from None
    if not zipfile.is_zipfile(io.BytesIO(content)):
        raise CheckpointError(f"{path}: no .npz file, or not all of one; kept as it is")
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files if name != "header"}
            found = json.loads(str(file["header"]))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise CheckpointError(f"{path}: not a checkpoint, kept as it is: {error}") from None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise CheckpointError(f"{path}: not a checkpoint of this program, kept as it is")
    if found["digest"] != _digest(arrays):
        raise CheckpointError(f"{path}: damaged, kept as it is: the digest of its arrays differs")
    for key, value in about.items():
        if found.get(key) != value:
            raise CheckpointError(f"{path}: {key} is {found.get(key)!r}, not {value!r}; kept")
    return found, arrays


def _digest(arrays: Arrays) -> str:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
