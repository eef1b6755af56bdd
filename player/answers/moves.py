"""The best moves, those of a tree, a hint, values: in words, as JSON, and on a board."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hsearch.connect import HSearchOptions
from hsearch.hex import Board, Cell, Game, Special, winner
from hsearch.hex.position import refuse_won
from hsearch.kernels.stop import Stopped
from hsearch.render import svg
from hsearch.render import text as lines
from hsearch.render.text import Marks, quantity
from player.answers.analysis import Analysis
from player.answers.candidates import NAMED, SECONDS, best_moves, of_findings
from player.answers.limits import begin_analysis
from player.answers.objects import number, word
from player.answers.solved import estimate_sentence, swap_advice, verdict
from player.evaluate.chance import per_cent
from player.search.chances import BY, BestMove, BestMoves, estimate_words
from player.search.openings import opening
from player.search.tree import TreeFindings
from player.solve.solver import UNLESS_SWAPPED
from player.variants.base import act_word
from player.variants.plain import swap_to_come
from player.work.clock import TimeLeft


def text(best: BestMoves) -> str:
    """Return the board with the moves numbered, and a line of text for each."""
    board = lines.plain(lines.board(best.position, marks(best)))
    return "\n".join((f"{board}\n", *statements(best)))


def picture(best: BestMoves) -> str:
    """Return the board with the moves numbered as a picture."""
    return svg.write(best.position, marks(best), title=_title(best))


def marks(best: BestMoves) -> Marks:
    """Return the marks: the moves numbered, the best first."""
    return Marks(labels={each.cell: str(n) for n, each in enumerate(best.moves, 1)})


def statements(best: BestMoves) -> Iterator[str]:
    """Yield a heading, and a line for each move."""
    yield f"{_title(best)}:" if best.moves else f"{_title(best)}."
    name = best.position.board.name
    for place, each in enumerate(best.moves, 1):
        line = " ".join(map(name, each.line[1:]))
        then = f", then {line}" if line else ""
        yield f"  {place} {name(each.cell)} {worth(best, each)}{then}"


def worth(best: BestMoves, move: BestMove) -> str:
    """Return the value of a move for the player to move, in a word or two.

    The number of simulations follows the chance, because open moves are ordered by it: 36 % of
    many simulations is better founded than 40 % of few.
    """
    mover = best.position.turn
    if move.winner is not None:
        return "wins (proved)" if move.winner is mover else "loses (proved)"
    if move.chance is None:
        return "not tried"
    return f"{per_cent(move.chance)} % ({move.simulations:,})"


def _title(best: BestMoves) -> str:
    if winner(best.position) is not None:
        return "The game is over"
    return UNLESS_SWAPPED * best.before_swap + _heading(best)


def _heading(best: BestMoves) -> str:
    mover = best.position.turn
    if best.winner is mover.opponent:
        return f"Every move of {mover.title} loses; the hardest to refute"
    is_won = best.winner is mover
    if is_won and best.moves and best.moves[0].winner is mover:
        return f"Moves that win for {mover.title}"
    proved = f"{mover.title} is proved to win, but by no known move. " * is_won
    if not best.moves:
        return f"{proved}Best moves for {mover.title}: no move is proved, and no search was run"
    work = quantity(best.simulations, "simulation")
    order = "with the chance to win after each, in the order of their simulations"
    return f"{proved}Best moves for {mover.title}, {order}; {work} in all"


def best_object(best: BestMoves) -> dict[str, Any]:
    """Return the moves of one player as a JSON object."""
    return {
        "before_swap": best.before_swap,
        "winner": word(best.winner),
        "simulations": best.simulations,
        "looks": best.looks,
        "moves": [best_move_object(each, best.position.board) for each in best.moves],
    }


def best_move_object(move: BestMove, board: Board) -> dict[str, Any]:
    """Return one of the best moves, with the mover's chance, as a JSON object."""
    chance = None if move.winner is not None else move.chance
    return {
        "cell": board.name(move.cell),
        "winner": word(move.winner),
        "chance": None if chance is None else number(chance),
        "visits": move.simulations,
        "line": list(map(board.name, move.line)),
    }


def page_best(best: BestMoves) -> dict[str, Any]:
    """Return the best moves, the chance and all moves tried, for the page."""
    return {
        "candidates": page_moves(best),
        "estimate": _shown_estimate(best),
        "tried": [_page_move(best, each) for each in best.tried],
    }


def _shown_estimate(best: BestMoves) -> dict[str, Any] | None:
    """Return Black's chance by the search for the page; None if the winner is proved."""
    chance = best.chance
    if chance is None or not chance.is_estimate:
        return None
    return {"chance": round(chance.black, 4), "by": chance.by, "said": estimate_sentence(chance)}


def page_moves(best: BestMoves) -> list[dict[str, Any]]:
    """Return the moves for the page."""
    name = best.position.board.name
    return [
        {"move": name(each.cell), "said": worth(best, each)}
        | _page_move(best, each)
        | {"line": list(map(name, each.line))}
        for each in best.moves
    ]


def _page_move(best: BestMoves, move: BestMove) -> dict[str, Any]:
    return {
        "move": best.position.board.name(move.cell),
        "winner": word(move.winner),
        "chance": None if move.chance is None else round(move.chance, 4),
        "simulations": move.simulations,
    }


# The moves that a best-first search examined: which are proved, and the chances of the others.


def describe_findings(findings: TreeFindings) -> str:
    """Return the best moves with their chances, and how many others are proved to lose."""
    best, opponent = of_findings(findings), findings.position.turn.opponent
    moves = [each for each in best.tried if each.winner is not opponent][:NAMED]
    losses = sum(each.winner is opponent for each in best.tried)
    mover = findings.position.turn.title
    if not moves:
        return (
            f"Moves {mover} looked at: {'none' if findings.winner is None else 'all of them lose'}."
        )
    name = findings.position.board.name
    names = ", ".join(f"{name(each.cell)} {worth(best, each)}" for each in moves)
    addition = (
        f"; {losses} of {quantity(len(findings.candidates), 'move')} proved to lose"
        if losses
        else ""
    )
    earlier = findings.visits - findings.simulations
    beside = f", beside {earlier:,} kept from the moves before," if earlier > 0 else ""
    run, looks = quantity(findings.simulations, "simulation"), quantity(findings.looks, "look")
    work = f"{run}{beside} and {looks} by H-search"
    return (
        f"Moves {mover} looked at, with {mover}'s chance and the number of simulations: "
        f"{names}{addition}. This took {work}."
    )


# A hint: what to play now, and why; the same at the terminal and on the page.
#
# The maps of openings answer first in a game that may begin with a swap. Otherwise the hint is
# the first of `best_moves`, which uses all proofs of this process, however weak the engine is.


SHOWN = 5  # moves of the expected line


@dataclass(frozen=True, slots=True)
class Hint:
    """What to play, and why.

    act     a cell, or a swap
    why     a sentence or two: the proof or the estimate
    best    the best moves, `act` first; None if the maps of openings answered
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
    """Return what the player to move should play; `analysis` is of the current position.

    `swap` is whether the game has the swap rule. `seconds`, `cancel` and `on_change` are those
    of `best_moves`. Raise ValueError if the game is over, or if no move is proved and `seconds`
    is 0 or `cancel` is set before one was tried.
    """
    position = game.position()
    refuse_won(position)
    first = opening_hint(game, analysis, swap=swap)
    if first is not None:
        return first
    advice = swap_advice(game) if swap and len(game.moves) <= 1 else ""
    best = best_moves(analysis, seconds, cancel=cancel, on_change=on_change)
    if not best.moves:
        lack = "a search needs more than 0 seconds" if seconds == 0 else "the search was stopped"
        raise ValueError(f"no move is proved, and {lack}")
    then = position.board.text(best.moves[0].line[1 : 1 + SHOWN])
    forecast = f"Expected then: {then}." if then else ""
    why = " ".join(filter(None, (reason(analysis, best), forecast, advice)))
    return Hint(best.moves[0].cell, why, best)


def opening_hint(game: Game, analysis: Analysis, *, swap: bool = False) -> Hint | None:
    """Return the first move or the swap that the maps of openings recommend; None if none is due.

    `analysis` and `swap` are those of `hint`.
    """
    position = game.position()
    swap = swap and swap_to_come(game)
    first = opening(position, swap=swap)
    is_square = position.board.columns == position.board.rows  # else the center may lose
    if first is None or not (is_square or analysis.standing is None):
        return None
    act, why = first
    return Hint(act, (swap_advice(game) if swap else "") or why)


def reason(analysis: Analysis, best: BestMoves) -> str:
    """Return the reason for the first of the best moves."""
    move, mover, name = best.moves[0], best.position.turn, best.position.board.name
    if best.winner is mover and move.winner is None and move.chance is not None:
        chance = estimate_words(mover, move.chance, name(move.cell))
        return f"{verdict(analysis, is_shown=False)} By which move is not known. {chance}."
    if best.winner is mover:
        return verdict(analysis, is_shown=False)
    if best.winner is not None:
        least = f"{name(move.cell)} is the hardest to refute."
        return f"{verdict(analysis, is_shown=False)} {least}"
    if move.chance is None or best.chance is None:
        return f"No move is proved, and {name(move.cell)} was tried first."
    work = f"{quantity(best.simulations, 'simulation')}, {BY[best.chance.by]}"
    return f"{estimate_words(mover, move.chance, name(move.cell))} ({work})."


def hint_object(game: Game, advice: Hint) -> dict[str, object]:
    """Return a hint for the page: the move as a record names it, and a sentence."""
    name, best = game.board.name, advice.best
    return {
        "move": act_word(advice.act, game.board),
        "said": sentence(game, advice),
        "winner": None if best is None else word(best.moves[0].winner),
        "line": [] if best is None else list(map(name, best.moves[0].line)),
    }


def sentence(game: Game, advice: Hint) -> str:
    """Return a hint in words: the move and the reason."""
    act = advice.act
    return f"Hint: {'swap' if isinstance(act, Special) else game.board.name(act)}. {advice.why}"


# The value of each must-play move, by an analysis of the position after it.


def move_values(
    analysis: Analysis, options: HSearchOptions, seconds: float, cancel: threading.Event
) -> list[BestMove]:
    """Return the must-play moves with their winners or chances, weakest links first.

    After `seconds`, or once `cancel` is set, return those that are known by then.
    """
    position, time_left = analysis.position, TimeLeft(seconds)
    cells = analysis.threatened.cells  # `mustplay` is empty if all moves lose
    values: list[BestMove] = []
    for cell, _ in analysis.circuits.weak_links:
        if not cells[cell]:
            continue
        try:
            after = begin_analysis(options, position.play(cell), search=0)
            won_by, chance = after.winner, after.chance.of(position.turn)
        except Stopped:
            break
        values.append(BestMove(cell, won_by, chance, 0, (cell,)))
        if time_left.is_up() or cancel.is_set():
            break
    return values
