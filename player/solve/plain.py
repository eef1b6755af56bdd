"""The solver's simple twin: depth first, with nothing but connections and must-play.

For small boards. It shares only the closure with the solver.
"""

from collections.abc import Callable, Iterator, Sequence

from hsearch.connect import Limits
from hsearch.connect.closure import closure
from hsearch.connect.mustplay import mustplay
from hsearch.hex import Cell, Color, Position, winner

TriedMove = tuple[Cell, int, int]  # a move, its number from 1, and the number of moves to try


class PlainSearch:
    """A depth-first search that remembers the winner of each position. Holds state."""

    def __init__(
        self, limits: Limits, on_step: Callable[[Sequence[TriedMove]], None] = lambda _steps: None
    ) -> None:
        """Start with no position known.

        `on_step` is called at each position with the steps that led there, and may
        raise to end the search.
        """
        self._limits = limits
        self._on_step = on_step
        self._steps: list[TriedMove] = []
        self._known: dict[Position, Color] = {}

    def outcome(self, position: Position) -> Color:
        """Return who wins, or has won."""
        if position not in self._known:
            self._known[position] = self._search(position)
        return self._known[position]

    def winning_moves(self, position: Position) -> Iterator[Cell]:
        """Yield each winning move of the player to move; none if the game is over."""
        if winner(position) is None:
            for move in position.empty.search(1):
                if self.outcome(position.play(move)) is position.turn:
                    yield move

    def _search(self, position: Position) -> Color:
        self._on_step(self._steps)
        turn = position.turn
        mine = closure(position, turn, self._limits)
        if mine.has_chain or mine.edge_fulls or mine.edge_semis:
            return turn
        must = mustplay(position, closure(position, turn.opponent, self._limits)).cells
        moves = list(must.search(1))
        for number, move in enumerate(moves, 1):
            self._steps.append((move, number, len(moves)))
            try:
                won_by = self.outcome(position.play(move))
            finally:
                self._steps.pop()
            if won_by is turn:
                return turn
        return turn.opponent
