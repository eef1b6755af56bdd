"""The moves that a best-first search looked at: what is proved of them, and their chances."""

from collections.abc import Mapping
from typing import Any

from hsearch.board import Color
from player.chance import per_cent
from player.numbers import numbered
from player.report.objects import number, word
from player.tree import Candidate, TreeFindings

NAMED = 5  # moves, best first


def looked_at(found: TreeFindings) -> str:
    """Return what is known of the best moves, and how many others are proved to lose."""
    tried = (it for it in found.candidates if it.visits or it.winner is not None)
    best = [it for it in tried if not _is_lost(it, found)][:NAMED]
    lost = sum(_is_lost(it, found) for it in found.candidates)
    mover = found.position.turn.word.capitalize()
    if not best:
        return f"Moves {mover} looked at: {'none' if found.winner is None else 'all of them lose'}."
    names = ", ".join(f"{found.position.board.name(it.cell)} {_worth(it)}" for it in best)
    proved = f"; {lost} of {numbered(len(found.candidates), 'move')} proved to lose" if lost else ""
    kept = found.visits - found.simulations
    beside = f", beside {kept:,} kept from the moves before," if kept > 0 else ""
    run, looks = numbered(found.simulations, "simulation"), numbered(found.looks, "look")
    work = f"{run}{beside} and {looks} by H-search"
    return (
        f"Moves {mover} looked at, with {mover}'s chance and how many simulations began so: "
        f"{names}{proved}. This took {work}."
    )


def candidates_object(player: str, found: Mapping[Color, TreeFindings]) -> dict[str, Any]:
    """Return the best moves by who is to move, for `--json`."""
    return {
        "player": player,
        "by_turn": {turn.word: _object(each) for turn, each in found.items()},
    }


def _object(found: TreeFindings) -> dict[str, Any]:
    return {
        "winner": word(found.winner),
        "simulations": found.simulations,
        "looks": found.looks,
        "moves": [
            {
                "cell": found.position.board.name(it.cell),
                "winner": word(it.winner),
                "chance": None if it.chance is None or it.winner is not None else number(it.chance),
                "visits": it.visits,
            }
            for it in found.candidates[:NAMED]
        ],
    }


def _is_lost(candidate: Candidate, found: TreeFindings) -> bool:
    return candidate.winner is found.position.turn.opponent


def _worth(candidate: Candidate) -> str:
    if candidate.winner is not None or candidate.chance is None:
        return "(proved win)"
    return f"{per_cent(candidate.chance)} % ({candidate.visits:,})"
