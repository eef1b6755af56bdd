"""Answers to `hint` and `why` in a game of bidding Hex."""

from collections.abc import Iterator, Mapping

import numpy as np

from hsearch.board import Color
from hsearch.game import Game, Node
from hsearch.render import Marks
from player.bidding import Advice, chips, record
from player.engine import MoveRequest, Rationale, SealedBid
from player.engine.bidder import BiddingPlayer, bid_reason
from player.engine.fillings import FillingsPlayer
from player.fillings import Method, Odds
from player.report.bid import Bids, bid_lines, board_marks, chances, on_the_board
from player.terminal.advice import Hint


class BiddingAdvice:
    """Advises as the `bidding` player would play; remembers why the engines bid as they did."""

    def __init__(self) -> None:
        """Ask players of its own, whoever plays."""
        self._filler = FillingsPlayer(Method.CRITICAL, name="hint")
        self._bidder = BiddingPlayer(name="hint")
        self._accounts: dict[tuple[Node, ...], dict[Color, Rationale]] = {}

    def remember(self, _game: Game, _account: Rationale) -> None:
        """Do nothing: all there is to say of a move was said of the bid for it."""

    def remember_bids(self, game: Game, slips: Mapping[Color, SealedBid]) -> None:
        """Keep why engines made the bids that a game ends with."""
        self._accounts[game.main_line] = {color: slip.account for color, slip in slips.items()}

    def hint(self, game: Game, terms: MoveRequest, generator: np.random.Generator) -> Hint:
        """Return a bid, or a move, for the player who is asked."""
        odds = self._filler.odds(game.position(), terms, generator)
        advice = self._bidder.advise(odds, game)
        name = "" if advice.cell is None else game.board.name(advice.cell)
        bid = "" if record.mover(game) is not None else f"{advice.bid} for "
        return Hint(f"Hint: {bid}{name}. {bid_reason(odds, advice)}", advice.cell)

    def why(self, game: Game) -> tuple[Marks, list[str]]:
        """Return how critical each cell is, and sentences for the player who is asked."""
        odds = self._filler.weigh(game.position(), np.random.default_rng(0))
        advice = self._bidder.advise(odds, game)
        return board_marks(odds, game.last_cell()), list(self._sentences(game, odds, advice))

    def _sentences(self, game: Game, odds: Odds, advice: Advice) -> Iterator[str]:
        position = odds.position
        yield on_the_board(position.board)
        yield chances(odds)
        yield from bid_lines(Bids(odds, chips(game), {position.turn: advice}))
        for color, account in self._accounts.get(record.opened(game), {}).items():
            yield f"The last bid of {color.word.capitalize()}: {account.reason}"
