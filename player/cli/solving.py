"""A solver at work: its table on disk, proofs of parts, maps of openings, and jobs.

The table is saved while the solver works, at growing intervals, and at the end,
however the run ends.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

import click

from hsearch.formats import hexboard
from hsearch.formats.files import alone, whole_or_xz
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from hsearch.render.text import Marks, quantity
from player.answers.solved import (
    NamedPositions,
    job_openings_object,
    openings_object,
    openings_sentences,
)
from player.console.command import FailedError, InputError, reading, warn, writing
from player.console.games import executor_at, refuse_other
from player.console.options import is_there
from player.console.output import Output, print_object
from player.console.reading import folder_of
from player.console.screen import NOTHING, Work, leaving, make_folder, resume_note, working
from player.solve.coordinator import Coordinator, JobProgress
from player.solve.job import JobError
from player.solve.job_folder import JobFolder, JobFolderError
from player.solve.job_tree import JobTree
from player.solve.proof import ProvedPart, UnprovedError, merge, read_part, write
from player.solve.solver import Opening, Solver, SolverProgress, from_the_center, winning_openings
from player.solve.table import SaveTimer
from player.work.spread import WorkersError

UNKEPT = f"{NOTHING}: --resume FILE keeps what is known"
BLINK = 0.2  # seconds between two lines of progress


@contextmanager
def keeping(solver: Solver, path: Path | None, on_disk: str = UNKEPT) -> Iterator["Keeper"]:
    """Load the table at `path`, if there is one, and save it there while the solver works.

    `on_disk` says what an interruption leaves on disk if there is no path. Raise InputError if the
    file is not a table for this board, and leave it unchanged; and if another process saves its
    table there, because the two would overwrite each other.
    """
    keeper = Keeper(solver, path)
    with _alone(path):
        keeper.read()
        solver.on_progress = keeper.progress
        with leaving(lambda: on_disk if path is None else keeper.on_disk()):
            try:
                yield keeper
            finally:
                solver.on_progress = None
                keeper.save()


@contextmanager
def _alone(path: Path | None) -> Iterator[None]:
    """Lock a table against other processes, if its folder can hold a lock."""
    with ExitStack() as stack:
        if path is not None and path.parent.is_dir():
            with suppress(OSError):  # `Keeper.save` reports it
                stack.enter_context(alone(path, InputError))
        yield


class Keeper:
    """Saves the table and shows progress, both at intervals. Holds state."""

    def __init__(self, solver: Solver, path: Path | None) -> None:
        """Begin with nothing saved or shown."""
        self._solver = solver
        self._path = path
        self._timer = SaveTimer()
        self._next_line = 0.0
        self._work = Work()
        self._is_saved = False
        self.is_kept = True  # whether the last save succeeded

    def on_disk(self) -> str:
        """Return in words what is on disk."""
        return resume_note(self._path) if self._is_saved else NOTHING

    @contextmanager
    def display(self) -> Iterator[None]:
        """Show the progress of the solver meanwhile."""
        with working("solving") as self._work:
            yield
        self._work = Work()

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
    with working("verify", len(paths), unit="proofs") as work:
        for number, path in enumerate(paths, 1):
            with reading(path):
                part = read_part(path)
            if part.start.board != board:
                raise InputError(f"{path}: a proof for {part.start.board}, not {board}")
            parts.append(part)
            work.update(number)
    return ProofParts(paths, tuple(parts))


# `hsearch solve --openings`: which first moves win on the empty board.


def show_map(solver: Solver, keeper: Keeper, *, tag: bool, output: Output) -> None:
    """Solve every opening of a board, and print which ones win for Black."""
    start = time.monotonic()
    openings: list[Opening] = []
    with keeper.display():
        wins = winning_openings(solver, on_progress=openings.append)
    seconds = time.monotonic() - start
    board = solver.board
    position = Position.of(board)
    marks = Marks(shade=wins, shade_as="openings that win for Black")
    if output.as_json:
        print_object(openings_object(solver, wins, openings, seconds))
    elif tag:
        click.echo(hexboard.write(position, carrier=wins))
    else:
        summary = f"{wins.count()} of {board.size} openings win for Black."
        effort = f"{quantity(solver.nodes, 'position')} in {seconds:.1f} s."
        output.tell(position, marks, (summary, effort))
    output.picture.write(position, marks, title=str(board))


def proofs_in(folder: Path, board: Board) -> dict[Path, Position]:
    """Make a folder for the proofs of all openings; return the file and the position of each.

    Raise InputError if one of the files exists and is not the proof of its position.
    """
    make_folder(folder)
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
    with working("solving", len(openings), unit="proofs", even=False) as work:
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


@dataclass(frozen=True, slots=True)
class JobOptions:
    """Where jobs run, and for how long.

    folder   stores the tree; None if it is not stored
    jobs     processes of this machine, unless there is a `scheduler`
    memory   megabytes for the tree, and for each worker
    seconds  after which no job is given out; None for no limit
    """

    folder: Path | None
    jobs: int
    scheduler: str | None
    memory: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class JobsDone:
    """A search by jobs that has ended.

    solver   has their table
    nodes    positions that they examined
    seconds  that the search took
    is_kept  whether everything was saved
    """

    solver: Solver
    nodes: int
    seconds: float
    is_kept: bool


def solve_by_jobs(position: Position, options: JobOptions) -> JobsDone:
    """Search a position by jobs."""
    start = time.monotonic()
    coordinator = _search(position.board, [("position", position)], options, proofs=False)
    tree, seconds = coordinator.tree, time.monotonic() - start
    solver = Solver(position.board, table=tree.table)
    return JobsDone(solver, tree.nodes, seconds, coordinator.is_kept)


def show_openings_by_jobs(board: Board, options: JobOptions, *, tag: bool, output: Output) -> None:
    """Solve the openings of a board by jobs, and print which are settled and which are open."""
    empty, start = Position.of(board), time.monotonic()
    positions = [(board.name(cell), empty.play(cell)) for cell in from_the_center(board)]
    coordinator = _search(board, positions, options, proofs=options.folder is not None)
    tree, seconds = coordinator.tree, time.monotonic() - start
    winners = {cell: tree.winner(empty.play(cell)) for cell in board.cells}
    wins = board.only(*(cell for cell, winner in winners.items() if winner is Color.BLACK))
    losses = [cell for cell, winner in winners.items() if winner is Color.WHITE]
    labels = dict.fromkeys(wins.search(1), "W") | dict.fromkeys(losses, "L")
    tints = {cell: "WL".index(label) for cell, label in labels.items()}
    names = ("W wins for Black", "L loses")
    marks = Marks(labels=labels, tints=tints, tint_names=names)
    if output.as_json:
        print_object(job_openings_object(tree, positions, seconds))
    elif tag:
        click.echo(hexboard.write(empty, carrier=wins))
    else:
        output.tell(empty, marks, openings_sentences(tree, positions))
    output.picture.write(empty, marks, title=str(board))
    if coordinator.progress.settled_count < len(positions) or not coordinator.is_kept:
        click.get_current_context().exit(1)


def _search(
    board: Board, positions: NamedPositions, options: JobOptions, *, proofs: bool
) -> Coordinator:
    """Search positions by jobs within the time, with progress; return their coordinator."""
    on_disk = NOTHING if options.folder is None else resume_note(options.folder)
    try:
        folder = None if options.folder is None else JobFolder(options.folder, board)
        with leaving(lambda: on_disk), nullcontext() if folder is None else folder.lock():
            tree = JobTree(board, memory=options.memory)
            if folder is not None:
                folder.load(tree)
            coordinator = Coordinator(
                tree, positions, folder, proofs=proofs, seconds=options.seconds
            )
            coordinator.on_warning = warn
            with (
                executor_at(options.scheduler, options.jobs) as (executor, workers),
                working("solving", len(positions), unit="positions") as work,
            ):

                def show(progress: JobProgress) -> None:
                    work.update(progress.settled_count)
                    jobs = f"{quantity(progress.jobs, 'job')}, {progress.out} under way"
                    checks = f", {progress.proof_count} proofs checked" if proofs else ""
                    work.say(f"{jobs}, {quantity(progress.nodes, 'position')}{checks}")

                coordinator.on_progress = show
                coordinator.run(workers=workers, executor=executor)
    except JobFolderError as error:
        raise InputError(str(error)) from error
    except (WorkersError, JobError) as error:
        raise FailedError(str(error)) from error
    except OSError as error:
        if options.folder is None:
            raise  # no file of ours: processes or memory are short
        raise FailedError(f"{options.folder}: {error.strerror or error}") from error
    return coordinator
