"""`coin`: one turn of Hex at random turns: a coin tells who moves; an engine then does."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hsearch.board import Color
from hsearch.game import Move
from hsearch.position import winner
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import ColorWord, Record, record_object
from player.engine import RANDOM_TURN, MoveRequest
from player.match.random_turn import RandomTurn, tossed

PLAYER = "random-turn:fillings=100000"


@dataclass(frozen=True, slots=True)
class Question:
    """A game, the seat of the engine if it has one, and a person's move if one is due."""

    game: Record
    engine: ColorWord | None = None
    cell: str | None = None


def answer(desk: Desk, job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return the game after the move that is due, up to the next coin for a person."""
    game, said = RandomTurn().start(asked.game.game()), []
    if asked.cell is not None:
        mover = game.recorded_turn()
        if mover is None:
            raise ValueError("no coin was tossed yet")
        cell = game.board.cell(asked.cell)
        game.position().play(cell)
        game = game.append(Move(mover, cell))
    while winner(game.position(turn=Color.BLACK)) is None:
        job.check()
        game = tossed(game, np.random.default_rng())
        color = game.position().turn
        said.append(f"The coin fell for {color.word.capitalize()}.")
        if color.word != asked.engine:
            break
        with desk.seats.of(PLAYER, RANDOM_TURN, game.board) as engine:
            terms = MoveRequest(cancel=job.cancel)
            choice = engine.choose(game, terms, np.random.default_rng())
        job.check()
        game = game.append(Move(color, choice.action))
        said.append(f"It plays {game.board.name(choice.action)}.")
    won = winner(game.position(turn=Color.BLACK))
    turn = None if won is not None else game.position().turn.word
    return {
        "game": record_object(game),
        "said": " ".join(said),
        "turn": turn,
        "winner": None if won is None else won.word,
    }
