"""Tables on disk: one line of JSON, then one record a node.

A file is written beside the old one and takes its place when it is complete,
so that a solver that is killed leaves a table that can be read.
"""

import hashlib
import json
import os
from pathlib import Path

import numpy as np

from hsearch.board import Board
from hsearch.store import layout
from player.solve.table import INFINITE, Node, Table

SCHEMA = "hsearch/table/1"
NOBODY = 2  # for the winner of an open position
NO_MOVE = 0xFFFF


class TableError(ValueError):
    """A file that is no table, or one of another board or version."""


def save(table: Table, board: Board, path: Path) -> None:
    """Write a table. Raise OSError when the disk does not take it; an old file stays then."""
    width = len(layout(board.size).words)
    records = np.zeros(len(table.nodes), _record(width))
    for record, (key, node) in zip(records, table.nodes.items(), strict=True):
        record["key"] = np.frombuffer(key, np.uint8)
        record["phi"], record["delta"], record["work"] = node.phi, node.delta, node.work
        record["winner"] = NOBODY if node.winner is None else node.winner
        record["first"] = NO_MOVE if node.first is None else node.first
        record["carrier"] = np.frombuffer(node.carrier.to_bytes(8 * width, "little"), np.uint8)
    payload = records.tobytes()
    head = {
        "schema": SCHEMA,
        "columns": board.columns,
        "rows": board.rows,
        "nodes": len(records),
        "sha256": hashlib.sha256(payload).hexdigest(),
    }
    partial = path.with_name(path.name + ".partial")
    try:
        with partial.open("wb") as file:
            file.write(json.dumps(head).encode() + b"\n" + payload)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise


def load(table: Table, board: Board, path: Path) -> None:
    """Enter the nodes of a file into a table, as many as fit.

    Raise TableError when it is no table of this board and version.
    """
    line, _, payload = path.read_bytes().partition(b"\n")
    try:
        head = json.loads(line)
        schema, sides = head["schema"], (head["columns"], head["rows"])
        count, digest = head["nodes"], head["sha256"]
    except (ValueError, TypeError, KeyError):
        raise TableError(f"{path}: not a table of hsearch") from None
    if schema != SCHEMA:
        raise TableError(f"{path}: a table of another version: {schema!r}, not {SCHEMA!r}")
    if sides != (board.columns, board.rows):
        here = f"{board.columns}x{board.rows}"
        raise TableError(f"{path}: a table for {sides[0]}x{sides[1]}, not {here}")
    record = _record(len(layout(board.size).words))
    if len(payload) != count * record.itemsize or hashlib.sha256(payload).hexdigest() != digest:
        raise TableError(f"{path}: damaged: its {len(payload)} bytes are not those that were saved")
    records = np.frombuffer(payload, record)
    for values in records[np.argsort(records["work"], kind="stable")][-table.most :]:
        winner, first = int(values["winner"]), int(values["first"])
        node = table.nodes[values["key"].tobytes()] = Node(work=int(values["work"]))
        if winner != NOBODY:
            carrier = int.from_bytes(values["carrier"].tobytes(), "little")
            turn = int(values["key"][-1])
            node.settle(winner, turn, carrier, None if first == NO_MOVE else first)
        else:
            node.phi, node.delta = (min(int(values[name]), INFINITE) for name in ("phi", "delta"))


def _record(width: int) -> np.dtype[np.void]:
    """Return the record of a node whose sets of cells take so many words."""
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
