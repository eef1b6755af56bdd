"""`dark-attempt`: a person attempts a cell; then engines move until a person is to."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hsearch.game import Special
from hsearch.position import winner
from player.board.asked.dark_view import view_object
from player.board.dark_games import SharedDarkGame
from player.board.desk import Desk
from player.board.job import BoardJob
from player.dark.match.record import attempted


@dataclass(frozen=True, slots=True)
class Question:
    """A seat, by its key, and the cell."""

    game: str
    key: str
    cell: str


def answer(desk: Desk, job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return what the seat sees then. Raise ValueError when it is not its turn, or not its cell."""
    game, color = desk.dark.of(asked.game, asked.key)
    with game.lock:
        if game.play.state.turn is not color:
            raise ValueError(f"{game.play.state.turn.word} is to move")
        if _is_over(game):
            raise ValueError("the game is over")
        cell = game.game.board.cell(asked.cell)
        game.game, game.play = attempted(game.game, game.play, cell)
        let_engines_move(desk, job, game)
        return view_object(game, color)


def let_engines_move(desk: Desk, job: BoardJob, game: SharedDarkGame) -> None:
    """Let the engine that is to move attempt cells until it is not, or the game is over."""
    while not _is_over(game) and (color := game.play.state.turn) in game.engines:
        job.tell({"text": "thinking"})
        with desk.seats.of(game.engines[color], game.variant.name, game.game.board) as engine:
            engine.study(game.play.rules)
            known = game.play.information_state(color)
            choice = engine.attempt(color, known, np.random.default_rng())
        if isinstance(choice.action, Special):
            gave_up = f"the engine gave up: {choice.action.value}"
            raise ValueError(gave_up)  # noqa: TRY004 - no fault of a type
        game.game, game.play = attempted(game.game, game.play, choice.action)


def _is_over(game: SharedDarkGame) -> bool:
    return winner(game.game.position(turn=game.play.state.turn)) is not None
