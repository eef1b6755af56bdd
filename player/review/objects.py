"""A review as JSON: one object a move, one a game."""

from typing import Any

from hsearch import __version__
from hsearch.board import Color
from player.review.effort import Effort
from player.review.review import MoveReview, Proved, Review, ReviewedPosition

DIGITS = 4


def move_object(reviewed: Review, move: MoveReview) -> dict[str, Any]:
    """Return what is said of a move and of the position before it."""
    before, after = reviewed.states[move.number - 1], reviewed.states[move.number]
    name, names = reviewed.game.board.name, reviewed.game.board.names
    return {
        "schema": "hsearch/review-move/1",
        "number": move.number,
        "color": move.move.color.word,
        "player": reviewed.game.player(move.move.color, move.number - 1),
        "move": move.move.name(reviewed.game.board),
        "verdict": move.verdict.value,
        "mistake": move.is_mistake,
        "basis": move.basis,
        "fell": round(move.fell, DIGITS) + 0.0,
        "refutation": list(map(name, move.refutation)),
        "better": list(map(name, move.better)),
        "before": _state_object(before, names),
        "after": _state_object(after, names),
    }


def game_object(reviewed: Review) -> dict[str, Any]:
    """Return what is said of the game as a whole."""
    game, mistake = reviewed.game, reviewed.last_mistake
    return {
        "schema": "hsearch/review/1",
        "engine": {"name": "hsearch", "version": __version__},
        "players": dict(zip(("black", "white"), game.players, strict=True)),
        "result": game.result,
        "outcome": _outcome_object(reviewed),
        "columns": game.board.columns,
        "rows": game.board.rows,
        "moves": len(game.moves),
        "effort": effort_object(reviewed.effort),
        "winner": None if reviewed.winner is None else reviewed.winner.word,
        "turning_point": reviewed.turning_point,
        "last_mistake": None if mistake is None else mistake.number,
        "proved_losses": {
            color.word: [
                move.number
                for move in reviewed.moves
                if move.verdict.value == "proved loss" and move.move.color is color
            ]
            for color in Color
        },
        "solver_positions": reviewed.nodes,
    }


def _outcome_object(reviewed: Review) -> dict[str, Any] | None:
    """Return who won the game, and how; None if neither stones nor the record tell.

    Unlike `winner`, that is the end of the game as it was played. The player is by name, for
    after a swap of sides the colors are no longer those of PB and PW.
    """
    game, proved = reviewed.game, reviewed.states[-1].proved
    said = game.outcome
    if proved is not None and proved.by == "chain":
        winner, by = proved.winner, "chain"
    elif said is not None:
        winner, by = said.winner, "" if said.ending is None else said.ending.name.lower()
    else:
        return None
    return {"winner": winner.word, "player": game.player(winner), "by": by or None}


def effort_object(effort: Effort) -> dict[str, Any]:
    """Return what may be spent."""
    return {
        "name": effort.name,
        "M": effort.limits.M,
        "K": effort.limits.K,
        "deduction": effort.depth.replies,
        "solver": {"move": effort.nodes, "game": effort.total, "further": effort.further},
        "seconds": effort.seconds,
    }


def _state_object(state: ReviewedPosition, names: Any) -> dict[str, Any]:
    evaluation = state.evaluation
    infinite = {float("inf"): "inf", float("-inf"): "-inf"}.get(evaluation)
    return {
        "turn": state.position.turn.word,
        "winner": None if state.winner is None else state.winner.word,
        "proof": None if state.proved is None else _proved_object(state.proved, names),
        "evaluation": infinite or round(evaluation, 6) + 0.0,
        "chance": round(state.chance, DIGITS) + 0.0,
        "mustplay": names(state.mustplay),
        "winning": names(state.winning),
    }


def _proved_object(proved: Proved, names: Any) -> dict[str, Any]:
    carrier = None if proved.connection is None else names(proved.connection.carrier)
    return {"by": proved.by, "size": proved.size, "carrier": carrier}
