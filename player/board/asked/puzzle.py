"""`puzzle`: whether a move solves a position, and what answers it."""

from dataclasses import dataclass, replace
from typing import Any

from hsearch.game import Game
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import Stones
from player.puzzle.trial import tried
from player.variants.puzzle import Puzzle, verdict_words

SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Question:
    """A position with the person to move, and the move that was tried; None shows one that wins.

    wrong  how many wrong moves were tried before
    """

    position: Stones
    cell: str | None = None
    wrong: int = 0


def answer(desk: Desk, job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return whether the move wins, the opponent's answer, and whether all is said then."""
    position = asked.position.position()
    board = position.board
    with desk.solvers.of(board) as solver:
        if asked.cell is None:
            moves = solver.solve(position, seconds=SECONDS, cancel=job.cancel).winning_moves
            job.check()
            return {"solution": board.name(moves[0]) if moves else None}
        machine, cell = Puzzle(), board.cell(asked.cell)
        state = replace(machine.start(Game.of_position(position)), wrong=asked.wrong)
        trial = machine.after(state, state.solver, cell)
        try:
            verdict = tried(position, cell, solver, seconds=SECONDS, cancel=job.cancel)
        except TimeoutError:
            job.check()
            raise ValueError("too hard for a puzzle: not solved in a minute") from None
    after = machine.after(trial, state.solver.opponent, verdict)
    return {
        "wins": verdict.wins,
        "solved": after.winner is not None,
        "wrong": after.wrong,
        "reply": None if verdict.reply is None else board.name(verdict.reply),
        "said": verdict_words(verdict, asked.wrong),
    }
