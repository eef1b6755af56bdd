"""Players without H-search: chance, an evaluator, fillings, a bare policy, or a user's code."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from numbers import Integral
from operator import index
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsearch.hex.board import MAX_SIDE, Board, Cell, Color
from hsearch.hex.frame import Frame
from hsearch.hex.game import Game
from hsearch.hex.move import Special
from hsearch.hex.position import Position
from hsearch.kernels import stop
from hsearch.kernels.stop import Stopped
from player.engine.hexy import opening, search_within
from player.engine.player import (
    Choice,
    MoveRequest,
    Player,
    PlayerError,
    PlayerFileError,
    Rationale,
    ReadyParticipant,
    ahead,
    unsearched,
)
from player.evaluate.exact import ENOUGH, weigh
from player.evaluate.fillings import FillingMethod, Odds
from player.net.net import NetError, features, forward, shipped_net
from player.net.policy import AnyNet, PolicyNet, read_any_net
from player.search.settings import SearchResult, SearchSettings, is_loss, is_win
from player.search.tree import TreeFindings
from player.variants import FileError, Kind, SpecError
from player.work.clock import kernels_within, now
from player.work.own import is_own, own


class RandomPlayer(ReadyParticipant):
    """Plays every empty cell with the same chance; never swaps."""

    def __init__(self, *, name: str = "random") -> None:
        """Take the name by which a record calls the player."""
        self.name = name

    def choose(self, game: Game, _terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return a random move."""
        cell = int(generator.choice(list(game.position().empty.search(1))))
        name = game.board.name(cell)
        return Choice(cell, Rationale(f"{name}, chosen at random.", line=(cell,)))


# The player `ab`: alpha-beta with a classic evaluator and an ordering.

EVERY_MOVE = (MAX_SIDE**2,)  # as many as the largest board has cells


class ClassicPlayer(ReadyParticipant):
    """Searches every move to one depth, as the programs of the sources do.

    What is left to chance is drawn anew for each move.
    """

    def __init__(self, settings: SearchSettings, *, opens: bool = True, name: str = "ab") -> None:
        """Search so; with `opens` the first move and the swap follow the maps of openings."""
        self.name = name
        self.settings = settings
        self.opens = opens

    def prepare(self, board: Board) -> None:
        """Compile the kernels. Raise PlayerError when a user's evaluator fails."""
        search_within(Position.of(board), replace(self.settings, depth=2, widths=(1,)))

    def choose(self, game: Game, terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return the first move, a swap, or the best move that the search finds.

        Raise PlayerError when a user's evaluator fails.
        """
        position = game.position()
        choice = opening(position, terms) if self.opens else None
        if choice is not None:
            return choice
        settings = replace(self.settings, seed=int(generator.integers(1 << 62)))
        findings = search_within(position, settings, terms)
        mover, name = position.turn, position.board.name(findings.move)
        winner = mover if is_win(findings.score) else None
        winner = mover.opponent if is_loss(findings.score) else winner
        if winner is None and findings.depth == 0:
            reason = unsearched(name)
        elif winner is None:
            value = -findings.score if mover is Color.BLACK else findings.score
            reason = (
                f"Estimated by {settings.evaluator}: {value:+z.2f} after {name}, "
                f"{ahead(findings.depth)} (below 0 is good for Black)."
            )
        else:
            reason = f"Searched to the end: {winner.word} wins."
        return Choice(findings.move, Rationale(reason, winner, findings.line, findings=findings))


# Players that play the cell most often critical in fillings of the rest of the board.
#
# With a coin for each cell that is the best move at random turns (Peres, Schramm,
# Sheffield and Wilson 2007); with as many stones of each color it is Cohen's way
# to play by ordinary turns.


class FillingsPlayer(ReadyParticipant):
    """Counts or draws fillings anew for each move."""

    def __init__(self, method: FillingMethod, fillings: int | None = None, *, name: str) -> None:
        """Draw this many fillings; None is all of them, where they can be counted."""
        self.name = name
        self.method = method
        self.fillings = fillings

    def prepare(self, board: Board) -> None:
        """Compile the kernels, also of what is drawn in haste, and make the tables to count all."""
        position, generator = Position.of(board), np.random.default_rng(0)
        self.weigh(position, generator, lambda: True)
        weigh(position, generator, fillings=1, method=self.method)

    def choose(self, game: Game, terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return the cell most often critical; a random one of those that are so for sure."""
        odds = self.odds(game.position(), terms, generator)
        cell = int(generator.choice(odds.best())) if odds.is_exact else odds.ranked()[0]
        return Choice(cell, Rationale(_reason(odds, cell), line=(cell,)))

    def odds(self, position: Position, terms: MoveRequest, generator: np.random.Generator) -> Odds:
        """Return the odds of a position, of fewer fillings when time is short.

        Where all are to be counted and half of the time is too short for it, some are drawn.
        """
        begin, half = now(), None if terms.seconds is None else terms.seconds / 2

        def is_enough() -> bool:
            is_late = half is not None and now() - begin > half
            return is_late or (terms.cancel is not None and terms.cancel.is_set())

        try:
            with stop.stopping(terms.cancel), kernels_within(half):
                return self.weigh(position, generator, is_enough)
        except Stopped:
            stop.check()  # it may have been canceled
        return weigh(position, generator, fillings=ENOUGH, method=self.method, is_enough=is_enough)

    def weigh(
        self,
        position: Position,
        generator: np.random.Generator,
        is_enough: Callable[[], bool] | None = None,
    ) -> Odds:
        """Return the odds of a position, from as many fillings as this player takes."""
        return weigh(
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


# A player of a user: `py:FILE.py:NAME`.


class OwnPlayer(ReadyParticipant):
    """Plays what a function of a position, and of a generator, returns: a cell; never swaps."""

    def __init__(
        self, function: Callable[[Position, np.random.Generator], Cell | str], *, name: str
    ) -> None:
        """Take the function, which names a cell or gives its number."""
        self.name = name
        self.function = function

    def choose(self, game: Game, _terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return the move. Raise PlayerError when the function fails or returns no legal move."""
        position = game.position()
        answer = _asked(self.name, lambda: self.function(position, generator))
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
    """Return the player that a Python file has: of a function, or made by calling a class.

    Raise SpecError when the file cannot be run, does not have it, or the class fails.
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
        made: Player = value()
        made.name = name  # by which results call it
    except (Exception, SystemExit) as error:
        raise SpecError(f"{name}: {type(error).__name__}: {error}") from error
    lacking = [each for each in _METHODS if not callable(getattr(made, each, None))]
    if lacking:
        raise SpecError(f"{name} has no method {lacking[0]} (a player has {', '.join(_METHODS)})")
    return OwnClassPlayer(made, name=name)


class OwnClassPlayer:
    """A player that a user's class makes; it proves nothing, whatever it says of the winner."""

    def __init__(self, made: Player, *, name: str) -> None:
        """Take the player, and the name by which results call it."""
        self._made, self.name = made, name

    def prepare(self, board: Board) -> None:
        """Prepare the player. Raise PlayerError when it fails."""
        _asked(self.name, lambda: self._made.prepare(board))

    def choose(self, game: Game, terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return its choice. Raise PlayerError when it fails or returns something else."""
        choice = _asked(self.name, lambda: self._made.choose(game, terms, generator))
        if not isinstance(choice, Choice):
            raise PlayerError(f"{self.name} returned {choice!r}, which is not an hsearch.Choice")
        action, account = choice.action, choice.account
        if not isinstance(action, Special | Integral):
            raise PlayerError(f"{self.name} chose {action!r}: no number of a cell, and no swap")
        if not isinstance(account, Rationale) or not isinstance(account.reason, str):
            raise PlayerError(f"{self.name} gave {account!r}, where a Rationale says why")
        findings = account.findings if isinstance(account.findings, SearchResult) else None
        tree = account.tree if isinstance(account.tree, TreeFindings) else None
        account = replace(account, winner=None, hold=None, findings=findings, tree=tree)
        return replace(choice, account=account)

    def close(self) -> None:
        """Let it give back what it holds; an error there loses nobody a game."""
        with suppress(PlayerError):
            _asked(self.name, self._made.close)


def _asked(name: str, question: Callable[[], Any]) -> Any:
    """Return what a user's code answers. Raise PlayerError, by the player's name, when it fails."""
    try:
        return question()
    except (PlayerError, Stopped):
        raise
    except (Exception, SystemExit) as error:
        raise PlayerError(f"{name}: {type(error).__name__}: {error}") from error


# The player `policy`: the first choice of a net, without a search and without a proof.
#
# It asks the definition of the net, in plain numpy, so nothing is compiled: from the first second
# on it answers in a tenth of a second on 11x11. So it stands in for a player whose kernels are
# still being compiled. With a net of others, `policy:net=FILE.onnx`, it is what is called that
# net's bare policy.


POLICY_SPEC = "policy"
PATIENCE = 2.0  # seconds that a person waits for a player that compiles, before this one moves


class PolicyPlayer(ReadyParticipant):
    """Plays the empty cell that its net likes most; opens and swaps by the maps."""

    def __init__(self, net: AnyNet, *, name: str = POLICY_SPEC) -> None:
        """Ask this net, and take the name by which a record calls the player."""
        self.net, self.name = net, name

    def prepare(self, board: Board) -> None:
        """Raise PlayerFileError when the net is for boards of another size."""
        if isinstance(self.net, PolicyNet):
            try:
                self.net.expect(board)
            except NetError as error:
                raise PlayerFileError(str(error)) from error

    def choose(self, game: Game, terms: MoveRequest, _generator: np.random.Generator) -> Choice:
        """Return the first move, a swap, or the first choice. Raise PlayerFileError if it fails."""
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
        """Return what the net thinks of each cell of the board."""
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
    """Return who moves while another player is prepared; None where no net comes along."""
    net = shipped_net()
    return None if net is None else PolicyPlayer(net)


def stand_in_words(name: str) -> str:
    """Return what is said of a move that was made for the player of that name."""
    return f"That was the net's first choice, without a search: {name} is being prepared."


# Its option, which `tree` has as well.


def net_named(text: str) -> AnyNet | None:
    """Return the net that comes along, `shipped`, or that of a file; None for `none`.

    Raise ValueError where no net came along, FileError, naming the file, where it is of no use.
    """
    if text == "none":
        return None
    if text == "shipped":
        net = shipped_net()
        if net is None:
            raise ValueError("no net came with this copy of hsearch")
        return net
    try:
        return read_any_net(Path(text))
    except NetError as error:
        raise FileError(str(error)) from None


def _policy(spec: str, options: dict[str, Any]) -> PolicyPlayer:
    net = options.get("net", shipped_net())
    if net is None:
        raise SpecError(f"{spec!r}: it plays by a net alone: policy:net=FILE")
    return PolicyPlayer(net, name=spec)


POLICY: Kind = ({"net": net_named}, _policy)
