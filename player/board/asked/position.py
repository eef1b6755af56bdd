"""Questions about a position or a game: from `analyze` and `hint` to the maps of a board."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hsearch.hex import Color
from hsearch.hex.position import winning_chain
from hsearch.hex.tree import TurnUnknownError
from hsearch.render.text import quantity
from player.answers.candidates import SECONDS, best_moves
from player.answers.moves import hint as hint_of
from player.answers.moves import hint_object, opening_hint, page_best, statements
from player.answers.objects import word
from player.answers.position import PositionAnswer, change
from player.board.desk import Desk
from player.board.records import GameQuestion, PositionObject, PositionQuestion, Record
from player.board.threads import BoardJob
from player.evaluate.net import NetEvaluator, shipped_net
from player.search.chances import BestMoves
from player.search.openings import chart_of
from player.variants import other_variant, variant
from player.variants.plain import awaits_swap

# `analyze`: who is proved to win, where to play, who stands better.
#
# The answer is that of `hsearch analyze` and `hsearch mustplay`: `PositionAnswer.page_json`.


@dataclass(frozen=True, slots=True)
class AnalyzeQuestion:
    """A position; and if a move led to it, the position before and the cell played.

    game   the record so far, if it ends here or has just begun: it may have a result or
           a possible swap, or have had one at its last move
    rules  RU of the record, which may name a variant with other turns
    """

    position: PositionObject
    before: PositionObject | None = None
    cell: str | None = None
    game: Record | None = None
    rules: str = ""


ALTERNATE = "If turns alternate: "  # begins an answer about a game with other turns


def analyze(desk: Desk, _job: BoardJob, request: AnalyzeQuestion) -> dict[str, Any]:
    """Return the analysis as JSON and in sentences.

    While a swap may follow, `opening` is what `hint` returns: the first move, or a due swap.
    """
    analysis = desk.analyses.of(request.position.position())
    game = None if request.game is None else request.game.game()
    difference = ""
    if request.before is not None and request.cell is not None:
        before = desk.analyses.of(request.before.position())
        if game is not None and game.moves:
            before = before.with_end(None, before_swap=awaits_swap(game.cut(len(game.moves) - 1)))
        difference = change(before, analysis, analysis.position.board.cell(request.cell))
    opening = None
    if game is not None:
        analysis = analysis.with_end(game.ending(), before_swap=awaits_swap(game))
        first = opening_hint(game, analysis, swap=True) if analysis.before_swap else None
        opening = None if first is None else hint_object(game, first)
    is_won = analysis.chain is not None  # in any variant
    other = other_variant(request.rules)
    decided_by = "" if is_won or other is None else variant(other).decided_by
    answer = PositionAnswer.of(analysis, condition=ALTERNATE if decided_by else "")
    turns = f"In this game {decided_by} decide who moves; the analysis is of alternating turns."
    return {
        **answer.page_json(difference, turns=turns if decided_by else ""),
        "opening": opening,
    }


# `hint`: what to play in a game, and why; `moves`: what is best in a position.

MOST_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class HintQuestion:
    """A game, whether it has the swap rule, and how many seconds to search."""

    game: Record
    swap: bool = False
    seconds: float = SECONDS


def hint(desk: Desk, job: BoardJob, request: HintQuestion) -> dict[str, Any]:
    """Return the move with its reason, the proved winner after it, and the expected line."""
    game = request.game.game()
    analysis = desk.analyses.of(game.position())
    seconds, on_change = _searching(job, request.seconds)
    with job.ending_early():
        advice = hint_of(
            game,
            analysis,
            swap=request.swap,
            seconds=seconds,
            cancel=job.cancel,
            on_change=on_change,
        )
    return hint_object(game, advice)


@dataclass(frozen=True, slots=True)
class MovesQuestion:
    """A position, and how many seconds to search if no move is proved."""

    position: PositionObject
    seconds: float = SECONDS


def moves(desk: Desk, job: BoardJob, request: MovesQuestion) -> dict[str, Any]:
    """Return the best moves with their lines; report those of a search as they change."""
    analysis = desk.analyses.of(request.position.position())
    seconds, on_change = _searching(job, request.seconds)
    best = best_moves(analysis, seconds, cancel=job.cancel, on_change=on_change)
    job.check()
    return page_best(best) | {
        "winner": word(best.winner),
        "simulations": best.simulations,
        "said": list(statements(best)),
    }


def _searching(job: BoardJob, budget: float) -> tuple[float, Callable[[BestMoves], None]]:
    """Return the time limit of a search, and a function that reports its progress."""
    seconds = job.time_limit(min(max(budget, 0.0), MOST_SECONDS))

    def tell(best: BestMoves) -> None:
        share = min(1.0, best.seconds / max(seconds, 0.01))
        text = f"{quantity(best.simulations, 'simulation')}"
        job.tell(page_best(best) | {"text": text, "share": share})

    return seconds, tell


# `graph`: who is proved to win after each move of a game, and Black's chance.

MOST_MOVES = 400


def graph(desk: Desk, job: BoardJob, request: GameQuestion) -> dict[str, Any]:
    """Report each position of the game as progress, in order; return their number."""
    game = request.game.game()
    count = min(len(game.moves), MOST_MOVES)
    for ply in range(count + 1):
        job.check()
        try:
            position = game.position(ply)
        except TurnUnknownError:
            continue
        analysis = desk.analyses.of(position).with_end(game.ending(ply))
        known = PositionAnswer.of(analysis).graph_json()
        work = {"text": f"{ply} of {count} moves", "share": ply / max(count, 1)}
        job.tell({"ply": ply} | known | work)
    return {"plies": count + 1}


# `openings`: the shipped map of first moves, for an empty board.


def openings(_desk: Desk, _job: BoardJob, request: PositionQuestion) -> dict[str, Any]:
    """Return the first moves to swap, those of them that are proved, and a sentence.

    Raise ValueError when the board has no map or is not empty.
    """
    position = request.position.position()
    board, chart = position.board, chart_of(position.board)
    if chart is None or (position.black | position.white).any():
        raise ValueError("a map of swaps is for an empty square board of up to 14x14")
    is_black = position.turn is Color.BLACK
    wins = [cell for cell in board.cells if chart.wins(cell)]
    own = {cell: cell if is_black else board.transpose(cell) for cell in wins}
    most_even = chart.most_even if is_black else board.transpose(chart.most_even)
    proofs = [cell for cell in wins if chart.is_proved(cell)]
    how = "proved" if chart.is_exact else "estimated, where they are not proved"
    return {
        "swap": [board.name(own[cell]) for cell in wins],
        "proved": [board.name(own[cell]) for cell in proofs],
        "even": board.name(most_even),
        "said": f"Rings: first moves that win, so the second player should swap them ({how}). "
        f"Most even: {board.name(most_even)}.",
    }


# `policy`: the net's first guess at the best move, before any search.

LEAST_SHARE = 0.005  # smallest share that gets a mark


def policy(_desk: Desk, _job: BoardJob, request: PositionQuestion) -> dict[str, Any]:
    """Return the net's share for each cell, largest first. Raise ValueError without a net."""
    position, net = request.position.position(), shipped_net()
    if winning_chain(position):
        return {"policy": {}}
    shares = NetEvaluator(net, position.board).evaluate(position).policy
    best = sorted(position.empty.search(1), key=lambda cell: -shares[cell])
    name = position.board.name
    return {
        "policy": {
            name(cell): round(float(shares[cell]), 4)
            for cell in best
            if shares[cell] >= LEAST_SHARE
        }
    }
