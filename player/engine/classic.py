"""The `ab` player: alpha-beta with a classic evaluator and an ordering."""

from dataclasses import replace

import numpy as np

from hsearch.board import Board, Color
from hsearch.game import Game
from hsearch.position import Position
from player.engine.opening import opening
from player.engine.player import Choice, MoveRequest, Rationale, ahead
from player.search import SearchSettings, search
from player.search.score import is_loss, is_win

EVERY_MOVE = (676,)  # as many as the largest board has cells


class ClassicPlayer:
    """Searches every move to one depth, as the programs of the sources do.

    What is left to chance is drawn anew for each move.
    """

    def __init__(self, settings: SearchSettings, *, opens: bool = True, name: str = "ab") -> None:
        """Search so; with `opens` the first move and the swap follow the maps of openings."""
        self.name = name
        self.settings = settings
        self.opens = opens

    def prepare(self, board: Board) -> None:
        """Compile the kernels."""
        search(Position.of(board), replace(self.settings, depth=2, widths=(1,)))

    def choose(self, game: Game, terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return the first move, a swap, or the best move that the search finds."""
        position = game.position()
        found = opening(position, terms) if self.opens else None
        if found is not None:
            return found
        settings = replace(self.settings, seed=int(generator.integers(1 << 62)))
        findings = search(
            position,
            settings,
            seconds=terms.seconds,
            cancel=terms.cancel,
            progress=terms.progress,
        )
        mover, name = position.turn, position.board.name(findings.move)
        winner = mover if is_win(findings.score) else None
        winner = mover.opponent if is_loss(findings.score) else winner
        if winner is None:
            value = -findings.score if mover is Color.BLACK else findings.score
            reason = (
                f"Estimated by {settings.evaluator}: {value:+.2f} after {name}, "
                f"{ahead(findings.depth)} (below 0 is good for Black)."
            )
        else:
            reason = f"Searched to the end: {winner.word} wins."
        return Choice(findings.move, Rationale(reason, winner, findings.line, findings=findings))

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""
