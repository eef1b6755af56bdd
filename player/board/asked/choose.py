"""`choose`: what an engine would play, as a hint, and why."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.pace import Pace
from player.board.records import Record
from player.board.seats import Spec
from player.engine import MoveRequest
from player.engine.acting import act_of
from player.numbers import numbered
from player.report.analysis import swap_advice
from player.search import SearchResult
from player.variants import Plain, State
from player.variants.variant import act_word

SECONDS, MOST_SECONDS = 20.0, 60.0


@dataclass(frozen=True, slots=True)
class Question:
    """A game, whose player to move is asked, and the engine."""

    game: Record
    player: Spec = "hexy"
    swap: bool = False
    seconds: float = SECONDS


def answer(desk: Desk, job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return the move with its reason, who is proved to win by it, and the line expected."""
    game = asked.game.game()
    game.position()  # or who is to move is not known
    board = game.board
    seconds = min(max(asked.seconds, 0.1), MOST_SECONDS)
    variant, state = Plain(swap=asked.swap), State.of(game)
    terms = MoveRequest(seconds, cancel=job.cancel, progress=telling(job))
    with desk.seats.of(asked.player, variant.name, board) as engine:
        job.check()
        mover, chance = state.position.turn, np.random.default_rng()
        act, account = act_of(engine, variant, state, mover, terms, chance)
    job.check()
    variant.after(state, mover, act)
    return {
        "move": act_word(act, board),
        "reason": account.reason,
        "winner": None if account.winner is None else account.winner.word,
        "line": list(map(board.name, account.line)),
        "advice": swap_advice(game) if asked.swap else "",
    }


def telling(job: BoardJob) -> Callable[[SearchResult], None]:
    """Return what tells the page, from time to time, how far a search is."""
    pace = Pace()

    def progress(found: SearchResult) -> None:
        if pace.is_due():
            job.tell({"text": _thinking(found)})

    return progress


def _thinking(found: SearchResult) -> str:
    """Return in words how far a search is: one by chances counts its simulations."""
    if found.chance is None:
        return f"thinking, {found.depth} moves ahead"
    return f"thinking, {numbered(found.counts.nodes, 'simulation')}"
