"""What the questions of all pages share: analyses, engines, and games with secrets."""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.answers.limits import HSearchOptions
from player.board.threads import BoardJob
from player.engine.levels import LevelSpec

if TYPE_CHECKING:
    from player.answers.knowledge import Analysis
    from player.variants.bidding import BiddingState
    from player.variants.dark import Dark, DarkState

T = TypeVar("T")

# The analyses made last, kept by position, up to a number of bytes.

MOST_BYTES = 128_000_000


class Analyses:
    """Holds the analyses of all pages. Threads may share it.

    Whoever is to move, the connections are the same, so they are found once. What else is known
    of either turn stays with it, such as the chance that a search has found.
    """

    def __init__(
        self, make: "Callable[[Position], Analysis]", most_bytes: int = MOST_BYTES
    ) -> None:
        """Make analyses by `make`; forget those used longest ago beyond this many bytes."""
        self._make, self._most = make, most_bytes
        self._kept: OrderedDict[Position, dict[Color, Analysis]] = OrderedDict()
        self._sizes: dict[Position, int] = {}
        self._lock = Lock()

    @property
    def bytes(self) -> int:
        """Bytes of the connections that are kept."""
        return sum([*self._sizes.values()])

    def forget(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._kept.clear()
            self._sizes.clear()

    def of(self, position: Position) -> "Analysis":
        """Return the analysis of a position, with all of it computed that takes time."""
        key = replace(position, turn=Color.BLACK)
        with self._lock:
            known = self._kept.get(key)
        if known is None:
            made = self._make(key)
            _ = made.stores, made.circuits, made.deduced
            known = {Color.BLACK: made}
        with self._lock:
            known = self._kept.setdefault(key, known)  # another thread may have been faster
            self._kept.move_to_end(key)
            if position.turn not in known:
                known[position.turn] = known[Color.BLACK].with_turn(position.turn)
        analysis = known[position.turn]
        _ = analysis.filled
        with self._lock:
            self._bound(key)
        return analysis

    def _bound(self, key: Position) -> None:
        """Measure an analysis; forget those used longest ago, if they are too large together."""
        if key in self._kept:
            self._sizes[key] = _bytes_of(self._kept[key].values())
        total = self.bytes
        while total > self._most and len(self._kept) > 1:
            old, _ = self._kept.popitem(last=False)
            total -= self._sizes.pop(old, 0)


def _bytes_of(analyses: "Iterable[Analysis]") -> int:
    """Return the bytes of the connections found by now, those that analyses share counted once."""
    boards = (each for one in analyses for each in (one, vars(one).get("filled")))
    stores = {id(store): store for each in boards if each for store in each.stores.values()}
    return sum(store.memory.nbytes + store.log.nbytes for store in stores.values())


# The engines that a page may ask: a fixed list, for a text could name any program.

Spec: TypeAlias = LevelSpec | Literal["hexy"]
BidderSpec: TypeAlias = Literal["bidding:fillings=3000", "bidding"]
DarkSpec: TypeAlias = Literal["belief", "blind", "random"]


class EngineSeats:
    """Holds each engine that has played, which remembers what it has proved. Threads may share it.

    One question at a time is put to an engine.
    """

    def __init__(self) -> None:
        """Hold none yet."""
        self._kept: dict[tuple[str, str], tuple[Any, Lock]] = {}
        self._preparing: dict[tuple[str, str, Board], Thread] = {}
        self._listening: dict[tuple[str, str, Board], BoardJob] = {}
        self._lock = Lock()

    @contextmanager
    def of(self, spec: str, variant: str, board: "Board") -> Iterator[Any]:
        """Give an engine of a variant, ready to play on a board.

        Raise ValueError when it fails, as one whose net is for boards of another size.
        """
        from player.engine.player import PlayerError  # noqa: PLC0415 - it loads numba
        from player.engine.spec import participant  # noqa: PLC0415

        with self._lock:
            if (spec, variant) not in self._kept:
                self._kept[spec, variant] = participant(spec, variant), Lock()
            engine, lock = self._kept[spec, variant]
        with lock:
            try:
                engine.prepare(board)
                yield engine
            except PlayerError as error:
                raise ValueError(f"{spec}: {error}") from None

    @property
    def is_preparing(self) -> bool:
        """Whether a thread prepares an engine."""
        return any(thread.is_alive() for thread in [*self._preparing.values()])

    def is_ready(
        self, spec: str, variant: str, board: "Board", patience: float, job: BoardJob
    ) -> bool:
        """Prepare an engine in a thread; return whether it is ready in so many seconds.

        The last job to ask hears how far compiling is, as long as it listens.
        """
        from player.console.compiling import announcing  # noqa: PLC0415 - it loads numba

        key = spec, variant, board

        def tell(message: dict[str, Any]) -> None:
            self._listening[key].tell(message)

        def prepare() -> None:
            with announcing(tell), suppress(ValueError), self.of(spec, variant, board):
                pass  # what is wrong with it is raised to whoever plays

        with self._lock:
            self._listening[key] = job
            thread = self._preparing.get(key)
            if thread is None:
                thread = self._preparing[key] = Thread(target=prepare, daemon=True)
                thread.start()
        thread.join(patience)
        return not thread.is_alive()


# Hidden stones and sealed bids. They stay here: a page gets what one seat knows, and no more.
#
# Each seat has a key, so that a page sees only through the eyes whose key it has. A
# seat for somebody at another page has an invitation instead, which is good for one.

MOST_GAMES = 16


@dataclass
class SharedDarkGame:
    """A game under way; `lock` is held while it changes.

    engines  the seats that engines have, by the name of the engine
    keys     the key of each seat that a person has
    invited  the seat that somebody at another page may still take, by the invitation
    looked   the state at which each seat was shown what it knows
    left     the seat whose person has ended the game first
    """

    variant: "Dark"
    state: "DarkState"
    engines: dict[Color, str]
    keys: dict[Color, str]
    looked: dict[Color, "DarkState"] = field(init=False)
    invited: dict[str, Color] = field(default_factory=dict)
    left: Color | None = None
    lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        """Nobody has seen anything yet."""
        self.looked = dict.fromkeys(Color, self.state)


class _Held(Generic[T]):
    """Holds what was begun last, by names that nobody guesses. Threads may share it."""

    def __init__(self) -> None:
        """Hold nothing yet."""
        self._kept: OrderedDict[str, T] = OrderedDict()
        self._lock = Lock()

    def add(self, thing: T) -> str:
        """Hold a thing; return the name by which it is asked about."""
        name = new_key()
        with self._lock:
            self._kept[name] = thing
            while len(self._kept) > MOST_GAMES:
                self._kept.popitem(last=False)
        return name


class DarkGames(_Held[SharedDarkGame]):
    """Holds the games begun last."""

    def join(self, invitation: str) -> tuple[str, SharedDarkGame, Color]:
        """Return the name of a game and the seat that an invitation is for; it is void then.

        Raise ValueError when there is none, or somebody has come already.
        """
        with self._lock:
            for name, game in self._kept.items():
                for known in game.invited:
                    if secrets.compare_digest(known.encode(), invitation.encode()):
                        color = game.invited.pop(known)
                        game.keys[color] = new_key()
                        return name, game, color
        raise ValueError("that seat is taken, or there is no such game any more")

    def admits(self, invitation: str, name: str, key: str) -> bool:
        """Return whether an invitation is good still, or else a key is of a seat of a game."""
        if not invitation:
            with suppress(ValueError):
                self.of(name, key)
                return True
            return False
        with self._lock:
            games = list(self._kept.values())
        return any(
            secrets.compare_digest(known.encode(), invitation.encode())
            for game in games
            for known in list(game.invited)
        )

    def of(self, name: str, key: str) -> tuple[SharedDarkGame, Color]:
        """Return a game and whose key it is. Raise ValueError when there is no such seat."""
        with self._lock:
            game = self._kept.get(name)
        if game is None:
            raise ValueError("no such game is under way here: begin a new one")
        for color, seat in [*game.keys.items()]:  # somebody may join meanwhile
            if secrets.compare_digest(seat.encode(), key.encode()):
                return game, color
        raise ValueError("that is not a seat of this game")


class SealedBids(_Held["BiddingState"]):
    """Holds the games in which one of two people at a page has bid."""

    @contextmanager
    def opened(self, name: str) -> Iterator["BiddingState"]:
        """Give a state, for one use that succeeds. Raise ValueError when there is none."""
        with self._lock:
            state = self._kept.get(name)
            if state is None:
                raise ValueError("no such bid is sealed here: both bid anew")
            yield state
            del self._kept[name]


def new_key() -> str:
    """Return a key for a seat."""
    return secrets.token_urlsafe(12)


# The desk: all of these, and what the command line named.


@dataclass(frozen=True, slots=True)
class Desk:
    """Shared by all pages.

    first     the game that the command line named, as the page has games
    warnings  what was odd about it
    seats     the engines that play
    dark      games of hidden stones, which no page may hold
    sealed    bids that are sealed, which no page may hold either
    start     a position to analyze before anybody asks: that of the first page
    """

    first: dict[str, Any]
    warnings: tuple[str, ...] = ()
    seats: EngineSeats = field(default_factory=EngineSeats)
    dark: DarkGames = field(default_factory=DarkGames)
    sealed: SealedBids = field(default_factory=SealedBids)
    start: Position | None = None
    analyses: Analyses = field(default_factory=lambda: Analyses(_analysis()))

    def forget(self) -> None:
        """Forget what was analyzed and proved, to free memory."""
        from player.answers.memory import MEMORY  # noqa: PLC0415 - it loads numba

        self.analyses.forget()
        MEMORY.forget()


def _analysis() -> "Callable[[Position], Analysis]":
    """Return what analyzes as the command line does by default.

    Nothing is loaded before the first question.
    """

    def analysis(position: Position) -> "Analysis":
        from player.answers.knowledge import SEARCH_SECONDS  # noqa: PLC0415 - it loads numba

        return HSearchOptions.of({}).analysis(position, search=SEARCH_SECONDS)

    return analysis
