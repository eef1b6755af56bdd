"""Play games of an event that are not played yet, on any executor.

Results are kept in the order in which games finish, and depend on nothing but
the event. When workers die their games are played again.
"""

import itertools
import multiprocessing
from collections.abc import Callable, Iterable
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from pathlib import Path

from hsearch.files.whole import write_whole
from player.tournament.event import Pairing
from player.tournament.processes import Processes
from player.tournament.row import Row
from player.tournament.rows import Rows
from player.tournament.worker import play_game

Told = Callable[[Row], bool]
Played = tuple[Row, str]
TRIES = 5  # times in a row that all workers may die without finishing a game
LAST_SECONDS = 10.0  # for what other workers are about to finish when one of them is gone


class WorkersError(RuntimeError):
    """Workers that die whatever they are given."""


def run(
    rows: Rows,
    games: Iterable[int],
    told: Told,
    *,
    workers: int = 1,
    executor: Callable[[], Executor] | None = None,
    records: Path | None = None,
) -> None:
    """Play the games of these numbers, and add their rows.

    `told` is called after each game, and ends the run by returning true. With
    one worker games are played in this process, with more in processes of
    their own; `executor` makes any other place to play, with so many `workers`.
    `records` is a folder for the record of each game, `00012.sgf`.

    Raise WorkersError when workers keep dying, RowsError when another process
    writes results to the file, and OSError when they cannot be written.
    """
    with rows.held():
        _run(rows, games, told, workers, executor, records)


def _run(
    rows: Rows,
    games: Iterable[int],
    told: Told,
    workers: int,
    executor: Callable[[], Executor] | None,
    records: Path | None,
) -> None:
    event = rows.event
    wanted = [event.pairing(number) for number in games if number not in rows.games]

    def keep(played: Played) -> bool:
        row, record = played
        if records is not None:
            write_whole(records / f"{row.game:05}.sgf", record)
        rows.add(row)
        return told(row)

    if executor is None and workers == 1:
        any(keep(play_game(event, pairing)) for pairing in wanted)
        return
    left, failures = wanted, 0
    while left and failures < TRIES:
        made: Executor = Processes(workers) if executor is None else executor()
        try:
            if _spread(made, rows, left, 2 * workers, keep):
                return
        except (BrokenExecutor, CancelledError):
            failures += 1
        finally:
            # A pool that dies trips over futures that anybody but itself has cancelled.
            made.shutdown(wait=False, cancel_futures=True)
            if executor is None:
                _end_processes()
        before, left = left, [pairing for pairing in left if pairing.number not in rows.games]
        failures = 0 if len(left) < len(before) else failures
    if left:
        raise WorkersError(f"workers died {TRIES} times in a row; {len(left)} games are left")


def _spread(
    executor: Executor,
    rows: Rows,
    wanted: Iterable[Pairing],
    ahead: int,
    keep: Callable[[Played], bool],
) -> bool:
    """Hand out games, so many at a time, and keep what comes back; return whether to end."""
    coming = iter(wanted)
    waiting: set[Future[Played]] = set()
    while True:
        for pairing in itertools.islice(coming, ahead - len(waiting)):
            waiting.add(executor.submit(play_game, rows.event, pairing))
        if not waiting:
            return False
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        if any(map(_is_broken, done)):
            # Some may be about to finish; a cluster that is gone never says so of the others.
            done, waiting = done | wait(waiting, LAST_SECONDS).done, set()
        broken = list(filter(_is_broken, done))
        # What is finished is kept before anything is said about the rest.
        ends = [keep(future.result()) for future in done if future not in broken]
        if any(ends):
            return True
        for future in broken:
            future.result()


def _is_broken(future: Future[Played]) -> bool:
    """Return whether the workers are gone: a pool says so, a cluster gives up what it was at."""
    return future.cancelled() or isinstance(future.exception(), BrokenExecutor)


def _end_processes() -> None:
    for process in multiprocessing.active_children():
        process.terminate()
