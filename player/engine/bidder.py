"""Players of bidding Hex: each makes a sealed bid, with the cell that it would play.

The program's own bidders come first, then those of papers.
"""

from dataclasses import replace

import numpy as np

from hsearch.hex import Board, Color, Game, Position, Special
from player.bidding.advice import BidAdvice, advise, fair_bid
from player.bidding.chips import chips
from player.bidding.discrete import MAX_EMPTY, Thresholds
from player.engine.classic import FillingsPlayer
from player.engine.player import BidChoice, MoveRequest, Player, PlayerError, ReadyParticipant
from player.evaluate.fillings import FillingMethod, Odds
from player.work.clock import now


class FillingsBidder(ReadyParticipant):
    """Base of bidders that evaluate cells by fillings."""

    def __init__(self, method: FillingMethod, fillings: int | None = None, *, name: str) -> None:
        """Draw this many fillings for each bid; None means all of them if they can be counted."""
        self.name = name
        self._filler = FillingsPlayer(method, fillings, name=name)

    def prepare(self, board: Board) -> None:
        """Compile the kernels, and build the tables of the exact pass."""
        self._filler.prepare(board)


class BiddingPlayer(FillingsBidder):
    """Bids by the fillings, and by exact thresholds in whole chips when few cells are empty."""

    def __init__(self, fillings: int | None = None, *, name: str = "bidding") -> None:
        """Draw this many fillings for each bid; None means all of them if they can be counted."""
        super().__init__(FillingMethod.CRITICAL, fillings, name=name)
        self._solved: Thresholds | None = None

    def bid(
        self, game: Game, color: Color, terms: MoveRequest, generator: np.random.Generator
    ) -> BidChoice:
        """Return the bid for the best cell."""
        odds = self._filler.odds(game.position(turn=color), terms, generator)
        advice = self.advise(odds, game)
        reason = bid_reason(odds, advice)
        return BidChoice.of(advice.bid, advice.cell, reason, takes_tie=advice.takes_tie)

    def advise(self, odds: Odds, game: Game) -> BidAdvice:
        """Return the advice for the player to move in the position of the odds."""
        color, has = odds.position.turn, chips(game)
        thresholds = self._thresholds(odds.position, has.total)
        return advise(odds, color, has[color], total=has.total, thresholds=thresholds)

    def takes_tie(self, odds: Odds, game: Game, bid: int) -> bool:
        """Return whether to hand over the tie-break chip after both have bid `bid`.

        The player is the one to move in the position of the odds.
        """
        position, has = odds.position, chips(game)
        thresholds = self._thresholds(position, has.total)
        if thresholds is None:
            return bid <= fair_bid(odds, odds.rank()[0], has.total)
        return thresholds.is_tie_taken(position, position.turn, has[position.turn], bid)

    def _thresholds(self, position: Position, total: int) -> Thresholds | None:
        """Return thresholds for the position, if possible those from earlier in the game."""
        thresholds = self._solved
        if thresholds is None or thresholds.total != total or not thresholds.holds(position):
            few = position.empty.count() <= MAX_EMPTY
            self._solved = Thresholds(position, total) if few else None
        return self._solved


class FractionBidder(FillingsBidder):
    """Always bids the same share of its chips, for the most critical cell."""

    def __init__(self, share: float = 0.1, fillings: int | None = None, *, name: str) -> None:
        """Bid this share, rounded down; find the cell by this many fillings, or by all."""
        super().__init__(FillingMethod.CRITICAL, fillings, name=name)
        self.share = share

    def bid(
        self, game: Game, color: Color, terms: MoveRequest, generator: np.random.Generator
    ) -> BidChoice:
        """Return the bid for the best cell."""
        odds = self._filler.odds(game.position(turn=color), terms, generator)
        cell, has = odds.rank()[0], chips(game)[color].chips
        amount = int(round(self.share * has, 9))  # 0.29 * 100 is 28.999... as a float
        reason = f"Bids {self.share:g} of its chips for {game.board.name(cell)}."
        return BidChoice.of(amount, cell, reason)


class RandomBidder(ReadyParticipant):
    """Bids any number of its chips and plays any cell, with the same probability."""

    def __init__(self, *, name: str = "random") -> None:
        """Take the player's name for records."""
        self.name = name

    def bid(
        self, game: Game, color: Color, _terms: MoveRequest, generator: np.random.Generator
    ) -> BidChoice:
        """Return a random bid for a random cell."""
        amount = int(generator.integers(chips(game)[color].chips + 1))
        cell = int(generator.choice(list(game.position(turn=color).empty.search(1))))
        takes_tie = bool(generator.integers(2))
        reason = f"{game.board.name(cell)}, chosen at random."
        return BidChoice.of(amount, cell, reason, takes_tie=takes_tie)


def bid_reason(odds: Odds, advice: BidAdvice) -> str:
    """Return a sentence about a bid: the chance to win, the threshold, the second best cell."""
    name, mover = odds.position.board.name, odds.position.turn
    how = "exact" if odds.is_exact else f"{odds.fillings:,} fillings"
    second = ""
    if advice.second is not None:
        second = f", then {name(advice.second[0])} for {advice.second[1]}"
    needs = f"a share above {advice.share:.4f}"
    if advice.is_solved:
        needs += f", or {advice.threshold or 'more chips than there are'}"
    return (
        f"{mover.title} wins {100 * odds.chance(mover):.2f} % at random turns ({how}), "
        f"needs {needs}; best is {name(advice.cell)} for {advice.bid}{second}: "
        f"{advice.reason.value}."
    )


# Bidders of papers: Payne and Robeva's program, and Hexy's moves with its bids.

FILLINGS = 300_000  # "a few hundred thousand a move"


class LosingColorBidder(FillingsBidder):
    """Payne and Robeva's program in its four steps, and nothing else.

    It fills the board at random, counts how often each cell has the losing color (its L_H), and
    bids 1/2 - L_H of all chips, rounded down, for the cell with the least L_H. It uses no exact
    odds or thresholds, and always hands over the tie-break chip, which the paper does not mention.
    """

    def __init__(self, fillings: int = FILLINGS, *, name: str = "payne-robeva") -> None:
        """Draw this many fillings for each bid."""
        super().__init__(FillingMethod.LOSING, fillings, name=name)

    def bid(
        self, game: Game, color: Color, terms: MoveRequest, generator: np.random.Generator
    ) -> BidChoice:
        """Return the bid for the cell that has the losing color least often."""
        odds = self._filler.odds(game.position(turn=color), terms, generator)
        cell, has = odds.rank()[0], chips(game)
        fair = fair_bid(odds, cell, has.total)
        reason = (
            f"{game.board.name(cell)} has the losing color in {100 * odds.losing(cell):.2f} % of "
            f"{odds.fillings:,} fillings; the rest to a half is {fair} of {has.total} chips."
        )
        return BidChoice.of(min(fair, has[color].chips), cell, reason)


class HexyBidder(FillingsBidder):
    """Plays the cell of a player of ordinary turns, and bids its worth by the fillings.

    That player's proofs hold only at ordinary turns, so they do not raise the bid.
    """

    def __init__(self, player: Player, *, name: str) -> None:
        """Take the player that chooses the cells."""
        super().__init__(FillingMethod.CRITICAL, name=name)
        self._player = player

    def prepare(self, board: Board) -> None:
        """Compile the kernels of the fillings and of the player."""
        super().prepare(board)
        self._player.prepare(board)

    def bid(
        self, game: Game, color: Color, terms: MoveRequest, generator: np.random.Generator
    ) -> BidChoice:
        """Return the bid for the cell that the player of ordinary turns chooses.

        Raise PlayerError when it gives up, or fails.
        """
        position = game.position(turn=color)
        begin, half = now(), None if terms.seconds is None else terms.seconds / 2
        request = replace(terms, swap=False, seconds=half)
        choice = self._player.choose(Game.of_position(position), request, generator)
        cell = choice.action
        if isinstance(cell, Special):
            raise PlayerError(f"{self.name} cannot bid for a cell: its move is {cell.value}")
        odds, has = self._filler.odds(position, terms.left(begin), generator), chips(game)
        fair = fair_bid(odds, cell, has.total)
        reason = (
            f"{choice.account.reason} It is critical in {100 * odds.critical[cell]:.2f} % of the "
            f"fillings, and half of that of {has.total} chips is {fair}."
        )
        return BidChoice.of(min(fair, has[color].chips), cell, reason)

    def close(self) -> None:
        """Close the player of ordinary turns."""
        self._player.close()
