"""Questions about connections: `explain`, `follow`, `links` and `connections`."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from hsearch.connect import Connection, Rule
from hsearch.hex import Color, Position
from hsearch.hex.position import groups
from hsearch.strategy import words
from hsearch.strategy.explain import Explanation
from hsearch.strategy.reply import StrategyState
from hsearch.strategy.reply import follow as follow_strategy
from player.answers import connection as report
from player.answers.analysis import Analysis
from player.answers.solved import proof_of
from player.board.desk import Desk
from player.board.records import ColorWord, PositionObject, PositionQuestion
from player.board.threads import BoardJob

# `explain`: why a connection holds, and the reply to each intrusion.
#
# Without ends, it explains the connection that proves who wins. The object is that
# of `hsearch explain --json`, the sentences those of `hsearch explain`.


@dataclass(frozen=True, slots=True)
class ExplainQuestion:
    """A position, and the names of two ends with their owner; without ends, the proof."""

    position: PositionObject
    between: tuple[str, str] | None = None
    color: ColorWord | None = None


def explain(desk: Desk, job: BoardJob, request: ExplainQuestion) -> dict[str, Any]:
    """Return the explanation as JSON and in sentences, and a sentence for each empty cell."""
    analysis = desk.analyses.of(request.position.position())
    question = question_of(analysis, request.between, request.color)
    why, lack = question.why(), question.lack()
    options = analysis.options
    job.check()  # a search that was stopped decides nothing, and would be reported as in vain
    return {
        "explanation": report.explanation_object(question, options, why, lack, ()),
        "said": {
            "summary": list(words.summary(why))
            if why is not None and lack is None
            else list(report.statements(question, why, lack)),
            "guide": "" if why is None or not why.arguments else words.GUIDE,
            "arguments": [] if why is None else _arguments(why),
            "cells": {} if why is None else _cell_statements(why),
        },
        "groups": _groups(analysis.position),
    }


def question_of(
    analysis: Analysis, between: tuple[str, str] | None, color: ColorWord | None
) -> report.Question:
    """Return the question with its answer. Raise ValueError for no proof or unsuitable ends."""
    position, board = analysis.position, analysis.position.board
    if between is None:
        proof = proof_of(analysis)
        if proof is None or analysis.winner is None:
            raise ValueError("no connection proves who wins")
        store = analysis.stores[analysis.winner]
        return report.Question(position, position.turn, store, board.edges(analysis.winner), proof)
    return report.ask_between(analysis, between, None if color is None else Color.named(color))


def _arguments(why: Explanation) -> list[dict[str, Any]]:
    return [
        {"heading": words.heading(why, argument), "cases": list(words.cases(why, argument))}
        for argument in why.arguments
    ]


def _cell_statements(why: Explanation) -> dict[str, str]:
    """Return the sentence about each empty cell: the reply to an intrusion, the key, or neither."""
    board, key = why.position.board, why.connection.key
    owner, opponent = why.color.title, why.color.opponent.title
    first = "" if key is None else f"After {board.name(key)}, "
    sentences = {
        name: f"{first}{opponent} {name} changes nothing: it needs no reply."
        for name in board.names(why.position.empty)
    }
    first = "" if key is None else f"After the key {board.name(key)}: "
    for cell, reply in why.replies:
        name = board.name(cell)
        sentences[name] = f"{first}{opponent} {name}: {owner} replies {board.name(reply)}."
    if key is not None:
        sentences[board.name(key)] = f"{owner} starts here: {board.name(key)} is the key."
    return sentences


# `follow`: a line of play against a connection, whose owner replies to each intrusion.


@dataclass(frozen=True, slots=True)
class FollowQuestion:
    """A connection as in `explain`, and the opponent's moves."""

    position: PositionObject
    moves: list[str]
    between: tuple[str, str] | None = None
    color: ColorWord | None = None


def follow(desk: Desk, job: BoardJob, request: FollowQuestion) -> dict[str, Any]:
    """Return the start and a step for each move: the reply, and the carrier that remains."""
    analysis = desk.analyses.of(request.position.position())
    question = question_of(analysis, request.between, request.color)
    if question.connection is None:
        raise ValueError(f"{' and '.join(question.names)} have no connection to follow")
    state = follow_strategy(question.position, question.color, question.connection)
    steps = [_step(state, words.start_of_play(state, question.names))]
    for name in request.moves:
        job.check()
        state = state.intrude(question.position.board.cell(name))
        steps.append(_step(state, words.line_of_play(state)))
    return {"color": question.color.word, "ends": list(question.names), "steps": steps}


def _step(state: StrategyState, sentence: str) -> dict[str, Any]:
    board, stones = state.position.board, state.on_board
    return report.step_object(state) | {
        "black": board.names(stones.black),
        "white": board.names(stones.white),
        "said": sentence,
    }


# `links`: the few connections worth showing: direct ones between groups and edges.
#
# They are the fulls between two groups that do not pass through a third: a chain of
# links needs no line of its own.

MOST = 20  # links


def links(desk: Desk, _job: BoardJob, request: PositionQuestion) -> dict[str, Any]:
    """Return at most `MOST` links, the smallest first, and the stones of the groups."""
    analysis = desk.analyses.of(request.position.position())
    board = analysis.position.board
    rows = sorted(
        ((color, link) for color in Color for link in _links(analysis, color)),
        key=lambda pair: pair[1].carrier.count(),
    )
    return {
        "links": [report.connection_object(color, link, board) for color, link in rows[:MOST]],
        "more": max(0, len(rows) - MOST),
        "groups": _groups(analysis.position),
    }


def _groups(position: Position) -> dict[str, list[str]]:
    """Return the stones of each group by the name of its captain, as in ends of connections."""
    board = position.board
    return {
        board.name(group.captain): board.names(group.stones)
        for color in Color
        for group in groups(position, color)
    }


def _links(analysis: Analysis, color: Color) -> Iterator[Connection]:
    """Yield the smallest full of each two groups, unless AND made it or it needs no cell."""
    store = analysis.stores[color]
    captains = [group.captain for group in groups(analysis.position, color)]
    for x, y in combinations(captains, 2):
        fulls = store.fulls(x, y)
        if fulls and fulls[0].rule is not Rule.AND and fulls[0].carrier.any():
            yield fulls[0]


# `connections`: all connections of a pair of points, a page at a time.

PAGE = 50  # connections


@dataclass(frozen=True, slots=True)
class ConnectionsQuestion:
    """Two points of a position, and the number of the page, from 0."""

    position: PositionObject
    between: tuple[str, str]
    page: int = 0


def connections(desk: Desk, job: BoardJob, request: ConnectionsQuestion) -> dict[str, Any]:
    """Return a page of the connections: fulls, then semis, each sorted by size; and a sentence."""
    analysis = desk.analyses.of(request.position.position())
    position, board = analysis.position, analysis.position.board
    ends = board.point(request.between[0]), board.point(request.between[1])
    options = analysis.options
    owners = [store for store in analysis.stores.values() if None not in map(store.captain, ends)]
    rows = []
    for store in owners:
        matches = report.connections_between(position, store.color, ends, options, store)
        job.check()  # a search that was stopped finds nothing
        rows += [(store.color, connection) for connection in matches]
    rows.sort(key=lambda pair: report.order(pair[1], board))
    start = max(0, request.page) * PAGE
    is_joined = any(report.are_joined_by_stones(store, ends) for store in owners)
    return {
        "total": len(rows),
        "page": request.page,
        "rows": [
            report.connection_object(color, connection, board)
            | {"said": report.sentence(color, connection, board)}
            for color, connection in rows[start : start + PAGE]
        ],
        "said": report.list_heading(*request.between, len(rows), is_joined=is_joined),
    }
