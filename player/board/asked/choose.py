"""`choose`: an engine's move, or a hint, and why."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hsearch.board import Board
from hsearch.game import Game, Special
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.pace import Pace
from player.board.records import Record
from player.board.seats import Spec
from player.engine import ALTERNATING, Choice, MoveRequest
from player.match.alternating import may_swap
from player.openings import first_move, wants_swap
from player.report.numbers import numbered
from player.search import SearchResult

MOST_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Question:
    """A game, whose player to move is asked, and the engine."""

    game: Record
    player: Spec = "hexy"
    swap: bool = False
    seconds: float = 20.0


def answer(desk: Desk, job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return the move with its reason, who is proved to win by it, and the line expected."""
    game = asked.game.game()
    game.position()  # or who is to move is not known
    pace, board = Pace(), game.board

    def progress(found: SearchResult) -> None:
        if pace.is_due():
            job.tell({"text": _thinking(found)})

    seconds = min(max(asked.seconds, 0.1), MOST_SECONDS)
    swap = asked.swap and len(game.moves) <= 1
    terms = MoveRequest(seconds, swap, job.cancel, progress)
    with desk.seats.of(asked.player, ALTERNATING, board) as engine:
        job.check()
        choice = engine.choose(game, terms, np.random.default_rng())
    job.check()
    return choice_object(choice, board) | {"advice": _of_swap(game) if asked.swap else ""}


def _thinking(found: SearchResult) -> str:
    """Return in words how far a search is: one by chances counts its simulations."""
    if found.chance is None:
        return f"thinking, {found.depth} moves ahead"
    return f"thinking, {numbered(found.counts.nodes, 'simulation')}"


def choice_object(choice: Choice, board: Board) -> dict[str, Any]:
    """Return a choice in the JSON of the page."""
    account, action = choice.account, choice.action
    return {
        "move": action.value if isinstance(action, Special) else board.name(action),
        "reason": account.reason,
        "winner": None if account.winner is None else account.winner.word,
        "line": list(map(board.name, account.line)),
    }


def _of_swap(game: Game) -> str:
    """Return what is known of swapping here; empty if nothing is."""
    position = game.position()
    board = position.board
    if board.columns != board.rows:
        return ""
    if not game.moves:
        return first_move(board, swap=True)[1]
    if len(game.moves) == 1 and may_swap(position):
        is_wanted, reason = wants_swap(position)
        return f"{'Swap' if is_wanted else 'Do not swap'}. {reason}"
    return ""
