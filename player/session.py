"""A game under way: its history, what was taken back, and what is known of where it stands.

The terminal, GTP and the referee of a match each hold one, and so does whoever
else lets a game be played.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hsearch.board import Board, Color
from hsearch.game import Game, Move, Node
from hsearch.game.replay import follow
from hsearch.position import Position, winner

if TYPE_CHECKING:
    from hsearch.analysis import Analysis
    from player.hsearch_options import HSearchOptions


@dataclass(frozen=True, slots=True)
class SessionState:
    """The game after a move, and its position."""

    game: Game
    position: Position

    @classmethod
    def of(cls, game: Game) -> "SessionState":
        """Return the state at the end of a game. Raise ValueError when it breaks a rule.

        Black is to move where nothing tells who is.
        """
        turn = game.recorded_turn()
        return cls(game, game.position(turn=Color.BLACK if turn is None else turn))

    @property
    def last(self) -> Move | None:
        """The last move; None before the first."""
        moves = self.game.moves
        return moves[-1] if moves else None

    @property
    def is_given_up(self) -> bool:
        """Whether the last move gave the game up."""
        return self.last is not None and self.last.gives_up

    @property
    def winner(self) -> Color | None:
        """Winner, by a chain or because the other gave up; None if there is none."""
        last = self.last
        if last is not None and last.gives_up:
            return last.color.opponent
        return winner(self.position)

    def then(self, move: Move) -> "SessionState":
        """Return the state after one more move. Raise IllegalMoveError when it is illegal."""
        return SessionState(self.game.append(move), follow(self.position, Node(move=move)))


class GameSession:
    """A game that goes on, back and forth. Holds state.

    Analyses are kept by position, so that nobody has to remember to throw one away.
    """

    def __init__(self, game: Game) -> None:
        """Begin where a game stands."""
        self._history = [SessionState.of(game)]
        self._undone: list[list[SessionState]] = []
        self._analysis: Analysis | None = None

    @property
    def state(self) -> SessionState:
        """The game and the position as they are now."""
        return self._history[-1]

    @property
    def game(self) -> Game:
        """The game as it is now."""
        return self.state.game

    @property
    def board(self) -> Board:
        """The board."""
        return self.game.board

    @property
    def position(self) -> Position:
        """The position as it is now."""
        return self.state.position

    @property
    def winner(self) -> Color | None:
        """Winner, by a chain or because the other gave up; None if there is none."""
        return self.state.winner

    @property
    def games(self) -> list[Game]:
        """The game as it was after no move, after one move, and so on."""
        return [state.game for state in self._history]

    def load(self, games: Sequence[Game]) -> None:
        """Take over a game, given as `games` gives it."""
        self._history = [SessionState.of(game) for game in games]
        self._undone.clear()

    def add(self, move: Move) -> None:
        """Make a move. Raise IllegalMoveError, and change nothing, when it is illegal."""
        self.go_on(self.state.then(move))

    def go_on(self, state: SessionState) -> None:
        """Go on with a longer record; what was taken back is forgotten."""
        self._history.append(state)
        self._undone.clear()

    def rewrite(self, game: Game) -> None:
        """Change the record of where the game stands: a coin, bids, a result."""
        self._history[-1] = SessionState.of(game)

    def undo(self) -> bool:
        """Take the last move back; return whether there was one."""
        if len(self._history) == 1:
            return False
        self._history.pop()
        return True

    def back_to(self, game: Game) -> None:
        """Go back to an earlier record, until `redo`."""
        self._undone.append(self._history)
        self._history = [SessionState.of(game)]

    def redo(self) -> bool:
        """Go on where `back_to` was called last; return whether it was."""
        if not self._undone:
            return False
        self._history = self._undone.pop()
        return True

    def analyzed(self, options: "HSearchOptions") -> "Analysis":
        """Return what is true of the position; whose turn it is does not matter here."""
        position = replace(self.position, turn=Color.BLACK)
        kept = self._analysis
        asked = position, options
        if kept is None or asked != (kept.position, type(options).used_by(kept)):
            kept = self._analysis = options.analysis(position)
        return kept
