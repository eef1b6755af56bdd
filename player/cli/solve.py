"""`hsearch solve`: who wins, and every winning move."""

import functools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from hsearch.board import Board
from hsearch.formats import hexboard
from hsearch.render import Marks
from player.cli.by_jobs import JobOptions, is_folder, show_openings_by_jobs, solved_by_jobs
from player.cli.keeping import UNKEPT, keeping
from player.cli.opening_map import board_of, show_map
from player.cli.parts import Parts, read_parts
from player.console.command import command
from player.console.errors import FailedError, InputError
from player.console.interruptible import NOTHING, kept_in
from player.console.option import PROOF, folder_option, number_option, out_option
from player.console.output import Output, print_object, takes_output
from player.console.reading import InputSource, reads_position
from player.console.types import SizeType
from player.numbers import numbered
from player.report.solved import answer_object, remaining_sentences
from player.solve import Answer, Remaining, Solver, Techniques
from player.solve.proof import UnprovedError
from player.solve.techniques import NAMES

WINS = "winning moves"


@command(
    "solve",
    "hsearch solve positions/puzzles/classic.txt --id 7x7-henderson-62 --all",
    "echo 'b4' | hsearch solve - --size 6 --proof b4.proof",
    "hsearch solve --openings 5 --jobs 2 --table days/",
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
    help="Write the proof into the file OUT; `hsearch verify OUT` checks it.",
)
@folder_option("--parts", help="Reuse the proofs in FOLDER; --proof takes them over.")
@click.option(
    "--time", "seconds", type=click.FloatRange(0), metavar="S", help="Give up after S seconds."
)
@click.option(
    "--table",
    type=click.Path(),
    metavar="TABLE",
    help="Resume from the file TABLE, and save there; with --jobs, TABLE is a folder, as days/. "
    "What it says is believed: take only what you trust, or verify the --proof.",
)
@number_option(
    "--jobs", most=1024, help="Solve by jobs for N processes, each with a table of its own."
)
@click.option("--scheduler", metavar="ADDRESS", help="Do the jobs on the Dask cluster there.")
@number_option(
    "--memory", most=1_000_000, metavar="MB", default=1000, help="Bound of the table in memory."
)
@number_option(
    "--workers", most=64, default=1, help="Threads that share the table; the answer is the same."
)
@click.option(
    "--without",
    type=click.Choice(NAMES),
    multiple=True,
    help="Leave a technique of the search out, to see what it is worth.",
)
def solve(  # noqa: PLR0913 - one a click option
    *,
    source: InputSource | None,
    openings: Board | None,
    proof: Path | None,
    parts: Path | None,
    seconds: float | None,
    table: str | None,
    jobs: int | None,
    scheduler: str | None,
    memory: int,
    workers: int,
    without: tuple[str, ...],
    every: bool,
    **shown: Any,
) -> None:
    """Tell who wins at the position of FILE, and a move that does.

    The answer is exact. With --openings it tells which first moves of Black
    win on the empty board. When the time of --time is up before the question
    is answered, what is known is printed and the exit code is 1.

    For runs of days, use --jobs or --scheduler, with a folder as --table that
    keeps what is known, and the proofs. Those are checked each time; a table is
    believed, so that nobody but you should be able to write it.
    """
    if (source is None) == (openings is None):
        raise click.UsageError("either FILE or --openings N is needed")
    folder = None if table is None or not is_folder(table) else Path(table)
    if jobs is not None or scheduler is not None or folder is not None:
        if every or workers > 1 or without or parts is not None:
            raise click.UsageError("--all, --parts, --workers and --without do not go with jobs")
        if table is not None and folder is None and Path(table).exists():
            raise InputError(f"{table}: not a folder, which jobs need")
        options = JobOptions(
            None if table is None else Path(table), jobs or 1, scheduler, memory, seconds
        )
        if source is None and openings is not None:
            if proof is not None:
                raise click.UsageError("--proof needs a FILE; the folder of --table gets proofs")
            show_openings_by_jobs(openings, options, **shown)
            return
        assert source is not None  # noqa: S101 - for the type checker
        solver, *work = solved_by_jobs(source.position, options)
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
        return
    techniques = Techniques().without(without)
    start = functools.partial(Solver, memory=memory, workers=workers, techniques=techniques)
    if source is None and openings is not None:
        if every or proof is not None or seconds is not None or parts is not None:
            raise click.UsageError("--all, --parts, --proof and --time need a FILE")
        solver = start(openings)
        solver.prepare()
        with keeping(solver, None if table is None else Path(table)) as keeper:
            show_map(solver, keeper, **shown)
        return
    assert source is not None  # noqa: S101 - for the type checker
    solver = start(source.position.board)
    solver.prepare()
    path = None if table is None else Path(table)
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
    if answer.winner is None or is_cut:
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
