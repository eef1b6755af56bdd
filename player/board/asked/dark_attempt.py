"""`dark-attempt`: a person attempts a cell; then engines move until a person is to."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from player.board.asked.dark_view import view_object
from player.board.dark_games import SharedDarkGame
from player.board.desk import Desk
from player.board.job import BoardJob
from player.engine import MoveRequest
from player.engine.acting import act_of, prepare


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
        cell = game.state.game.board.cell(asked.cell)
        game.state = game.variant.after(game.state, color, cell)
        let_engines_move(desk, job, game)
        return view_object(game, color)


def let_engines_move(desk: Desk, job: BoardJob, game: SharedDarkGame) -> None:
    """Let the engine that is to move attempt cells until it is not, or the game is over."""
    variant, board = game.variant, game.state.game.board
    while (due := variant.to_act(game.state)) and due[0] in game.engines:
        job.tell({"text": "thinking"})
        with desk.seats.of(game.engines[due[0]], variant.name, board) as engine:
            prepare(engine, variant, board)
            chance = np.random.default_rng()
            act, _ = act_of(engine, variant, game.state, due[0], MoveRequest(), chance)
        game.state = variant.after(game.state, due[0], act)
