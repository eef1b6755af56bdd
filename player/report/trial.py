"""Sentences on a move that was tried in a puzzle."""

from hsearch.board import Color
from player.puzzle.trial import Trial
from player.report.numbers import numbered


def told(trial: Trial, wrong: int = 0) -> str:
    """Return it in a sentence; `wrong` counts the wrong moves before."""
    name = trial.after.board.name
    solver, other = trial.after.turn.opponent, trial.after.turn.word.capitalize()
    if trial.is_solved:
        tries = f", after {numbered(wrong, 'wrong move')}" if wrong else ""
        return f"Solved{tries}: {_edges(trial, solver)} are joined, whatever {other} does."
    if trial.wins:
        return f"Right: {name(trial.cell)} wins, but not all moves after it do."
    assert trial.reply is not None  # noqa: S101 - only what is solved has none
    played = f"{other} plays {name(trial.reply)}"
    return f"{name(trial.cell)} loses: {played}{_because(trial)}. Try again."


def _because(trial: Trial) -> str:
    """Return what proves that a try loses, as the end of a sentence."""
    edges = _edges(trial, trial.after.turn)
    if trial.proof is None:
        looked = f", in {numbered(trial.nodes, 'position')}" if trial.nodes else ""
        return f", and the solver has proved that {edges} get joined{looked}"
    cells = trial.proof.carrier.count()
    if trial.proof.is_full:
        return f"; {edges} are joined by a full connection of {numbered(cells, 'cell')} anyway"
    return f", and {edges} are joined inside {numbered(cells - 1, 'cell')}"


def _edges(trial: Trial, color: Color) -> str:
    board = trial.after.board
    return " and ".join(map(board.name, board.edges(color)))
