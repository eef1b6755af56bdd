"""`hsearch puzzles`: proved puzzles from games."""

import glob
import shlex
from collections import Counter
from pathlib import Path

import click

from hsearch.render.text import quantity
from player.console import games, options, reading, screen
from player.console.command import FailedError, command
from player.engine.self_play import SelfPlay
from player.study.puzzle import (
    GRADES,
    Collection,
    Puzzle,
    PuzzleSearch,
    PuzzleSource,
    entry_text,
    grade,
    heading,
    name_of,
)
from player.work.spread import PickledCall, WorkerPool, WorkersError, spread

PLAYER = "hexy:level=2"


@command(
    "puzzles",
    "hsearch puzzles --from-play 4 --size 5 --seed 1 --out five.txt",
    "hsearch puzzles positions/games/london-2000-queenbee-hexy.sgf --nodes 50 --out london.txt",
)
@click.argument("files", nargs=-1, metavar="[FILE]...", shell_complete=options.complete_file)
@click.option(
    "--from-play", "play", type=click.IntRange(0), default=0, metavar="N", help="N engine games."
)
@click.option(
    "--size",
    "sizes",
    type=options.SizeType(),
    multiple=True,
    help="Boards of these games, in turn; 7 by default.",
)
@options.seed_option("the games")
@options.number_option("--at-most", default=1, help="Winning moves that a puzzle may have.")
@options.number_option("--per-grade", help="Most puzzles of one board and grade.")
@options.number_option(
    "--nodes", default=PuzzleSearch().nodes, help="Positions that the solver may look at for one."
)
@click.option(
    "--shortest",
    is_flag=True,
    help="Add the fewest stones that win, as `stones`: on boards of at most 36 cells, if they are"
    " found in 10 s.",
)
@options.processes_option("jobs", help="Processes; only what --shortest adds may depend on it.")
@options.out_option(
    "--out",
    writes=options.SUITE,
    required=True,
    help="The suite; the proofs go into a folder of the same name beside it.",
)
def puzzles(  # noqa: PLR0913 - one per option
    *,
    files: tuple[str, ...],
    play: int,
    sizes: tuple[tuple[int, int], ...],
    seed: int,
    at_most: int,
    per_grade: int | None,
    nodes: int,
    shortest: bool,
    jobs: int,
    out: Path,
) -> None:
    """Collect positions of games in which just one move wins, proved, and grade them.

    Each is solved, with a proof that `hsearch verify` checks. Left out are those
    that a chain or bridges decide, and repeats up to symmetry and translation.
    Grades go from 1, seen at once, to 5.
    """
    if not files and not play:
        raise click.UsageError("either FILE or --from-play N is needed")
    if sizes and not play:
        raise click.UsageError("--size is about engine games: add --from-play N")
    _check_folder(out)
    origins, is_bad = _read(files)
    if is_bad and not origins and not play:
        raise click.exceptions.Exit(3)
    boards = sizes or ((7, 7),)
    if any(columns != rows for columns, rows in boards):
        raise click.UsageError("--size: engine games are on square boards")
    engine = SelfPlay(PLAYER, tuple(side for side, _ in boards), seed)
    origins += [
        PuzzleSource(f"game {number} of {PLAYER} against itself, seed {seed}", (engine, number))
        for number in range(play)
    ]
    search = PuzzleSearch(at_most=at_most, nodes=nodes, shortest=shortest)
    puzzles_by_game = _find(origins, search, jobs)
    counts = _write(out, origins, puzzles_by_game, Collection(per_grade))
    total = sum(counts.values())
    grades = ", ".join(f"grade {level}: {counts[level]}" for level in GRADES)
    click.echo(f"{out}: {quantity(total, 'puzzle')} of {quantity(len(origins), 'game')}; {grades}.")
    if total:
        click.echo(f"{out.with_suffix('')}: their proofs, which hsearch verify checks.")
    if is_bad:
        raise click.exceptions.Exit(3)


def _check_folder(out: Path) -> None:
    """Fail, before any work, if the folder of the proofs cannot be made beside the suite."""
    folder = out.with_suffix("")
    if folder == out:
        message = (
            f"--out: {out} lacks an ending, as in {out}.txt: {out} is the folder of the proofs"
        )
        raise click.UsageError(message)
    if folder.exists() and not folder.is_dir():
        raise click.UsageError(f"--out: {folder} is not a folder: the proofs of {out} go there")
    others = folder.parent.glob(f"{glob.escape(folder.name)}.*") if folder.exists() else ()
    for other in others:
        if other.name != out.name and options.SUITE.is_in(other):
            raise click.UsageError(f"--out: {folder} has the proofs of {other}: use another name")


def _read(files: tuple[str, ...]) -> tuple[list[PuzzleSource], bool]:
    """Return the games of files, and whether some could not be read; report those on stderr."""
    origins, is_bad = [], False
    for file in reading.arguments(files):
        for entry in games.games_of(file, reading.ReadingOptions()):
            if entry.game is None:
                click.echo(entry.error, err=True)
                is_bad = True
            else:
                entry.show_warnings()
                origins.append(PuzzleSource(f"{entry.file}, game {entry.number}", entry.game))
    return origins, is_bad


def _find(origins: list[PuzzleSource], search: PuzzleSearch, jobs: int) -> list[list[Puzzle]]:
    """Return the puzzles of each game, in order."""
    by_game: dict[int, list[Puzzle]] = {}

    def missing() -> list[PickledCall]:
        return [
            (_find_puzzles, number, origin, search)
            for number, origin in enumerate(origins)
            if number not in by_game
        ]

    with (
        screen.leaving(lambda: screen.NOTHING),
        screen.working("puzzles", len(origins), unit="games") as work,
    ):

        def keep(result: tuple[int, list[Puzzle]]) -> bool:
            by_game[result[0]] = result[1]
            work.update(len(by_game))
            return False

        try:
            spread(missing, keep, workers=WorkerPool(jobs))
        except WorkersError as error:
            raise FailedError(str(error)) from error
    return [by_game[number] for number in range(len(origins))]


def _find_puzzles(
    number: int, origin: PuzzleSource, search: PuzzleSearch
) -> tuple[int, list[Puzzle]]:
    return number, origin.puzzles(search)


def _write(
    out: Path, origins: list[PuzzleSource], by_game: list[list[Puzzle]], collection: Collection
) -> Counter[int]:
    """Write the suite and the proofs; return the number of puzzles of each grade."""
    folder = out.with_suffix("")
    blocks: list[tuple[object, str]] = []
    counts: Counter[int] = Counter()
    has_stones = False
    for origin, puzzles_ in zip(origins, by_game, strict=True):
        for puzzle, number in collection.take(puzzles_):
            name = name_of(puzzle, number)
            source = f"{origin.source}, after move {puzzle.moves}"
            block = entry_text(puzzle, name, source, f"{folder.name}/{name}.proof")
            blocks.append(((puzzle.position.board.size, name), block))
            counts[grade(puzzle.measures)] += 1
            has_stones = has_stones or puzzle.stones is not None
            screen.write_file(screen.make_folder(folder) / f"{name}.proof", puzzle.proof)
    text = heading(_command_line(), len(blocks), shortest=has_stones)
    screen.write_file(out, "\n".join([text, *(block for _, block in sorted(blocks))]))
    return counts


def _command_line() -> str:
    """Return the command line that made a suite, without --jobs."""
    context = click.get_current_context()
    values = context.params
    words = ["hsearch", "puzzles", *values["files"]]
    if values["play"]:
        words += ["--from-play", str(values["play"])]
    for columns, rows in values["sizes"]:
        words += ["--size", f"{columns}" if columns == rows else f"{columns}x{rows}"]
    for option, name in (("--seed", "seed"), ("--at-most", "at_most"), ("--nodes", "nodes")):
        words += [option, str(values[name])]
    if values["per_grade"] is not None:
        words += ["--per-grade", str(values["per_grade"])]
    words += ["--shortest"] * values["shortest"]
    return shlex.join((*words, "--out", str(values["out"])))
