"""`analyze`: who is proved to win, where to play, who stands better.

The objects are those of `hsearch analyze --json` and `hsearch mustplay --json`,
the sentences those of `hsearch analyze`.
"""

from dataclasses import dataclass
from typing import Any

from hsearch.analysis import Analysis
from hsearch.board import Color
from hsearch.position import winning_chain
from player.board.change import change
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import Stones
from player.chance import chance_of
from player.report import analysis as words
from player.report.analysis_object import analysis_object
from player.report.connections import connection_object
from player.report.mustplay import mustplay_object


@dataclass(frozen=True, slots=True)
class Question:
    """A position; and the one before with the cell played there, if a move led to it."""

    position: Stones
    before: Stones | None = None
    cell: str | None = None


def answer(desk: Desk, _job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return the analysis as JSON, and what a person reads of it."""
    analysis = desk.analyses.of(asked.position.position())
    analyses, board = {analysis.position.turn: analysis}, analysis.position.board
    changed = ""
    if asked.before is not None and asked.cell is not None:
        before = desk.analyses.of(asked.before.position())
        changed = change(before, analysis, board.cell(asked.cell))
    proof = words.proof_of(analysis)
    return {
        "analysis": analysis_object(analyses),
        "mustplay": mustplay_object(analyses),
        "connection": None
        if proof is None or analysis.winner is None
        else connection_object(analysis.winner, proof, board),
        "chain": list(map(board.name, winning_chain(analysis.position))),
        "chance": chance(analysis),
        "said": {
            "verdict": words.verdict(analysis, is_shown=False),
            "estimate": words.estimate(analysis) if analysis.winner is None else "",
            "mustplay": words.mustplay(analysis, is_shown=False) if analysis.chain is None else "",
            "change": changed,
            "more": [
                words.weakest(analysis),
                words.technical(analysis, is_proved=analysis.winner is not None),
                words.counted(analysis),
            ],
        },
    }


def chance(analysis: Analysis) -> float:
    """Return Black's chance to win: 0 or 1 if that is proved, else estimated."""
    if analysis.winner is not None:
        return float(analysis.winner is Color.BLACK)
    evaluation = analysis.circuits.evaluation
    return round(chance_of(Color.BLACK, analysis.position, evaluation), 4)
