"""One game of an event, played wherever a worker is."""

import numpy as np

from hsearch.formats import moves, sgf
from hsearch.game import Game
from player.clock import Clock, counting
from player.engine import Rationale, participant
from player.match import MatchRules, play
from player.tournament.event import Event, Pairing
from player.tournament.row import Row


def play_game(event: Event, pairing: Pairing) -> tuple[Row, str]:
    """Play a game of an event; return its row, and its record as SGF.

    Both players are new, so that nothing depends on the games before.
    """
    variant = event.rules
    start = variant.start(moves.read(pairing.opening, event.board), pairing.meeting)
    black, white = (participant(spec, variant.name) for spec in (pairing.black, pairing.white))
    nodes: list[int] = []

    def watch(_game: Game, account: Rationale) -> None:
        found = account.findings
        nodes.append(0 if found is None else found.counts.nodes)

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
