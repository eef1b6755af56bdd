"""A job: a position to search within limits, with known results, by a worker anywhere."""

import threading
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from hsearch.hex import Board
from hsearch.hex.board import rotate_cells
from hsearch.version import __version__
from player.solve.budget import ALL_TECHNIQUES, Budget, OutOfTimeError
from player.solve.examiner import SolverNode
from player.solve.proof_number import Descent, Shared
from player.solve.solver import LIMITS, Solver, node_bytes
from player.solve.table import INFINITE, Node, NodeTable, pack, unpack

LEAST = 8  # positions that a job examines whatever its bounds, to be worth sending
MOST_RETURNED = 1000  # positions that a job returns, those with the most work below


class JobError(RuntimeError):
    """A worker cannot do a job: it runs another version of the program."""


@dataclass(frozen=True, slots=True)
class Job:
    """Request to a worker.

    number   number of the job, from 1
    board    its size
    black    Black's stones, a bit a cell
    white    White's stones
    turn     who is to move, 0 for Black
    nodes    most positions to examine
    bounds   phi and delta at which another position becomes the better one to search
    batches  known nodes near it, as `pack` returns them
    lemmas   lemmas that recent jobs learned, each as `Lemmas.since` returns them
    memory   megabytes for the worker's table
    version  version of the program that sends it
    """

    number: int
    board: Board
    black: int
    white: int
    turn: int
    nodes: int
    bounds: tuple[int, int] = (INFINITE, INFINITE)
    batches: tuple[bytes, ...] = ()
    lemmas: tuple[bytes, ...] = ()
    memory: int = 1000
    version: str = __version__


@dataclass(frozen=True, slots=True)
class JobResult:
    """Result of a job.

    number   number of the job
    node     the position's node, settled or with the moves left, on the board as in the job
    batch    nodes made or searched, as `pack` returns them
    lemmas   lemmas learned, as `Lemmas.since` returns them
    nodes    positions examined
    seconds  CPU seconds
    """

    number: int
    node: Node
    batch: bytes
    lemmas: bytes
    nodes: int
    seconds: float


def run_job(job: Job) -> JobResult:
    """Search a position as far as the job allows.

    The tables of a worker last from one job to the next, for one size of board. Raise
    JobError when another version of the program sent the job.
    """
    if job.version != __version__:
        message = f"a worker is hsearch {__version__}, the job is of hsearch {job.version}"
        raise JobError(message)
    return worker_for(job.board, job.memory).run(job)


def worker_for(board: Board, memory: int) -> "Worker":
    """Return the worker of this thread, with the table of its earlier jobs."""
    worker: Worker | None = getattr(_WORKERS, "worker", None)
    if worker is None or (worker.board, worker.memory) != (board, memory):
        worker = _WORKERS.worker = Worker(board, memory)
    return worker


class Worker:
    """A search that does one job after another. Holds state."""

    def __init__(self, board: Board, memory: int) -> None:
        """Start with an empty table of this many megabytes."""
        self.board, self.memory = board, memory
        self._table = _MadeTable(max(1, memory * 1_000_000 // node_bytes(board)))
        self._shared = Shared.of(board, self._table, ALL_TECHNIQUES)
        self._descent = Descent(board, LIMITS, self._shared)

    def new_solver(self) -> Solver:
        """Return a solver that shares the table and has no lemmas yet."""
        return Solver(self.board, table=self._table)

    def learn(self, batch: bytes) -> None:
        """Enter nodes from elsewhere and their lemmas; do nothing the second time."""
        if not self._table.note(batch):
            return
        for key, node in unpack(batch, self.board):
            if self._table.learn(key, node) and node.winner is not None:
                self._descent.keep_lemma(_place_of(key), node)

    def run(self, job: Job) -> JobResult:
        """Do a job."""
        start, shared, table = time.thread_time(), self._shared, self._table
        for part in job.batches:
            self.learn(part)
        for lemmas in job.lemmas:
            if table.note(lemmas):
                shared.lemmas.hear(lemmas)
        table.made.clear()
        lemma_counts = shared.lemmas.counts
        place = self._descent.place(job.black, job.white, job.turn)
        node, before = table.node(place.key), shared.positions
        shared.budget = Budget(positions=before + job.nodes, is_part=True)
        phi, delta = job.bounds
        with shared.lock, suppress(OutOfTimeError):
            self._descent.run(place, node, phi, delta)
            while node.winner is None and shared.positions - before < LEAST:
                phi, delta = 2 * phi, 2 * delta
                self._descent.run(place, node, phi, delta)
        if node.winner is None:
            below = self._numbers(node, place.turn)
            node = _as_placed(node, place.turned, self.board)
        else:
            below, node = {}, self._descent.as_it_was(place, node)
        most = sorted(
            ((key, table.nodes[key]) for key in table.made if key in table.nodes),
            key=lambda nodes: -nodes[1].work,
        )
        nodes = pack({**below, **dict(most[:MOST_RETURNED])}.items(), self.board)
        lemmas = shared.lemmas.since(lemma_counts)
        table.note(lemmas)
        positions = shared.positions - before
        return JobResult(job.number, node, nodes, lemmas, positions, time.thread_time() - start)

    def _numbers(self, node: Node, turn: int) -> dict[bytes, Node]:
        """Return the known nodes after the moves that are left, by key."""
        nodes: dict[bytes, Node] = {}
        for move in node.moves or ():
            key = self._descent.after(node, turn, move).key
            if key in self._table.nodes:
                nodes[key] = self._table.nodes[key]
        return nodes


class _MadeTable(NodeTable):
    """A table that lists the nodes made or searched since `made` was cleared. Holds state."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.made: dict[bytes, None] = {}
        self._heard: set[int] = set()

    def note(self, batch: bytes) -> bool:
        """Note packed nodes or lemmas; return whether they are new, or were dropped since."""
        is_new = hash(batch) not in self._heard
        self._heard.add(hash(batch))
        return is_new

    def node(self, key: bytes, numbers: tuple[int, int] = (1, 1)) -> Node:
        if key not in self.nodes:
            self.made[key] = None
        return super().node(key, numbers)

    def put_back(self, key: bytes, node: Node) -> None:
        self.made[key] = None
        super().put_back(key, node)

    def learn(self, key: bytes, node: Node) -> bool:
        """Enter a node from elsewhere unless as much is known; return whether it was entered."""
        old = self.nodes.get(key)
        if old is not None and (old.winner is not None or node.winner is None):
            return False
        self.put_back(key, node)
        return True

    def _forget(self) -> None:
        super()._forget()
        self._heard.clear()


def _place_of(key: bytes) -> SolverNode:
    """Return the position of a key."""
    half = len(key) // 2
    black, white = (int.from_bytes(cells, "little") for cells in (key[:half], key[half : 2 * half]))
    return SolverNode(key, black, white, key[-1], turned=False, captured=(0, 0))


def _as_placed(node: Node, turned: bool, board: Board) -> Node:  # noqa: FBT001 - of a place
    """Return an open node with its moves on the board as in the job."""
    moves = node.moves or ()
    copy = replace(node, moves=moves, places={}, lemma_counts=(0, 0), busy=0)
    if turned:
        turn = partial(rotate_cells, board)
        copy.common, copy.union = turn(node.common), turn(node.union)
        copy.stones = turn(node.stones[0]), turn(node.stones[1])
        copy.needs = turn(node.needs[0]), turn(node.needs[1])
        copy.moves = tuple(map(board.rotate, moves))
    return copy


_WORKERS = threading.local()
