"""The folder of a search by jobs: what one process leaves, and another goes on from.

    tree.jsonl   a head, and a line an open position whose moves are known
    table        every other position that jobs have settled or weighed, as `hsearch solve --table`
    jobs.jsonl   a line a job: how many positions, how many seconds
    proofs       a proof a settled position
    parts        proofs that become parts of these, until they do

Each is written whole, or line by line; a process that is killed loses what came
since the last saving, a minute at most.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from hsearch.board import Board
from hsearch.files import strict
from hsearch.files.held import held
from hsearch.files.lines import Lines, LinesError, short
from hsearch.files.strict import Amount, Count
from hsearch.files.whole import write_whole
from player.jobs.job import JobResult
from player.jobs.tree import JobTree
from player.solve import table_file
from player.solve.table import INFINITE, Node
from player.solve.table_file import TableError

SCHEMA = "hsearch/upper-tree/1"
JOBS_SCHEMA = "hsearch/jobs/1"

Cells = Annotated[str, Meta(pattern="^[0-9a-f]+$", max_length=100)]
Pair = tuple[Cells, Cells]


class JobFolderError(ValueError):
    """A folder that is of another board or version, damaged, or in use."""


class JobFolder:
    """A folder of a search. Holds state: its lock, and the file of jobs."""

    def __init__(self, path: Path, board: Board) -> None:
        """Look at a folder, which need not be there yet.

        Raise JobFolderError, naming the place, when it holds something else.
        """
        if path.exists() and not path.is_dir():
            raise JobFolderError(f"{path}: not a folder")
        self.path, self._board = path, board
        head = {"schema": JOBS_SCHEMA, "columns": board.columns, "rows": board.rows}
        try:
            self._jobs = Lines(path / "jobs.jsonl", strict.write(head), "list of jobs")
        except LinesError as error:
            raise JobFolderError(str(error)) from None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other coordinators away meanwhile.

        Raise JobFolderError when there is one, and OSError when the folder cannot be written.
        """
        with held(self.path, doing="searches in", error=JobFolderError):
            yield

    def load(self, tree: JobTree) -> None:
        """Enter into a tree what the folder holds, which may be nothing.

        Raise JobFolderError, naming the line, when that is damaged or of another board or version,
        and OSError when it cannot be read.
        """
        table, upper = self.path / "table", self.path / "tree.jsonl"
        if table.exists():
            try:
                table_file.load(tree.table, self._board, table)
            except TableError as error:
                raise JobFolderError(str(error)) from None
        if upper.exists():
            read_tree(upper, tree)

    def save(self, tree: JobTree) -> None:
        """Write a tree. Raise OSError when the disk does not take it; what was there stays then."""
        lines = [strict.write(_line_of(key, node)) for key, node in tree.expanded()]
        payload = "".join(f"{line}\n" for line in lines)
        head = {
            "schema": SCHEMA,
            "columns": self._board.columns,
            "rows": self._board.rows,
            "jobs": tree.jobs,
            "nodes": tree.nodes,
            "seconds": tree.seconds,
            "lines": len(lines),
            "sha256": hashlib.sha256(payload.encode()).hexdigest(),
        }
        table_file.save(tree.table, self._board, self.path / "table")
        write_whole(self.path / "tree.jsonl", f"{strict.write(head)}\n{payload}")

    def note(self, result: JobResult) -> None:
        """Add a finished job to the list of jobs."""
        settled = result.node.winner is not None
        done = [result.number, result.nodes, round(result.seconds, 6), int(settled)]
        self._jobs.add(strict.write(done))

    def proof(self, name: str) -> Path:
        """Return where the proof of a position of this name is, or would be."""
        return self.path / "proofs" / f"{name}.proof"

    def part(self, name: str, digest: str) -> Path:
        """Return where a proof that is to become a part of another one is, or would be."""
        return self.path / "parts" / f"{name}-{digest}.proof"

    def add_proof(self, path: Path, text: str) -> None:
        """Write a proof. Raise OSError when the disk does not take it."""
        path.parent.mkdir(exist_ok=True)
        write_whole(path, text)


def read_tree(path: Path, tree: JobTree) -> None:
    """Enter the positions of a file `tree.jsonl` into a tree.

    Raise JobFolderError, naming the line, when it is damaged or of another board or version.
    """
    first, _, payload = path.read_bytes().partition(b"\n")
    board = tree.board
    try:
        head = strict.read(first, _Head)
    except ValueError as error:
        raise JobFolderError(f"{path}:1: no upper tree of hsearch: {error}") from None
    if head.schema != SCHEMA:
        raise JobFolderError(f"{path}:1: an upper tree of another version: {head.schema!r}")
    if (head.columns, head.rows) != (board.columns, board.rows):
        here, there = f"{board.columns}x{board.rows}", f"{head.columns}x{head.rows}"
        raise JobFolderError(f"{path}:1: an upper tree of {there}, not {here}")
    lines = payload.splitlines()
    if hashlib.sha256(payload).hexdigest() != head.sha256 or len(lines) != head.lines:
        raise JobFolderError(f"{path}: damaged: not the {head.lines} lines that were saved")
    nodes = []
    for number, line in enumerate(lines, 2):
        try:
            nodes.append(_node_of(strict.read(line, _Line), board))
        except ValueError as error:
            raise JobFolderError(f"{path}:{number}: no position: {error}: {short(line)}") from None
    tree.table.nodes.update(nodes)
    tree.jobs, tree.nodes, tree.seconds = head.jobs, head.nodes, head.seconds


@dataclass(frozen=True, slots=True)
class _Head:
    """The first line of an upper tree."""

    schema: str
    columns: Count
    rows: Count
    jobs: Count
    nodes: Count
    seconds: Amount
    lines: Count
    sha256: str


@dataclass(frozen=True, slots=True)
class _Line:
    """A position whose moves are known; sets of cells are hexadecimal numbers."""

    key: Cells
    phi: Count
    delta: Count
    work: Count
    common: Cells
    union: Cells
    moves: list[Count]
    stones: Pair
    needs: Pair


def _line_of(key: bytes, node: Node) -> dict[str, Any]:
    return {
        "key": key.hex(),
        "phi": node.phi,
        "delta": node.delta,
        "work": node.work,
        "common": f"{node.common:x}",
        "union": f"{node.union:x}",
        "moves": node.moves,
        "stones": [f"{cells:x}" for cells in node.stones],
        "needs": [f"{cells:x}" for cells in node.needs],
    }


def _node_of(line: _Line, board: Board) -> tuple[bytes, Node]:
    """Return the key and the node of a line. Raise ValueError when there is none like it."""
    black, white = (_cells(text, board) for text in line.stones)
    common = _cells(line.common, board)
    moves = tuple(line.moves)
    if any(move >= board.size or not common >> move & 1 for move in moves) or not moves:
        raise ValueError(f"moves that are not in the region: {line.moves}")
    if black & white or common & (black | white):
        raise ValueError("two stones on one cell, or a move on a stone")
    node = Node(min(line.phi, INFINITE), min(line.delta, INFINITE), line.work)
    node.common, node.union, node.moves = common, _cells(line.union, board), moves
    node.stones = black, white
    node.needs = _cells(line.needs[0], board), _cells(line.needs[1], board)
    return bytes.fromhex(line.key), node


def _cells(text: str, board: Board) -> int:
    number = int(text, 16)
    if number >> board.size:
        raise ValueError(f"cells beyond the board: {text}")
    return number
