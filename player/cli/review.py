"""`hsearch review`: where a game was decided, and which moves threw it away."""

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from hsearch.formats import hexworld, sgf
from hsearch.formats.reading import ENDINGS
from hsearch.hex import Game
from hsearch.render.text import ASCII, quantity
from player.answers.connection import connection_marks
from player.console import options
from player.console.command import InputError, command, one_line, reading
from player.console.games import (
    GameEntry,
    Machines,
    games_of,
    name_of,
    refuse_other,
    storing,
    takes_machines,
    warn_if_cut,
)
from player.console.output import json_option, png, png_option, print_object, say
from player.console.reading import ReadingOptions, arguments, file_word, format_option, is_file
from player.console.screen import (
    NOTHING,
    Screen,
    draws,
    interruptible,
    leaving,
    make_folder,
    resume_note,
    screen_width,
    working,
    write_file,
)
from player.study import review as reviews
from player.study import review_page, review_record, review_rows
from player.study.examine import review_game
from player.study.review_rows import ReviewRows, Task

# A review on a terminal: the board where it was decided, the moves that matter, the chance.

MOST = 16  # moves in a table of those that matter
MARGIN = 7  # characters before a line of bars
USUAL = "normal"  # effort
PROOFS = "move-*.proof"  # in the folder of --proofs


def report(result: reviews.Review, screen: Screen, *, every: bool) -> None:
    """Print a review; with `every`, a line for each move."""
    _board(result, screen)
    say(("", f"{reviews.heading(result)}.", *reviews.summary(result), ""))
    _sparks(result, screen)
    click.echo()
    moves = list(result.moves) if every else result.notable
    if not every and len(moves) > MOST:
        # Proved moves come before estimates, and the largest drops of the chance first.
        moves = sorted(moves, key=lambda move: (not move.rests_on_proof, -move.fell))[:MOST]
        moves.sort(key=lambda move: move.number)
    for move in moves:
        sign = "!" if move.is_mistake else " "
        say([f"{sign} {reviews.move_label(result, move)}: {move.word}; {move.basis}."])
        say([f"      {words}" for words in reviews.instead(result, move)])
    rest = len(result.notable) - len(moves)
    if rest > 0:
        click.echo(f"  and {quantity(rest, 'move')} more; --all shows every move.")


def following(entry: GameEntry, effort: reviews.Effort) -> None:
    """Print the command line that makes a page of the review, if it can be given."""
    if entry.file != "-" and not entry.file.endswith("..."):  # not stdin, and not a cut text
        game = ("--game", str(entry.number)) if entry.is_one_of_many else ()
        chosen = (*game, *entry.options, *_options(effort))
        words = ("hsearch", "review", file_word(entry.file), *chosen, "--html", "review.html")
        say([f"Next: {shlex.join(words)}   step through it"])


def _options(effort: reviews.Effort) -> Iterator[str]:
    """Yield the options that choose an effort; none for the usual one."""
    (name,) = (name for name, each in reviews.EFFORTS.items() if each.depth == effort.depth)
    if name != USUAL:
        yield from ("--effort", name)
    if effort.seconds is not None:
        yield from ("--time", f"{effort.seconds:g}")


def _board(result: reviews.Review, screen: Screen) -> None:
    """Print the position after the turning point, or the last one, with its proof."""
    moves = result.turning_point
    state = result.states[-1 if moves is None else moves]
    evidence = result.evidence(state.moves)
    connection = None
    if evidence is not None and evidence[0] == state.position:
        connection = evidence[1].connection
    last = result.game.last_cell(state.moves)
    screen.show(state.position, connection_marks(connection, last))


def _sparks(result: reviews.Review, screen: Screen) -> None:
    """Print Black's chance by move, and below it who is proved to win."""
    bars = reviews.spark(result, only_ascii=screen.symbols == ASCII)
    marks = reviews.winner_marks(result)
    wide = max(1, screen_width() - MARGIN)
    below = "; below it B and W where the winner is proved" if marks.strip() else ""
    say([f"Black's chance by move, estimated{below}:"])
    for start in range(0, len(bars), wide):
        click.echo(f"{start:5}  {bars[start : start + wide]}")
        if marks.strip():
            click.echo(f"{'':{MARGIN}}{marks[start : start + wide]}".rstrip())


# Games one after the other, or many on many processes.


@dataclass(frozen=True, slots=True)
class Outputs:
    """The outputs of a review; None and False are those not wanted."""

    svg: Path | None
    png: Path | None
    html: Path | None
    sgf: Path | None
    hexworld: bool
    proofs: Path | None
    as_json: bool
    every: bool

    @property
    def files(self) -> list[Path]:
        """The files that hold one review."""
        files = (self.svg, self.png, self.html, self.sgf, self.proofs)
        return [path for path in files if path is not None]


def review_each(
    entries: Sequence[GameEntry], effort: reviews.Effort, outputs: Outputs, screen: Screen
) -> None:
    """Review games one after the other and show each.

    Raise InputError if several games would be written to one file.
    """
    games = [(entry, entry.game) for entry in entries if entry.game is not None]
    if len(games) > 1 and outputs.files:
        is_one_file = len({entry.file for entry, _ in games}) == 1
        which = "choose one with --game N" if is_one_file else "give one file"
        raise InputError(
            f"{len(games)} games, of which one alone can go into a file: {which}, or "
            "keep the reviews of all with --resume FILE"
        )
    for place, (entry, game) in enumerate(games):
        if len(games) > 1 and not outputs.as_json:
            click.echo("\n" * bool(place) + f"{one_line(entry.name)}:\n")
        _show(_review_game(game, effort, outputs), entry, outputs, screen)


def review_all(
    entries: Sequence[GameEntry], effort: reviews.Effort, path: Path, machines: Machines
) -> None:
    """Review the games that the file of rows lacks, and print a summary of all.

    Raise FailedError if the workers die, or the file of rows is damaged or cannot be written.
    """
    rows = _open_rows(path, effort)
    games = [Task.of(e.file, e.number, e.game) for e in entries if e.game is not None]
    tasks = [*{task.key: task for task in games}.values()]  # a file may be named twice
    errors = dict.fromkeys((e.file, e.number, e.error) for e in entries if e.error is not None)
    failures = [review_rows.error_row(*each) for each in errors]
    with (
        leaving(lambda: resume_note(path) if rows.rows else NOTHING),
        working("review", len(tasks), unit="games") as work,
        storing(path),
        rows.lock(),
    ):
        rows.add_failed(failures)
        with machines.workers() as workers:
            review_rows.review_missing(
                rows,
                tasks,
                effort,
                on_left=lambda rest: work.update(len(tasks) - rest),
                workers=workers,
            )
    rows_of_games = [rows.rows[task.key] for task in tasks] + [None] * len(failures)
    of_file = Counter(task.file for task in tasks)
    for task in tasks:
        name = name_of(task.file, task.number, is_one_of_many=of_file[task.file] > 1)
        say([review_rows.summary_line(name, rows.rows[task.key])])
    if tasks:
        for line in review_rows.sentences(review_rows.totals(rows_of_games), effort.words):
            click.echo(line)


def _review_game(game: Game, effort: reviews.Effort, outputs: Outputs) -> reviews.Review:
    total = len(game.moves) + 1
    if outputs.proofs is not None:
        make_folder(outputs.proofs)
        positions = {game.position(moves) for moves in range(total)}
        for path in sorted(outputs.proofs.glob(PROOFS)):
            refuse_other(path, positions, "a position of this game")
    with (
        leaving(lambda: NOTHING),
        # Positions take from a moment to many seconds, and the solver returns to some.
        working("review", total, unit="positions", even=False) as work,
    ):

        def on_progress(rest: int) -> None:
            work.update(total - rest)

        return interruptible(
            lambda: review_game(
                game,
                effort,
                on_progress=on_progress,
                proofs=outputs.proofs is not None,
                tries=True,
            )
        )


def _show(result: reviews.Review, entry: GameEntry, outputs: Outputs, screen: Screen) -> None:
    if outputs.as_json:
        origin = {"file": entry.file, "game": entry.number}
        for move in result.moves:
            print_object(reviews.move_object(result, move) | origin)
        print_object(reviews.game_object(result) | origin)
    else:
        report(result, screen, every=outputs.every)
    if outputs.hexworld:
        game = review_record.annotate(result).cut(result.turning_point)
        click.echo(hexworld.write(game))
    writers = (
        (outputs.svg, review_page.picture),
        (outputs.png, lambda result: png(review_page.picture(result))),
        (outputs.html, review_page.write_page),
        (outputs.sgf, lambda result: sgf.write(review_record.annotate(result))),
    )
    for path, write in writers:
        if path is not None:
            write_file(path, write(result))
            if not outputs.as_json:
                click.echo(one_line(f"Saved as {path}."))
    if outputs.proofs is not None:
        _write_proofs(result, outputs.proofs)
    if outputs.html is None and not outputs.as_json:
        following(entry, result.effort)


def _write_proofs(result: reviews.Review, folder: Path) -> None:
    for number, text in result.proofs:
        write_file(folder / PROOFS.replace("*", f"{number:03}"), text)


def _open_rows(path: Path, effort: reviews.Effort) -> ReviewRows:
    with reading(path):
        rows = ReviewRows(path, effort)
    warn_if_cut(path, cut=rows.cut)
    return rows


# The command.


@command(
    "review",
    "hsearch review positions/games/london-2000-queenbee-hexy.sgf --effort quick --svg review.svg",
    "echo 'a5 c4 d3 b4 c2' | hsearch review - --size 5 --html review.html --sgf reviewed.sgf",
    "hsearch review positions/games/*.sgf --effort quick --resume games.jsonl --jobs 2",
)
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", shell_complete=options.complete_file
)
@options.number_option("--game", "number", help="Review only the game of this number.")
@options.choice_option(
    "--effort",
    words=reviews.EFFORTS,
    default=USUAL,
    help="quick: H-search, and the solver for 0.3 s a position; normal: must-play deduction as "
    "well, and the solver longer; deep: further.",
)
@options.time_option(
    min_open=True, help="Time limit for each game; results then depend on the machine."
)
@options.out_option("--svg", writes=options.SVG, help="Draw the chance by move into OUT.")
@png_option
@options.out_option("--html", writes=options.PAGE, help="Write a page with board and chart.")
@options.out_option(
    "--sgf", writes=options.REVIEWED, help="Write the record with the review in it."
)
@click.option("--hexworld", is_flag=True, help="Print a link to the position that decided it.")
@options.out_folder_option(
    "--proofs", help="Write the proofs of the solver there; `hsearch verify` checks them."
)
@json_option("one JSON object a move, one a game")
@click.option("--all", "every", is_flag=True, help="Show all moves, not only those that matter.")
@options.resume_option(help="Store the results in FILE, game by game, and resume from it.")
@takes_machines("Review", "Processes that review; needs --resume.")
@click.option("--size", type=options.SizeType(), help="Board of a move list; 11 by default.")
@format_option
@draws
def review(  # noqa: PLR0913 - one per option
    *,
    files: tuple[str, ...],
    number: int | None,
    effort: str,
    seconds: float | None,
    resume: Path | None,
    machines: Machines,
    size: tuple[int, int] | None,
    text_format: str | None,
    screen: Screen,
    **outputs: Any,
) -> None:
    """Report where each game of FILE was decided, and the moves that lost it.

    A verdict names its basis: a connection, the solver, or an estimate. An
    estimate is never called a mistake. The turning point is the earliest
    move after which the winner is proved at every later position. With --resume
    many games are reviewed, by --jobs processes, and the same command resumes
    after an interruption.
    """
    if resume is None and machines != Machines(1, None):
        raise click.UsageError("--jobs and --scheduler need --resume")
    if resume is not None and (others := [name for name, value in outputs.items() if value]):
        called = {"as_json": "json", "every": "all"}
        names = " and ".join(f"--{called.get(name, name)}" for name in others)
        raise click.UsageError(f"--resume goes with no other output: leave out {names}")
    if outputs["as_json"] and outputs["hexworld"]:
        raise click.UsageError("--json and --hexworld exclude each other")
    terms = reviews.EFFORTS[effort]
    if seconds is not None:
        searching = terms if terms.nodes else replace(reviews.EFFORTS[USUAL], depth=terms.depth)
        terms = replace(searching, name="time", total=10**8, seconds=seconds)
    entries = _entries(files, ReadingOptions(number, size=size, text_format=text_format))
    if resume is not None:
        review_all(entries, terms, resume, machines)
    else:
        review_each(entries, terms, Outputs(**outputs), screen)
    for entry in entries:
        if entry.error is not None:
            click.echo(entry.error, err=True)
    if any(entry.error is not None for entry in entries):
        raise click.exceptions.Exit(3)


def _in_folder(file: str) -> list[str]:
    """Return the sorted names of the records in a folder; the name of a file unchanged."""
    if not file or not is_file(file) or not Path(file).is_dir():
        return [file]
    records = sorted(
        each
        for each in Path(file).iterdir()
        if each.suffix.lower() in ENDINGS and not _is_answer(each)
    )
    if not records:
        raise InputError(f"{file}: no records in this folder: {', '.join(ENDINGS)}")
    return [*map(str, records)]


def _is_answer(path: Path) -> bool:
    """Return whether a file holds answers of this program, such as those of `--resume`."""
    if path.suffix.lower() != ".jsonl" or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(64).lstrip().startswith(b'{"schema": "hsearch/')


def _entries(files: tuple[str, ...], reading: ReadingOptions) -> list[GameEntry]:
    """Return the games of all files, and print their warnings on stderr."""
    names = [name for file in arguments(files) for name in _in_folder(file)]
    entries = [entry for name in names for entry in games_of(name, reading)]
    for entry in entries:
        entry.show_warnings()
    return entries
