"""Board as a player of Dark Hex may suppose it, without a look at the truth."""

import numpy as np

from hsearch.analysis import Analysis
from hsearch.board import Cell, Color
from hsearch.cells import cells_in
from hsearch.render import Marks
from player.dark.belief import guesses
from player.dark.information import History, View, view
from player.dark.law import seen_position
from player.dark.rules import Rules
from player.report.numbers import numbered

GUESSES = 100
SHOWN = 5  # cells named


def supposed(rules: Rules, color: Color, history: History) -> tuple[Marks, list[str]]:
    """Return where hidden stones may be, numbered, and sentences for a player who is to move.

    They rest on guesses that fit the player's history, and on nothing else. The
    same history gives the same guesses.
    """
    seen, board, other = view(history), rules.board, color.opponent.word.capitalize()
    hidden: dict[Cell, float] = dict.fromkeys(board.cells, 0.0)
    winners: dict[Color | None, float] = dict.fromkeys((*Color, None), 0.0)
    most = 0
    found = guesses(rules, color, history, GUESSES, np.random.default_rng(0))
    total = sum(weight for _, weight in found)
    for stones, weight in found:
        unseen = stones & ~seen.known
        most = max(most, unseen.bit_count())
        for cell in cells_in(unseen):
            hidden[cell] += weight / total
        position = seen_position(board, color, View(seen.own, stones))
        winners[Analysis(position).winner] += weight / total
    likely = sorted((c for c in board.cells if hidden[c] > 0), key=lambda c: (-hidden[c], c))[
        :SHOWN
    ]
    lines = [f"Over {GUESSES} guesses that fit all that you have seen and heard:"]
    if likely:
        cells = ", ".join(
            f"{place} {board.name(cell)} {100 * hidden[cell]:.0f} %"
            for place, cell in enumerate(likely, start=1)
        )
        lines.append(
            f"{other} has at most {numbered(most, 'hidden stone')}, most likely on {cells}."
        )
    else:
        lines.append(f"{other} has no hidden stone.")
    shares = {who: f"{100 * share:.0f} %" for who, share in winners.items()}
    lines.append(
        f"With open stones from here, you would be proved to win on {shares[color]} of these "
        f"boards, {other} on {shares[color.opponent]}."
    )
    return Marks(labels={cell: str(n) for n, cell in enumerate(likely, start=1)}), lines
