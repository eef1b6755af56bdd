"""Players without H-search: random, an evaluator, fillings, a bare policy, or a user's code."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from numbers import Integral
from operator import index
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from hsearch.hex import MAX_SIDE, Board, Cell, Game, Position, Special
from hsearch.hex.frame import Frame
from hsearch.kernels import stop
from player.engine.hexy import opening, search_within, value_reason, winner_of
from player.engine.player import (
    Choice,
    MoveRequest,
    Player,
    PlayerError,
    PlayerFileError,
    Rationale,
    ReadyParticipant,
)
from player.evaluate.exact import ENOUGH, count_or_draw
from player.evaluate.fillings import FillingMethod, Odds
from player.evaluate.net import NetError, features, forward, load_net
from player.evaluate.patterns import PatternError
from player.evaluate.policy import AnyNet, PolicyNet, read_any_net
from player.search.settings import SearchResult, SearchSettings
from player.search.tree import TreeFindings
from player.work.clock import kernels_within, now
from player.work.naming import FileError, PlayerKind, SpecError, is_own, own

T = TypeVar("T")


class RandomPlayer(ReadyParticipant):
    """Plays every empty cell with the same probability; never swaps."""

    def __init__(self, *, name: str = "random") -> None:
        """Take the player's name for records."""
        self.name = name

    def choose(self, game: Game, _terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return a random move."""
        cell = int(generator.choice(list(game.position().empty.search(1))))
        name = game.board.name(cell)
        return Choice(cell, Rationale(f"{name}, chosen at random.", line=(cell,)))


# The player `ab`: alpha-beta with a classic evaluator and an ordering.

EVERY_MOVE = (MAX_SIDE**2,)  # as wide as the largest board has cells


class ClassicPlayer(ReadyParticipant):
    """Searches every move to one depth, as the programs of the sources do.

    Each move has a new random seed.
    """

    def __init__(self, settings: SearchSettings, *, opens: bool = True, name: str = "ab") -> None:
        """Take the search settings; with `opens`, the opening maps decide first move and swap."""
        self.name = name
        self.settings = settings
        self.opens = opens

    def prepare(self, board: Board) -> None:
        """Compile the kernels. Raise PlayerError when a user's evaluator fails."""
        search_within(Position.of(board), replace(self.settings, depth=2, widths=(1,)))

    def choose(self, game: Game, terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return an opening move, a swap, or the best move of the search.

        Raise PlayerError when a user's evaluator fails.
        """
        position = game.position()
        choice = opening(position, terms) if self.opens else None
        if choice is not None:
            return choice
        settings = replace(self.settings, seed=int(generator.integers(1 << 62)))
        findings = search_within(position, settings, terms)
        winner = winner_of(findings, position)
        if winner is None:
            reason = value_reason(findings, position, settings)
        else:
            reason = f"Searched to the end: {winner.word} wins."
        return Choice(findings.move, Rationale(reason, winner, findings.line, findings=findings))


# Players that play the cell most often critical in fillings of the rest of the board.
#
# If a coin decides each cell, that is the best move at random turns (Peres, Schramm,
# Sheffield and Wilson 2007); with equal numbers of stones it is Cohen's method for
# ordinary turns.


class FillingsPlayer(ReadyParticipant):
    """Counts or draws fillings anew for each move."""

    def __init__(self, method: FillingMethod, fillings: int | None = None, *, name: str) -> None:
        """Draw this many fillings; None means all of them if they can be counted."""
        self.name = name
        self.method = method
        self.fillings = fillings

    def prepare(self, board: Board) -> None:
        """Compile the kernels for counting and for sampling, and build the tables for counting."""
        position, generator = Position.of(board), np.random.default_rng(0)
        self.untimed_odds(position, generator, lambda: True)
        count_or_draw(position, generator, fillings=1, method=self.method)

    def choose(self, game: Game, terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return the cell most often critical; of exact equals, a random one."""
        odds = self.odds(game.position(), terms, generator)
        cell = int(generator.choice(odds.best())) if odds.is_exact else odds.rank()[0]
        return Choice(cell, Rationale(_reason(odds, cell), line=(cell,)))

    def odds(self, position: Position, terms: MoveRequest, generator: np.random.Generator) -> Odds:
        """Return the odds of a position, from fewer fillings when time is short.

        If counting all fillings takes more than half of the time, sample instead.
        """
        begin, half = now(), None if terms.seconds is None else terms.seconds / 2

        def is_enough() -> bool:
            is_late = half is not None and now() - begin > half
            return is_late or (terms.cancel is not None and terms.cancel.is_set())

        try:
            with stop.stopping(terms.cancel), kernels_within(half):
                return self.untimed_odds(position, generator, is_enough)
        except stop.Stopped:
            stop.check()  # raises if the move was canceled, not only late
        return count_or_draw(
            position, generator, fillings=ENOUGH, method=self.method, is_enough=is_enough
        )

    def untimed_odds(
        self,
        position: Position,
        generator: np.random.Generator,
        is_enough: Callable[[], bool] | None = None,
    ) -> Odds:
        """Return the odds of a position, by this player's method and number of fillings."""
        return count_or_draw(
            position,
            generator,
            fillings=self.fillings,
            method=self.method,
            is_enough=is_enough,
        )


def _reason(odds: Odds, cell: int) -> str:
    name, mover = odds.position.board.name(cell), odds.position.turn
    how = "all fillings" if odds.fillings is None else f"{odds.fillings:,} fillings"
    kind = "balanced " if odds.balanced else ""
    return (
        f"{mover.title} wins {100 * odds.chance(mover):.2f} % of the {kind}fillings; "
        f"{name} is critical in {100 * odds.critical[cell]:.2f} % ({how})."
    )


# A user's player: `py:FILE.py:NAME`.


class OwnPlayer(ReadyParticipant):
    """Plays the cell that a user's function of a position and a generator returns; never swaps."""

    def __init__(
        self, function: Callable[[Position, np.random.Generator], Cell | str], *, name: str
    ) -> None:
        """Take the function, which returns the name or the number of a cell."""
        self.name = name
        self.function = function

    def choose(self, game: Game, _terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return the move. Raise PlayerError if the function fails or the move is not legal."""
        position = game.position()
        answer = _call(self.name, lambda: self.function(position, generator))
        if isinstance(answer, bool):  # which `index` takes for 0 or 1
            raise PlayerError(f"{self.name} returned {answer!r}, which is not a cell")
        try:
            cell = position.board.cell(answer) if isinstance(answer, str) else index(answer)
        except (TypeError, ValueError) as error:
            raise PlayerError(f"{self.name} returned {answer!r}: {error}") from error
        if not position.is_legal(cell):
            raise PlayerError(f"{self.name} returned {answer!r}, where no stone may be placed")
        name = position.board.name(cell)
        return Choice(cell, Rationale(f"{name}, chosen by {self.name}.", line=(cell,)))


_METHODS = ("prepare", "choose", "close")


def own_player(place: str, *, name: str) -> Player:
    """Return the player that a Python file defines: by a function, or by a class to call.

    Raise SpecError when the file cannot be run or lacks the name, or the class fails.
    """
    if not is_own(place):
        raise SpecError(f"a player of your own is named py:FILE.py:NAME, not {name!r}")
    try:
        value = own(place)
    except ValueError as error:
        raise SpecError(str(error)) from error
    if not isinstance(value, type):
        return OwnPlayer(value, name=name)
    try:
        instance: Player = value()
        instance.name = name  # for results
    except (Exception, SystemExit) as error:
        raise SpecError(f"{name}: {type(error).__name__}: {error}") from error
    lacking = [each for each in _METHODS if not callable(getattr(instance, each, None))]
    if lacking:
        raise SpecError(f"{name} has no method {lacking[0]} (a player has {', '.join(_METHODS)})")
    return OwnClassPlayer(instance, name=name)


class OwnClassPlayer:
    """An instance of a user's class as a player; its claims about the winner are not proofs."""

    def __init__(self, player: Player, *, name: str) -> None:
        """Take the instance, and the player's name for results."""
        self._player, self.name = player, name

    def prepare(self, board: Board) -> None:
        """Prepare the instance. Raise PlayerError when that fails."""
        _call(self.name, lambda: self._player.prepare(board))

    def choose(self, game: Game, terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return its choice. Raise PlayerError when it fails or does not return a Choice."""
        choice = _call(self.name, lambda: self._player.choose(game, terms, generator))
        if not isinstance(choice, Choice):
            raise PlayerError(f"{self.name} returned {choice!r}, which is not an hsearch.Choice")
        action, account = choice.action, choice.account
        if not isinstance(action, Special | Integral) or isinstance(action, bool):
            raise PlayerError(
                f"{self.name} chose {action!r}: not the number of a cell, and not a swap"
            )
        if not isinstance(account, Rationale) or not isinstance(account.reason, str):
            raise PlayerError(f"{self.name} gave {account!r}, where a Rationale gives the reason")
        is_ours = isinstance(account.findings, SearchResult | TreeFindings)
        findings = account.findings if is_ours else None
        account = replace(account, winner=None, hold=None, findings=findings)
        return replace(choice, account=account)

    def close(self) -> None:
        """Release its resources; an error here does not lose a game."""
        with suppress(PlayerError):
            _call(self.name, self._player.close)


def _call(name: str, question: Callable[[], T]) -> T:
    """Return the result of a user's code. Raise PlayerError, with `name`, when it fails."""
    try:
        return question()
    except (PlayerError, stop.Stopped):
        raise
    except (Exception, SystemExit) as error:
        raise PlayerError(f"{name}: {type(error).__name__}: {error}") from error


# The player `policy`: the first choice of a net, without a search and without a proof.
#
# It uses the net's definition in plain numpy, so nothing is compiled: it answers at
# once, in a tenth of a second on 11x11. So it stands in for a player whose kernels are
# still being compiled. With a third-party net, `policy:net=FILE.onnx`, it plays that
# net's bare policy.


POLICY_SPEC = "policy"
PATIENCE = 2.0  # seconds to wait for a player that compiles, before this one moves


class PolicyPlayer(ReadyParticipant):
    """Plays the empty cell that its net prefers; opens and swaps by the opening maps."""

    def __init__(self, net: AnyNet, *, name: str = POLICY_SPEC) -> None:
        """Take the net, and the player's name for records."""
        self.net, self.name = net, name

    def prepare(self, board: Board) -> None:
        """Raise PlayerFileError when the net does not fit the board."""
        if isinstance(self.net, PolicyNet):
            try:
                self.net.expect(board)
            except NetError as error:
                raise PlayerFileError(str(error)) from error

    def choose(self, game: Game, terms: MoveRequest, _generator: np.random.Generator) -> Choice:
        """Return a first move, a swap or the net's choice. Raise PlayerFileError if that fails."""
        position = game.position()
        choice = opening(position, terms)
        if choice is not None:
            return choice
        logits = self._logits(position)
        empty = list(position.empty.search(1))
        cell = empty[int(np.argmax(logits[empty]))]
        reason = f"{position.board.name(cell)} is the first choice of the net, without a search."
        return Choice(cell, Rationale(reason, line=(cell,)))

    def _logits(self, position: Position) -> NDArray[np.float64]:
        """Return the net's logit for each cell of the board."""
        planes = features(position)
        if not isinstance(self.net, PolicyNet):
            logits = forward(self.net, planes).policy
        else:
            try:
                logits = self.net.logits(planes)
            except NetError as error:
                raise PlayerFileError(str(error)) from error
        flat = logits.ravel().astype(np.float64)
        return Frame.of(position, position.turn).back(flat)


def stand_in() -> PolicyPlayer | None:
    """Return the player that moves while another is prepared; None if no net is installed."""
    net = load_net()
    return None if net is None else PolicyPlayer(net)


def stand_in_words(name: str) -> str:
    """Return the message for a move that was made in place of the player with this name."""
    return f"That was the net's first choice, without a search: {name} is being prepared."


# The options `net`, which `tree` has as well, and `patterns`, which only `tree` has.


def file_or_shipped(
    what: str, load_shipped: Callable[[], T | None], read: Callable[[Path], T]
) -> Callable[[str], T | None]:
    """Return the reader of an option that names a file, `shipped`, or `none`, which is None.

    It raises ValueError if none is installed, and FileError if the file cannot be used.
    """

    def resolve(text: str) -> T | None:
        if text == "none":
            return None
        if text == "shipped":
            thing = load_shipped()
            if thing is None:
                raise ValueError(f"no {what} came with this copy of hsearch")
            return thing
        try:
            return read(Path(text))
        except (NetError, PatternError) as error:
            raise FileError(str(error)) from None

    return resolve


net_named = file_or_shipped("net", load_net, read_any_net)


def _policy(spec: str, options: dict[str, Any]) -> PolicyPlayer:
    net = options.get("net", load_net())
    if net is None:
        raise SpecError(f"{spec!r}: it plays by a net alone: policy:net=FILE")
    return PolicyPlayer(net, name=spec)


POLICY: PlayerKind[Player] = ({"net": net_named}, _policy)
