"""The protocol of a variant of Hex, for matches, tournaments and the terminal."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np

from hsearch.board import Board, Color
from hsearch.game import Game
from player.engine import Participant
from player.match.outcome import MatchRules, Outcome, Watcher
from player.match.referee import NO_RULES, Referee

P = TypeVar("P", bound=Participant)


class Variant(ABC, Generic[P]):
    """The rules of a variant, its options chosen. P is what its players are.

    name      as in VARIANTS
    text      names it with its options, as a record's RU does
    games_per_opening  how many games two players play from each opening: with the colors exchanged,
              and with whatever else can be
    """

    name: str
    text: str
    games_per_opening: int

    @abstractmethod
    def player(self, spec: str) -> P:
        """Return a new player for its text; raise SpecError when there is none."""

    def check(self, player: P, board: Board) -> None:
        """Let a player get ready for games on a board; raise PlayerError when it cannot play."""
        player.prepare(board)

    @abstractmethod
    def start(self, game: Game, meeting: int = 0) -> Game:
        """Return the record of a game of the variant that goes on from another record.

        One that is of the variant already stays as it is. `meeting` counts the
        games of two players from one opening. Raise ValueError when there is no
        such game, or when the record contradicts itself.
        """

    @abstractmethod
    def moves(self, game: Game) -> tuple[str, ...]:
        """Return what happened in a game, a word or some a move, for a row."""

    @abstractmethod
    def turn(
        self, referee: Referee, players: Mapping[Color, P], generator: np.random.Generator
    ) -> Callable[[], Color | None]:
        """Return what plays the next turn of a game, and returns who has won by then.

        It raises LostError when a player loses otherwise than on the board.
        """

    def play(  # noqa: PLR0913 - a match needs two players, a board, and what may be chosen
        self,
        black: P,
        white: P,
        game: Game,
        generator: np.random.Generator,
        *,
        rules: MatchRules = NO_RULES,
        save: Path | None = None,
        watch: Watcher | None = None,
    ) -> Outcome:
        """Play a game that `start` has made on to its end, from wherever it stands.

        `watch` is called after each move. Raise ValueError when the game is over
        already, and OSError when it cannot be saved.
        """
        players = {Color.BLACK: black, Color.WHITE: white}
        referee = Referee(players, game, rules=rules, save=save, watch=watch)
        return referee.played(self.turn(referee, players, generator))
