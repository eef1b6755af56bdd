"""`follow`: a line of play against a connection; its owner answers each intrusion."""

from dataclasses import dataclass
from typing import Any

from hsearch.strategy import StrategyState, follow, words
from player.board.asked.explain import question_of
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import ColorWord, Stones


@dataclass(frozen=True, slots=True)
class Question:
    """A connection as of `explain`, and the opponent's moves."""

    position: Stones
    moves: list[str]
    between: tuple[str, str] | None = None
    color: ColorWord | None = None


def answer(desk: Desk, job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return the start and a step for each move: the reply, and what is still to be held."""
    analysis = desk.analyses.of(asked.position.position())
    question = question_of(analysis, asked.between, asked.color)
    if question.connection is None:
        raise ValueError(f"{' and '.join(question.names)} have no connection to follow")
    board = question.position.board
    held = follow(question.position, question.color, question.connection)
    steps = [_step(held, words.start_of_play(held, question.names))]
    for name in asked.moves:
        job.check()
        cell = board.cell(name)
        if not held.position.empty[cell]:
            raise ValueError(f"{name} has a stone by now")
        held = held.intrude(cell)
        steps.append(_step(held, words.line_of_play(held)))
    return {"color": question.color.word, "ends": list(question.names), "steps": steps}


def _step(held: StrategyState, said: str) -> dict[str, Any]:
    board = held.position.board
    stones = held.position if held.stones is None else held.stones
    return {
        "intrusion": None if held.intrusion is None else board.name(held.intrusion),
        "reply": None if held.reply is None else board.name(held.reply),
        "carrier": board.names(held.carrier),
        "joined": held.is_joined,
        "black": board.names(stones.black),
        "white": board.names(stones.white),
        "said": said,
    }
