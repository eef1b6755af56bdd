"""`explain`: why a connection holds, and the reply to each intrusion.

Without ends it is the connection that proves who wins. The object is that of
`hsearch explain --json`, the sentences are those of `hsearch explain`.
"""

from dataclasses import dataclass
from typing import Any

from hsearch.analysis import Analysis
from hsearch.board import Color
from hsearch.strategy import Explanation, words
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import ColorWord, Stones
from player.hsearch_options import HSearchOptions
from player.report import explanation as report
from player.report.analysis import proof_of
from player.report.question import Question as Asked
from player.report.question import ask, owner_of


@dataclass(frozen=True, slots=True)
class Question:
    """A position, and two named ends with their owner, or nothing for the proof."""

    position: Stones
    between: tuple[str, str] | None = None
    color: ColorWord | None = None


def answer(desk: Desk, _job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return the explanation as JSON and in sentences, and a sentence for each intrusion."""
    analysis = desk.analyses.of(asked.position.position())
    question = question_of(analysis, asked.between, asked.color)
    why, lack = question.why(), question.lack()
    options = HSearchOptions.used_by(analysis)
    return {
        "explanation": report.explanation_object(question, options, why, lack, ()),
        "said": {
            "summary": list(words.summary(why))
            if why is not None and lack is None
            else list(report.statements(question, why, lack)),
            "guide": "" if why is None or not why.arguments else words.GUIDE,
            "arguments": [] if why is None else _arguments(why),
            "replies": {} if why is None else _replies(why),
        },
    }


def question_of(
    analysis: Analysis, between: tuple[str, str] | None, color: ColorWord | None
) -> Asked:
    """Return what is asked. Raise ValueError when nothing is proved, or the ends do not fit."""
    position, board = analysis.position, analysis.position.board
    if between is None:
        proof = proof_of(analysis)
        if proof is None or analysis.winner is None:
            raise ValueError("no connection proves who wins")
        store = analysis.stores[analysis.winner]
        return Asked(position, position.turn, store, board.edges(analysis.winner), proof)
    ends = board.point(between[0]), board.point(between[1])
    if ends[0] == ends[1]:
        raise ValueError(f"{between[0]} twice: a connection has two ends")
    owner = owner_of(position, ends, None if color is None else Color.named(color))
    if owner is None:
        raise ValueError("both ends are empty cells: whose connection is it?")
    options, store = HSearchOptions.used_by(analysis), analysis.stores[owner]
    return ask(position, position.turn, owner, ends, options, store=store)


def _arguments(why: Explanation) -> list[dict[str, Any]]:
    return [
        {"heading": words.heading(why, argument), "cases": list(words.cases(why, argument))}
        for argument in why.arguments
    ]


def _replies(why: Explanation) -> dict[str, str]:
    """Return, by intrusion, the sentence about its reply."""
    name = why.position.board.name
    owner, opponent = why.color.word.capitalize(), why.color.opponent.word.capitalize()
    key = why.connection.key
    first = "" if key is None else f"After the key {name(key)}: "
    return {
        name(cell): f"{first}{opponent} {name(cell)}: {owner} replies {name(reply)}."
        for cell, reply in why.replies
    }
