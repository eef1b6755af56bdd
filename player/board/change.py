"""A sentence on what a move kept, won or lost of the proof."""

from hsearch.hex.board import Cell
from player.answers.knowledge import Analysis


def change(before: Analysis, after: Analysis, cell: Cell) -> str:
    """Return what a move made of what was proved; empty if nothing is proved, nor was."""
    mover, name = before.position.turn, before.position.board.name
    own, other = mover.title, mover.opponent.title
    if before.winner is mover.opponent:
        return f"{own} was proved to lose before {name(cell)}, and is still."
    if after.winner is mover:
        if before.winner is mover:
            return f"{name(cell)} keeps {own}'s proof."
        return f"{name(cell)} wins: {own}'s proof is new."
    if after.winner is mover.opponent:
        had = f"{own} had a proof. " if before.winner is mover else ""
        return f"{had}{name(cell)} loses: {other} is proved to win."
    if before.winner is mover:
        return f"{own}'s proof is gone{_kept(before)}; who wins now is not proved."
    return ""


def _kept(before: Analysis) -> str:
    """Return which move kept the proof, if it was one that starts with a move."""
    proved = before.proved
    if proved is None or proved.move is None:
        return ""
    return f": {before.position.board.name(proved.move)} kept it"
