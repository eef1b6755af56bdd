"""The session of a client: the game and its history, clocks, settings, start and end."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hsearch.hex.board import Board, Cell, Color, Point
from hsearch.hex.game import Game
from hsearch.hex.move import SWAPS, Move, Special
from hsearch.hex.position import NO_SWAP, IllegalMoveError, Position
from hsearch.hex.tree import GameNode
from player.answers.limits import OPTIONS, HSearchOptions, Value
from player.console import command
from player.gtp.serving import Call
from player.variants.plain import Plain, swap_to_come
from player.variants.variant import ALTERNATING, GameState, Variant

if TYPE_CHECKING:
    from hsearch.connect.connection import Connection
    from player.answers.knowledge import Analysis
    from player.engine.player import Player


STEPS = 10_000_000  # tries of the two rules in one search for connections, at most


@dataclass(slots=True)
class ClientSettings:
    """Settings of a client.

    allow_swap       whether the second move may be a swap
    swap_style       what a swap means until the next move tells: `pieces` or `sides`
    on_little_golem  whether to answer `swap` rather than `swap-pieces`
    player           who is asked for moves, a text that `player.engine.spec` reads
    max_time         the most seconds for a move; 0 for no bound but the clock's
    seed             of what is left to chance
    use_guifx        whether to send live graphics
    solve_time       the most seconds for the solver, so that a script comes to its end; 0 for any
    solver           seconds of a free core for the solver, where a position is analyzed
    semis            how many semis are kept for a pair; 0 for twice M
    hsearch          the limits and switches of H-search, by their names
    """

    allow_swap: bool = False
    swap_style: str = "pieces"
    on_little_golem: bool = False
    player: str = "hexy"
    max_time: float = 0.0
    seed: int = 0
    use_guifx: bool = False
    solve_time: float = 600.0
    solver: float = 0.3
    semis: int = 0
    hsearch: dict[str, Value] = field(
        default_factory=lambda: {option.name: option.default for option in OPTIONS.values()}
    )

    def options(self) -> HSearchOptions:
        """Return how connections are searched for, within bounds: no button stops a query."""
        return HSearchOptions.of(self.hsearch, semis=self.semis or None, steps=STEPS)


# Time for a move.
#
# Only what the engine itself uses is counted; a client that keeps the time says
# what is left.

RESERVE = 0.1  # seconds that are never planned, for the way there and back
SHARE = 1 / 12  # of what is left, for one of a number of moves that nobody knows


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Time control of a game.

    main       seconds for the game; None for no limit
    period     seconds for each `stones` moves after that
    stones     see there; 0 if the game is lost on time after the main time
    increment  seconds gained by each move
    """

    main: float | None = None
    period: float = 0.0
    stones: int = 0
    increment: float = 0.0


@dataclass(frozen=True, slots=True)
class Left:
    """Time that a player has left.

    seconds  until the main time, or the period, is used up
    stones   moves to make in the period; 0 in the main time
    """

    seconds: float
    stones: int = 0


@dataclass(slots=True)
class GameClock:
    """The terms, and what both players have left."""

    terms: TimeControl = field(default_factory=TimeControl)
    _left: dict[Color, Left] = field(default_factory=dict)

    def set(self, terms: TimeControl) -> None:
        """Change the terms, and start anew."""
        self.terms = terms
        self.restart()

    def restart(self) -> None:
        """Give both players all their time, as at the start of a game."""
        self._left.clear()

    def say(self, color: Color, left: Left) -> None:
        """Take over what the client says is left, whatever the terms."""
        self._left[color] = left

    def left(self, color: Color) -> Left | None:
        """Return what a player has left; None without a limit."""
        if color in self._left:
            return self._left[color]
        terms = self.terms
        if terms.main is None:
            return None
        return Left(terms.main) if terms.main or not terms.stones else self._period

    def seconds(self, color: Color) -> float | None:
        """Return the most time to use for a player's next move; None without a limit."""
        left = self.left(color)
        if left is None:
            return None
        if left.stones:
            return max(0.0, min(left.seconds / left.stones, left.seconds - RESERVE))
        wanted = left.seconds * SHARE + 0.8 * self.terms.increment
        if self.terms.stones:
            wanted = max(wanted, min(left.seconds, self._period.seconds / self._period.stones))
        return max(0.0, min(wanted, left.seconds - RESERVE))

    def spend(self, color: Color, seconds: float) -> None:
        """Note that a move has taken so long."""
        left = self.left(color)
        if left is None:
            return
        rest = left.seconds - seconds
        if left.stones:
            moves = left.stones - 1
            self._left[color] = Left(max(0.0, rest), moves) if moves else self._period
        elif rest <= 0 and self.terms.stones:
            self._left[color] = self._period
        else:
            self._left[color] = Left(max(0.0, rest) + self.terms.increment)

    @property
    def _period(self) -> Left:
        return Left(self.terms.period, self.terms.stones)


# The session of a client: the game and its history, the clocks, the settings.

DEFAULT_SIDE = 11


class Session:
    """The state of one client."""

    def __init__(self, *, on_change: Callable[["Session"], None] | None = None) -> None:
        """Start with an empty 11x11 board; `on_change` is called for each new board or player."""
        self.variant: Variant[Any] = Plain()
        self._history = [GameState.of(Game(Board(DEFAULT_SIDE, DEFAULT_SIDE)))]
        # Of a question, by whose turn it is and whether a swap is to come.
        self._analyses: tuple[object, dict[tuple[Color, bool], Analysis]] | None = None
        self.settings = ClientSettings()
        self.clock = GameClock()
        self.call = Call()
        self._on_change = on_change
        self._player: tuple[tuple[str, str], Player] | None = None

    def start(self, board: Board) -> None:
        """Start a new game."""
        self.load([Game(board)])
        self.changed()

    def changed(self) -> None:
        """Note that another board or player is there, so that it is prepared."""
        if self._on_change is not None:
            self._on_change(self)

    @property
    def state(self) -> GameState:
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
    def states(self) -> list[GameState]:
        """The states after no move, after one move, and so on."""
        return [*self._history]

    @property
    def games(self) -> list[Game]:
        """The game as it was in each of these states."""
        return [state.game for state in self._history]

    def load(self, games: Sequence[Game]) -> None:
        """Take over a game, given as `games` gives it."""
        start = GameState.of if self.is_ordinary else self.variant.start
        self._history = [start(game) for game in games]
        self.clock.restart()

    def take_over(self, states: Sequence[GameState]) -> None:
        """Take over a game with what is sealed in it: its states, the present one last."""
        self._history = [*states]
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

    def go_on(self, state: GameState) -> None:
        """Go on to a state, until `undo`."""
        self._history.append(state)

    @property
    def unresigned(self) -> GameState:
        """The state before whoever gave up did: a resignation ends nothing for who asks on."""
        return next(state for state in reversed(self._history) if not state.is_given_up)

    @property
    def won_by(self) -> Color | None:
        """Winner as commands that ask on see it, for which ordinary resignations end nothing."""
        return self.unresigned.winner if self.is_ordinary else self.winner

    def settled(self, color: Color, state: GameState | None = None) -> GameState:
        """Return the state from which a player moves; without `state`, from the present one.

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
            new = _turned(self.unresigned, color).then(move)
        else:
            new = settled.then(move)
        if not move.gives_up:
            self._history[-1] = settled
        self.go_on(new)

    def game_for(self, color: Color) -> Game:
        """Return the game with a player to move, to hand to an engine."""
        game = self.settled(color, self.unresigned).game
        if game.recorded_turn() is color or (not game.moves and self.position.turn is color):
            return game
        return replace(game, nodes=(*game.nodes, GameNode(len(game.nodes) - 1, turn=color)))

    @property
    def analysis(self) -> "Analysis":
        """Analysis of the position; whose turn it is does not matter here."""
        return self._known[Color.BLACK, False]

    @property
    def _known(self) -> "dict[tuple[Color, bool], Analysis]":
        position, options = replace(self.position, turn=Color.BLACK), self.settings.options()
        question = position, options, self.settings.solver
        if self._analyses is None or self._analyses[0] != question:
            analysis = options.analysis(position, search=self.settings.solver)
            self._analyses = question, {(Color.BLACK, False): analysis}
        return self._analyses[1]

    def analysis_of(self, color: Color) -> "Analysis":
        """Return what is true of the position if it is a player's turn, and nobody swaps.

        What a search leaves in it, such as a chance, stays until the position changes.
        """
        known, analysis = self._known, self.analysis
        _ = analysis.stores, analysis.circuits, analysis.deduced  # the other turn shares them
        stands = self.unresigned
        is_next = color is stands.position.turn
        swaps = self.settings.allow_swap and self.is_ordinary
        swap = swaps and is_next and swap_to_come(stands.game)
        if (color, swap) not in known:
            turned = analysis if color is analysis.position.turn else analysis.with_turn(color)
            known[color, swap] = turned.with_end(None, before_swap=swap)
        return known[color, swap]

    def fulls(self, color: Color, x: Point, y: Point) -> list["Connection"]:
        """Return the full connections of two points, or the one that deduction finds."""
        from hsearch.connect.deduction import deduced  # noqa: PLC0415 - it loads numba

        analysis, options = self.analysis, self.settings.options()
        store = analysis.stores[color]
        fulls = store.fulls(x, y)
        more = (
            None
            if fulls
            else deduced(analysis.position, store, (x, y), options.limits, options.depth)
        )
        return fulls if more is None else [more]

    @property
    def player(self) -> "Player":
        """The player that acts are asked of; a `Bidder` where moves are bid for."""
        from player.gtp.thinking import session_player  # noqa: PLC0415 - it loads numba

        question = self.settings.player, self.variant.name
        if self._player is None or self._player[0] != question:
            self._player = question, session_player(*question)
        return self._player[1]

    def _refuse_swap(self) -> None:
        if not self.settings.allow_swap:
            raise IllegalMoveError("swap is not allowed: see param_game allow_swap")
        if len(self.state.game.moves) > 1:
            raise IllegalMoveError(NO_SWAP)


def _turned(state: GameState, color: Color) -> GameState:
    """Return the state in which a player moves though sides were swapped for the other.

    The record has to say whose turn it is, for else whoever reads it takes
    the swap for one of pieces. Any other state is returned as it is.
    """
    last = state.last
    is_told = last is None or last.special is not Special.SWAP_SIDES
    if is_told or state.game.recorded_turn() is color:
        return state
    game = state.game.append_node(GameNode(turn=color))
    return GameState(game, replace(state.position, turn=color))


# The end of the program while threads of ours are still at work.

NAMES = {"warm", "player"}  # of threads that nobody waits for


def end_at_once() -> None:
    """Let the program end, with success, without unwinding such threads."""
    command.end_at_once(lambda: any(each.name in NAMES for each in threading.enumerate()), 0)


# Compile the kernels while the client is still busy with its start.


class Warmer:
    """Prepares players for boards, each in a thread of its own."""

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
        from hsearch.analysis.analysis import ConnectionAnalysis  # noqa: PLC0415 - it loads numba
        from hsearch.connect.limits import Limits  # noqa: PLC0415
        from player.engine.player import PlayerError  # noqa: PLC0415
        from player.gtp.thinking import session_player  # noqa: PLC0415

        self._announce()
        with suppress(PlayerError):  # it is raised again when a move is asked for
            session_player(spec, variant).prepare(board)
        _ = ConnectionAnalysis(Game(board).position(), Limits(steps=1)).circuits
