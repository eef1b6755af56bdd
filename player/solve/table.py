"""The solver's table of positions: in memory within a bound, and on disk."""

import hashlib
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from hsearch.connect.store import layout
from hsearch.formats import files, strict
from hsearch.hex import Board, Cell
from player.solve.examiner import SolverNode

INFINITE = 10**9


@dataclass(slots=True)
class Node:
    """A position of the search, from the view of the player to move. Holds state.

    phi      the fewest open positions that have to be decided to prove a win
    delta    the same for a loss
    work     positions examined below
    winner   None while it is open
    carrier  the empty cells that the winner's proof needs
    first    a winning move; None if there is none, or if any move wins
    common   the cells in all known threats of the opponent
    union    the union of the threats that reduced `common`
    moves    the moves left to try, best first; None until the position is examined
    stones   Black's and White's stones after enclosed regions are filled
    needs    the cells that a proof for Black and for White needs for these fills
    places   the child position of each move that was searched
    lemma_counts  the numbers of Black's and White's lemmas at the last query
    busy     number of workers that are below it now
    numbers  initial phi and delta of a child
    is_advised  whether the net was asked
    """

    phi: int = 1
    delta: int = 1
    work: int = 0
    winner: int | None = None
    carrier: int = 0
    first: Cell | None = None
    common: int = 0
    union: int = 0
    moves: tuple[Cell, ...] | None = None
    stones: tuple[int, int] = (0, 0)
    needs: tuple[int, int] = (0, 0)
    places: dict[Cell, SolverNode] = field(default_factory=dict)
    lemma_counts: tuple[int, int] = (0, 0)
    busy: int = 0
    numbers: tuple[int, int] = (1, 1)
    is_advised: bool = False

    @property
    def won_by(self) -> int:
        """The winner of a decided node. Raise ValueError while it is open."""
        if self.winner is None:
            raise ValueError("an open node has no winner")
        return self.winner

    def settle(self, winner: int, turn: int, carrier: int, first: Cell | None = None) -> None:
        """Set the winner, the carrier and the winning move; drop what an open node needs."""
        self.winner, self.carrier, self.first = winner, carrier, first
        self.phi, self.delta = (0, INFINITE) if winner == turn else (INFINITE, 0)
        self.common = self.union = 0
        self.moves = None
        self.places.clear()


class NodeTable:
    """Nodes by key. Holds state.

    When it holds `most` nodes, those with at most the median work are dropped.
    """

    def __init__(self, most: int) -> None:
        """Start empty."""
        self.most = most
        self.nodes: dict[bytes, Node] = {}

    def node(self, key: bytes, numbers: tuple[int, int] = (1, 1)) -> Node:
        """Return the node of a key; if it is missing, enter one with these numbers."""
        node = self.nodes.get(key)
        if node is None:
            node = Node(*numbers)
            self._enter(key, node)
        return node

    def put_back(self, key: bytes, node: Node) -> None:
        """Enter a node that may have been dropped while it was searched.

        If another worker has decided the position meanwhile, its node stays.
        """
        old = self.nodes.get(key)
        if old is None:
            self._enter(key, node)
        elif old.winner is None:
            self.nodes[key] = node

    def results(self) -> dict[bytes, Node]:
        """Return the nodes that are decided, by key."""
        return {key: node for key, node in self.nodes.items() if node.winner is not None}

    def adopt(self, nodes: dict[bytes, Node]) -> None:
        """Enter copies of decided nodes of another table."""
        for key, node in nodes.items():
            old = self.nodes.get(key)
            if old is None or old.winner is None:
                self.put_back(key, replace(node, places={}, busy=0))

    def _enter(self, key: bytes, node: Node) -> None:
        if len(self.nodes) >= self.most:
            self._forget()
        self.nodes[key] = node

    def _forget(self) -> None:
        works = sorted(node.work for node in self.nodes.values())
        least = works[len(works) // 2]
        self.nodes = {key: node for key, node in self.nodes.items() if node.work > least}
        for node in self.nodes.values():
            node.places.clear()


# On disk: one line of JSON, then one record a node.
#
# A file is written beside the old one and replaces it when complete, so a solver
# that is killed leaves a readable table.

SCHEMA = "hsearch/table/1"
NOBODY = 2  # winner of an open position
NO_MOVE = 0xFFFF
MOST_WORK = 1 << 62  # a search adds to it

SHORTEST, LONGEST = 1.0, 60.0  # seconds between two saves; the interval grows with the run
PAUSE = 20  # least interval as a multiple of the last save; millions of nodes take 10 s


class SaveTimer:
    """Decides when to save again. Holds state."""

    def __init__(self) -> None:
        """Start now."""
        self._began = time.monotonic()
        self._next = self._began + SHORTEST

    @property
    def is_due(self) -> bool:
        """Whether it is time to save."""
        return time.monotonic() >= self._next

    @contextmanager
    def saving(self) -> Iterator[None]:
        """Measure a save, whether it succeeds or not, and set the time of the next."""
        start = time.monotonic()
        try:
            yield
        finally:
            now = time.monotonic()
            usual = min(LONGEST, max(SHORTEST, (now - self._began) / 10))
            self._next = now + max(usual, PAUSE * (now - start))


class TableError(ValueError):
    """A file that is not a table, or one of another board or version."""


def save(table: NodeTable, board: Board, path: Path) -> None:
    """Write a table. Raise OSError when that fails; an older file then stays."""
    records = _records(table.nodes.items(), len(table.nodes), board)
    payload = records.tobytes()
    digest = hashlib.sha256(payload).hexdigest()
    head = _Head(SCHEMA, board.columns, board.rows, len(records), digest)
    with files.whole(path) as file:
        file.write(strict.write(asdict(head)).encode() + b"\n")
        file.write(payload)


def load(table: NodeTable, board: Board, path: Path) -> None:
    """Enter the nodes of a file into a table; if not all fit, those with the most work.

    Raise TableError when it is not a table of this board and version.
    """
    line, _, payload = files.contents(path).partition(b"\n")
    try:
        head = strict.read(line, _Head)
    except ValueError as error:
        raise TableError(f"{path}:1: not a table of hsearch: {error}") from None
    if head.schema != SCHEMA:
        raise TableError(f"{path}: a table of another version: {head.schema!r}, not {SCHEMA!r}")
    if (head.columns, head.rows) != (board.columns, board.rows):
        here = str(board)
        raise TableError(f"{path}: a table for {head.columns}x{head.rows}, not {here}")
    record = _record(len(layout(board.size).words))
    digest = hashlib.sha256(payload).hexdigest()
    if len(payload) != head.nodes * record.itemsize or digest != head.sha256:
        raise TableError(f"{path}: damaged: its {len(payload)} bytes are not those that were saved")
    records = np.frombuffer(payload, record)
    _check(records, board, path)
    best = records[np.argsort(records["work"], kind="stable")][-table.most :]
    table.nodes.update(_nodes(best))


def pack(nodes: Iterable[tuple[bytes, Node]], board: Board) -> bytes:
    """Return nodes with their keys as bytes, for another process of this program."""
    entries = list(nodes)
    return _records(entries, len(entries), board).tobytes()


def unpack(payload: bytes, board: Board) -> Iterator[tuple[bytes, Node]]:
    """Yield the keys and nodes that `pack` turned into bytes."""
    yield from _nodes(np.frombuffer(payload, _record(len(layout(board.size).words))))


def _records(
    nodes: Iterable[tuple[bytes, Node]], count: int, board: Board
) -> np.ndarray[Any, np.dtype[np.void]]:
    """Return the record of each node, filled by columns, as there may be millions."""
    width = len(layout(board.size).words)
    records = np.zeros(count, _record(width))
    if count:
        keys, values = zip(*nodes, strict=True)
        carriers = (node.carrier.to_bytes(8 * width, "little") for node in values)
        records["key"] = _bytes(keys, count)
        records["carrier"] = _bytes(carriers, count)
        records["phi"] = [node.phi for node in values]
        records["delta"] = [node.delta for node in values]
        records["work"] = [node.work for node in values]
        records["winner"] = [NOBODY if node.winner is None else node.winner for node in values]
        records["first"] = [NO_MOVE if node.first is None else node.first for node in values]
    return records


def _bytes(rows: Iterable[bytes], count: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.frombuffer(b"".join(rows), np.uint8).reshape(count, -1)


def _nodes(records: np.ndarray[Any, np.dtype[np.void]]) -> Iterator[tuple[bytes, Node]]:
    """Yield the key and the node of each record; the last byte of a key is the turn."""
    columns = (records[name].tolist() for name in ("phi", "delta", "work", "winner", "first"))
    rows = zip(_rows(records["key"]), _rows(records["carrier"]), *columns, strict=True)
    for key, carrier, phi, delta, work, winner, first in rows:
        node = Node(work=work)
        if winner != NOBODY:
            move = None if first == NO_MOVE else first
            node.settle(winner, key[-1], int.from_bytes(carrier, "little"), move)
        else:
            node.phi, node.delta = min(phi, INFINITE), min(delta, INFINITE)
        yield key, node


def _rows(cells: np.ndarray[Any, np.dtype[np.uint8]]) -> Iterator[bytes]:
    payload, size = cells.tobytes(), cells.shape[1]
    return (payload[start : start + size] for start in range(0, len(payload), size))


@dataclass(frozen=True, slots=True)
class _Head:
    """The first line of a file."""

    schema: str
    columns: strict.Count
    rows: strict.Count
    nodes: strict.Count
    sha256: str


def _check(records: np.ndarray[Any, np.dtype[np.void]], board: Board, path: Path) -> None:
    """Raise TableError, naming the first record that has values no node has."""
    wrong = (
        (records["winner"] > NOBODY)
        | ((records["first"] >= board.size) & (records["first"] != NO_MOVE))
        | (records["key"][:, -1] > 1)
        | (records["work"] >= MOST_WORK)
    )
    if wrong.any():
        raise TableError(f"{path}: damaged: record {int(wrong.argmax())} is not a node")


def key_length(board: Board) -> int:
    """Return the number of bytes of a key: two sets of cells, and the turn."""
    return _record(len(layout(board.size).words))["key"].itemsize


def _record(width: int) -> np.dtype[np.void]:
    """Return the type of a record whose sets of cells take this many words."""
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
