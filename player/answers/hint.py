"""A hint: what to play now, and why, in a sentence; the same at the terminal and on the page.

In a game that may begin with a swap the maps of openings answer first. Else it is the first of
`best_moves`, so that whatever this process has proved before is heeded, however weak the
engine at the table is.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from hsearch.hex.board import Cell
from hsearch.hex.game import Game, Special
from hsearch.hex.position import winner
from player.answers.analysis import swap_advice, verdict
from player.answers.candidates import SECONDS, best_moves
from player.answers.knowledge import Analysis
from player.answers.objects import word
from player.evaluate.chance import per_cent
from player.search.chances import BY, BestMoves
from player.search.openings import opening
from player.work.numbers import numbered

SHOWN = 5  # moves of the line that is expected


@dataclass(frozen=True, slots=True)
class Hint:
    """What to play, and why.

    act     a cell, or a swap
    why     a sentence or two, of what is proved or of what is estimated
    best    the moves that it is the first of; None where the maps of openings answered
    """

    act: Cell | Special
    why: str
    best: BestMoves | None = None


def hint(
    game: Game,
    analysis: Analysis,
    *,
    swap: bool = False,
    seconds: float | None = SECONDS,
    cancel: threading.Event | None = None,
    on_change: Callable[[BestMoves], object] = lambda _best: None,
) -> Hint:
    """Return what the player to move should play; `analysis` is of where the game stands.

    `swap` says whether the game is played with a swap. `seconds`, `cancel` and `on_change` are
    those of `best_moves`. Raise ValueError when the game is over, or nothing is proved in no time.
    """
    position = game.position()
    if (won := winner(position)) is not None:
        raise ValueError(f"the game is over: {won.word} has won")
    swap = swap and len(game.moves) <= 1  # whoever has swapped is not asked again
    advice = swap_advice(game) if swap else ""
    first = opening(position, swap=swap)
    is_square = position.board.columns == position.board.rows  # else the center may lose
    if first is not None and (is_square or analysis.standing is None):
        act, reason = first
        return Hint(act, advice or reason)
    best = best_moves(analysis, seconds, cancel=cancel, on_change=on_change)
    if not best.moves:
        raise ValueError("no move is proved, and a search needs more than 0 seconds")
    why = " ".join(filter(None, (_reason(analysis, best), advice)))
    return Hint(best.moves[0].cell, why, best)


def _reason(analysis: Analysis, best: BestMoves) -> str:
    """Return why the first of the best moves is."""
    move, mover, name = best.moves[0], best.position.turn, best.position.board.name
    then = " ".join(map(name, move.line[1 : 1 + SHOWN]))
    expected = f" Expected then: {then}." if then else ""
    if best.winner is mover:
        return f"{verdict(analysis, is_shown=False)}{expected}"
    if best.winner is not None:
        least = f"{name(move.cell)} is the hardest to refute."
        return f"{verdict(analysis, is_shown=False)} {least}{expected}"
    if move.chance is None or best.chance is None:
        return f"No move is proved, and {name(move.cell)} was tried first.{expected}"
    work = f"{numbered(best.simulations, 'simulation')}, {BY[best.chance.by]}"
    chance = f"{mover.title}'s chance to win is {per_cent(move.chance)} % after {name(move.cell)}"
    return f"Estimated: {chance} ({work}).{expected}"


def hint_object(game: Game, found: Hint) -> dict[str, object]:
    """Return a hint as the page takes it: the move as a record names it, and a sentence."""
    name = game.board.name
    move = found.act.value if isinstance(found.act, Special) else name(found.act)
    best = found.best
    return {
        "move": move,
        "said": sentence(game, found),
        "winner": None if best is None else word(best.winner),
        "line": [] if best is None else list(map(name, best.moves[0].line)),
    }


def sentence(game: Game, found: Hint) -> str:
    """Return the move and why."""
    act = found.act
    return f"Hint: {'swap' if isinstance(act, Special) else game.board.name(act)}. {found.why}"
