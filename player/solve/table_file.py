"""Tables on disk: one line of JSON, then one record a node.

A file is written beside the old one and takes its place when it is complete,
so that a solver that is killed leaves a table that can be read.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hsearch.board import Board
from hsearch.files import strict
from hsearch.files.strict import Count
from hsearch.files.whole import whole
from hsearch.store import layout
from player.solve.table import INFINITE, Node, Table

SCHEMA = "hsearch/table/1"
NOBODY = 2  # for the winner of an open position
NO_MOVE = 0xFFFF


class TableError(ValueError):
    """A file that is no table, or one of another board or version."""


def save(table: Table, board: Board, path: Path) -> None:
    """Write a table. Raise OSError when the disk does not take it; an old file stays then."""
    records = _records(table.nodes.items(), len(table.nodes), board)
    payload = records.tobytes()
    digest = hashlib.sha256(payload).hexdigest()
    head = _Head(SCHEMA, board.columns, board.rows, len(records), digest)
    with whole(path) as file:
        file.write(strict.write(asdict(head)).encode() + b"\n")
        file.write(payload)


def load(table: Table, board: Board, path: Path) -> None:
    """Enter the nodes of a file into a table, as many as fit.

    Raise TableError when it is no table of this board and version.
    """
    line, _, payload = path.read_bytes().partition(b"\n")
    try:
        head = strict.read(line, _Head)
    except ValueError as error:
        raise TableError(f"{path}:1: not a table of hsearch: {error}") from None
    if head.schema != SCHEMA:
        raise TableError(f"{path}: a table of another version: {head.schema!r}, not {SCHEMA!r}")
    if (head.columns, head.rows) != (board.columns, board.rows):
        here = f"{board.columns}x{board.rows}"
        raise TableError(f"{path}: a table for {head.columns}x{head.rows}, not {here}")
    record = _record(len(layout(board.size).words))
    digest = hashlib.sha256(payload).hexdigest()
    if len(payload) != head.nodes * record.itemsize or digest != head.sha256:
        raise TableError(f"{path}: damaged: its {len(payload)} bytes are not those that were saved")
    records = np.frombuffer(payload, record)
    _check(records, board, path)
    best = records[np.argsort(records["work"], kind="stable")][-table.most :]
    table.nodes.update(map(_node, best))


def pack(nodes: Iterable[tuple[bytes, Node]], board: Board) -> bytes:
    """Return nodes with their keys as bytes, for another process of this program."""
    listed = list(nodes)
    return _records(listed, len(listed), board).tobytes()


def unpack(payload: bytes, board: Board) -> Iterator[tuple[bytes, Node]]:
    """Yield the nodes of `pack` and their keys."""
    yield from map(_node, np.frombuffer(payload, _record(len(layout(board.size).words))))


def _records(
    nodes: Iterable[tuple[bytes, Node]], count: int, board: Board
) -> np.ndarray[Any, np.dtype[np.void]]:
    width = len(layout(board.size).words)
    records = np.zeros(count, _record(width))
    for record, (key, node) in zip(records, nodes, strict=True):
        record["key"] = np.frombuffer(key, np.uint8)
        record["phi"], record["delta"], record["work"] = node.phi, node.delta, node.work
        record["winner"] = NOBODY if node.winner is None else node.winner
        record["first"] = NO_MOVE if node.first is None else node.first
        record["carrier"] = np.frombuffer(node.carrier.to_bytes(8 * width, "little"), np.uint8)
    return records


def _node(values: Any) -> tuple[bytes, Node]:
    """Return the key and the node of a record."""
    winner, first = int(values["winner"]), int(values["first"])
    key, node = values["key"].tobytes(), Node(work=int(values["work"]))
    if winner != NOBODY:
        carrier = int.from_bytes(values["carrier"].tobytes(), "little")
        node.settle(winner, int(key[-1]), carrier, None if first == NO_MOVE else first)
    else:
        node.phi, node.delta = (min(int(values[name]), INFINITE) for name in ("phi", "delta"))
    return key, node


@dataclass(frozen=True, slots=True)
class _Head:
    """The first line of a file."""

    schema: str
    columns: Count
    rows: Count
    nodes: Count
    sha256: str


def _check(records: np.ndarray[Any, np.dtype[np.void]], board: Board, path: Path) -> None:
    """Raise TableError, naming the first record, where one has values that no node has."""
    wrong = (
        (records["winner"] > NOBODY)
        | ((records["first"] >= board.size) & (records["first"] != NO_MOVE))
        | (records["key"][:, -1] > 1)
    )
    if wrong.any():
        raise TableError(f"{path}: damaged: record {int(wrong.argmax())} is no node")


def _record(width: int) -> np.dtype[np.void]:
    """Return the record of a node whose sets of cells take this many words."""
    return np.dtype(
        [
            ("key", np.uint8, (16 * width + 1,)),
            ("phi", "<u4"),
            ("delta", "<u4"),
            ("work", "<u8"),
            ("winner", "u1"),
            ("first", "<u2"),
            ("carrier", np.uint8, (8 * width,)),
        ]
    )
