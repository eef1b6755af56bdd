"""Players without H-search: by chance, a classic evaluator, random fillings, or a user's code."""

from collections.abc import Callable
from dataclasses import replace
from operator import index

import numpy as np

from hsearch.hex.board import Board, Cell, Color
from hsearch.hex.game import Game
from hsearch.hex.position import Position
from player.engine.hexy import opening
from player.engine.player import Choice, MoveRequest, Player, PlayerError, Rationale, ahead
from player.evaluate.exact import weigh
from player.evaluate.fillings import Method, Odds
from player.search.alphabeta import search
from player.search.settings import SearchSettings, is_loss, is_win
from player.variants import SpecError
from player.work.clock import now
from player.work.own import is_own, own


class RandomPlayer:
    """Plays every empty cell with the same chance; never swaps."""

    def __init__(self, *, name: str = "random") -> None:
        """Take the name by which a record calls the player."""
        self.name = name

    def prepare(self, _board: Board) -> None:
        """Do nothing: it is always ready."""

    def choose(self, game: Game, _terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return a random move."""
        cell = int(generator.choice(list(game.position().empty.search(1))))
        name = game.board.name(cell)
        return Choice(cell, Rationale(f"{name}, chosen at random.", line=(cell,)))

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""


# The player `ab`: alpha-beta with a classic evaluator and an ordering.

EVERY_MOVE = (676,)  # as many as the largest board has cells


class ClassicPlayer:
    """Searches every move to one depth, as the programs of the sources do.

    What is left to chance is drawn anew for each move.
    """

    def __init__(self, settings: SearchSettings, *, opens: bool = True, name: str = "ab") -> None:
        """Search so; with `opens` the first move and the swap follow the maps of openings."""
        self.name = name
        self.settings = settings
        self.opens = opens

    def prepare(self, board: Board) -> None:
        """Compile the kernels."""
        search(Position.of(board), replace(self.settings, depth=2, widths=(1,)))

    def choose(self, game: Game, terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return the first move, a swap, or the best move that the search finds."""
        position = game.position()
        choice = opening(position, terms) if self.opens else None
        if choice is not None:
            return choice
        settings = replace(self.settings, seed=int(generator.integers(1 << 62)))
        findings = search(
            position,
            settings,
            seconds=terms.seconds,
            cancel=terms.cancel,
            progress=terms.progress,
        )
        mover, name = position.turn, position.board.name(findings.move)
        winner = mover if is_win(findings.score) else None
        winner = mover.opponent if is_loss(findings.score) else winner
        if winner is None:
            value = -findings.score if mover is Color.BLACK else findings.score
            reason = (
                f"Estimated by {settings.evaluator}: {value:+z.2f} after {name}, "
                f"{ahead(findings.depth)} (below 0 is good for Black)."
            )
        else:
            reason = f"Searched to the end: {winner.word} wins."
        return Choice(findings.move, Rationale(reason, winner, findings.line, findings=findings))

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""


# Players that play the cell most often critical in fillings of the rest of the board.
#
# With a coin for each cell that is the best move at random turns (Peres, Schramm,
# Sheffield and Wilson 2007); with as many stones of each color it is Cohen's way
# to play by ordinary turns.


class FillingsPlayer:
    """Counts or draws fillings anew for each move."""

    def __init__(self, method: Method, fillings: int | None = None, *, name: str) -> None:
        """Draw this many fillings; None is all of them, where they can be counted."""
        self.name = name
        self.method = method
        self.fillings = fillings

    def prepare(self, board: Board) -> None:
        """Compile the kernels, and make the tables of the exact pass."""
        self.weigh(Position.of(board), np.random.default_rng(0), lambda: True)

    def choose(self, game: Game, terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return the cell most often critical; a random one of those that are so for sure."""
        odds = self.odds(game.position(), terms, generator)
        cell = int(generator.choice(odds.best())) if odds.is_exact else odds.ranked()[0]
        return Choice(cell, Rationale(_reason(odds, cell), line=(cell,)))

    def odds(self, position: Position, terms: MoveRequest, generator: np.random.Generator) -> Odds:
        """Return the odds of a position, of fewer fillings when time is short."""
        begin = now()

        def is_enough() -> bool:
            is_late = terms.seconds is not None and now() - begin > terms.seconds / 2
            return is_late or (terms.cancel is not None and terms.cancel.is_set())

        return self.weigh(position, generator, is_enough)

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

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""


def _reason(odds: Odds, cell: int) -> str:
    name, mover = odds.position.board.name(cell), odds.position.turn
    how = "all fillings" if odds.fillings is None else f"{odds.fillings:,} fillings"
    kind = "balanced " if odds.balanced else ""
    return (
        f"{mover.title} wins {100 * odds.chance(mover):.2f} % of the {kind}fillings; "
        f"{name} is critical in {100 * odds.critical[cell]:.2f} % ({how})."
    )


# A player of a user: `py:FILE.py:NAME`.


class OwnPlayer:
    """Plays what a function of a position, and of a generator, returns: a cell; never swaps."""

    def __init__(
        self, function: Callable[[Position, np.random.Generator], Cell | str], *, name: str
    ) -> None:
        """Take the function, which names a cell or gives its number."""
        self.name = name
        self.function = function

    def prepare(self, _board: Board) -> None:
        """Do nothing: it is always ready."""

    def choose(self, game: Game, _terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return the move. Raise PlayerError when the function fails or returns no legal move."""
        position = game.position()
        try:
            answer = self.function(position, generator)
        except Exception as error:
            raise PlayerError(f"{self.name}: {type(error).__name__}: {error}") from error
        try:
            cell = position.board.cell(answer) if isinstance(answer, str) else index(answer)
        except (TypeError, ValueError) as error:
            raise PlayerError(f"{self.name} returned {answer!r}: {error}") from error
        if not position.is_legal(cell):
            raise PlayerError(f"{self.name} returned {answer!r}, where no stone may be placed")
        name = position.board.name(cell)
        return Choice(cell, Rationale(f"{name}, chosen by {self.name}.", line=(cell,)))

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""


def own_player(place: str, *, name: str) -> Player:
    """Return the player that a Python file has: of a function, or made by calling a class.

    Raise SpecError when the file cannot be run, or does not have it.
    """
    if not is_own(place):
        raise SpecError(f"a player of your own is named py:FILE.py:NAME, not {name!r}")
    try:
        value = own(place)
    except ValueError as error:
        raise SpecError(str(error)) from error
    if not isinstance(value, type):
        return OwnPlayer(value, name=name)
    made: Player = value()
    made.name = name  # by which results call it
    return made
