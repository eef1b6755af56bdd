"""The proofs of settled positions, written wherever workers are: parts first, then the whole."""

import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hsearch.position import Position
from player.jobs.folder import JobFolder
from player.jobs.job import worker_for
from player.jobs.tree import JobTree
from player.solve import ProofError, ProvedPart, merge, read_part, verify, write_proof

SENT = 20_000  # settled positions that go along, those with the most work below
LEAST, MOST = 1_000, 10_000  # positions looked at below a part


@dataclass(frozen=True, slots=True)
class ProofJob:
    """Request to a worker: a position, and settled nodes that may lie below it.

    name    of the proof that it is for
    part    number of the part; None for the whole
    parts   that are proved by then
    """

    name: str
    part: int | None
    position: Position
    known: bytes
    parts: tuple[ProvedPart, ...]
    memory: int


@dataclass(frozen=True, slots=True)
class Proof:
    """A written proof, and the seconds of the processor that it took.

    Of a part it tells what that proves; the whole refers to the parts of its job.
    """

    name: str
    part: int | None
    text: str
    proves: ProvedPart | None
    seconds: float


def run_proof_job(job: ProofJob) -> Proof:
    """Write a proof; what of it is not known is searched again."""
    started = time.thread_time()
    worker = worker_for(job.position.board, job.memory)
    worker.learn(job.known)
    for part in job.parts:
        worker.solver.learn(part)
    text = write_proof(worker.solver, job.position, parts=job.parts)
    proves = None
    if job.part is not None:
        proved = verify(text)
        proves = ProvedPart(proved.start, proved.winner, proved.carrier)
    return Proof(job.name, job.part, text, proves, time.thread_time() - started)


class Proving:
    """The proof of one settled position while it is written. Holds state.

    What took much work below it is proved first, in parts that many workers
    write at a time, and that outlive the process.
    """

    def __init__(
        self,
        name: str,
        position: Position,
        tree: JobTree,
        folder: JobFolder,
        sizes: tuple[int, int],
    ) -> None:
        """Look for parts, and for those that are written already."""
        self.name, self._position = name, position
        self._tree, self._folder = tree, folder
        self._parts = list(parts_below(tree, position, *sizes))
        self._proved = [self._written(part) for part in self._parts]
        self._out: set[int | None] = set()

    def next_job(self) -> ProofJob | None:
        """Return what can be written now, if anything; it is out then."""
        todo = [part for part, proved in enumerate(self._proved) if proved is None]
        which = next((part for part in todo if part not in self._out), None)
        if which is None and (todo or None in self._out):
            return None
        self._out.add(which)
        position = self._position if which is None else self._parts[which]
        known = self._tree.settled(SENT)
        parts = () if which is not None else tuple(filter(None, self._proved))
        return ProofJob(self.name, which, position, known, parts, self._tree.memory)

    def keep(self, proof: Proof) -> None:
        """Write a proof that came back. Raise OSError when the disk does not take it."""
        if proof.part is None:
            self._finish(proof.text)
            return
        self._out.discard(proof.part)
        self._proved[proof.part] = proof.proves
        self._folder.add_proof(self._path(self._parts[proof.part]), proof.text)

    def renew(self) -> None:
        """Forget what is out: its workers are gone."""
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

    def _written(self, part: Position) -> ProvedPart | None:
        """Return what an earlier process has proved of a part; None if it has not."""
        try:
            found = read_part(self._path(part))
        except (OSError, ProofError):
            return None
        return found if found.start == part else None


def parts_below(tree: JobTree, position: Position, least: int, most: int) -> Iterator[Position]:
    """Yield positions below a settled one, the loser to move, for proofs of their own.

    There are none when the work below it is at most `most`. Else they are as far up
    as theirs is, and left to others when theirs is less than `least`. The winner
    goes by the moves of the tree, the loser anywhere the winner needs.
    """
    seen: set[Position] = set()
    whole = tree.known(position)
    left = [] if whole is None or whole.work <= most else [position]
    while left:
        one = left.pop()
        node = tree.known(one)
        if one in seen or node is None or node.winner is None:
            continue
        seen.add(one)
        if node.winner == one.turn:
            if node.first is not None:
                left.append(one.play(node.first))
        elif node.work <= most:
            if node.work >= least:
                yield one
        else:
            cells = (cell for cell in one.empty.search(1) if node.carrier >> cell & 1)
            left.extend(one.play(cell) for cell in cells)
