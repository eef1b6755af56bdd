"""A solver at work: its progress on the terminal, and its table on disk.

The table is saved while the solver works, more rarely the longer it does, and
in the end, however it ends.
"""

import functools
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hsearch.formats import hexboard
from hsearch.formats.files import whole_or_xz
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from hsearch.render.text import Marks
from player.answers.solved import (
    Named,
    answer_object,
    job_openings_object,
    openings_object,
    openings_sentences,
    remaining_sentences,
)
from player.console.command import (
    FailedError,
    InputError,
    command,
    one_line,
    reading,
    unreadable,
    writing,
)
from player.console.games import executor_at
from player.console.options import (
    PROOF,
    folder_option,
    is_folder,
    number_option,
    out_option,
    resume_option,
)
from player.console.output import Output, print_object, takes_output
from player.console.reading import InputSource, reads_position
from player.console.screen import (
    NOTHING,
    Work,
    interruptible,
    kept_in,
    leaving,
    working,
)
from player.console.types import SizeType
from player.solve.budget import NAMES, Techniques
from player.solve.coordinator import Coordinator, JobProgress
from player.solve.job import JobError
from player.solve.job_folder import JobFolder, JobFolderError
from player.solve.job_tree import JobTree
from player.solve.proof import ProvedPart, UnprovedError, merge, read_part, write
from player.solve.proof_line import ProofError
from player.solve.proof_number import Remaining
from player.solve.solver import Answer, Solver, SolverProgress, from_the_center, winning_openings
from player.work.numbers import numbered
from player.work.spread import WorkersError

if TYPE_CHECKING:
    from player.solve.solver import Opening


SHORTEST, LONGEST = 1.0, 60.0  # seconds between two savings
UNKEPT = f"{NOTHING}: --resume FILE keeps what is known"
BLINK = 0.2  # seconds between two lines of progress


@contextmanager
def keeping(solver: Solver, path: Path | None, kept: str = UNKEPT) -> Iterator["Keeper"]:
    """Read the table at `path`, if it is there, and keep it up to date while work goes on.

    `kept` is what an interruption leaves where there is no table.
    Raise InputError when it is no table for this board: it is left alone then.
    """
    keeper = Keeper(solver, path)
    keeper.read()
    solver.on_progress = keeper.progress
    with leaving(lambda: kept if path is None else keeper.left()):
        try:
            yield keeper
        finally:
            solver.on_progress = None
            keeper.save()


class Keeper:
    """Remembers when it has last saved and shown. Holds state."""

    def __init__(self, solver: Solver, path: Path | None) -> None:
        """Begin with nothing saved or shown."""
        self._solver = solver
        self._path = path
        self._next_save = SHORTEST
        self._next_line = 0.0
        self._work = Work()
        self._is_saved = False
        self.is_kept = True  # false once the disk has not taken the table last

    def left(self) -> str:
        """Return in words what is on disk."""
        return kept_in(self._path) if self._is_saved else NOTHING

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show how the solver gets on, until it is to print something."""
        with working("solving") as self._work:
            yield
        self._work = Work()

    def read(self) -> None:
        """Take over the table on disk."""
        if self._path is None or not self._path.exists():
            return
        if not self._path.is_file():
            raise InputError(f"{self._path}: not a file that can keep a table")
        with reading(self._path):
            self._solver.load(self._path)

    def progress(self, progress: SolverProgress) -> None:
        """Show how far the solver is, and save the table from time to time."""
        if progress.seconds >= self._next_line:
            self._next_line = progress.seconds + BLINK
            line = " ".join(map(self._solver.board.name, progress.line))
            numbers = f"proof {progress.proof}, disproof {progress.disproof}"
            self._work.say(f"{numbered(progress.nodes, 'position')}, {numbers}: {line}")
        if progress.seconds >= self._next_save:
            self.save()
            self._next_save = progress.seconds + min(LONGEST, max(SHORTEST, progress.seconds / 10))

    def save(self) -> None:
        """Save the table; a disk that refuses costs a warning, and the search goes on."""
        if self._path is None:
            return
        try:
            self._solver.save(self._path)
            self._is_saved = self.is_kept = True
        except OSError as error:
            self.is_kept = False
            message = f"warning: {self._path}: not saved: {error.strerror or error}"
            click.echo(one_line(message), err=True)


# Proofs of parts for `hsearch solve --parts`.


@dataclass(frozen=True, slots=True)
class Parts:
    """The proofs of a folder, and what each of them proves."""

    paths: tuple[Path, ...] = ()
    known: tuple[ProvedPart, ...] = ()

    def write_proof(self, solver: Solver, position: Position, path: Path) -> int:
        """Write the proof of a position, with that of the parts it takes; return its positions."""
        text = write(solver, position, parts=self.known)
        with writing(path):
            if self.paths:
                return merge(text, self.paths, path)
            with whole_or_xz(path) as file:
                file.write(text.encode())
        return text.count("\n") - 1


def read_parts(folder: Path | None, board: Board) -> Parts:
    """Check the proofs NAME.proof and NAME.proof.xz in a folder, in the order of their names.

    Raise InputError, naming the file, when one does not hold or is of another board.
    """
    paths = (
        ()
        if folder is None
        else tuple(sorted((*folder.glob("*.proof"), *folder.glob("*.proof.xz"))))
    )
    if folder is not None and not paths:
        raise InputError(f"{folder}: no proofs there, as NAME.proof or NAME.proof.xz")
    known = []
    with working("verify", len(paths), unit="proofs") as work:
        for done, path in enumerate(paths, 1):
            try:
                part = read_part(path)
            except ProofError as error:
                raise InputError(f"{path}: {error}") from error
            except OSError as error:
                raise unreadable(path, error) from error
            if part.start.board != board:
                raise InputError(f"{path}: a proof for {part.start.board}, not {board}")
            known.append(part)
            work.done(done)
    return Parts(paths, tuple(known))


# `hsearch solve --openings`: which first moves win on the empty board.


def board_of(
    _context: click.Context, option: click.Parameter, size: tuple[int, int] | None
) -> Board | None:
    """Return the board of a size. Raise BadParameter when there is none so small or large."""
    try:
        return None if size is None else Board(*size)
    except ValueError as error:
        raise click.BadParameter(str(error), param=option) from error


def show_map(solver: Solver, keeper: Keeper, *, tag: bool, output: Output) -> None:
    """Solve every opening of a board, and print which ones win for Black."""
    start = time.monotonic()
    each: list[Opening] = []
    with keeper.shown():
        wins = winning_openings(solver, on_progress=each.append)
    seconds = time.monotonic() - start
    board = solver.board
    position = Position.of(board)
    marks = Marks(shaded=wins, shaded_as="openings that win for Black")
    if output.as_json:
        print_object(openings_object(solver, wins, each, seconds))
    elif tag:
        click.echo(hexboard.write(position, carrier=wins))
    else:
        won = f"{wins.count()} of {board.size} openings win for Black."
        effort = f"{numbered(solver.nodes, 'position')} in {seconds:.1f} s."
        output.tell(position, marks, (won, effort))
    output.picture.write(position, marks, title=str(board))


# `hsearch solve` by jobs: on many processes or machines, kept in a folder.


@dataclass(frozen=True, slots=True)
class JobOptions:
    """The place where jobs are done, and for how long.

    folder   what keeps the tree; None if nothing does
    jobs     processes of this machine, unless there is a `scheduler`
    memory   megabytes for the tree, and for each worker
    seconds  after which no job is given out; None if all is to be done
    """

    folder: Path | None
    jobs: int
    scheduler: str | None
    memory: int
    seconds: float | None


def solved_by_jobs(position: Position, options: JobOptions) -> tuple[Solver, int, float, bool]:
    """Search a position by jobs; return a solver that knows what they have found, and their work.

    That is positions looked at, and seconds. The last value says whether all was saved.
    """
    start = time.monotonic()
    coordinator = _searched(position.board, [("position", position)], options, proofs=False)
    tree, seconds = coordinator.tree, time.monotonic() - start
    return Solver(position.board, table=tree.table), tree.nodes, seconds, coordinator.is_kept


def show_openings_by_jobs(board: Board, options: JobOptions, *, tag: bool, output: Output) -> None:
    """Solve the openings of a board by jobs, and print what is settled and what is in doubt."""
    empty, start = Position.of(board), time.monotonic()
    named = [(board.name(cell), empty.play(cell)) for cell in from_the_center(board)]
    coordinator = _searched(board, named, options, proofs=options.folder is not None)
    tree, seconds = coordinator.tree, time.monotonic() - start
    won = {cell: tree.winner(empty.play(cell)) for cell in board.cells}
    wins = board.only(*(cell for cell, winner in won.items() if winner == Color.BLACK))
    losses = [cell for cell, winner in won.items() if winner == Color.WHITE]
    labels = dict.fromkeys(wins.search(1), "W") | dict.fromkeys(losses, "L")
    tints = {cell: "WL".index(label) for cell, label in labels.items()}
    names = ("W wins for Black", "L loses")
    marks = Marks(labels=labels, tints=tints, tint_names=names)
    if output.as_json:
        print_object(job_openings_object(tree, named, seconds))
    elif tag:
        click.echo(hexboard.write(empty, carrier=wins))
    else:
        output.tell(empty, marks, openings_sentences(tree, named))
    output.picture.write(empty, marks, title=str(board))
    if coordinator.progress.settled < len(named) or not coordinator.is_kept:
        click.get_current_context().exit(1)


def _searched(board: Board, named: Named, options: JobOptions, *, proofs: bool) -> Coordinator:
    """Search positions by jobs, with progress, as far as the time goes; return who did."""
    kept = NOTHING if options.folder is None else kept_in(options.folder)
    try:
        folder = None if options.folder is None else JobFolder(options.folder, board)
        with leaving(lambda: kept), nullcontext() if folder is None else folder.held():
            tree = JobTree(board, memory=options.memory)
            if folder is not None:
                folder.load(tree)
            coordinator = Coordinator(tree, named, folder, proofs=proofs, seconds=options.seconds)
            coordinator.on_warning = _warn
            with working("checking the proofs"):
                interruptible(coordinator.check_proofs)
            with (
                executor_at(options.scheduler, options.jobs) as (executor, workers),
                working("solving", len(named), unit="positions") as work,
            ):

                def show(progress: JobProgress) -> None:
                    work.done(progress.settled)
                    jobs = f"{numbered(progress.jobs, 'job')}, {progress.out} under way"
                    work.say(f"{jobs}, {numbered(progress.nodes, 'position')}")

                coordinator.on_progress = show
                coordinator.run(workers=workers, executor=executor)
    except JobFolderError as error:
        raise InputError(str(error)) from error
    except (WorkersError, JobError) as error:
        raise FailedError(str(error)) from error
    except OSError as error:
        raise FailedError(f"{options.folder}: {error.strerror or error}") from error
    return coordinator


def _warn(error: OSError) -> None:
    reason = error.strerror or str(error)
    click.echo(one_line(f"warning: {error.filename}: not saved: {reason}"), err=True)


# `hsearch solve`: who wins, and every winning move.

WINS = "winning moves"


@command(
    "solve",
    "hsearch solve positions/puzzles/classic.txt --id 7x7-henderson-62 --all",
    "echo 'b4' | hsearch solve - --size 6 --proof b4.proof",
    "hsearch solve --openings 5 --workers 2 --resume days/",
)
@functools.partial(reads_position, required=False)
@click.option("--all", "every", is_flag=True, help="Find every winning move, not just one.")
@click.option(
    "--openings",
    type=SizeType(),
    callback=board_of,
    metavar="N",
    help="Without FILE: which first moves win on the empty board, as 6 or 5x6.",
)
@takes_output("Draw the winning moves")
@click.option("--hexboard", "tag", is_flag=True, help="Print a <hexboard> with the moves marked.")
@out_option(
    "--proof",
    writes=PROOF,
    help="Write the proof into the file OUT, compressed if that ends in .xz; "
    "`hsearch verify OUT` checks it.",
)
@folder_option("--parts", help="Reuse the proofs in FOLDER; --proof takes them over.")
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(0),
    metavar="SECONDS",
    help="Give up after so many seconds.",
)
@resume_option(
    "--table",
    kind=click.Path(),
    metavar="PATH",
    help="Store the table of the search in the file PATH, and resume from it; with --workers, PATH "
    "is a folder, as days/. A table is believed: take only what you trust, or verify the --proof.",
)
@number_option(
    "--workers",
    "--jobs",
    "jobs",
    most=1024,
    help="Solve by jobs for N processes, each with a table of its own.",
)
@click.option("--scheduler", metavar="ADDRESS", help="Do the jobs on the Dask cluster there.")
@number_option(
    "--memory", most=1_000_000, metavar="MB", default=1000, help="Bound of the table in memory."
)
@number_option(
    "--threads", most=64, default=1, help="Threads that share the table; the answer is the same."
)
@click.option(
    "--without",
    type=click.Choice(NAMES),
    multiple=True,
    help="Leave a technique of the search out, to see what it is worth.",
)
def solve(  # noqa: C901, PLR0913 - one parameter a click option
    *,
    source: InputSource | None,
    openings: Board | None,
    proof: Path | None,
    parts: Path | None,
    seconds: float | None,
    resume: str | None,
    jobs: int | None,
    scheduler: str | None,
    memory: int,
    threads: int,
    without: tuple[str, ...],
    every: bool,
    **shown: Any,
) -> None:
    """Tell who wins at the position of FILE, and a move that does.

    The answer is exact. With --openings it tells which first moves of Black
    win on the empty board. When the time of --time is up before the question
    is answered, what is known is printed and the exit code is 1; so it is if the
    disk does not take what --resume or --proof is to keep.

    For runs of days, use --workers or --scheduler, with a folder as --resume that
    keeps what is known, and the proofs. Those are checked each time; a table is
    believed, so that nobody but you should be able to write it.
    """
    if (source is None) == (openings is None):
        raise click.UsageError("either FILE or --openings N is needed")
    folder = None if resume is None or not is_folder(resume) else Path(resume)
    if jobs is not None or scheduler is not None or folder is not None:
        if every or threads > 1 or without or parts is not None:
            raise click.UsageError(
                "--all, --parts, --threads and --without do not go with --workers and --scheduler"
            )
        if resume is not None and folder is None and Path(resume).exists():
            raise InputError(f"{resume}: not a folder, which jobs need")
        options = JobOptions(
            None if resume is None else Path(resume), jobs or 1, scheduler, memory, seconds
        )
        if source is None and openings is not None:
            if proof is not None:
                raise click.UsageError("--proof needs a FILE; the folder of --resume gets proofs")
            show_openings_by_jobs(openings, options, **shown)
            return
        assert source is not None  # noqa: S101 - for the type checker
        solver, *work, is_kept = solved_by_jobs(source.position, options)
        kept = NOTHING if folder is None else kept_in(folder)
        _solve(
            solver,
            source,
            None,
            Parts(),
            proof=proof,
            seconds=0.0,
            work=work,
            kept=kept,
            shown=shown,
        )
        if not is_kept:
            click.get_current_context().exit(1)
        return
    techniques = Techniques().without(without)
    start = functools.partial(Solver, memory=memory, workers=threads, techniques=techniques)
    if source is None and openings is not None:
        if every or proof is not None or seconds is not None or parts is not None:
            raise click.UsageError("--all, --parts, --proof and --time need a FILE")
        solver = start(openings)
        solver.prepare()
        with keeping(solver, None if resume is None else Path(resume)) as keeper:
            show_map(solver, keeper, **shown)
        if not keeper.is_kept:
            click.get_current_context().exit(1)
        return
    assert source is not None  # noqa: S101 - for the type checker
    solver = start(source.position.board)
    solver.prepare()
    path = None if resume is None else Path(resume)
    known = read_parts(parts, source.position.board)
    for part in known.known:
        solver.learn(part)
    _solve(solver, source, path, known, proof=proof, every=every, seconds=seconds, shown=shown)


def _solve(  # noqa: PLR0913 - what is asked
    solver: Solver,
    source: InputSource,
    table: Path | None,
    parts: Parts,
    *,
    proof: Path | None,
    every: bool = False,
    seconds: float | None,
    work: Sequence[float] = (0, 0.0),
    kept: str = UNKEPT,
    shown: dict[str, Any],
) -> None:
    """Ask a solver, and print and write what it answers.

    `work` is what was done before: positions, and seconds. `kept` is what an interruption
    leaves where there is no table.
    """
    with keeping(solver, table, kept) as keeper:
        with keeper.shown():
            answer = solver.solve(source.position, every=every, seconds=seconds)
        nodes, took = answer.nodes + int(work[0]), answer.seconds + work[1]
        answer = replace(answer, nodes=nodes, seconds=took)
        left = solver.remaining(source.position) if answer.winner is None else None
        # Whatever becomes of the files, the answer is there.
        is_cut = every and answer.winner is not None and not answer.complete
        _show(answer, source, left, is_cut=is_cut, **shown)
        lines = 0
        if proof is not None and answer.winner is not None:
            try:
                with keeper.shown():
                    lines = parts.write_proof(solver, source.position, proof)
            except UnprovedError as error:
                place = "" if table is None else f"{table}: false: "
                raise FailedError(f"{place}the answer has no proof: {error}") from error
    if proof is not None and not shown["output"].as_json:
        click.echo(f"{proof}: {numbered(lines, 'position')}." if lines else "no proof.")
    if answer.winner is None or is_cut or not keeper.is_kept:
        click.get_current_context().exit(1)


def _show(
    answer: Answer,
    source: InputSource,
    left: Remaining | None,
    *,
    is_cut: bool,
    tag: bool,
    output: Output,
) -> None:
    board = answer.position.board
    wins = board.only(*answer.winning_moves)
    marks = Marks(last=source.last, shaded=wins, shaded_as=WINS)
    if output.as_json:
        print_object(answer_object(answer, left))
    elif tag:
        click.echo(hexboard.write(answer.position, carrier=wins))
    else:
        effort = f"{numbered(answer.nodes, 'position')} in {answer.seconds:.1f} s."
        known = [] if left is None else remaining_sentences(board, left)
        known += ["There was no time for the other moves: more of them may win."] * is_cut
        output.tell(answer.position, marks, (source.caption, str(answer), *known, effort))
    output.picture.write(
        answer.position, marks, title=source.title, game=source.game, moves=source.moves
    )
