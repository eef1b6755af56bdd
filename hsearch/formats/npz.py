"""Arrays and a description in one file, written whole or not at all.

A file that is truncated, changed, or of another kind is rejected with the reason,
and left as it is.
"""

import hashlib
import io
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from hsearch.formats import files, strict

Arrays: TypeAlias = dict[str, np.ndarray[Any, Any]]

# What zipfile and numpy raise for arbitrary bytes.
_DAMAGE = (
    OSError, ValueError, KeyError, EOFError, OverflowError, RuntimeError, MemoryError,
    zipfile.BadZipFile, zlib.error, struct.error,
)  # fmt: skip


# An array of numbers or text as numpy writes it: a header, then its bytes.
_MAGIC = b"\x93NUMPY\x01\x00"
# Each side except the last needs a comma, or a long number could match in too many ways.
_HEADER = re.compile(
    rb"{'descr': '([<|](?:f[248]|i[1248]|u[1248]|b1|U[1-9][0-9]{0,6}))', "
    rb"'fortran_order': (True|False), 'shape': \(((?:[0-9]{1,18}, ?)*(?:[0-9]{1,18})?)\), } *\n"
)


def save(path: Path, schema: str, about: dict[str, Any], arrays: Mapping[str, Any]) -> None:
    """Write arrays, and a description of them in types of JSON.

    Raise OSError, naming the file, if it cannot be written.
    """
    if any(np.asarray(array).dtype.hasobject for array in arrays.values()):
        raise TypeError("objects have no bytes that could be written and read again")
    header = strict.write(about | {"schema": schema, "digest": digest_of(arrays)})
    with files.whole(path) as file:  # no options: numpy before 2.1 would store each as an array
        np.savez(file, header=np.array(header), **arrays)


def _is_archive(content: bytes) -> bool:
    try:
        return zipfile.is_zipfile(io.BytesIO(content))
    except ValueError:  # an offset below 0 in a damaged file, from Python 3.14 on
        return False


def load(
    path: Path, schema: str, what: str, refusal: type[ValueError] = ValueError
) -> tuple[dict[str, Any], Arrays]:
    """Return the description of the arrays of a file, and the arrays.

    what     the kind of file, for messages
    refusal  the error to raise if it is missing, damaged, or of another schema
    """
    try:
        content = files.contents(path)
    except OSError as error:
        raise refusal(f"{path}: {error.strerror or error}") from None
    if not _is_archive(content):
        raise refusal(f"{path}: not a complete .npz file; kept as it is")
    try:
        arrays = _arrays(content)
        header = strict.read(str(arrays.pop("header")), dict[str, Any])
    except _DAMAGE as error:
        raise refusal(f"{path}: not a {what}, kept as it is: {error}") from None
    other = header.get("schema")
    if other != schema and re.fullmatch(re.sub(r"\d+$", "[0-9]{1,9}", schema), str(other)):
        raise refusal(f"{path}: a {what} of another version, {other!r}, not {schema!r}")
    if other != schema:
        raise refusal(f"{path}: not a {what} of this program, kept as it is")
    if header.get("digest") != digest_of(arrays):
        raise refusal(f"{path}: damaged, kept as it is: the digest of its arrays differs")
    return header, arrays


def digest_of(arrays: Mapping[str, Any]) -> str:
    """Return a key that only equal arrays share, in whatever order."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def _arrays(content: bytes) -> Arrays:
    """Return the arrays of an archive by name.

    They must be stored uncompressed, so the file bounds their size.
    """
    arrays: Arrays = {}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for member in archive.infolist():
            if member.compress_type != zipfile.ZIP_STORED or member.file_size > len(content):
                raise ValueError(f"{member.filename!r} is packed, or larger than the file")
            arrays[member.filename.removesuffix(".npy")] = _array(archive.read(member))
    return arrays


def _array(content: bytes) -> np.ndarray[Any, Any]:
    """Return an array in numpy's format; raise ValueError unless its bytes are complete.

    numpy's own reader raises undocumented exceptions, and trusts the header.
    """
    length = int.from_bytes(content[len(_MAGIC) : len(_MAGIC) + 2], "little")
    head, data = content[: len(_MAGIC) + 2 + length], content[len(_MAGIC) + 2 + length :]
    match = _HEADER.fullmatch(head[len(_MAGIC) + 2 :])
    if match is None or not head.startswith(_MAGIC):
        raise ValueError("no array of numbers or text")
    kind = np.dtype(match[1].decode())
    shape = [int(side) for side in match[3].replace(b",", b" ").split()]
    if len(data) != math.prod(shape) * kind.itemsize:
        raise ValueError(f"{len(data)} bytes, not those of {shape}")
    return np.ndarray(shape, kind, bytearray(data), order="F" if match[2] == b"True" else "C")
