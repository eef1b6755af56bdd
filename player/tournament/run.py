"""Play games of an event that are not played yet, on any executor.

Results are kept in the order in which games finish, and depend on nothing but
the event. When workers die their games are played again.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from pathlib import Path

from player.tournament.records import keep_record, record_path
from player.tournament.row import Row
from player.tournament.rows import Rows
from player.tournament.spread import Call, WorkersError, spread
from player.tournament.worker import play_game

__all__ = ["OnGame", "Played", "WorkersError", "run"]

OnGame = Callable[[Row], bool]
Played = tuple[Row, str]


def run(
    rows: Rows,
    games: Iterable[int],
    on_game: OnGame,
    *,
    workers: int = 1,
    executor: Callable[[], Executor] | None = None,
    records: Path | None = None,
) -> None:
    """Play the games of these numbers, and add their rows.

    `on_game` is called after each game, and ends the run by returning true. With
    one worker games are played in this process, with more in processes of
    their own; `executor` makes any other place to play, with this many `workers`.
    `records` is a folder for the record of each game, which other events may share.

    Raise WorkersError when workers keep dying, RowsError when another process
    writes results to the file, and OSError when they cannot be written.
    """
    numbers = list(games)

    def missing() -> Sequence[Call]:
        event = rows.event
        return [
            (play_game, event, event.pairing(number))
            for number in numbers
            if number not in rows.games
        ]

    def keep(played: Played) -> bool:
        row, record = played
        if records is not None:
            keep_record(record_path(records, rows.event, row.game), record)
        rows.add(row)
        return on_game(row)

    with rows.held():
        spread(missing, keep, workers=workers, executor=executor)
