"""The session of a client: the game and its history, clocks, settings, start and end."""

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hsearch.connect import HSearchOptions
from hsearch.hex import Board, Cell, Color, Game, GameNode, Move, Outcome, Position, Special
from hsearch.hex.move import SWAPS
from hsearch.hex.position import NO_SWAP, IllegalMoveError
from player.answers.limits import OPTIONS, Value, begin_analysis, options_of
from player.console import command
from player.gtp.serving import Call
from player.variants.base import ALTERNATING, GameState, Variant
from player.variants.plain import Plain, swap_to_come, swaps

if TYPE_CHECKING:
    from pathlib import Path

    from player.answers.analysis import Analysis
    from player.engine.player import AnyPlayer


STEPS = 10_000_000  # tries of the two rules in one search for connections, at most


@dataclass(slots=True)
class ClientSettings:
    """Settings of a client.

    allow_swap       whether the second move may be a swap
    swap_style       meaning of a swap before the next move shows it: `pieces` or `sides`
    on_little_golem  whether `genmove` answers `swap` rather than `swap-pieces`
    player           the player that chooses moves, in the syntax of `player.engine.spec`
    max_time         time limit for a move in seconds; 0 for that of the clock alone
    seed             seed of random numbers
    use_guifx        whether to send live graphics
    solve_time       time limit of the solver in seconds, so that scripts end; 0 for none
    solver           budget of the solver in an analysis, in seconds of a free core
    semis            semis kept for a pair; 0 for twice M
    hsearch          the limits and switches of H-search, by name
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
        """Return the options of H-search, with bounded steps: HexGui cannot stop a query."""
        return options_of(self.hsearch, semis=self.semis or None, steps=STEPS)


# Time for a move.
#
# The clock counts only the engine's own time. A client that keeps the time sends
# `time_left`, which replaces the count.

RESERVE = 0.1  # seconds kept back for the transfer of a move
SHARE = 1 / 12  # of the time left for a move, as the number of moves to come is unknown


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Time control of a game.

    main       seconds for the game; None for no limit
    period     seconds for every `stones` moves after the main time
    stones     moves per period; 0 if there are no periods
    increment  seconds added for each move
    cap        most seconds that the increments may save up
    longest    most seconds for one move
    """

    main: float | None = None
    period: float = 0.0
    stones: int = 0
    increment: float = 0.0
    cap: float = math.inf
    longest: float = math.inf


@dataclass(frozen=True, slots=True)
class TimeBudget:
    """Time that a player has left.

    seconds  left of the main time or of the period
    stones   moves left to make in the period; 0 in the main time
    """

    seconds: float
    stones: int = 0


@dataclass(slots=True)
class GameClock:
    """The time control, and the time that both players have left."""

    terms: TimeControl = field(default_factory=TimeControl)
    _budgets: dict[Color, TimeBudget] = field(default_factory=dict)

    def set(self, terms: TimeControl) -> None:
        """Set the time control and restart."""
        self.terms = terms
        self.restart()

    def restart(self) -> None:
        """Give both players all their time, as at the start of a game."""
        self._budgets.clear()

    def set_left(self, color: Color, budget: TimeBudget) -> None:
        """Set the time left, as the client gives it."""
        self._budgets[color] = budget

    def budget(self, color: Color) -> TimeBudget | None:
        """Return what a player has left; None without a limit."""
        if color in self._budgets:
            return self._budgets[color]
        terms = self.terms
        if terms.main is None:
            return None
        return TimeBudget(terms.main) if terms.main or not terms.stones else self._period

    def seconds(self, color: Color) -> float | None:
        """Return the most time to use for a player's next move; None without a limit."""
        budget = self.budget(color)
        if budget is None:
            return None
        if budget.stones:
            return max(0.0, min(budget.seconds / budget.stones, budget.seconds - RESERVE))
        share, left = budget.seconds * SHARE + 0.8 * self.terms.increment, budget.seconds
        if self.terms.stones:  # a move may begin in the main time and end in the first period
            each = self._period.seconds / self._period.stones
            share, left = max(share, each), left + each
        return max(0.0, min(share, min(left, self.terms.longest) - RESERVE))

    def spend(self, color: Color, seconds: float) -> None:
        """Subtract the time of a move."""
        budget = self.budget(color)
        if budget is None:
            return
        rest, stones = budget.seconds - seconds, budget.stones
        if rest < 0 and not stones:  # the first period has begun, if there is one
            rest, stones = rest + self._period.seconds, self._period.stones
        if stones:
            # Without a known next period, the rest of the client's one counts as main time.
            is_over = stones == 1 and self.terms.stones > 0
            left = TimeBudget(max(0.0, rest), stones - 1)
            self._budgets[color] = self._period if is_over else left
        else:
            saved = min(max(0.0, rest) + self.terms.increment, self.terms.cap)
            self._budgets[color] = TimeBudget(saved)

    @property
    def _period(self) -> TimeBudget:
        return TimeBudget(self.terms.period, self.terms.stones)


# The session of a client: the game and its history, the clocks, the settings.

DEFAULT_SIDE = 11


class Session:
    """The state of one client."""

    def __init__(self, *, on_change: Callable[["Session"], None] | None = None) -> None:
        """Start with an empty 11x11 board; call `on_change` for each new board or player."""
        self.variant: Variant[Any] = Plain()
        self._history = [GameState.of(Game(Board(DEFAULT_SIDE, DEFAULT_SIDE)))]
        # The state at the end of a loaded record, and how it ended.
        self._recorded: tuple[GameState, Outcome | None] | None = None
        self.own_files: frozenset[Path] = frozenset()  # that hold the game, and may be replaced
        self.record: Game | None = None  # the whole loaded record, with its variations
        # The current question, and its analyses by turn and whether a swap is possible.
        self._analyses: tuple[object, dict[tuple[Color, bool], Analysis]] | None = None
        self.settings = ClientSettings()
        self.clock = GameClock()
        self.call = Call()
        self._on_change = on_change
        self._participant: tuple[tuple[str, str], AnyPlayer] | None = None

    def start(self, board: Board) -> None:
        """Start a new game."""
        self.load([Game(board)])
        self.notify()

    def notify(self) -> None:
        """Call `on_change`, so that the new board or player is prepared."""
        if self._on_change is not None:
            self._on_change(self)

    @property
    def state(self) -> GameState:
        """The current state: the game and the position."""
        return self._history[-1]

    @property
    def board(self) -> Board:
        """The board."""
        return self.state.game.board

    @property
    def position(self) -> Position:
        """The current position."""
        return self.state.position

    @property
    def winner(self) -> Color | None:
        """The winner, by a chain or because the opponent gave up; None if the game is open."""
        return self.state.winner

    @property
    def outcome(self) -> Outcome | None:
        """Who won and how: by the moves, else as the loaded record ends; None if neither says."""
        if self.state.outcome is None and self._recorded is not None:
            state, outcome = self._recorded
            return outcome if state is self.state else None
        return self.state.outcome

    @property
    def result(self) -> str | None:
        """The game's RE: of its outcome, else as the loaded record has it at its end, or None."""
        if self.outcome is not None:
            return self.outcome.result
        if self.record is None or self._recorded is None or self._recorded[0] is not self.state:
            return None
        is_whole = len(self.state.game.moves) == len(self.record.moves)
        return self.record.result if is_whole else None

    @property
    def states(self) -> list[GameState]:
        """The states after no move, after one move, and so on."""
        return [*self._history]

    @property
    def games(self) -> list[Game]:
        """The game in each of `states`."""
        return [state.game for state in self._history]

    def load(
        self, games: Sequence[Game], outcome: Outcome | None = None, record: Game | None = None
    ) -> None:
        """Replace the game, given in the form of `games`, its record and how that ended."""
        start = GameState.of if self.is_ordinary else self.variant.start
        self._history = [start(game) for game in games]
        self._recorded = self.state, outcome
        self.record, self.own_files = record, frozenset()
        self.clock.restart()

    def take_over(self, states: Sequence[GameState]) -> None:
        """Replace the game by its states, the current one last; they may hold sealed bids."""
        self._history, self.record, self.own_files = [*states], None, frozenset()
        self.clock.restart()

    def undo(self) -> bool:
        """Take the last move back; return whether there was one."""
        if len(self._history) == 1:
            return False
        self._history.pop()
        return True

    @property
    def is_ordinary(self) -> bool:
        """Whether the variant has ordinary turns; they are not enforced."""
        return self.variant.name == ALTERNATING

    def append(self, state: GameState) -> None:
        """Append a state, which `undo` removes."""
        self._history.append(state)

    @property
    def state_in_play(self) -> GameState:
        """The last state in which no player has given up: queries continue from there.

        Whoever gives up as the first move of all is to move there, as in the record.
        """
        state, turn = self._last_open, self.position.turn
        if state is self.state or state.position.turn is turn:
            return state
        return replace(
            state, game=state.game.with_turn(turn), position=replace(state.position, turn=turn)
        )

    @property
    def _last_open(self) -> GameState:
        return next(state for state in reversed(self._history) if not state.is_given_up)

    @property
    def winner_on_board(self) -> Color | None:
        """The winner for commands that ignore resignations in games of ordinary turns."""
        return self.state_in_play.winner if self.is_ordinary else self.winner

    def settle_swap(self, color: Color, state: GameState | None = None) -> GameState:
        """Return the state from which a player moves, by default the current one.

        If the player who swapped last moves again, the swap was one of sides, even if the
        client called it a swap of pieces. A swap of sides is never reinterpreted.
        """
        if state is not None and state is not self.state:
            return _with_turn(state, color)
        last = self.state.last
        if last == Move(color, Special.SWAP_PIECES):
            try:
                return self._history[-2].then(Move(color, Special.SWAP_SIDES))
            except IllegalMoveError:
                return self.state
        return _with_turn(self.state, color)

    def play(self, color: Color, action: Cell | Special) -> None:
        """Make a move. Raise IllegalMoveError and change nothing if it is illegal.

        Turns are not enforced, and play may continue in a decided game.
        """
        if action in SWAPS:
            self._refuse_swap()
        before, move = self.settle_swap(color), Move(color, action)
        if before.is_given_up:
            # The game continues, and a record can only end with a resignation: drop it.
            new = _with_turn(self._last_open, color).then(move)
        else:
            new = before.then(move)
        if not move.gives_up:
            self._history[-1] = before
        self.append(new)

    def game_for(self, color: Color) -> Game:
        """Return the game with a player to move, as an engine takes it."""
        game = self.settle_swap(color, self.state_in_play).game
        if game.recorded_turn() is color or (not game.moves and self.position.turn is color):
            return game
        return replace(game, nodes=(*game.nodes, GameNode(len(game.nodes) - 1, turn=color)))

    @property
    def analysis(self) -> "Analysis":
        """Analysis of the position, for questions that do not depend on the turn."""
        return self._analyses_by_side[Color.BLACK, False]

    @property
    def _analyses_by_side(self) -> "dict[tuple[Color, bool], Analysis]":
        position, options = replace(self.position, turn=Color.BLACK), self.settings.options()
        question = position, options, self.settings.solver
        if self._analyses is None or self._analyses[0] != question:
            analysis = begin_analysis(options, position, search=self.settings.solver)
            self._analyses = question, {(Color.BLACK, False): analysis}
        return self._analyses[1]

    def analysis_of(self, color: Color) -> "Analysis":
        """Return the analysis of the position with a player to move, if nobody swaps.

        Results of searches, such as a chance, stay in it until the position changes.
        """
        analyses, analysis = self._analyses_by_side, self.analysis
        analysis.prepare()  # once for both turns
        swap = self.before_swap(color)
        if (color, swap) not in analyses:
            for_turn = analysis if color is analysis.position.turn else analysis.with_turn(color)
            analyses[color, swap] = for_turn.with_end(None, before_swap=swap)
        return analyses[color, swap]

    def before_swap(self, color: Color) -> bool:
        """Return whether a swap may follow, with a player to move."""
        stands = self.state_in_play
        is_next = color is stands.position.turn
        return self.has_swap and is_next and swap_to_come(stands.game)

    @property
    def has_swap(self) -> bool:
        """Whether the game has the swap rule, by the settings or by a record that was loaded."""
        return self.is_ordinary and (self.settings.allow_swap or swaps(self.state.game))

    @property
    def participant(self) -> "AnyPlayer":
        """The player that acts in games of this variant."""
        from player.gtp.thinking import session_participant  # noqa: PLC0415 - loads numba

        question = self.settings.player, self.variant.name
        if self._participant is None or self._participant[0] != question:
            self._participant = question, session_participant(*question)
        return self._participant[1]

    def _refuse_swap(self) -> None:
        if not self.has_swap:
            raise IllegalMoveError("swap is not allowed: see param_game allow_swap")
        if len(self.state_in_play.game.moves) != 1:
            raise IllegalMoveError(NO_SWAP)


def _with_turn(state: GameState, color: Color) -> GameState:
    """Return the state with a turn in its record, if a player moves out of turn after swap-sides.

    Without the turn, a reader of the record would take the swap for one of pieces. Any other
    state is returned unchanged.
    """
    last = state.last
    is_clear = last is None or last.special is not Special.SWAP_SIDES
    if is_clear or state.game.recorded_turn() is color:
        return state
    game = state.game.append_node(GameNode(turn=color))
    return GameState(game, replace(state.position, turn=color))


# The end of the program while our threads are still at work.

NAMES = {"warm", "player"}  # of threads that need not finish


def end_at_once() -> None:
    """Let the program end with success at once, even while such threads run."""
    command.end_at_once(lambda: any(each.name in NAMES for each in threading.enumerate()), 0)


# Compile the kernels while the client starts.


class Warmer:
    """Prepares players for boards, each in its own thread."""

    def __init__(self, announce: Callable[[], None]) -> None:
        """Call `announce` in each thread before it compiles anything."""
        self._announce = announce
        self._requests: set[tuple[Board, str, str]] = set()

    def warm(self, board: Board, spec: str, variant: str = ALTERNATING) -> None:
        """Prepare a player for a board, unless that was done before."""
        each = board, spec, variant
        if each not in self._requests:
            self._requests.add(each)
            threading.Thread(target=self._run, args=each, name="warm", daemon=True).start()

    def _run(self, board: Board, spec: str, variant: str) -> None:
        from player.gtp.thinking import prepare  # noqa: PLC0415 - loads numba

        self._announce()
        prepare(board, spec, variant)
