"""The coordinator: hands out jobs and takes results until positions are settled and proved."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hsearch.hex import Position
from player.solve import job_folder
from player.solve.job import JobResult, run_job
from player.solve.job_tree import JobTree
from player.solve.table import SaveTimer
from player.work.clock import TimeLeft
from player.work.spread import ONE_WORKER, PickledCall, WorkerPool, spread_from

TURN, LONGER = 16_000, 4  # positions examined in a first turn, and the factor from turn to turn

Warn = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class JobProgress:
    """Progress of a search by jobs.

    settled_count  positions whose winner is known
    proof_count    those of them whose proof is written and checked
    jobs           jobs that came back, and `out` those under way
    nodes          positions examined, in `seconds` of CPU time of all workers
    """

    settled_count: int
    proof_count: int
    jobs: int
    out: int
    nodes: int
    seconds: float


class Coordinator:
    """A search of some positions by jobs. Holds state.

    It is a source of calls for `spread_from`. One worker searches position after position;
    several search different ones while there are enough. No position is searched for longer
    than its turn while others wait, so a hard one does not delay easy ones. With `proofs`,
    each settled position gets a proof: any worker writes it, and then it is checked on this
    machine, which has its file. Proofs of earlier processes are checked last, so a search
    resumes at once.
    """

    def __init__(
        self,
        tree: JobTree,
        positions: Sequence[tuple[str, Position]],
        folder: job_folder.JobFolder | None = None,
        *,
        proofs: bool = False,
        seconds: float | None = None,
        turn: int = TURN,
    ) -> None:
        """Prepare a search of positions, each with the name of its proof file.

        After `seconds` it hands out nothing. `turn` is the number of positions examined below
        one of them before the others have their turn.
        """
        self.tree, self.positions, self.folder = tree, list(positions), folder
        self.on_progress: Callable[[JobProgress], None] = lambda _progress: None
        self.on_warning: Warn = lambda _text: None
        self.part_sizes = job_folder.LEAST, job_folder.MOST
        self._proofs, self._first_turn = proofs and folder is not None, turn
        self._proving: dict[str, job_folder.Proving] = {}
        self._delivered: set[str] = set()  # also if it could not be saved
        self._checking: set[str] = set()
        self._checked: set[str] = set()
        self._checks_by_jobs = True
        self._is_saved = True
        self._time_left = TimeLeft(seconds)
        self._timer = SaveTimer()

    @property
    def left(self) -> int:
        """Number of positions to settle, to prove and to check; 0 when the time is up."""
        if self._time_left.is_up():
            return 0
        check_count = len(self._files_to_check()) if self._checks_by_jobs else 0
        return len(self._open()) + len(self._positions_to_prove()) + check_count

    @property
    def progress(self) -> JobProgress:
        """Progress of the search."""
        tree, settled_count = self.tree, len(self.positions) - len(self._open())
        proof_count = len(self._checked)
        return JobProgress(
            settled_count, proof_count, tree.jobs, tree.out, tree.nodes, tree.seconds
        )

    @property
    def is_kept(self) -> bool:
        """Whether the table and all proofs are saved, if there is a folder."""
        folder = self.folder
        return folder is None or (
            self._is_saved and all(folder.proof(name).exists() for name in self._delivered)
        )

    def run(self, workers: WorkerPool = ONE_WORKER) -> None:
        """Search until all is done or the time is up; save the results in any case.

        Raise WorkersError when workers keep dying, JobError when one runs another version, and
        JobFolderError when a valid proof in the folder contradicts the table.
        """
        is_elsewhere = workers.executor is not None
        self._checks_by_jobs = not is_elsewhere  # workers elsewhere may not see the files
        try:
            is_left = True
            while is_left:
                spread_from(
                    self,
                    self._keep,
                    workers,
                    ahead=workers.count + is_elsewhere,  # they are farther away
                    things="positions",
                )
                paths = [] if self._time_left.is_up() else self._files_to_check()
                for path in paths:
                    self._keep(job_folder.run_check(path))
                # A proof of an earlier process may have been removed: write it again.
                is_left = bool(paths) and self.left > 0
        finally:
            self.renew()
            self._save()

    def renew(self) -> None:
        """Forget the jobs that are out: their workers are gone."""
        self.tree.give_up()
        self._checking.clear()
        for proving in self._proving.values():
            proving.renew()

    def take(self, most: int) -> Sequence[PickledCall]:
        """Return calls that can be made now."""
        calls: list[PickledCall] = []
        if self._time_left.is_up():
            return calls
        calls += self._checks(most, self._delivered)
        for proving in self._proofs_to_write():
            while len(calls) < most and (proof := proving.next_job()) is not None:
                calls.append((job_folder.run_proof_job, proof))
        positions = sorted((position for _, position in self._open()), key=self._turn)
        while len(calls) < most and (job := self.tree.next_job(positions)) is not None:
            calls.append((run_job, job))
        return calls + self._checks(most - len(calls), {name for name, _ in self.positions})

    def _checks(self, most: int, names: set[str]) -> list[PickledCall]:
        """Return checks of proofs with these names, at most `most`, none of them under way."""
        if not self._checks_by_jobs:
            return []
        free = names - self._checking
        paths = [path for path in self._files_to_check() if path.stem in free][:most]
        self._checking.update(path.stem for path in paths)
        return [(job_folder.run_check, path) for path in paths]

    def _turn(self, position: Position) -> int:
        """Return how many turns a position has had."""
        turns, end = 0, self._first_turn
        while self.tree.doubt(position).nodes >= end:
            turns, end = turns + 1, end * LONGER
        return turns

    def _keep(self, result: JobResult | job_folder.Proof | job_folder.Check) -> bool:
        if isinstance(result, job_folder.Proof):
            self._keep_proof(result)
        elif isinstance(result, job_folder.Check):
            self._keep_check(result)
        else:
            self.tree.keep(result)
            self._try(lambda folder: folder.note(result))
        if self._timer.is_due:
            self._save()
        self.on_progress(self.progress)
        return False

    def _keep_proof(self, proof: job_folder.Proof) -> None:
        self.tree.seconds += proof.seconds
        proving = self._proving[proof.name]
        if proof.part is None:
            self._delivered.add(proof.name)
        self._try(lambda _folder: proving.keep(proof))

    def _keep_check(self, check: job_folder.Check) -> None:
        """Note that a proof holds; if it does not, remove it, so that it is written again.

        If this process wrote it, the next one writes it: this one might repeat the fault.
        """
        name, path = check.path.stem, check.path
        self._checking.discard(name)
        self.tree.seconds += check.seconds
        position = dict(self.positions)[name]
        if check.fault or check.position != position:
            path.unlink(missing_ok=True)
            if name in self._delivered:
                fault = check.fault or "it is of another position"
                self.on_warning(f"{path}: removed, as it does not hold: {fault}")
        elif check.winner != self.tree.winner(position) and check.winner is not None:
            winner, other = check.winner.word, check.winner.opponent.word
            table = path.parent.parent / "table"
            reason = f"{path} proves that {winner} wins, not {other}"
            raise job_folder.JobFolderError(f"{table}: false: {reason}")
        else:
            self._checked.add(name)

    def _save(self) -> None:
        with self._timer.saving():
            self._is_saved = self._try(lambda folder: folder.save(self.tree))

    def _try(self, write: Callable[[job_folder.JobFolder], None]) -> bool:
        """Write to the folder, if any; if that fails, warn, and let the search continue."""
        if self.folder is not None:
            try:
                write(self.folder)
            except OSError as error:
                reason = error.strerror or str(error)
                self.on_warning(f"{error.filename}: not saved: {reason}")
                return False
        return True

    def _open(self) -> list[tuple[str, Position]]:
        """Return the positions whose winner is not known."""
        return [each for each in self.positions if self.tree.winner(each[1]) is None]

    def _positions_to_prove(self) -> list[tuple[str, Position]]:
        """Return the settled positions whose proof is still to be written."""
        if not self._proofs or self.folder is None:
            return []
        return [
            (name, position)
            for name, position in self.positions
            if name not in self._delivered
            and self.tree.winner(position) is not None
            and not self.folder.proof(name).exists()
        ]

    def _files_to_check(self) -> list[Path]:
        """Return the files of unchecked proofs of settled positions."""
        if not self._proofs or self.folder is None:
            return []
        paths = [
            self.folder.proof(name)
            for name, position in self.positions
            if name not in self._checked and self.tree.winner(position) is not None
        ]
        return [path for path in paths if path.exists()]

    def _proofs_to_write(self) -> Iterator[job_folder.Proving]:
        """Yield the proofs that are to be written, in the order of the positions."""
        for name, position in self._positions_to_prove():
            if name not in self._proving and self.folder is not None:
                self._proving[name] = job_folder.Proving(
                    name, position, self.tree, self.folder, self.part_sizes
                )
            yield self._proving[name]
