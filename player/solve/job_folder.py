"""The folder of a search by jobs, which another process resumes.

    tree.jsonl   a head, and a line for each open position whose moves are known
    table        all positions that jobs have settled or estimated, as in `hsearch solve --resume`
    jobs.jsonl   a line for each job: how many positions, how many seconds
    proofs       a proof for each settled position
    parts        parts of proofs that are not complete

Each file is written whole, or line by line. A process that is killed loses the work since the
last save: at most a minute, or 20 times as long as a save takes. If it is killed between the
table and the tree, the tree is the older one, and the positions settled since count as settled.
"""

import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from hsearch.formats import strict
from hsearch.formats.files import Lines, LinesError, contents, hold, short, write_whole
from hsearch.formats.strict import Amount, Count
from hsearch.hex import Board, Color, Position
from player.solve import table as table_file
from player.solve.job import JobResult, worker_for
from player.solve.job_tree import JobTree
from player.solve.proof import ProvedPart, merge, part_of, read_part, write
from player.solve.proof_line import ProofError
from player.solve.table import INFINITE, Node, TableError
from player.solve.verify import verify, verify_file

SCHEMA = "hsearch/upper-tree/2"
JOBS_SCHEMA = "hsearch/jobs/1"

CellsText = Annotated[str, Meta(pattern="^[0-9a-f]+$", max_length=100)]
StonesText = tuple[CellsText, CellsText]


class JobFolderError(ValueError):
    """A folder that is of another board or version, damaged, or in use."""


class JobFolder:
    """A folder of a search. Holds state: the file of jobs."""

    def __init__(self, path: Path, board: Board) -> None:
        """Open a folder, which need not exist yet.

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
    def lock(self) -> Iterator[None]:
        """Lock the folder against other coordinators.

        Raise JobFolderError when one has it, and OSError when the folder cannot be written.
        """
        with hold(self.path, doing="searches in", error=JobFolderError):
            yield

    def load(self, tree: JobTree) -> None:
        """Enter the contents of the folder, if any, into a tree.

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
        """Write a tree. Raise OSError when that fails; the older files then stay."""
        lines = [strict.write(_line_of(key, node)) for key, node in tree.open_nodes()]
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
        record = [result.number, result.nodes, round(result.seconds, 6), int(settled)]
        self._jobs.add(strict.write(record))

    def proof(self, name: str) -> Path:
        """Return the path of the proof of a position of this name."""
        return self.path / "proofs" / f"{name}.proof"

    def part(self, name: str, digest: str) -> Path:
        """Return the path of a part of the proof of this name."""
        return self.path / "parts" / f"{name}-{digest}.proof"

    def add_proof(self, path: Path, text: str) -> None:
        """Write a proof. Raise OSError when that fails."""
        path.parent.mkdir(exist_ok=True)
        write_whole(path, text)


def read_tree(path: Path, tree: JobTree) -> None:
    """Enter the positions of a file `tree.jsonl` into a tree; those it has settled stay settled.

    Raise JobFolderError, naming the line, when it is damaged or of another board or version.
    """
    first, _, payload = contents(path).partition(b"\n")
    board = tree.board
    try:
        head = strict.read(first, _Head)
    except ValueError as error:
        raise JobFolderError(f"{path}:1: not an upper tree of hsearch: {error}") from None
    if head.schema != SCHEMA:
        raise JobFolderError(f"{path}:1: an upper tree of another version: {head.schema!r}")
    if (head.columns, head.rows) != (board.columns, board.rows):
        here, there = str(board), f"{head.columns}x{head.rows}"
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
    for key, node in nodes:
        known = tree.table.nodes.get(key)
        if known is None or known.winner is None:  # the table may be the newer of the two files
            tree.table.nodes[key] = node
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

    key: CellsText
    phi: Count
    delta: Count
    work: Count
    common: CellsText
    union: CellsText
    moves: list[Count]
    stones: StonesText
    needs: StonesText
    numbers: tuple[Count, Count]
    advised: bool


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
        "numbers": node.numbers,
        "advised": node.is_advised,
    }


def _node_of(line: _Line, board: Board) -> tuple[bytes, Node]:
    """Return the key and the node of a line. Raise ValueError when no node is like that."""
    black, white = (_cells(text, board) for text in line.stones)
    common = _cells(line.common, board)
    key, moves = bytes.fromhex(line.key), tuple(line.moves)
    if len(key) != table_file.key_length(board) or key[-1] > 1 or len(set(moves)) < len(moves):
        raise ValueError("a key of another board, or a move twice")
    if any(move >= board.size or not common >> move & 1 for move in moves) or not moves:
        raise ValueError(f"moves that are not in the region: {line.moves}")
    if black & white or common & (black | white):
        raise ValueError("two stones on one cell, or a move on a stone")
    node = Node(min(line.phi, INFINITE), min(line.delta, INFINITE), line.work)
    node.common, node.union, node.moves = common, _cells(line.union, board), moves
    node.stones = black, white
    node.needs = _cells(line.needs[0], board), _cells(line.needs[1], board)
    phi, delta = line.numbers
    node.numbers, node.is_advised = (min(phi, INFINITE), min(delta, INFINITE)), line.advised
    return key, node


def _cells(text: str, board: Board) -> int:
    number = int(text, 16)
    if number >> board.size:
        raise ValueError(f"cells beyond the board: {text}")
    return number


# Proofs of settled positions, written by workers: parts first, then the whole.

SETTLED_SENT = 20_000  # settled positions sent with a proof job, those with the most work below
LEAST, MOST = 1_000, 10_000  # positions examined below a part


@dataclass(frozen=True, slots=True)
class ProofJob:
    """Request to a worker: a position, and settled nodes that may lie below it.

    name    name of the proof that it is for
    part    index of the part; None for the whole
    parts   the proved parts that the whole refers to
    """

    name: str
    part: int | None
    position: Position
    batch: bytes
    parts: tuple[ProvedPart, ...]
    memory: int


@dataclass(frozen=True, slots=True)
class Proof:
    """A written proof, and the CPU seconds that it took.

    For a part, `proves` is what it proves; the whole refers to the parts of its job.
    """

    name: str
    part: int | None
    text: str
    proves: ProvedPart | None
    seconds: float


def run_proof_job(job: ProofJob) -> Proof:
    """Write a proof; search again for what the nodes sent lack."""
    start = time.thread_time()
    worker = worker_for(job.position.board, job.memory)
    worker.learn(job.batch)
    solver = worker.new_solver()
    for part in job.parts:
        solver.learn(part)
    text = write(solver, job.position, parts=job.parts)
    proves = None
    if job.part is not None:
        proves = part_of(verify(text))
    return Proof(job.name, job.part, text, proves, time.thread_time() - start)


@dataclass(frozen=True, slots=True)
class Check:
    """A check of the proof in a file, and the CPU seconds that it took.

    If the proof holds, `position` and `winner` are what it proves; otherwise there is a `fault`.
    """

    path: Path
    position: Position | None
    winner: Color | None
    fault: str
    seconds: float


def run_check(path: Path) -> Check:
    """Check the proof in a file. Raise OSError when it cannot be read."""
    start = time.thread_time()
    try:
        proof = verify_file(path)
    except ProofError as error:
        return Check(path, None, None, str(error), time.thread_time() - start)
    return Check(path, proof.position, proof.winner, "", time.thread_time() - start)


class Proving:
    """The proof of one settled position while it is being written. Holds state.

    Positions below that took much work are proved first, as parts that many workers
    can write at a time, and that outlive the process.
    """

    def __init__(
        self,
        name: str,
        position: Position,
        tree: JobTree,
        folder: JobFolder,
        sizes: tuple[int, int],
    ) -> None:
        """Find the parts, and read those that are written already."""
        self.name, self._position = name, position
        self._tree, self._folder = tree, folder
        self._parts = list(parts_below(tree, position, *sizes))
        self._proofs = [self._read_part(part) for part in self._parts]
        self._out: set[int | None] = set()

    def next_job(self) -> ProofJob | None:
        """Return a job that can be done now, which is then out; None if there is none."""
        todo = [part for part, proof in enumerate(self._proofs) if proof is None]
        which = next((part for part in todo if part not in self._out), None)
        if which is None and (todo or None in self._out):
            return None
        self._out.add(which)
        position = self._position if which is None else self._parts[which]
        batch = self._tree.pack_settled(SETTLED_SENT)
        parts = () if which is not None else tuple(filter(None, self._proofs))
        return ProofJob(self.name, which, position, batch, parts, self._tree.memory)

    def keep(self, proof: Proof) -> None:
        """Write a proof that came back. Raise OSError when that fails."""
        if proof.part is None:
            self._finish(proof.text)
            return
        self._out.discard(proof.part)
        self._proofs[proof.part] = proof.proves
        self._folder.add_proof(self._path(self._parts[proof.part]), proof.text)

    def renew(self) -> None:
        """Forget the jobs that are out: their workers are gone."""
        self._out.clear()

    def _finish(self, text: str) -> None:
        paths = [self._path(part) for part in self._parts]
        path = self._folder.proof(self.name)
        path.parent.mkdir(exist_ok=True)
        merge(text, paths, path)
        for part in paths:
            part.unlink(missing_ok=True)

    def _path(self, part: Position) -> Path:
        stones = repr(part).encode()
        return self._folder.part(self.name, hashlib.blake2b(stones, digest_size=8).hexdigest())

    def _read_part(self, part: Position) -> ProvedPart | None:
        """Return what the file of a part proves; None unless it is a valid proof of it."""
        try:
            proof = read_part(self._path(part))
        except (OSError, ProofError):
            return None
        return proof if proof.start == part else None


def parts_below(tree: JobTree, position: Position, least: int, most: int) -> Iterator[Position]:
    """Yield positions below a settled one, the loser to move, for separate proofs.

    These are the topmost positions with at most `most` work below, but none with less than
    `least`, and none at all if the settled one has at most `most`. The winner plays the
    moves of the tree, the loser every cell that the winner needs.
    """
    visited: set[Position] = set()
    whole = tree.find_settled(position)
    waiting = [] if whole is None or whole.work <= most else [position]
    while waiting:
        one = waiting.pop()
        node = tree.find_settled(one)
        if one in visited or node is None or node.winner is None:
            continue
        visited.add(one)
        if node.winner == one.turn:
            if node.first is not None:
                waiting.append(one.play(node.first))
        elif node.work <= most:
            if node.work >= least:
                yield one
        else:
            cells = (cell for cell in one.empty.search(1) if node.carrier >> cell & 1)
            waiting.extend(one.play(cell) for cell in cells)
