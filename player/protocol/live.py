"""What HexGui draws during a long command: blocks of `gogui-gfx`, a few a second."""

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hsearch.board import Board, Cell, Color
from player.protocol.replies import hundredths

if TYPE_CHECKING:
    from player.search import Findings

PAUSE = 0.25  # seconds between two blocks


class Live:
    """Turns what a search finds into blocks; remembers when it sent the last."""

    def __init__(self, board: Board, color: Color, send: Callable[[str], None]) -> None:
        """Draw for a player who is to move."""
        self._board = board
        self._color = color
        self._sender = send
        self._next = 0.0

    def show(self, found: "Findings") -> None:
        """Send a block, unless the last one was sent just now."""
        if self.is_due():
            self.send(payload(self._board, self._color, found))

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


def payload(board: Board, color: Color, found: "Findings") -> str:
    """Return the line expected, the score of its first move, and a message."""
    from player.search.score import is_loss, is_win  # noqa: PLC0415 - it loads numba

    line = variation(board, color, found.line)
    evaluation = found.score if color is Color.WHITE else -found.score
    if is_win(found.score) or is_loss(found.score):
        label, said = ("W", "win") if is_win(found.score) else ("L", "loss")
    else:
        label, said = hundredths(evaluation), f"E {evaluation:+.2f}"
    move = board.name(found.move)
    text = f"depth {found.depth}, {said}, {found.counts.nodes} nodes"
    return f"ab VAR {line} LABEL {move} {label} TEXT {text}"
