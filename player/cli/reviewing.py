"""Review games for the command line: one after the other, or many on many processes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from hsearch.files.lines import LinesError
from hsearch.formats import hexworld, sgf
from player.cli.review_report import following, report
from player.console.cluster import executor_at
from player.console.errors import FailedError, InputError, one_line, unreadable
from player.console.games import GameEntry
from player.console.interruptible import NOTHING, interruptible, kept_in, leaving
from player.console.output import print_object
from player.console.progress import working
from player.console.screen import Screen, make_folder, write_file
from player.review import Effort, Review, chart, page, review
from player.review.objects import game_object, move_object
from player.review.record import annotated
from player.review.rows import (
    ReviewRows,
    Task,
    failed_row,
    reviewed_row,
)
from player.review.totals import sentences, totals
from player.tournament import WorkersError
from player.tournament.spread import Call, spread


@dataclass(frozen=True, slots=True)
class Outputs:
    """Files that a review writes; None and False are not asked for."""

    svg: Path | None
    html: Path | None
    sgf: Path | None
    hexworld: bool
    proofs: Path | None
    as_json: bool
    every: bool

    @property
    def files(self) -> list[Path]:
        """The files that hold one review."""
        return [path for path in (self.svg, self.html, self.sgf, self.proofs) if path is not None]


def review_each(
    entries: Sequence[GameEntry], effort: Effort, outputs: Outputs, screen: Screen
) -> None:
    """Review games one after the other and show each."""
    games = [entry for entry in entries if entry.game is not None]
    if len(games) > 1 and outputs.files:
        raise click.UsageError(
            f"{len(games)} games, of which one alone can go into a file: say which, --game N, or "
            "keep what is said of all with --rows OUT"
        )
    for place, entry in enumerate(games):
        if len(games) > 1 and not outputs.as_json:
            number = f", game {entry.number}" if entry.is_one_of_many else ""
            click.echo("\n" * bool(place) + f"{one_line(entry.file)}{number}:\n")
        _show(_reviewed(entry, effort, outputs), entry, outputs, screen)


def review_all(
    entries: Sequence[GameEntry],
    effort: Effort,
    path: Path,
    *,
    jobs: int,
    scheduler: str | None,
) -> None:
    """Review all games that the file of rows lacks, and print what they say together."""
    rows = _opened(path, effort)
    tasks = [Task.of(e.file, e.number, e.game) for e in entries if e.game is not None]
    failed = [failed_row(e.file, e.number, e.error) for e in entries if e.error is not None]

    def missing() -> Sequence[Call]:
        return [(reviewed_row, task, effort) for task in tasks if task.key not in rows.rows]

    left = {task.key for task in tasks} - rows.rows.keys()
    with (
        leaving(lambda: kept_in(path)),
        working("review", len(tasks), unit="games") as work,
    ):

        def keep(row: dict[str, Any]) -> bool:
            rows.add(row)
            left.discard((row["file"], row["game"], row["digest"]))
            work.done(len(tasks) - len(left))
            return False

        try:
            with rows.held():
                for row in failed:
                    if (row["file"], row["game"], row["digest"]) not in rows.rows:
                        rows.add(row)
                with executor_at(scheduler, jobs) as (executor, workers):
                    spread(missing, keep, workers=workers, executor=executor)
        except (WorkersError, LinesError) as error:
            raise FailedError(str(error)) from error
        except OSError as error:
            message = f"{path}: cannot be written: {error.strerror or error}"
            raise FailedError(message) from error
    wanted = [rows.rows[task.key] for task in tasks] + [None] * len(failed)
    if tasks:
        for line in sentences(totals(wanted), effort.words):
            click.echo(line)


def _reviewed(entry: GameEntry, effort: Effort, outputs: Outputs) -> Review:
    game = entry.game
    assert game is not None  # noqa: S101 - those without were sorted out
    total = len(game.moves) + 1
    with (
        leaving(lambda: NOTHING),
        working("review", total, unit="positions") as work,
    ):

        def on_progress(left: int) -> None:
            work.done(total - left)

        return interruptible(
            lambda: review(game, effort, on_progress=on_progress, proofs=outputs.proofs is not None)
        )


def _show(reviewed: Review, entry: GameEntry, outputs: Outputs, screen: Screen) -> None:
    if outputs.as_json:
        for move in reviewed.moves:
            print_object(move_object(reviewed, move))
        print_object(game_object(reviewed))
    else:
        report(reviewed, screen, every=outputs.every)
    if outputs.hexworld and not outputs.as_json:
        game = annotated(reviewed).cut(reviewed.turning_point)
        click.echo(hexworld.write(game))
    written = (
        (outputs.svg, chart.write),
        (outputs.html, page.write),
        (outputs.sgf, lambda reviewed: sgf.write(annotated(reviewed))),
    )
    for path, write in written:
        if path is not None:
            write_file(path, write(reviewed))
            if not outputs.as_json:
                click.echo(one_line(f"Saved as {path}."))
    if outputs.proofs is not None:
        _write_proofs(reviewed, outputs.proofs)
    if outputs.html is None and not outputs.as_json:
        following(entry)


def _write_proofs(reviewed: Review, folder: Path) -> None:
    make_folder(folder)
    for number, text in reviewed.proofs:
        write_file(folder / f"move-{number:03}.proof", text)


def _opened(path: Path, effort: Effort) -> ReviewRows:
    try:
        rows = ReviewRows(path, effort)
    except LinesError as error:
        raise InputError(str(error)) from error
    except OSError as error:
        raise unreadable(path, error) from error
    if rows.cut:
        click.echo(f"{path}: a half-written last row is dropped", err=True)
    return rows
