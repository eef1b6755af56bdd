"""The proof of a settled position, written wherever a worker is."""

import time
from dataclasses import dataclass

from hsearch.position import Position
from player.jobs.job import worker_for
from player.jobs.tree import JobTree
from player.solve import write_proof

SENT = 20_000  # settled positions that go along, those with the most work below


@dataclass(frozen=True, slots=True)
class ProofJob:
    """What a worker is asked: a name and a position, and settled nodes that may lie below it."""

    name: str
    position: Position
    known: bytes
    memory: int

    @classmethod
    def of(cls, name: str, position: Position, tree: JobTree) -> "ProofJob":
        """Return the job for a position that a tree has settled."""
        return cls(name, position, tree.settled(SENT), tree.memory)


@dataclass(frozen=True, slots=True)
class Proof:
    """A written proof, and the seconds of the processor that it took."""

    name: str
    text: str
    seconds: float


def run_proof_job(job: ProofJob) -> Proof:
    """Write a proof; what of it is not known is searched again."""
    started = time.thread_time()
    worker = worker_for(job.position.board, job.memory)
    worker.learn(job.known)
    return Proof(job.name, write_proof(worker.solver, job.position), time.thread_time() - started)
