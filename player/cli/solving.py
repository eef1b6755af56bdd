"""A solver at work: its table on disk, proofs of parts, maps of openings, and jobs.

The table is saved while the solver works, at growing intervals, and at the end,
however the run ends.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import click

from hsearch.formats.files import whole_or_xz
from hsearch.hex import Board, CellSet, Color, Position
from hsearch.render.text import Marks, quantity
from player.answers import solved
from player.console import screen
from player.console.command import FailedError, InputError, reading, warn, writing
from player.console.games import Machines, refuse_other
from player.console.options import is_folder, is_there
from player.console.output import Output
from player.console.reading import folder_of
from player.solve.budget import Techniques
from player.solve.coordinator import Coordinator, JobProgress
from player.solve.job import JobError
from player.solve.job_folder import JobFolder, JobFolderError
from player.solve.job_tree import JobTree
from player.solve.proof import ProvedPart, UnprovedError, merge, read_part, write
from player.solve.solver import Opening, Solver, SolverProgress, from_the_center, winning_openings
from player.solve.table import SaveTimer
from player.work.spread import WorkersError

UNKEPT = f"{screen.NOTHING}: --resume FILE keeps what is known"
BLINK = 0.2  # seconds between two lines of progress


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveRequest:
    """How `hsearch solve` is to find its answer, and what it is to write.

    hexboard   whether to print a <hexboard>
    proof      the file for the proof
    proofs     the folder for the proofs of openings
    parts      the folder of proofs to reuse
    seconds    the limit of the search
    resume     the file of the table, or the folder of a search by jobs
    jobs       the number of processes; None without jobs
    scheduler  the address of a Dask cluster
    memory     megabytes of the table
    threads    threads that share the table
    without    the techniques to leave out
    """

    hexboard: bool
    proof: Path | None
    proofs: Path | None
    parts: Path | None
    seconds: float | None
    resume: str | None
    jobs: int | None
    scheduler: str | None
    memory: int
    threads: int
    without: tuple[str, ...]

    @property
    def table(self) -> Path | None:
        """The file of the table, or the folder of the search; None if nothing is stored."""
        return None if self.resume is None else Path(self.resume)

    @property
    def is_by_jobs(self) -> bool:
        """Whether jobs are to solve it."""
        is_stored = self.resume is not None and is_folder(self.resume)
        return self.jobs is not None or self.scheduler is not None or is_stored

    @property
    def machines(self) -> Machines:
        """Where jobs run."""
        return Machines(self.jobs or 1, self.scheduler)

    def check_jobs(self, *, every: bool) -> None:
        """Raise UsageError or InputError for what jobs cannot do."""
        others = (self.parts, self.proofs, self.without or None)
        if every or self.threads > 1 or any(value is not None for value in others):
            raise click.UsageError(
                "--all, --parts, --proofs, --threads and --without do not go with --workers, "
                "--scheduler and a folder as --resume"
            )
        if self.resume is not None and not is_folder(self.resume) and Path(self.resume).exists():
            raise InputError(f"{self.resume}: not a folder, which jobs need")

    def tag(self, cells: CellSet) -> CellSet | None:
        """Return the cells to mark in a <hexboard>; None without one."""
        return cells if self.hexboard else None

    def solver(self, board: Board) -> Solver:
        """Return a new solver."""
        techniques = Techniques().without(self.without)
        return Solver(board, memory=self.memory, workers=self.threads, techniques=techniques)


@contextmanager
def keeping(solver: Solver, path: Path | None, on_disk: str = UNKEPT) -> Iterator["Keeper"]:
    """Load the table at `path`, if there is one, and save it there while the solver works.

    `on_disk` says what an interruption leaves on disk if there is no path. Raise InputError if the
    file is not a table for this board, and leave it unchanged; and if another process saves its
    table there, because the two would overwrite each other.
    """
    keeper = Keeper(solver, path)
    with screen.sole_writer(path):
        keeper.read()
        solver.on_progress = keeper.progress
        with screen.leaving(lambda: on_disk if path is None else keeper.on_disk()):
            try:
                yield keeper
            finally:
                solver.on_progress = None
                keeper.save()


class Keeper:
    """Saves the table and shows progress, both at intervals. Holds state."""

    def __init__(self, solver: Solver, path: Path | None) -> None:
        """Begin with nothing saved or shown."""
        self._solver = solver
        self._path = path
        self._timer = SaveTimer()
        self._next_line = 0.0
        self._work = screen.Work()
        self._is_saved = False
        self.is_kept = True  # whether the last save succeeded

    def on_disk(self) -> str:
        """Return in words what is on disk."""
        return screen.resume_note(self._path) if self._is_saved else screen.NOTHING

    @contextmanager
    def display(self) -> Iterator[None]:
        """Show the progress of the solver meanwhile."""
        with screen.working("solving") as self._work:
            yield
        self._work = screen.Work()

    def read(self) -> None:
        """Load the table on disk, if there is one.

        Raise InputError if the path cannot hold a table, or the table cannot be read.
        """
        if self._path is None or not is_there(self._path):
            return
        if not self._path.is_file():
            raise InputError(f"{self._path}: not a file that can keep a table")
        with reading(self._path):
            self._solver.load(self._path)

    def progress(self, progress: SolverProgress) -> None:
        """Show the progress of the solver, and save the table if that is due."""
        if progress.seconds >= self._next_line:
            self._next_line = progress.seconds + BLINK
            line = self._solver.board.text(progress.line)
            numbers = f"proof {progress.proof}, disproof {progress.disproof}"
            self._work.say(f"{quantity(progress.nodes, 'position')}, {numbers}: {line}")
        if self._timer.is_due:
            self.save()

    def save(self) -> None:
        """Save the table; if that fails, print a warning and continue the search."""
        if self._path is None:
            return
        try:
            with self._timer.saving():
                self._solver.save(self._path)
            self._is_saved = self.is_kept = True
        except OSError as error:
            self.is_kept = False
            warn(f"{self._path}: not saved: {error.strerror or error}")


# Proofs of parts for `hsearch solve --parts`.


@dataclass(frozen=True, slots=True)
class ProofParts:
    """The proofs of a folder, and what each of them proves."""

    paths: tuple[Path, ...] = ()
    parts: tuple[ProvedPart, ...] = ()

    def write_proof(self, solver: Solver, position: Position, path: Path) -> int:
        """Write the proof of a position and the parts it uses; return its number of positions."""
        text = write(solver, position, parts=self.parts)
        with writing(path):
            if self.paths:
                return merge(text, self.paths, path)
            with whole_or_xz(path) as file:
                file.write(text.encode())
        return text.count("\n") - 1


@dataclass(frozen=True, slots=True)
class SolverRun:
    """A solver that is to answer a question.

    seconds  the limit of its search; None for no limit
    table    the file of its table; None if that is not stored
    parts    the proofs that it may refer to
    nodes    the positions that were examined before
    took     the seconds that this took
    on_disk  what an interruption leaves on disk if there is no table
    is_kept  whether all that was found before is saved
    """

    solver: Solver
    seconds: float | None
    table: Path | None = None
    parts: ProofParts = ProofParts()
    nodes: int = 0
    took: float = 0.0
    on_disk: str = UNKEPT
    is_kept: bool = True


@contextmanager
def proving(table: Path | None) -> Iterator[None]:
    """Raise FailedError if an answer has no proof; name the table that the answer came from."""
    try:
        yield
    except UnprovedError as error:
        place = "" if table is None else f"{table}: false: "
        raise FailedError(f"{place}the answer has no proof: {error}") from error


def read_parts(folder: Path | None, board: Board) -> ProofParts:
    """Check the proofs NAME.proof and NAME.proof.xz in a folder, in the order of their names.

    Raise InputError, naming the file, if a proof is wrong or for another board.
    """
    paths = (
        ()
        if folder is None
        else tuple(sorted((*folder_of(folder).glob("*.proof"), *folder.glob("*.proof.xz"))))
    )
    if folder is not None and not paths:
        raise InputError(f"{folder}: no proofs there, as NAME.proof or NAME.proof.xz")
    parts = []
    with screen.working("verify", len(paths), unit="proofs") as work:
        for number, path in enumerate(paths, 1):
            with reading(path):
                part = read_part(path)
            if part.start.board != board:
                raise InputError(f"{path}: a proof for {part.start.board}, not {board}")
            parts.append(part)
            work.update(number)
    return ProofParts(paths, tuple(parts))


# `hsearch solve --openings`: which first moves win on the empty board.


def show_map(solver: Solver, keeper: Keeper, request: SolveRequest, output: Output) -> None:
    """Solve every opening of a board, and print which ones win for Black."""
    start = time.monotonic()
    openings: list[Opening] = []
    with keeper.display():
        wins = winning_openings(solver, on_progress=openings.append)
    seconds = time.monotonic() - start
    board = solver.board
    position = Position.of(board)
    marks = Marks(shade=wins, shade_as="openings that win for Black")
    summary = f"{wins.count()} of {board.size} openings win for Black."
    effort = f"{quantity(solver.nodes, 'position')} in {seconds:.1f} s."
    thing = solved.openings_object(solver, wins, openings, seconds)
    output.answer(position, marks, thing, (summary, effort), tag=request.tag(wins))
    output.picture.write(position, marks, title=str(board))


def proofs_in(folder: Path, board: Board) -> dict[Path, Position]:
    """Make a folder for the proofs of all openings; return the file and the position of each.

    Raise InputError if one of the files exists and is not the proof of its position.
    """
    screen.make_folder(folder)
    openings = {
        folder / f"{board.name(cell)}.proof": Position.of(board).play(cell)
        for cell in from_the_center(board)
    }
    for path, position in openings.items():
        refuse_other(path, {position}, f"{path.stem} on {board}")
    return openings


def write_proofs(solver: Solver, openings: dict[Path, Position], folder: Path) -> str:
    """Write the proofs of openings that do not exist yet; return what was done in words.

    So an interrupted run resumes. Raise UnprovedError if an answer of the solver has no proof.
    """
    count = 0
    with screen.working("solving", len(openings), unit="proofs", even=False) as work:
        for number, (path, position) in enumerate(openings.items(), 1):
            if not path.exists():
                ProofParts().write_proof(solver, position, path)
                count += 1
            work.update(number)
    there = len(openings) - count
    return f"{folder}: {quantity(count, 'proof')} written" + (
        f", {there} were there." if there else "."
    )


# `hsearch solve` by jobs: on many processes or machines, kept in a folder.


def solve_by_jobs(position: Position, request: SolveRequest) -> SolverRun:
    """Search a position by jobs; return a solver with their table, which searches no more."""
    start = time.monotonic()
    coordinator = _search(position.board, [("position", position)], request, proofs=False)
    tree = coordinator.tree
    return SolverRun(
        Solver(position.board, table=tree.table),
        seconds=0.0,
        nodes=tree.nodes,
        took=time.monotonic() - start,
        on_disk=screen.NOTHING if request.table is None else screen.resume_note(request.table),
        is_kept=coordinator.is_kept,
    )


def show_openings_by_jobs(board: Board, request: SolveRequest, output: Output) -> None:
    """Solve the openings of a board by jobs, and print which are settled and which are open."""
    empty, start = Position.of(board), time.monotonic()
    positions = [(board.name(cell), empty.play(cell)) for cell in from_the_center(board)]
    coordinator = _search(board, positions, request, proofs=request.table is not None)
    tree, seconds = coordinator.tree, time.monotonic() - start
    winners = {cell: tree.winner(empty.play(cell)) for cell in board.cells}
    wins = board.only(*(cell for cell, winner in winners.items() if winner is Color.BLACK))
    losses = [cell for cell, winner in winners.items() if winner is Color.WHITE]
    labels = dict.fromkeys(wins.search(1), "W") | dict.fromkeys(losses, "L")
    tints = {cell: "WL".index(label) for cell, label in labels.items()}
    names = ("W wins for Black", "L loses")
    marks = Marks(labels=labels, tints=tints, tint_names=names)
    thing = solved.job_openings_object(tree, positions, seconds)
    sentences = solved.openings_sentences(tree, positions)
    output.answer(empty, marks, thing, sentences, tag=request.tag(wins))
    output.picture.write(empty, marks, title=str(board))
    if coordinator.progress.settled_count < len(positions) or not coordinator.is_kept:
        click.get_current_context().exit(1)


def _search(
    board: Board, positions: solved.NamedPositions, request: SolveRequest, *, proofs: bool
) -> Coordinator:
    """Search positions by jobs within the time, with progress; return their coordinator."""
    path = request.table
    on_disk = screen.NOTHING if path is None else screen.resume_note(path)
    try:
        folder = None if path is None else JobFolder(path, board)
        with screen.leaving(lambda: on_disk), nullcontext() if folder is None else folder.lock():
            tree = JobTree(board, memory=request.memory)
            if folder is not None:
                folder.load(tree)
            coordinator = Coordinator(
                tree, positions, folder, proofs=proofs, seconds=request.seconds
            )
            coordinator.on_warning = warn
            with (
                request.machines.workers() as workers,
                screen.working("solving", len(positions), unit="positions") as work,
            ):

                def show(progress: JobProgress) -> None:
                    work.update(progress.settled_count)
                    jobs = f"{quantity(progress.jobs, 'job')}, {progress.out} under way"
                    checks = f", {progress.proof_count} proofs checked" if proofs else ""
                    work.say(f"{jobs}, {quantity(progress.nodes, 'position')}{checks}")

                coordinator.on_progress = show
                coordinator.run(workers)
    except JobFolderError as error:
        raise InputError(str(error)) from error
    except (WorkersError, JobError) as error:
        raise FailedError(str(error)) from error
    except OSError as error:
        if path is None:
            raise  # no file of ours: processes or memory are short
        raise FailedError(f"{path}: {error.strerror or error}") from error
    return coordinator
