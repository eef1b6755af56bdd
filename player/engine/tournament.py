"""Play the games of an event that are not played yet, on any executor.

Results are kept in the order in which games finish, and depend on nothing but
the event. When workers die their games are played again.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from pathlib import Path

import numpy as np

from hsearch.formats import moves, sgf
from hsearch.hex.game import Game
from player.engine.player import Rationale
from player.engine.referee import MatchRules, play
from player.engine.results import Event, Pairing, Row, Rows, keep_record, record_path
from player.engine.spec import participant
from player.work.clock import Clock, counting
from player.work.spread import Call, spread


def play_game(event: Event, pairing: Pairing) -> tuple[Row, str]:
    """Play a game of an event; return its row, and its record as SGF.

    Both players are new, so that nothing depends on the games before.
    """
    variant = event.rules
    start = variant.start(moves.read(pairing.opening, event.board), pairing.meeting)
    black, white = (participant(spec, variant.name) for spec in (pairing.black, pairing.white))
    nodes: list[int] = []

    def watch(_game: Game, account: Rationale) -> None:
        findings = account.findings
        nodes.append(0 if findings is None else findings.counts.nodes)

    try:
        with counting(Clock(event.clock)):
            outcome = play(
                black,
                white,
                start,
                np.random.default_rng(pairing.seed),
                variant=variant,
                rules=MatchRules(seconds=event.seconds),
                watch=watch,
            )
    finally:
        black.close()
        white.close()
    row = Row(
        pairing.number,
        pairing.black,
        pairing.white,
        pairing.seed,
        pairing.opening,
        outcome.winner,
        outcome.how,
        outcome.reason,
        variant.moves(outcome.game)[len(variant.moves(start.game)) :],
        tuple(round(seconds, 6) for seconds in outcome.seconds),  # as the file will have them
        # A move that lost the game at once was never watched.
        (*nodes, *[0] * (len(outcome.seconds) - len(nodes))),
        outcome.thinkers,
    )
    return row, sgf.write(outcome.game)


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
