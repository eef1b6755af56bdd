"""The solver's simple twin: depth first, with nothing but connections and must-play.

For small boards. It shares the closure with the solver, and no other step.
"""

from hsearch.board import Color
from hsearch.closure import Limits, closure
from hsearch.mustplay import mustplay
from hsearch.position import Position, winner


class PlainSearch:
    """A depth-first search that remembers whom it found to win. Holds state."""

    def __init__(self, limits: Limits) -> None:
        """Start with no position known."""
        self._limits = limits
        self._known: dict[Position, Color] = {}

    def outcome(self, position: Position) -> Color:
        """Return who wins, or has won."""
        if position not in self._known:
            self._known[position] = self._search(position)
        return self._known[position]

    def winning_moves(self, position: Position) -> list[int]:
        """Return the moves with which the player to move wins; none if the game is over."""
        if winner(position) is not None:
            return []
        moves = position.empty.search(1)
        return [move for move in moves if self.outcome(position.play(move)) is position.turn]

    def _search(self, position: Position) -> Color:
        turn = position.turn
        mine = closure(position, turn, self._limits)
        if mine.has_chain or mine.edge_fulls or mine.edge_semis:
            return turn
        must = mustplay(position, closure(position, turn.opponent, self._limits)).cells
        wins = (self.outcome(position.play(move)) is turn for move in must.search(1))
        return turn if any(wins) else turn.opponent
