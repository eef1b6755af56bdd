"""`hsearch solve`: who wins, every winning move, and the shortest win."""

import functools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from hsearch.formats import hexboard
from hsearch.hex.board import Board
from hsearch.render.text import Marks, numbered
from player.answers import shortest as answer
from player.answers.solved import answer_object, effort, remaining_sentences
from player.cli.solving import (
    UNKEPT,
    JobOptions,
    ProofParts,
    board_of,
    keeping,
    proofs_in,
    proving,
    read_parts,
    show_map,
    show_openings_by_jobs,
    solved_by_jobs,
    write_proofs,
)
from player.console.command import InputError, command
from player.console.options import (
    FOLDER,
    PROOF,
    PlainPath,
    SizeType,
    is_folder,
    number_option,
    out_folder_option,
    out_option,
    resume_option,
    time_option,
)
from player.console.output import Output, print_object, takes_output
from player.console.reading import InputSource, reads_position
from player.console.screen import NOTHING, interruptible, kept_in, leaving, working
from player.solve.budget import NAMES, Techniques
from player.solve.proof_number import Remaining
from player.solve.shortest import ShortestSearch
from player.solve.solver import Answer, Solver

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
    "--shortest",
    is_flag=True,
    help="Find the win with the fewest stones, and the longest defense against it; on boards of "
    "at most 62 cells.",
)
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
@out_folder_option(
    "--proofs",
    help="Write the proof of each of the --openings into FOLDER, as e4.proof, but for those there.",
)
@click.option(
    "--parts",
    type=FOLDER,
    metavar="FOLDER",
    help="Reuse the proofs in FOLDER; --proof takes them over.",
)
@time_option(help="Give up after so many seconds.")
@resume_option(
    kind=PlainPath(),
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
def solve(  # noqa: C901, PLR0913 - one per option
    *,
    source: InputSource | None,
    openings: Board | None,
    proof: Path | None,
    proofs: Path | None,
    parts: Path | None,
    seconds: float | None,
    resume: str | None,
    jobs: int | None,
    scheduler: str | None,
    memory: int,
    threads: int,
    without: tuple[str, ...],
    every: bool,
    shortest: bool,
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
        both = source is not None
        raise click.UsageError(
            "FILE and --openings exclude each other"
            if both
            else "FILE is missing, or --openings N for all openings of a board"
        )
    if proofs is not None and openings is None:
        raise click.UsageError("--proofs needs --openings; the proof of one FILE is --proof OUT")
    if shortest:
        if source is None:
            raise click.UsageError("--shortest needs a FILE")
        others = (proof, parts, resume, jobs, scheduler, without or None)
        if threads > 1 or any(value is not None for value in others):
            raise click.UsageError("--shortest goes with --all, --time and --memory alone")
        _show_shortest(source, every=every, seconds=seconds, memory=memory, **shown)
        return
    folder = None if resume is None or not is_folder(resume) else Path(resume)
    if jobs is not None or scheduler is not None or folder is not None:
        if every or threads > 1 or without or parts is not None or proofs is not None:
            raise click.UsageError(
                "--all, --parts, --proofs, --threads and --without do not go with --workers, "
                "--scheduler and a folder as --resume"
            )
        if resume is not None and folder is None and Path(resume).exists():
            raise InputError(f"{resume}: not a folder, which jobs need")
        options = JobOptions(
            None if resume is None else Path(resume), jobs or 1, scheduler, memory, seconds
        )
        _solve_by_jobs(source, openings, proof, options, shown)
        return
    techniques = Techniques().without(without)
    start = functools.partial(Solver, memory=memory, workers=threads, techniques=techniques)
    if source is None and openings is not None:
        if every or proof is not None or seconds is not None or parts is not None:
            raise click.UsageError(
                "--all, --parts, --proof and --time need a FILE; --proofs FOLDER is for --openings"
            )
        _solve_openings(start(openings), None if resume is None else Path(resume), proofs, shown)
        return
    assert source is not None  # noqa: S101 - for the type checker
    solver = start(source.position.board)
    solver.prepare(seconds)
    path = None if resume is None else Path(resume)
    known = read_parts(parts, source.position.board)
    for part in known.known:
        solver.learn(part)
    _solve(solver, source, path, known, proof=proof, every=every, seconds=seconds, shown=shown)


def _solve_openings(
    solver: Solver, table: Path | None, proofs: Path | None, shown: dict[str, Any]
) -> None:
    """Solve the openings of a board, print the map, and write the proofs if there is a folder."""
    files = {} if proofs is None else proofs_in(proofs, solver.board)
    solver.prepare()
    with keeping(solver, table) as keeper:
        show_map(solver, keeper, **shown)
        if proofs is not None:
            with proving(table):
                click.echo(write_proofs(solver, files, proofs), err=shown["output"].as_json)
    if not keeper.is_kept:
        click.get_current_context().exit(1)


def _solve_by_jobs(
    source: InputSource | None,
    openings: Board | None,
    proof: Path | None,
    options: JobOptions,
    shown: dict[str, Any],
) -> None:
    """Solve a position, or the openings of a board, by jobs, and print and write the answer."""
    if source is None and openings is not None:
        if proof is not None:
            raise click.UsageError("--proof needs a FILE; the folder of --resume gets proofs")
        show_openings_by_jobs(openings, options, **shown)
        return
    assert source is not None  # noqa: S101 - for the type checker
    solver, *work, is_kept = solved_by_jobs(source.position, options)
    kept = NOTHING if options.folder is None else kept_in(options.folder)
    _solve(
        solver,
        source,
        None,
        ProofParts(),
        proof=proof,
        seconds=0.0,
        work=work,
        kept=kept,
        shown=shown,
    )
    if not is_kept:
        click.get_current_context().exit(1)


def _solve(  # noqa: PLR0913 - one per option
    solver: Solver,
    source: InputSource,
    table: Path | None,
    parts: ProofParts,
    *,
    proof: Path | None,
    every: bool = False,
    seconds: float | None,
    work: Sequence[float] = (0, 0.0),
    kept: str = UNKEPT,
    shown: dict[str, Any],
) -> None:
    """Run a solver; print its answer, and write the proof.

    `work` is the positions and seconds spent before. `kept` says what an interruption leaves
    on disk if there is no table.
    """
    with keeping(solver, table, kept) as keeper:
        with keeper.shown():
            answer = solver.solve(source.position, every=every, seconds=seconds)
        nodes, took = answer.nodes + int(work[0]), answer.seconds + work[1]
        swap = source.before_swap
        answer = replace(answer, nodes=nodes, seconds=took, before_swap=swap)
        left = solver.remaining(source.position) if answer.winner is None else None
        # The answer comes before the files, which may fail.
        is_cut = every and answer.winner is not None and not answer.complete
        _show(answer, source, left, is_cut=is_cut, **shown)
        lines = 0
        if proof is not None and answer.winner is not None:
            with proving(table), keeper.shown():
                lines = parts.write_proof(solver, source.position, proof)
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
        known = [] if left is None else remaining_sentences(board, left)
        known += ["There was no time for the other moves: more of them may win."] * is_cut
        output.tell(answer.position, marks, (source.caption, str(answer), *known, effort(answer)))
    output.picture.write(
        answer.position, marks, title=source.title, game=source.game, moves=source.moves
    )


def _show_shortest(
    source: InputSource,
    *,
    every: bool,
    seconds: float | None,
    memory: int,
    tag: bool,
    output: Output,
) -> None:
    """Find the shortest win, and print and draw it; exit with 1 if the time was too short."""
    position = source.position
    try:
        search = ShortestSearch(position.board, memory=memory)
    except ValueError as error:
        raise InputError(str(error)) from error
    with leaving(lambda: NOTHING), working("solving") as work:

        def show(least: int) -> None:
            work.say(f"at least {numbered(least, 'stone')}, {numbered(search.nodes, 'position')}")

        win = interruptible(
            lambda: search.solve(position, every=every, seconds=seconds, on_step=show)
        )
    win = replace(win, before_swap=source.before_swap)
    marks = replace(answer.marks(win), last=source.last)
    if output.as_json:
        print_object(answer.shortest_object(win))
    elif tag:
        click.echo(hexboard.write(position, carrier=answer.first_moves(win)))
    else:
        took = f"{numbered(win.nodes, 'position')} in {win.seconds:.1f} s."
        sentences = answer.sentences(win, every=every)
        output.tell(position, marks, (source.caption, *sentences, took))
    marks = Marks(labels=answer.numbers(win))
    output.picture.write(answer.played(win), marks, title=source.title)
    if win.stones is None or (every and not win.complete):
        click.get_current_context().exit(1)
