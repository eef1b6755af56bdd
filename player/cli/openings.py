"""`hsearch openings`: which first moves win, which are fair."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np

from hsearch.hex import Board, Cell, Color, Position
from hsearch.render.text import Marks
from player.answers.solved import chart_object
from player.console import options
from player.console.command import InputError, command, reading, unreadable
from player.console.output import Output, takes_output
from player.console.screen import make_folder, working, write_file
from player.evaluate.chance import per_cent
from player.search import opening_estimates as estimates
from player.search import openings as maps
from player.solve.job_folder import JobFolder, JobFolderError
from player.solve.job_tree import JobTree
from player.solve.solver import from_the_center

WINS = "WL"


@command(
    "openings",
    "hsearch openings 5",
    "hsearch openings 5 --save maps",
    "hsearch openings 8 --balanced 10",
)
@click.argument("side", type=click.IntRange(1, 19), metavar="N")
@options.out_folder_option(
    "--save",
    "folder",
    help="Compute it again and write it into this folder: NxN.map, or balanced-NxN.list. A map "
    "there that was made with more effort, or a longer list, stays, and the command fails.",
)
@options.number_option(
    "--depth",
    least=2,
    most=9,
    help="Estimate again, by alpha-beta over the circuits to this depth.",
)
@options.number_option(
    "--simulations",
    most=100_000_000,
    metavar="N",
    help="Estimate again, by this many simulations of the player `tree` for each opening and each "
    "half turn; 200 by default, 50000 where there is no net.",
)
@options.resume_option(
    kind=options.FOLDER,
    metavar="FOLDER",
    help="Take what `hsearch solve --openings N --resume FOLDER/` has settled as proved.",
)
@options.number_option(
    "--balanced",
    "count",
    most=10_000,
    metavar="N",
    help="List balanced openings of two stones instead.",
)
@options.seed_option("--balanced; 0 by default", default=None)
@takes_output("Draw the map")
def openings(  # noqa: PLR0913 - one per option
    *,
    side: int,
    folder: Path | None,
    depth: int | None,
    simulations: int | None,
    resume: Path | None,
    count: int | None,
    seed: int | None,
    output: Output,
) -> None:
    """Show who wins after each first move of Black on a board of N by N cells.

    To 8x8 every opening is proved, and of 9x9 the center. The others of larger boards
    are estimated by the net, and written in lower case. The maps of 2x2 to 14x14
    are shipped; others, and with --save all, are computed, in minutes on 7x7 and
    from 11x11 on.
    """
    if depth is not None and simulations is not None:
        raise click.UsageError("--depth and --simulations are two ways to estimate; take one")
    is_usual = depth is None and simulations is None
    if count is not None:
        if output.picture.is_wanted or output.as_json or resume is not None or not is_usual:
            raise click.UsageError(
                "--balanced is a list of openings of two stones; it takes --save and --seed alone"
            )
        _list_balanced(side, count, seed or 0, folder)
        return
    if seed is not None:
        raise click.UsageError("--seed is for --balanced N: a map is the same with any")
    effort = maps.usual_effort(side)
    if depth is not None:
        effort = estimates.MapEffort(estimates.MapWay.DEPTH, depth)
    if simulations is not None:
        effort = estimates.thorough_effort(simulations)
    file = None if folder is None else make_folder(folder) / f"{side}x{side}.map"
    board = Board(side, side)
    older = None if file is None else _map_in(file, effort, board)
    results = {} if resume is None else _read_settled(resume, board)
    chart = maps.load_chart(side) if folder is None and is_usual else None
    new_map = maps.settle(chart or _with_progress(board, effort), results)
    if file is not None:
        candidates = () if older is None else filter(older.is_proved, board.cells)
        names = [board.name(cell) for cell in candidates if not new_map.is_proved(cell)]
        if names:
            raise InputError(f"{file}: proves {names[0]}, which the new map would only estimate")
        write_file(file, maps.write(new_map))
    labels = dict(enumerate(new_map.verdicts))
    marks = Marks(
        labels=labels,
        tints={cell: WINS.index(verdict.upper()) for cell, verdict in labels.items()},
        tint_names=("W wins for Black; w seems to", "L loses; l seems to"),
    )
    empty = Position.of(new_map.board)
    output.picture.write(empty, marks, title=f"First moves on {side}x{side}")
    output.answer(empty, marks, chart_object(new_map), _sentences(new_map))


def _map_in(file: Path, effort: estimates.MapEffort, board: Board) -> maps.Chart | None:
    """Return the map in a file, or None. Raise InputError if the file must not be overwritten."""
    if not file.exists():
        return None
    try:
        older = maps.read(file.read_text(encoding="ascii"))
    except OSError as error:
        raise unreadable(file, error) from error
    except (maps.ChartError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: not a map of openings, so it stays: {error}") from error
    if older.board != board:
        raise InputError(f"{file}: a map of {older.board}, not {board}, so it stays")
    if older.effort.rank > effort.rank:
        why = f"by {older.effort.words}; the new one would be by {effort.words}"
        raise InputError(f"{file}: made with more effort, {why}")
    return older


def _read_settled(path: Path, board: Board) -> dict[Cell, bool]:
    """Return whether Black wins after each opening that a search by jobs has settled."""
    if not (path / "table").exists():
        raise InputError(f"{path}: not a folder of a search by jobs")
    tree = JobTree(board)
    try:
        JobFolder(path, board).load(tree)
    except JobFolderError as error:
        raise InputError(str(error)) from error
    except OSError as error:
        raise unreadable(path, error) from error
    empty = Position.of(board)
    winners = {cell: tree.winner(empty.play(cell)) for cell in from_the_center(board)}
    return {cell: winner is Color.BLACK for cell, winner in winners.items() if winner is not None}


def _list_balanced(side: int, count: int, seed: int, folder: Path | None) -> None:
    different = side * side * (side * side - 1) // 2  # up to half a turn
    if estimates.OPENINGS_PER_ENTRY * count > different:
        raise click.UsageError(f"too many openings for {side}x{side}: {count}")
    file = None if folder is None else make_folder(folder) / f"balanced-{side}x{side}.list"
    if file is not None:
        _check_list(file, count)
    board, generator = Board(side, side), np.random.default_rng(seed)
    with working("pairs", min(estimates.TRIED * count, different), unit="pairs") as work:
        counter = itertools.count(1)
        pairs = estimates.find_balanced(
            board, count, generator, on_progress=lambda: work.update(next(counter))
        )
    seed_words = f" --seed {seed}" if seed else ""
    command = f"hsearch openings {side} --balanced {count}{seed_words} --save FOLDER"
    text = estimates.write_balanced(side, pairs, command)
    if file is not None:
        write_file(file, text)
    click.echo(text, nl=False)


def _check_list(file: Path, count: int) -> None:
    """Raise InputError if a file holds something else, or more openings than the new list."""
    if not file.exists():
        return
    with reading(file):
        head, *openings = file.read_text(encoding="utf-8", errors="replace").splitlines() or [""]
    if not head.startswith(estimates.LIST):
        raise InputError(f"{file}: not a list of balanced openings, so it stays")
    if len(openings) > count:
        raise InputError(f"{file}: holds {len(openings)} openings; the new list would hold {count}")


def _with_progress(board: Board, effort: estimates.MapEffort) -> maps.Chart:
    with working("openings", (board.size + 1) // 2, unit="openings") as work:
        counter = itertools.count(1)
        return maps.compute_chart(
            board, effort, on_progress=lambda _cell: work.update(next(counter))
        )


def _sentences(new_map: maps.Chart) -> Iterator[str]:
    """Yield what the letters mean, the most even opening, and who estimated."""
    if new_map.board.size == 1:
        yield "W: Black, who opens, has won."
        return
    name = new_map.board.name(new_map.most_even)
    share = per_cent(new_map.black_chance(new_map.most_even))
    proofs = sum(map(new_map.is_proved, new_map.board.cells))
    kind = (
        " (all proved)"
        if new_map.is_exact
        else f"; w and l are estimates ({proofs} of {new_map.board.size} proved)"
    )
    most_even = f"{name}, estimated chance of Black {share} %"
    if new_map.is_proved(new_map.most_even):
        outcome = f"proved to {'win' if new_map.wins(new_map.most_even) else 'lose'}"
        most_even = f"{name}, {outcome}" if share in {0, 100} else f"{most_even}, though {outcome}"
    yield f"W wins and L loses for Black, who opens{kind}."
    yield f"Most even: {most_even}."
    yield f"Estimated by {new_map.effort.words}."
