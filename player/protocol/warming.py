"""Compile the kernels while the client is still busy with its start."""

import threading
from collections.abc import Callable

from hsearch.board import Board
from hsearch.game import Game
from player.variants import ALTERNATING


class Warmer:
    """Gets players ready for boards, each in a thread of its own."""

    def __init__(self, announce: Callable[[], None]) -> None:
        """`announce` is called in that thread, before anything is compiled."""
        self._announce = announce
        self._seen: set[tuple[Board, str, str]] = set()

    def warm(self, board: Board, spec: str, variant: str = ALTERNATING) -> None:
        """Begin, unless this player was warmed for such boards already."""
        each = board, spec, variant
        if each not in self._seen:
            self._seen.add(each)
            threading.Thread(target=self._run, args=each, name="warm", daemon=True).start()

    def _run(self, board: Board, spec: str, variant: str) -> None:
        from hsearch.analysis import Analysis  # noqa: PLC0415 - it loads numba
        from hsearch.closure import Limits  # noqa: PLC0415
        from player.protocol.players import own_player  # noqa: PLC0415

        self._announce()
        own_player(spec, variant).prepare(board)
        _ = Analysis(Game(board).position(), Limits(steps=1)).circuits
