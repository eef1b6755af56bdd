"""Answers of the solver as JSON objects."""

from collections.abc import Sequence
from typing import Any

from hsearch.board import Board, Color
from hsearch.cells import CellSet
from player.numbers import numbered
from player.report.objects import number, position_object, word
from player.solve import Answer, Remaining, Solver
from player.solve.openings import Opening

SHOWN = 8  # moves that are left, in words


def answer_object(answer: Answer, left: Remaining | None = None) -> dict[str, Any]:
    """Return who wins, and the winning moves, or what moves are left, as a JSON object."""
    return {
        "schema": "hsearch/solve/1",
        "position": position_object(answer.position),
        "winner": word(answer.winner),
        "winning_moves": list(map(answer.position.board.name, answer.winning_moves)),
        "complete": answer.complete,
        "nodes": answer.nodes,
        "seconds": number(answer.seconds),
        "remaining": None if left is None else remaining_object(answer.position.board, left),
    }


def remaining_object(board: Board, left: Remaining) -> dict[str, Any]:
    """Return the moves of an open position as a JSON object."""
    return {
        "losing": board.names(left.losing),
        "inferior": board.names(left.inferior),
        "moves": [
            {"move": board.name(m.cell), "proof": m.proof, "disproof": m.disproof, "nodes": m.work}
            for m in left.moves
        ],
    }


def remaining_sentences(board: Board, left: Remaining) -> list[str]:
    """Return what is known of an open position in words."""
    losing, inferior = left.losing.count(), left.inferior.count()
    of = losing + inferior + len(left.moves)
    lines = [f"Shown to lose: {losing} of {numbered(of, 'move')}."]
    if inferior:
        lines.append(f"No better than others: {' '.join(board.names(left.inferior))}.")
    shown = ", ".join(
        f"{board.name(move.cell)} ({move.proof}, {move.disproof})" for move in left.moves[:SHOWN]
    )
    more = len(left.moves) - SHOWN
    if shown:
        dots = f", and {more} more" if more > 0 else ""
        lines.append(
            "Undecided moves, the most promising first, with the positions that would prove and "
            f"disprove a win (proof number, disproof number): {shown}{dots}."
        )
    return lines


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
