"""One game of an event, played wherever a worker is."""

import os
import signal
import threading
import time

import numpy as np

from hsearch.formats import moves, sgf
from hsearch.game import Game, Move
from player.engine import Choice, player
from player.match import Rules, play
from player.tournament.event import Event, Pairing
from player.tournament.row import Row

LOOK_SECONDS = 0.5


def play_game(event: Event, pairing: Pairing) -> tuple[Row, str]:
    """Play a game of an event; return its row, and its record as SGF.

    Both players are new, so that nothing depends on the games before.
    """
    start: Game = moves.read(pairing.opening, event.board)
    black, white = player(pairing.black), player(pairing.white)
    nodes: list[int] = []

    def watch(_game: Game, choice: Choice) -> None:
        found = choice.account.findings
        nodes.append(0 if found is None else found.counts.nodes)

    try:
        outcome = play(
            black,
            white,
            start,
            np.random.default_rng(pairing.seed),
            rules=Rules(seconds=event.seconds, swap=event.swap),
            watch=watch,
        )
    finally:
        black.close()
        white.close()
    played: tuple[Move, ...] = outcome.game.moves[len(start.moves) :]
    row = Row(
        pairing.number,
        pairing.black,
        pairing.white,
        pairing.seed,
        pairing.opening,
        outcome.winner,
        outcome.how,
        outcome.reason,
        tuple(move.name(event.board) for move in played),
        tuple(round(seconds, 6) for seconds in outcome.seconds),  # as the file will have them
        # A move that lost the game at once was never watched.
        (*nodes, *[0] * (len(outcome.seconds) - len(nodes))),
    )
    return row, sgf.write(outcome.game)


def enter() -> None:
    """Set up a worker process: it leaves Ctrl-C to its parent, and dies when that does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
