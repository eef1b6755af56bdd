"""The HEXY player: proofs first, then alpha-beta by weak links.

In a won position it plays the winning connection move by move, and never lets
go of it. Where no connection decides it asks the solver, and where the solver
has no answer in time it searches. In a lost position it plays where the win
takes longest.
"""

import numpy as np

from hsearch.analysis import Analysis
from hsearch.board import Board, Color
from hsearch.cells import CellSet
from hsearch.circuit import HEXY
from hsearch.closure import Limits
from hsearch.decomposition import Knowledge
from hsearch.deduction import expand
from hsearch.game import Game
from hsearch.position import Position
from player.chance import chance_of, per_cent
from player.clock import now
from player.engine.held_wins import HeldWins
from player.engine.opening import opening
from player.engine.perfect import Perfect, losing, winning
from player.engine.player import Choice, MoveRequest, Rationale, ahead, left, within
from player.engine.strength import Strength
from player.ordering import weak_links
from player.search import SearchResult, SearchSettings, probe_seconds, search
from player.search.line import SearchPosition
from player.search.score import is_loss, is_win

_DEFAULT = Strength()
PROBES = 20  # first looks that there has to be time for, before more than the two rules is asked


class HexyPlayer:
    """Remembers, for positions that it won, the connection that it holds."""

    def __init__(
        self, strength: Strength = _DEFAULT, *, seconds: float | None = None, name: str = "hexy"
    ) -> None:
        """Play so strong, at most so long a move; `name` is what a record calls the player."""
        self.name = name
        self.strength = strength
        self._seconds = seconds
        self._held_wins = HeldWins()
        self._perfect = Perfect()

    def prepare(self, board: Board) -> None:
        """Compile the kernels for boards of this size."""
        line = SearchPosition(Position.of(board), Limits(M=1, K=2), weak_links)
        line.decided_moves()
        line.play(0)
        line.decided_moves()
        if self.strength.solved_within:
            self._perfect.prepare(board)

    def choose(self, game: Game, terms: MoveRequest, _generator: np.random.Generator) -> Choice:
        """Return a move: opening or swap, held win, solved win, or the best that a search finds."""
        position, begin, terms = game.position(), now(), within(terms, self._seconds)
        settings = self.strength.settings(position.board, timed=terms.seconds is not None)
        found = opening(position, terms) or self._held_wins.answer(game, settings.limits, terms)
        if found is not None:
            return found
        beyond = self._beyond(position, settings, left(terms, begin))
        if beyond is not None:
            winning_connection = beyond.edge_connection(position.turn)
            if beyond.winner is position.turn and winning_connection is not None:
                return self._held_wins.taken(
                    position, expand(position, position.turn, winning_connection)
                )
        nodes = self.strength.solved_within
        solved = self._perfect.answer(position, left(terms, begin), nodes)
        if solved is not None and solved.winner is position.turn:
            return winning(solved)
        among = None if beyond is None else beyond.mustplay.cells
        found = _searched(position, settings, left(terms, begin), among)
        is_lost = solved is not None or (beyond is not None and beyond.mustplay.is_lost)
        is_new = is_lost and found.account.winner is None
        return losing(position, found) if is_new else found

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""

    def limits(self, board: Board) -> Limits:
        """Return the limits of H-search on a board."""
        return self.strength.settings(board).limits

    def _beyond(
        self, position: Position, settings: SearchSettings, terms: MoveRequest
    ) -> Analysis | None:
        """Return what is known beyond the two rules; None if not asked, or without time for it."""
        knowledge, board = self.strength.knowledge, position.board
        is_short = terms.seconds is not None and terms.seconds < PROBES * probe_seconds(board)
        if knowledge is Knowledge.RULES or is_short:
            return None
        return Analysis(position, settings.limits, knowledge=knowledge)


def _searched(
    position: Position, settings: SearchSettings, terms: MoveRequest, among: CellSet | None
) -> Choice:
    found = search(
        position,
        settings,
        seconds=terms.seconds,
        cancel=terms.cancel,
        progress=terms.progress,
        among=among,
    )
    mover, winner = position.turn, None
    name = position.board.name(found.move)
    if is_win(found.score):
        winner = mover
        reason = f"Proved by search: {mover.word.capitalize()} wins with {name}."
    elif is_loss(found.score):
        winner = mover.opponent
        reason = f"Proved: {winner.word.capitalize()} wins. {name} makes it hardest."
    elif settings.evaluator is None and settings.links == HEXY:
        reason = _estimate(found, position, name)
    else:
        reason = _weighed(found, position, name, settings)
    return Choice(found.move, Rationale(reason, winner, found.line, findings=found))


def _weighed(found: SearchResult, position: Position, name: str, settings: SearchSettings) -> str:
    """Return the estimate of a search whose values no chance is known of."""
    value = -found.score if position.turn is Color.BLACK else found.score
    by = settings.evaluator or f"circuits with links={settings.links}"
    return (
        f"Estimated by {by}: {value:+.2f} after {name}, {ahead(found.depth)} "
        "(below 0 is good for Black)."
    )


def _estimate(found: SearchResult, position: Position, name: str) -> str:
    if found.depth == 0:
        return f"{name} is the first move of the order; there was no time to search, or no choice."
    evaluation = -found.score if position.turn is Color.BLACK else found.score
    last = position
    for cell in found.line:
        last = last.play(cell)
    share = per_cent(chance_of(position.turn, last, evaluation))
    mover = position.turn.word.capitalize()
    return f"Estimated: {mover}'s chance to win is {share} % after {name}, {ahead(found.depth)}."
