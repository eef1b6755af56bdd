"""`hsearch solve` by jobs: on many processes or machines, kept in a folder."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import click

from hsearch.board import Board, Color
from hsearch.formats import hexboard
from hsearch.position import Position
from hsearch.render import Marks, text
from player.console.cluster import executor_at
from player.console.errors import FailedError, InputError, one_line
from player.console.output import print_object, say
from player.console.picture import Picture
from player.console.progress import working
from player.console.screen import Screen
from player.jobs import Coordinator, Folder, FolderError, JobError, JobProgress, JobTree
from player.jobs.folder import opening_name
from player.report.jobs import openings_object, openings_sentences
from player.report.numbers import numbered
from player.solve import Solver
from player.solve.openings import from_the_center
from player.tournament import WorkersError

Named = Sequence[tuple[str, Position]]


@dataclass(frozen=True, slots=True)
class Spread:
    """Where jobs are done, and how long.

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


def solved_by_jobs(position: Position, spread: Spread) -> tuple[Solver, int, float]:
    """Search a position by jobs; return a solver that knows what they have found, and their work.

    That is positions looked at, and seconds.
    """
    start = time.monotonic()
    named = [(opening_name(position.board, position.black | position.white), position)]
    with _searched(position.board, named, spread, proofs=False) as coordinator:
        tree = coordinator.tree
    return Solver(position.board, table=tree.table), tree.nodes, time.monotonic() - start


def show_openings_by_jobs(
    board: Board,
    spread: Spread,
    *,
    as_json: bool,
    tag: bool,
    picture: Picture,
    screen: Screen,
) -> None:
    """Solve the openings of a board by jobs, and print what is settled and what is in doubt."""
    empty, start = Position.of(board), time.monotonic()
    named = [(board.name(cell), empty.play(cell)) for cell in from_the_center(board)]
    with _searched(board, named, spread, proofs=spread.folder is not None) as coordinator:
        seconds = time.monotonic() - start
    tree = coordinator.tree
    won = {cell: tree.winner(empty.play(cell)) for cell in board.cells}
    wins = board.only(*(cell for cell, winner in won.items() if winner == Color.BLACK))
    losses = [cell for cell, winner in won.items() if winner == Color.WHITE]
    labels = dict.fromkeys(wins.search(1), "W") | dict.fromkeys(losses, "L")
    tints = {cell: "WL".index(label) for cell, label in labels.items()}
    names = ("W wins for Black", "L loses")
    marks = Marks(labels=labels, tints=tints, tint_names=names)
    if as_json:
        print_object(openings_object(tree, named, seconds))
    elif tag:
        click.echo(hexboard.write(empty, carrier=wins))
    else:
        screen.board(text.board(empty, marks, screen.symbols))
        say(("", *openings_sentences(tree, named)))
    picture.write(empty, marks, title=f"{board.columns}x{board.rows}")
    if coordinator.progress.settled < len(named):
        click.get_current_context().exit(1)


@contextmanager
def _searched(board: Board, named: Named, spread: Spread, *, proofs: bool) -> Iterator[Coordinator]:
    """Search positions by jobs, with progress, as far as the time goes; give who did.

    An interruption ends it as the end of the time does, once the tree is saved.
    """
    try:
        folder = None if spread.folder is None else Folder(spread.folder, board)
        with nullcontext() if folder is None else folder.held():
            tree = JobTree(board, memory=spread.memory)
            if folder is not None:
                folder.load(tree)
            coordinator = Coordinator(tree, named, folder, proofs=proofs, seconds=spread.seconds)
            coordinator.on_warning = _warn
            with (
                executor_at(spread.scheduler, spread.jobs) as (executor, workers),
                working("solving", len(named), unit="positions") as work,
            ):

                def show(progress: JobProgress) -> None:
                    work.done(progress.settled)
                    jobs = f"{numbered(progress.jobs, 'job')}, {progress.out} under way"
                    work.say(f"{jobs}, {numbered(progress.nodes, 'position')}")

                coordinator.on_progress = show
                coordinator.run(workers=workers, executor=executor)
    except FolderError as error:
        raise InputError(str(error)) from error
    except (WorkersError, JobError) as error:
        raise FailedError(str(error)) from error
    except OSError as error:
        raise FailedError(f"{spread.folder}: {error.strerror or error}") from error
    yield coordinator


def _warn(error: OSError) -> None:
    reason = error.strerror or str(error)
    click.echo(one_line(f"warning: {error.filename}: not saved: {reason}"), err=True)
