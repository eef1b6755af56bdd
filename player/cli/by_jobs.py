"""`hsearch solve` by jobs: on many processes or machines, kept in a folder."""

import os
import time
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import click

from hsearch.board import Board, Color
from hsearch.formats import hexboard
from hsearch.position import Position
from hsearch.render import Marks
from player.console.cluster import executor_at
from player.console.errors import FailedError, InputError, one_line
from player.console.interruptible import NOTHING, interruptible, kept_in, leaving
from player.console.output import Output, print_object
from player.console.progress import working
from player.jobs import Coordinator, JobError, JobFolder, JobFolderError, JobProgress, JobTree
from player.numbers import numbered
from player.report.jobs import Named, openings_object, openings_sentences
from player.solve import Solver
from player.solve.openings import from_the_center
from player.tournament import WorkersError


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


def is_folder(path: str) -> bool:
    """Whether a path is a folder, or is written as one that is to be made."""
    return path.endswith(("/", os.sep)) or Path(path).is_dir()


def solved_by_jobs(position: Position, options: JobOptions) -> tuple[Solver, int, float]:
    """Search a position by jobs; return a solver that knows what they have found, and their work.

    That is positions looked at, and seconds.
    """
    start = time.monotonic()
    tree = _searched(position.board, [("position", position)], options, proofs=False).tree
    return Solver(position.board, table=tree.table), tree.nodes, time.monotonic() - start


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
        print_object(openings_object(tree, named, seconds))
    elif tag:
        click.echo(hexboard.write(empty, carrier=wins))
    else:
        output.tell(empty, marks, openings_sentences(tree, named))
    output.picture.write(empty, marks, title=f"{board.columns}x{board.rows}")
    if coordinator.progress.settled < len(named):
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
