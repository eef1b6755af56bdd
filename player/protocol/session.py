"""The session of a client: the game and its history, the clocks, the settings.

The player is a function of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hsearch.board import Board, Cell, Color, Point
from hsearch.game import Game, Move, Node, Special
from hsearch.position import IllegalMoveError, Position
from player.gtp import Call
from player.protocol.clock import GameClock
from player.protocol.settings import ClientSettings
from player.variants import ALTERNATING, Plain, State, Variant

if TYPE_CHECKING:
    from hsearch.analysis import Analysis
    from hsearch.connection import Connection
    from player.engine import Player
    from player.solve import Solver

DEFAULT_SIDE = 11
SWAPS = (Special.SWAP_PIECES, Special.SWAP_SIDES)


class Session:
    """The state of one client."""

    def __init__(self, *, on_change: Callable[["Session"], None] | None = None) -> None:
        """Start with an empty 11x11 board; `on_change` is called for each new board or player."""
        self.variant: Variant[Any] = Plain()
        self._history = [State.of(Game(Board(DEFAULT_SIDE, DEFAULT_SIDE)))]
        self._analysis: Analysis | None = None
        self.settings = ClientSettings()
        self.clock = GameClock()
        self.call = Call()
        self._on_change = on_change
        self._player: tuple[tuple[str, str], Player] | None = None
        self._solver: Solver | None = None

    def start(self, board: Board) -> None:
        """Start a new game."""
        self.load([Game(board)])
        self.changed()

    def changed(self) -> None:
        """Tell that another board or player is there, so that it may be got ready."""
        if self._on_change is not None:
            self._on_change(self)

    @property
    def state(self) -> State:
        """The game and the position as they are now."""
        return self._history[-1]

    @property
    def board(self) -> Board:
        """The board."""
        return self.state.game.board

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
        start = State.of if self.is_ordinary else self.variant.start
        self._history = [start(game) for game in games]
        self.clock.restart()

    def undo(self) -> bool:
        """Take the last move back; return whether there was one."""
        if len(self._history) == 1:
            return False
        self._history.pop()
        return True

    @property
    def is_ordinary(self) -> bool:
        """Whether turns are ordinary ones, and so not enforced."""
        return self.variant.name == ALTERNATING

    def go_on(self, state: State) -> None:
        """Go on to a state, until `undo`."""
        self._history.append(state)

    @property
    def standing(self) -> State:
        """The state before whoever gave up did: a resignation ends nothing for who asks on."""
        return next(state for state in reversed(self._history) if not state.is_given_up)

    def settled(self, color: Color, state: State | None = None) -> State:
        """Return the state in which a player goes on, by default from the one that is now.

        If a swap was the last move and the player who made it moves again,
        it was one of sides, whatever it was called. A swap of sides stays one.
        """
        if state is not None and state is not self.state:
            return _turned(state, color)
        last = self.state.last
        if last == Move(color, Special.SWAP_PIECES):
            try:
                return self._history[-2].then(Move(color, Special.SWAP_SIDES))
            except IllegalMoveError:
                return self.state
        return _turned(self.state, color)

    def play(self, color: Color, action: Cell | Special) -> None:
        """Make a move. Raise IllegalMoveError, and change nothing, when it is illegal.

        Turns are not enforced, and a decided game may be played on.
        """
        if action in SWAPS:
            self._refuse_swap()
        settled, move = self.settled(color), Move(color, action)
        if settled.is_given_up:
            # A record ends with giving up, and this one goes on.
            new = _turned(self.standing, color).then(move)
        else:
            new = settled.then(move)
        if not move.gives_up:
            self._history[-1] = settled
        self.go_on(new)

    def game_for(self, color: Color) -> Game:
        """Return the game with a player to move, to hand to an engine."""
        game = self.settled(color, self.standing).game
        if game.recorded_turn() is color or (not game.moves and self.position.turn is color):
            return game
        return replace(game, nodes=(*game.nodes, Node(len(game.nodes) - 1, turn=color)))

    @property
    def analysis(self) -> "Analysis":
        """Analysis of the position; whose turn it is does not matter here."""
        position, options = replace(self.position, turn=Color.BLACK), self.settings.options()
        kept = self._analysis
        if kept is None or (position, options) != (kept.position, type(options).used_by(kept)):
            kept = self._analysis = options.analysis(position)
        return kept

    def analysis_of(self, color: Color) -> "Analysis":
        """Return what is true of the position if it is a player's turn."""
        found = self.analysis
        _ = found.stores, found.circuits, found.deduced
        return found if color is found.position.turn else found.with_turn(color)

    def fulls(self, color: Color, x: Point, y: Point) -> list["Connection"]:
        """Return the full connections of two points, or the one that deduction finds."""
        from hsearch.deduction.mustplay import deduced  # noqa: PLC0415 - it loads numba

        found, options = self.analysis, self.settings.options()
        store = found.stores[color]
        fulls = store.fulls(x, y)
        more = (
            None if fulls else deduced(found.position, store, (x, y), options.limits, options.depth)
        )
        return fulls if more is None else [more]

    @property
    def player(self) -> "Player":
        """The player that acts are asked of; a `Bidder` where moves are bid for."""
        from player.protocol.players import own_player  # noqa: PLC0415 - it loads numba

        asked = self.settings.player, self.variant.name
        if self._player is None or self._player[0] != asked:
            self._player = asked, own_player(*asked)
        return self._player[1]

    @property
    def solver(self) -> "Solver":
        """The solver of the board; its table is kept from one question to the next."""
        from player.solve import Solver  # noqa: PLC0415 - it loads numba

        if self._solver is None or self._solver.board != self.board:
            self._solver = Solver(self.board)
        return self._solver

    def _refuse_swap(self) -> None:
        if not self.settings.allow_swap:
            raise IllegalMoveError("swap is not allowed: see param_game allow_swap")
        if len(self.state.game.moves) > 1:
            raise IllegalMoveError("swap is the second move of a game or none")


def _turned(state: State, color: Color) -> State:
    """Return the state in which a player moves though sides were swapped for the other.

    The record has to say whose turn it is, for else whoever reads it takes
    the swap for one of pieces. Any other state is returned as it is.
    """
    last = state.last
    is_told = last is None or last.special is not Special.SWAP_SIDES
    if is_told or state.game.recorded_turn() is color:
        return state
    game = state.game.append_node(Node(turn=color))
    return State(game, replace(state.position, turn=color))
