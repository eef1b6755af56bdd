"""`puzzle`: whether a move solves a position, and what answers it."""

from dataclasses import dataclass
from typing import Any

from hsearch.analysis import Analysis
from hsearch.board import Cell, Color
from hsearch.closure import closure
from hsearch.position import Position, winner
from player.board.desk import Desk
from player.board.job import Job
from player.board.records import Stones
from player.solve import Solver

SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Question:
    """A position with the person to move, and the move that was tried; None shows one that wins."""

    position: Stones
    cell: str | None = None


def answer(desk: Desk, job: Job, asked: Question) -> dict[str, Any]:
    """Return whether the move wins, the opponent's answer, and whether all is said then."""
    position = asked.position.position()
    board, me = position.board, position.turn
    with desk.solvers.of(board) as solver:
        if asked.cell is None:
            move = solver.winning_move(position) if _winner(solver, position, job) is me else None
            shown = None if move is None else board.name(move)
            return {"solution": shown}
        cell = board.cell(asked.cell)
        after = position.play(cell)
        wins = _winner(solver, after, job) is me
        fulls = closure(after, me).edge_fulls
        is_solved = wins and (winner(after) is me or bool(fulls))
        reply = None if is_solved else _answer(solver, after, wins=wins)
    name, other = board.name(cell), me.opponent.word.capitalize()
    if is_solved:
        edges = " and ".join(map(board.name, board.edges(me)))
        said = f"Solved: {name} joins {edges}, whatever {other} does."
    elif wins:
        said = f"Right: {name} wins, but not every move after it does."
    else:
        replied = "" if reply is None else f": {other} plays {board.name(reply)}"
        said = f"{name} loses{replied}. Try again."
    return {
        "wins": wins,
        "solved": is_solved,
        "reply": None if reply is None else board.name(reply),
        "said": said,
    }


def _winner(solver: Solver, position: Position, job: Job) -> Color:
    """Return who wins. Raise ValueError when that takes too long."""
    found = solver.solve(position, seconds=SECONDS, cancel=job.cancel)
    job.check()
    if found.winner is None:
        raise ValueError("too hard for a puzzle: not solved in a minute")
    return found.winner


def _answer(solver: Solver, after: Position, *, wins: bool) -> Cell | None:
    """Return the move that refutes a try; or the strongest of those that lose all the same."""
    if winner(after) is not None:
        return None
    if not wins:
        semis = closure(after, after.turn).edge_semis
        return semis[0].key if semis else solver.winning_move(after)
    analysis = Analysis(after)
    region = analysis.mustplay.cells
    links = [cell for cell, _ in analysis.circuits.weak_links]
    return next((cell for cell in links if region[cell]), links[0])
