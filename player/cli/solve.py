"""`hsearch solve`: who wins, every winning move, and the shortest win."""

import functools
from dataclasses import replace

import click

from hsearch.hex import Board
from hsearch.render.text import Marks, quantity
from player.answers import shortest as answer
from player.answers.solved import answer_object, effort, remaining_sentences
from player.cli import solving
from player.console import games, options, screen
from player.console.command import command
from player.console.output import Output, takes_output
from player.console.reading import InputSource, reads_position
from player.solve.budget import NAMES
from player.solve.proof_number import Remaining
from player.solve.solver import Answer

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
    type=options.BoardType(),
    metavar="N",
    help="Without FILE: which first moves win on the empty board, as 6 or 5x6.",
)
@takes_output("Draw the winning moves")
@options.gather(
    "request",
    solving.SolveRequest,
    click.option("--hexboard", is_flag=True, help="Print a <hexboard> with the moves marked."),
    options.out_option(
        "--proof",
        writes=options.PROOF,
        help="Write the proof into the file OUT, compressed if that ends in .xz; "
        "`hsearch verify OUT` checks it.",
    ),
    options.out_folder_option(
        "--proofs",
        help="Write the proof of each of the --openings into FOLDER, as e4.proof, except those "
        "that are there already.",
    ),
    click.option(
        "--parts",
        type=options.FOLDER,
        metavar="FOLDER",
        help="Reuse the proofs in FOLDER; --proof copies those that it uses.",
    ),
    options.time_option(help="Give up after this many seconds."),
    options.resume_option(
        kind=options.PlainPath(),
        metavar="PATH",
        help="Store the table of the search in the file PATH, and resume from it; with --workers, "
        "PATH is a folder, as days/. A table is believed: take only what you trust, or verify the "
        "--proof.",
    ),
    options.number_option(
        "--workers",
        "--jobs",
        "jobs",
        most=1024,
        help="Solve by jobs for N processes, each with a table of its own.",
    ),
    games.scheduler_option("Do the jobs"),
    options.number_option(
        "--memory", most=1_000_000, metavar="MB", default=1000, help="Bound of the table in memory."
    ),
    options.number_option(
        "--threads",
        most=64,
        default=1,
        help="Threads that share the table; the answer is the same.",
    ),
    click.option(
        "--without",
        type=click.Choice(NAMES),
        multiple=True,
        help="Leave a technique of the search out, to see what it is worth.",
    ),
)
def solve(
    *,
    source: InputSource | None,
    openings: Board | None,
    every: bool,
    shortest: bool,
    request: solving.SolveRequest,
    output: Output,
) -> None:
    """Report who wins at the position of FILE, and a move that does.

    The answer is exact. With --openings it reports which first moves of Black
    win on the empty board. When the time of --time is up before the question
    is answered, what is known is printed and the exit code is 1. The exit code is
    also 1 if the file of --resume or --proof cannot be written.

    For runs of days, use --workers or --scheduler, with a folder as --resume that
    keeps what is known, and the proofs. Those are checked each time; a table is
    believed, so that nobody but you should be able to write it.
    """
    if request.hexboard and output.as_json:
        raise click.UsageError("--json and --hexboard exclude each other")
    options.refuse_one_file(("--proof", request.proof), ("--resume", request.table))
    if source is not None and openings is not None:
        raise click.UsageError("FILE and --openings exclude each other")
    if source is not None:
        if request.proofs is not None:
            raise click.UsageError(
                "--proofs needs --openings; the proof of one FILE is --proof OUT"
            )
        if shortest:
            _solve_shortest(source, request, output, every=every)
        else:
            _solve_position(source, request, output, every=every)
    elif openings is not None:
        if shortest:
            raise click.UsageError("--shortest needs a FILE")
        _solve_openings(openings, request, output, every=every)
    else:
        raise click.UsageError("FILE is missing, or --openings N for all openings of a board")


def _run_here(board: Board, request: solving.SolveRequest) -> solving.SolverRun:
    """Return a solver of this process."""
    solver = request.solver(board)
    solver.prepare(request.seconds)
    parts = solving.read_parts(request.parts, board)
    for part in parts.parts:
        solver.learn(part)
    return solving.SolverRun(solver, request.seconds, table=request.table, parts=parts)


def _solve_position(
    source: InputSource, request: solving.SolveRequest, output: Output, *, every: bool
) -> None:
    """Solve a position here or by jobs; print the answer, and write the proof."""
    if request.is_by_jobs:
        request.check_jobs(every=every)
        run = solving.solve_by_jobs(source.position, request)
    else:
        run = _run_here(source.position.board, request)
    solver, table, proof = run.solver, run.table, request.proof
    with solving.keeping(solver, table, run.on_disk) as keeper:
        with keeper.display():
            answer = solver.solve(source.position, every=every, seconds=run.seconds)
        answer = replace(
            answer,
            nodes=answer.nodes + run.nodes,
            seconds=answer.seconds + run.took,
            before_swap=source.before_swap,
        )
        remaining = solver.remaining(source.position) if answer.winner is None else None
        # The answer comes before the files, which may fail.
        is_cut = every and answer.winner is not None and not answer.complete
        _show(answer, source, remaining, request, output, is_cut=is_cut)
        lines = 0
        if proof is not None and answer.winner is not None:
            with solving.proving(table), keeper.display():
                lines = run.parts.write_proof(solver, source.position, proof)
    if proof is not None and not output.as_json:
        click.echo(f"{proof}: {quantity(lines, 'position')}." if lines else "no proof.")
    if answer.winner is None or is_cut or not (keeper.is_kept and run.is_kept):
        click.get_current_context().exit(1)


def _solve_openings(
    board: Board, request: solving.SolveRequest, output: Output, *, every: bool
) -> None:
    """Solve the openings of a board, print the map, and write the proofs if there is a folder."""
    if request.is_by_jobs:
        request.check_jobs(every=every)
        if request.proof is not None:
            raise click.UsageError("--proof needs a FILE; the folder of --resume gets proofs")
        solving.show_openings_by_jobs(board, request, output)
        return
    others = (request.proof, request.seconds, request.parts)
    if every or any(value is not None for value in others):
        raise click.UsageError(
            "--all, --parts, --proof and --time need a FILE; --proofs FOLDER is for --openings"
        )
    solver = request.solver(board)
    files = {} if request.proofs is None else solving.proofs_in(request.proofs, board)
    solver.prepare()
    with solving.keeping(solver, request.table) as keeper:
        solving.show_map(solver, keeper, request, output)
        if request.proofs is not None:
            with solving.proving(request.table):
                click.echo(solving.write_proofs(solver, files, request.proofs), err=output.as_json)
    if not keeper.is_kept:
        click.get_current_context().exit(1)


def _show(
    answer: Answer,
    source: InputSource,
    remaining: Remaining | None,
    request: solving.SolveRequest,
    output: Output,
    *,
    is_cut: bool,
) -> None:
    board = answer.position.board
    wins = board.only(*answer.winning_moves)
    marks = Marks(last=source.last, shade=wins, shade_as=WINS)
    sentences = [] if remaining is None else remaining_sentences(board, remaining)
    sentences += ["There was no time for the other moves: more of them may win."] * is_cut
    output.answer(
        answer.position,
        marks,
        answer_object(answer, remaining),
        (source.caption, str(answer), *sentences, effort(answer)),
        tag=request.tag(wins),
    )
    output.picture.draw(source, marks)


def _solve_shortest(
    source: InputSource, request: solving.SolveRequest, output: Output, *, every: bool
) -> None:
    """Find the shortest win, and print and draw it; exit with 1 if the time was too short."""
    others = (request.proof, request.parts, request.resume, request.jobs, request.scheduler)
    if request.threads > 1 or request.without or any(value is not None for value in others):
        raise click.UsageError("--shortest goes with --all, --time and --memory alone")
    position = source.position
    with screen.leaving(lambda: screen.NOTHING), screen.working("solving") as work:

        def show(least: int, nodes: int) -> None:
            work.say(f"at least {quantity(least, 'stone')}, {quantity(nodes, 'position')}")

        with source.blamed():
            win = screen.interruptible(
                lambda: answer.find_shortest(
                    position,
                    every=every,
                    seconds=request.seconds,
                    megabytes=request.memory,
                    on_step=show,
                    before_swap=source.before_swap,
                )
            )
    marks = replace(answer.marks(win), last=source.last)
    took = f"{quantity(win.nodes, 'position')} in {win.seconds:.1f} s."
    sentences = (source.caption, *answer.sentences(win, every=every), took)
    tag = request.tag(answer.first_moves(win))
    output.answer(position, marks, answer.shortest_object(win), sentences, tag=tag)
    marks = Marks(labels=answer.numbers(win))
    output.picture.write(answer.final_position(win), marks, title=source.title)
    if win.stones is None or (every and not win.complete):
        click.get_current_context().exit(1)
