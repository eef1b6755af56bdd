"""Bidders as papers have them: Payne and Robeva's program, and Hexy's moves with its bids."""

from dataclasses import replace

import numpy as np

from hsearch.board import Board, Color
from hsearch.game import Game, Special
from player.bidding import chips
from player.engine.bidder import FillingsBidder, SealedBid, fair_or_all
from player.engine.player import MoveRequest, Player
from player.fillings import Method

FILLINGS = 300_000  # "a few hundred thousand a move"


class LosingColorBidder(FillingsBidder):
    """Payne and Robeva's program in its four steps, and nothing else.

    It fills the board at random, counts how often each cell is of the losing color,
    and bids the whole part of 1/2 - L_H of all chips for the cell that is so least
    often. It knows neither exact odds nor thresholds of whole chips, and always
    hands the tie-break chip over, of which the paper does not speak.
    """

    def __init__(self, fillings: int = FILLINGS, *, name: str = "payne-robeva") -> None:
        """Draw this many fillings for each bid."""
        super().__init__(Method.LOSING, fillings, name=name)

    def bid(
        self, game: Game, color: Color, terms: MoveRequest, generator: np.random.Generator
    ) -> SealedBid:
        """Return the bid for the cell that has the losing color least often."""
        odds = self._filler.odds(game.position(turn=color), terms, generator)
        cell = odds.ranked()[0]
        amount, total = fair_or_all(odds, cell, game), chips(game).total
        reason = (
            f"{game.board.name(cell)} has the losing color in {100 * odds.losing(cell):.2f} % of "
            f"{odds.fillings:,} fillings; the rest to a half is {amount} of {total} chips."
        )
        return SealedBid.of(amount, cell, reason)


class HexyBidder(FillingsBidder):
    """Plays where a player of ordinary turns would, and bids what fillings say the cell is worth.

    What that player proves holds at ordinary turns only, so no more is bid for it.
    """

    def __init__(self, player: Player, *, name: str) -> None:
        """Let this player choose the cells."""
        super().__init__(Method.CRITICAL, name=name)
        self._player = player

    def prepare(self, board: Board) -> None:
        """Compile the kernels of both."""
        super().prepare(board)
        self._player.prepare(board)

    def bid(
        self, game: Game, color: Color, terms: MoveRequest, generator: np.random.Generator
    ) -> SealedBid:
        """Return the bid for the cell that the player of ordinary turns chooses."""
        position = game.position(turn=color)
        unswapped = replace(terms, swap=False)
        choice = self._player.choose(Game.of_position(position), unswapped, generator)
        assert not isinstance(choice.action, Special)  # noqa: S101 - there is no swap
        odds, cell = self._filler.odds(position, terms, generator), choice.action
        amount = fair_or_all(odds, cell, game)
        reason = (
            f"{choice.account.reason} It is critical in {100 * odds.critical[cell]:.2f} % of the "
            f"fillings, and half of that of {chips(game).total} chips is {amount}."
        )
        return SealedBid.of(amount, cell, reason)

    def close(self) -> None:
        """Give back what the player of ordinary turns holds."""
        self._player.close()
