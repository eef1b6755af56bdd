"""Explanations in words and as JSON objects."""

from collections.abc import Iterator, Sequence
from typing import Any

from hsearch.board import Board
from hsearch.strategy import (
    Argument,
    Case,
    Explanation,
    Missing,
    Part,
    PlayOutcome,
    StrategyState,
    words,
)
from player.hsearch_options import HSearchOptions
from player.numbers import numbered
from player.report.connections import already_joined, connection_object, only_within
from player.report.objects import position_object
from player.report.question import Question


def statements(question: Question, why: Explanation | None, lack: Missing | None) -> Iterator[str]:
    """Yield sentences; those that belong to one above are indented."""
    if question.within is not None:
        yield only_within(question.within & question.position.empty, question.position.board)
    if question.is_chain:
        yield already_joined(*question.names)
    if lack is not None:
        yield from words.shortfall(lack, question.position, question.color, question.names)
        solved = question.solved
        if solved is not None and lack.is_open:
            yield (
                f"The solver, too, has not decided it in {solved.seconds:g} s "
                f"({numbered(solved.positions, 'position')})."
            )
    if why is not None:
        yield from words.sentences(why)


def explanation_object(
    question: Question,
    options: HSearchOptions,
    explanation: Explanation | None,
    shortfall: Missing | None,
    line: Sequence[StrategyState],
) -> dict[str, Any]:
    """Return all that `hsearch explain` knows; `line` is the start and the steps after it."""
    board = question.position.board
    connection = question.connection
    return {
        "schema": "hsearch/explanation/1",
        "position": position_object(question.position, turn_is_known=question.turn is not None),
        "limits": options.to_json(complete=question.store.counts.complete),
        "color": question.color.word,
        "ends": list(question.names),
        "within": None if question.within is None else board.names(question.within),
        "chain": question.is_chain,
        "connection": None
        if connection is None
        else connection_object(question.color, connection, board),
        "parts": [] if explanation is None else [_part(p, board) for p in explanation.parts],
        "arguments": []
        if explanation is None
        else [_argument(a, board) for a in explanation.arguments],
        "replies": []
        if explanation is None
        else [
            {"intrusion": board.name(cell), "reply": board.name(answer)}
            for cell, answer in explanation.replies
        ],
        "missing": None if shortfall is None else _missing(shortfall, question),
        "line": _line(line, board) if line else None,
    }


def _part(part: Part, board: Board) -> dict[str, Any]:
    return {
        "ends": [board.name(part.start), board.name(part.goal)],
        "carrier": board.names(part.full.carrier),
        "shape": part.shape,
        "argument": part.argument,
    }


def _argument(argument: Argument, board: Board) -> dict[str, Any]:
    return {
        "number": argument.number,
        "ends": list(map(board.name, argument.full.ends)),
        "carrier": board.names(argument.full.carrier),
        "shape": argument.shape,
        "cases": [_case(case, board) for case in argument.cases],
    }


def _case(case: Case, board: Board) -> dict[str, Any]:
    return {
        "key": board.name(case.key),
        "carrier": board.names(case.threat.carrier),
        "on": board.names(case.on),
        "left": board.names(case.left),
        "parts": [_part(part, board) for part in case.parts],
    }


def _missing(found: Missing, question: Question) -> dict[str, Any]:
    board = question.position.board
    return {
        "semis": len(found.semis),
        "common": board.names(found.common),
        "region": board.names(found.region),
        "outcome": _outcome(found.outcome, board),
        "beyond": _outcome(found.beyond, board),
        "way": [connection_object(question.color, link, board) for link in found.way],
    }


def _outcome(outcome: PlayOutcome | None, board: Board) -> dict[str, Any] | None:
    if outcome is None:
        return None
    return {
        "verdict": outcome.verdict.value,
        "intrusion": None if outcome.intrusion is None else board.name(outcome.intrusion),
        "carrier": board.names(outcome.carrier),
        "positions": outcome.positions,
    }


def _line(line: Sequence[StrategyState], board: Board) -> dict[str, Any]:
    start, *steps = line
    return {
        "start": None if start.reply is None else board.name(start.reply),
        "steps": [
            {
                "intrusion": None if step.intrusion is None else board.name(step.intrusion),
                "reply": None if step.reply is None else board.name(step.reply),
                "carrier": board.names(step.carrier),
                "joined": step.is_joined,
            }
            for step in steps
        ],
    }
