"""Drawings for HexGui during a long command: blocks of `gogui-gfx`, a few a second."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hsearch.board import Board, Cell, Color
from hsearch.position import Position
from player.protocol.replies import percent

if TYPE_CHECKING:
    from player.search import SearchResult

PAUSE = 0.25  # seconds between two blocks


class Live:
    """Turns what a search finds into blocks; remembers when it sent the last."""

    def __init__(self, position: Position, color: Color, send: Callable[[str], None]) -> None:
        """Draw for a player who is to move."""
        self._position = replace(position, turn=color)
        self._sender = send
        self._next = 0.0

    def show(self, found: "SearchResult") -> None:
        """Send a block, unless the last one was sent just now."""
        if self.is_due():
            self.send(payload(self._position, found))

    def is_due(self) -> bool:
        """Return whether it is time for another block."""
        return time.monotonic() >= self._next

    def send(self, block: str) -> None:
        """Send a block."""
        self._next = time.monotonic() + PAUSE
        self._sender(f"gogui-gfx:\n{block}")


def variation(board: Board, color: Color, line: Sequence[Cell]) -> str:
    """Return moves by turns, the first of them a player's."""
    colors = (color, color.opponent)
    return " ".join(
        f"{colors[ply % 2].name[0]} {board.name(cell)}" for ply, cell in enumerate(line)
    )


def payload(position: Position, found: "SearchResult") -> str:
    """Return the line expected, the chance that its first move gives, and a message."""
    from player.chance.words import chance_of  # noqa: PLC0415 - it loads numpy
    from player.search.score import is_loss, is_win  # noqa: PLC0415 - it loads numba

    board, color, last = position.board, position.turn, position
    line = variation(board, color, found.line)
    for cell in found.line:
        last = last.play(cell)
    evaluation = found.score if color is Color.WHITE else -found.score
    if is_win(found.score) or is_loss(found.score):
        label, said = ("W", "win") if is_win(found.score) else ("L", "loss")
    else:
        share = found.chance
        label = percent(chance_of(color, last, evaluation) if share is None else share)
        said = f"{label} % for {color.word.capitalize()}"
    move = board.name(found.move)
    text = f"depth {found.depth}, {said}, {found.counts.nodes} nodes"
    return f"ab VAR {line} LABEL {move} {label} TEXT {text}"
