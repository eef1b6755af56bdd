"""The state that all pages share: analyses, engines, and games with hidden information."""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar

from hsearch.hex import Board, Color, Position
from hsearch.kernels.stop import holding
from player.answers.limits import begin_analysis, options_of
from player.board.threads import BoardJob
from player.engine.levels import LevelSpec, QuickBidder

if TYPE_CHECKING:
    from player.answers.analysis import Analysis
    from player.engine.player import AnyPlayer
    from player.variants.bidding import BiddingState
    from player.variants.dark import Dark, DarkState

T = TypeVar("T")

# The latest analyses, by position, within a limit of bytes.

MOST_BYTES = 128_000_000


class Analyses:
    """Holds the analyses of all pages. Threads may share it.

    The connections do not depend on the turn, so they are computed once. Each turn keeps its own
    other results, such as the chance that a search has found.
    """

    def __init__(
        self, make: "Callable[[Position], Analysis]", most_bytes: int = MOST_BYTES
    ) -> None:
        """Make analyses by `make`; beyond `most_bytes`, drop the least recently used."""
        self._make, self._most = make, most_bytes
        self._analyses: OrderedDict[Position, dict[Color, Analysis]] = OrderedDict()
        self._sizes: dict[Position, int] = {}
        self._lock = Lock()

    @property
    def bytes(self) -> int:
        """Bytes of all stored connections."""
        return sum([*self._sizes.values()])

    def forget(self) -> None:
        """Drop all analyses."""
        with self._lock:
            self._analyses.clear()
            self._sizes.clear()

    def of(self, position: Position) -> "Analysis":
        """Return the analysis of a position, with its expensive parts computed."""
        key = replace(position, turn=Color.BLACK)
        with self._lock:
            by_turn = self._analyses.get(key)
        if by_turn is None:
            first = self._make(position)
            first.prepare()  # before other threads share what has no turn
            by_turn = {position.turn: first}
        with self._lock:
            by_turn = self._analyses.setdefault(key, by_turn)  # another thread may have been faster
            self._analyses.move_to_end(key)
            if position.turn not in by_turn:
                by_turn[position.turn] = _any_turn(by_turn).with_turn(position.turn)
        analysis = by_turn[position.turn]
        analysis.prepare()  # if it is new: regions may be filled for one turn alone
        with self._lock:
            self._bound(key)
        return analysis

    def _bound(self, key: Position) -> None:
        """Measure an analysis; drop the least recently used while the total is too large."""
        if key in self._analyses:
            self._sizes[key] = _any_turn(self._analyses[key]).turnless.nbytes
        total = self.bytes
        while total > self._most and len(self._analyses) > 1:
            old, _ = self._analyses.popitem(last=False)
            total -= self._sizes.pop(old, 0)


def _any_turn(by_turn: "dict[Color, Analysis]") -> "Analysis":
    return next(iter(by_turn.values()))


# The engines that a page may use: a fixed list, because a free text could name any program.

Spec: TypeAlias = LevelSpec | Literal["hexy"]
BidderSpec: TypeAlias = QuickBidder | Literal["bidding"]
DarkSpec: TypeAlias = Literal["belief", "blind", "random"]


class EngineSeats:
    """Holds each engine that has played, with its proofs. Threads may share it.

    An engine serves one question at a time.
    """

    def __init__(self) -> None:
        """Hold none yet."""
        self._engines: dict[tuple[str, str], tuple[AnyPlayer, Lock]] = {}
        self._preparing: dict[tuple[str, str, Board], Thread] = {}
        self._listening: dict[tuple[str, str, Board], BoardJob] = {}
        self._lock = Lock()

    @contextmanager
    def of(self, spec: str, variant: str, board: "Board") -> "Iterator[AnyPlayer]":
        """Lock and yield an engine of a variant, prepared for a board.

        Raise ValueError when it fails, for example because its net is for another board size, and
        Stopped if the work of this thread is canceled while another question has the engine.
        """
        from player.engine.player import PlayerError  # noqa: PLC0415 - loads numba
        from player.engine.spec import participant  # noqa: PLC0415

        with self._lock:
            if (spec, variant) not in self._engines:
                self._engines[spec, variant] = participant(spec, variant), Lock()
            engine, lock = self._engines[spec, variant]
        with holding(lock):
            try:
                engine.prepare(board)
                yield engine
            except PlayerError as error:
                raise ValueError(f"{spec}: {error}") from None

    @property
    def is_preparing(self) -> bool:
        """Whether a thread is preparing an engine."""
        return any(thread.is_alive() for thread in [*self._preparing.values()])

    def is_ready(
        self, spec: str, variant: str, board: "Board", patience: float, job: BoardJob
    ) -> bool:
        """Prepare an engine in a thread; return whether it is ready within `patience` seconds.

        The last job to call this receives the progress of compiling.
        """
        from player.console.compiling import announcing  # noqa: PLC0415 - loads numba

        key = spec, variant, board

        def tell(message: dict[str, Any]) -> None:
            if (listener := self._listening.get(key)) is not None:
                listener.tell(message)

        def prepare() -> None:
            with announcing(tell), suppress(Exception), self.of(spec, variant, board):
                pass  # an error is raised again when somebody plays
            with self._lock:
                self._listening.pop(key, None)  # a job holds its page

        with self._lock:
            thread = self._preparing.get(key)
            if thread is None or thread.is_alive():
                self._listening[key] = job
            if thread is None:
                thread = self._preparing[key] = Thread(target=prepare, daemon=True)
                thread.start()
        thread.join(patience)
        return not thread.is_alive()


# Hidden stones and sealed bids. They stay on the server: a page gets only what one seat knows.
#
# Each seat has a key, and a page sees only the seats whose keys it has. A seat for
# a person at another page has an invitation instead, which admits one page.

MOST_GAMES = 16


@dataclass
class SharedDarkGame:
    """A game under way.

    engines      the name of the engine, by seat
    keys         the key of each seat that a person has
    last_states  the state in which each seat was last shown its view
    invitations  the open seat for a person at another page, by invitation
    leaver       the first seat whose person has left; None if nobody has
    turn_lock    held during an attempt, which takes seconds while an engine thinks
    view_lock    held to set or show the state
    """

    variant: "Dark"
    state: "DarkState"
    engines: dict[Color, str]
    keys: dict[Color, str]
    last_states: dict[Color, "DarkState"] = field(init=False)
    invitations: dict[str, Color] = field(default_factory=dict)
    leaver: Color | None = None
    turn_lock: Lock = field(default_factory=Lock)
    view_lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        """Begin with no news for either seat."""
        self.last_states = dict.fromkeys(Color, self.state)


class _Shelf(Generic[T]):
    """Holds the latest things, under unguessable names. Threads may share it."""

    def __init__(self) -> None:
        """Hold nothing yet."""
        self._things: OrderedDict[str, T] = OrderedDict()
        self._visitors: dict[str, Event] = {}  # by name: `departure` of the visitor that stored it
        self._lock = Lock()

    def add(self, thing: T, departure: Event | None = None) -> str:
        """Store a thing; return its name.

        A visitor, whose page sets `departure` when it closes, holds one thing until then: only its
        own next one replaces it. All others replace each other, the oldest first.
        """
        name = new_key()
        with self._lock:
            if departure is not None:
                for own in [name for name, other in self._visitors.items() if other is departure]:
                    self._drop(own)
                self._visitors[name] = departure
            self._things[name] = thing
            visitors = {name for name, other in self._visitors.items() if not other.is_set()}
            others = [name for name in self._things if name not in visitors]
            for old in others[: max(0, len(others) - MOST_GAMES)]:
                self._drop(old)
        return name

    def _drop(self, name: str) -> None:
        del self._things[name]
        self._visitors.pop(name, None)


class DarkGames(_Shelf[SharedDarkGame]):
    """Holds the latest games of hidden stones."""

    def join(self, invitation: str) -> tuple[str, SharedDarkGame, Color]:
        """Use up an invitation; return the name of its game, the game, and the seat.

        Raise ValueError when there is no such invitation, or it is used up.
        """
        with self._lock:
            for name, game in self._things.items():
                for candidate in game.invitations:
                    if secrets.compare_digest(candidate.encode(), invitation.encode()):
                        color = game.invitations.pop(candidate)
                        game.keys[color] = new_key()
                        return name, game, color
        raise ValueError("that seat is taken, or there is no such game any more")

    def admits(self, invitation: str, name: str, key: str) -> bool:
        """Return whether the invitation is valid; without one, whether the key of a seat is."""
        if not invitation:
            with suppress(ValueError):
                self.of(name, key)
                return True
            return False
        with self._lock:
            games = list(self._things.values())
        return any(
            secrets.compare_digest(candidate.encode(), invitation.encode())
            for game in games
            for candidate in list(game.invitations)
        )

    def of(self, name: str, key: str) -> tuple[SharedDarkGame, Color]:
        """Return a game and the seat of a key. Raise ValueError when there is none."""
        with self._lock:
            game = self._things.get(name)
        if game is None:
            raise ValueError("no such game is under way here: begin a new one")
        for color, seat in [*game.keys.items()]:  # somebody may join meanwhile
            if secrets.compare_digest(seat.encode(), key.encode()):
                return game, color
        raise ValueError("that is not a seat of this game")


class SealedBids(_Shelf["BiddingState"]):
    """Holds the games in which one of two people at a page has bid and the other has not."""

    @contextmanager
    def take(self, name: str) -> Iterator["BiddingState"]:
        """Yield a state, and drop it unless the block fails. Raise ValueError if there is none."""
        with self._lock:
            state = self._things.get(name)
            if state is None:
                raise ValueError("no such bid is sealed here: both bid anew")
            yield state
            self._drop(name)


def new_key() -> str:
    """Return a key for a seat."""
    return secrets.token_urlsafe(12)


# The desk: all of these, and the game of the command line.


@dataclass(frozen=True, slots=True)
class Desk:
    """State shared by all pages.

    first     the game that the command line named, as a JSON object for the page
    warnings  warnings about that game
    seats     the engines that play
    dark      games of hidden stones, which no page may hold
    bids      sealed bids, which no page may hold either
    start     the position of the first page, analyzed in advance; None for none
    """

    first: dict[str, Any]
    warnings: tuple[str, ...] = ()
    seats: EngineSeats = field(default_factory=EngineSeats)
    dark: DarkGames = field(default_factory=DarkGames)
    bids: SealedBids = field(default_factory=SealedBids)
    start: Position | None = None
    analyses: Analyses = field(default_factory=lambda: Analyses(_analyze))

    def forget(self) -> None:
        """Drop all analyses and proofs, to free memory."""
        from player.answers.memory import MEMORY  # noqa: PLC0415 - loads numba

        self.analyses.forget()
        MEMORY.forget()


def _analyze(position: Position) -> "Analysis":
    """Begin to analyze a position as the command line does."""
    from player.answers.analysis import SEARCH_SECONDS  # noqa: PLC0415 - loads numba

    return begin_analysis(options_of({}), position, search=SEARCH_SECONDS)
