"""Rows of tournaments, experiments and reviews: files that grow by one line at a time."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from stored_format import StoredFormat

from hsearch import formats
from hsearch.formats.files import LinesError
from player.engine.ladder import PLAYERS, ladder
from player.engine.results import Event, Rows, RowsError, players_in
from player.engine.tournament import run
from player.study.review import EFFORTS
from player.study.review_rows import ReviewRows, Task, error_row, review_task, sentences, totals

EVENT = Event("tournament", 3, 3, ("random", "ab:depth=1,order=random"))


def _made_rows(path: Path) -> None:
    run(Rows(path, EVENT), range(3), lambda _: False)


def _rows_command(path: Path) -> tuple[list[str], str]:
    words = ["tournament", *EVENT.players, "--size", "3", "--games", "3", "--resume", str(path)]
    return words, ""


def _made_ladder(path: Path) -> None:
    event = ladder("ladder-8x8", [f"{player},nodes=5" for player in PLAYERS])
    rows = Rows(path, event)
    game = event.pairing(0)
    _made_rows(path.with_name("other"))
    row = Rows(path.with_name("other"), EVENT).games[0]
    rows.add(replace(row, black=game.black, white=game.white, seed=game.seed, opening=game.opening))


def _read_ladder(path: Path) -> object:
    players = players_in(path)
    try:
        event = ladder("ladder-8x8", players or [f"{player},nodes=5" for player in PLAYERS])
    except ValueError as error:  # as in player.cli.experiment
        raise RowsError(f"{path}:1: {error}") from error
    return Rows(path, event)


EFFORT = EFFORTS["quick"]


def _made_reviews(path: Path) -> None:
    rows = ReviewRows(path, EFFORT)
    game = formats.read("a1 b2 c3 b1 a3", size=(3, 3))
    rows.add(review_task(Task.of("a.sgf", 1, game), EFFORT))
    rows.add(error_row("b.sgf", 1, "no game"))


def _read_reviews(path: Path) -> object:
    rows = ReviewRows(path, EFFORT)
    return sentences(totals(rows.rows.values()), EFFORT.words)


def _reviews_command(path: Path) -> tuple[list[str], str]:
    return ["review", "-", "--size", "3", "--effort", "quick", "--resume", str(path)], "a1 b2 c3"


ROWS: tuple[StoredFormat, ...] = (
    StoredFormat(
        "rows of a tournament",
        ("hsearch/formats/files", "player/engine/results"),
        _made_rows,
        partial(Rows, event=EVENT),
        (RowsError,),
        command=_rows_command,
    ),
    StoredFormat(
        "rows of a ladder", ("player/engine/results",), _made_ladder, _read_ladder, (RowsError,)
    ),
    StoredFormat(
        "rows of reviews",
        ("player/study/review_rows",),
        _made_reviews,
        _read_reviews,
        (LinesError,),
        command=_reviews_command,
    ),
)
