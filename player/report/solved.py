"""Answers of the solver as JSON objects."""

from collections.abc import Sequence
from typing import Any

from hsearch.board import Color
from hsearch.cells import CellSet
from player.report.objects import number, position_object, word
from player.solve import Answer, Solver
from player.solve.openings import Opening


def answer_object(answer: Answer) -> dict[str, Any]:
    """Return who wins, and the winning moves, as a JSON object."""
    return {
        "schema": "hsearch/solve/1",
        "position": position_object(answer.position),
        "winner": word(answer.winner),
        "winning_moves": list(map(answer.position.board.name, answer.winning_moves)),
        "complete": answer.complete,
        "nodes": answer.nodes,
        "seconds": number(answer.seconds),
    }


def openings_object(
    solver: Solver, wins: CellSet, openings: Sequence[Opening], seconds: float
) -> dict[str, Any]:
    """Return which first moves win on the empty board, as a JSON object."""
    board = solver.board
    return {
        "schema": "hsearch/openings/1",
        "columns": board.columns,
        "rows": board.rows,
        "turn": Color.BLACK.word,
        "wins": board.names(wins),
        "nodes": solver.nodes,
        "seconds": number(seconds),
        "openings": [
            {
                "cell": board.name(one.cell),
                "winner": one.winner.word,
                "nodes": one.nodes,
                "seconds": number(one.seconds),
            }
            for one in openings
        ],
    }
