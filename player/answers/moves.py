"""Moves to play: in words, as JSON, and on a board."""

from collections.abc import Iterator
from typing import Any

from hsearch.hex.board import Cell
from hsearch.hex.position import winner
from hsearch.render import svg
from hsearch.render import text as lines
from hsearch.render.text import Marks
from player.answers.analysis import estimated
from player.answers.objects import number, word
from player.evaluate.chance import per_cent
from player.search.chances import BestMove, BestMoves


def text(best: BestMoves) -> str:
    """Return the board with the moves numbered, and a line for each."""
    board = lines.plain(lines.board(best.position, marks(best)))
    return "\n".join((f"{board}\n", *statements(best)))


def picture(best: BestMoves) -> str:
    """Return the board with the moves numbered as a picture."""
    return svg.write(best.position, marks(best), title=_title(best))


def marks(best: BestMoves, last: Cell | None = None) -> Marks:
    """Return the moves numbered, the best first."""
    return Marks(last=last, labels={each.cell: str(n) for n, each in enumerate(best.moves, 1)})


def statements(best: BestMoves) -> Iterator[str]:
    """Yield what to play: a heading, and a line a move."""
    yield f"{_title(best)}:" if best.moves else f"{_title(best)}."
    name = best.position.board.name
    for place, each in enumerate(best.moves, 1):
        line = " ".join(map(name, each.line[1:]))
        then = f", then {line}" if line else ""
        yield f"  {place} {name(each.cell)} {worth(best, each)}{then}"


def worth(best: BestMoves, move: BestMove) -> str:
    """Return what a move is worth to the player to move, in a word or two."""
    mover = best.position.turn
    if move.winner is not None:
        return "wins (proved)" if move.winner is mover else "loses (proved)"
    return "not tried" if move.chance is None else f"{per_cent(move.chance)} %"


def _title(best: BestMoves) -> str:
    mover = best.position.turn
    if winner(best.position) is not None:
        return "The game is over"
    if best.winner is mover.opponent:
        return f"Every move of {mover.title} loses; the hardest to refute"
    if best.winner is mover:
        return f"Moves that win for {mover.title}"
    if not best.moves:
        return f"Best moves for {mover.title}: no move is proved, and no search was run"
    work = f"{best.simulations:,} simulations"
    return f"Best moves for {mover.title}, with the chance to win after them, by {work}"


def best_object(best: BestMoves) -> dict[str, Any]:
    """Return the moves of one player as a JSON object."""
    name = best.position.board.name
    return {
        "winner": word(best.winner),
        "simulations": best.simulations,
        "looks": best.looks,
        "moves": [
            {
                "cell": name(each.cell),
                "winner": word(each.winner),
                "chance": None
                if each.chance is None or each.winner is not None
                else number(each.chance),
                "visits": each.simulations,
                "line": list(map(name, each.line)),
            }
            for each in best.moves
        ],
    }


def shown_estimate(best: BestMoves) -> dict[str, Any] | None:
    """Return Black's chance by the search as the page shows it; None once it is proved."""
    chance = best.chance
    if chance is None or not chance.is_estimate:
        return None
    return {"chance": round(chance.black, 4), "by": chance.by, "said": estimated(chance)}


def shown_moves(best: BestMoves) -> list[dict[str, Any]]:
    """Return the moves as the page shows them."""
    name = best.position.board.name
    return [
        {
            "move": name(each.cell),
            "said": worth(best, each),
            "winner": word(each.winner),
            "chance": None if each.chance is None else round(each.chance, 4),
            "simulations": each.simulations,
            "line": list(map(name, each.line)),
        }
        for each in best.moves
    ]
