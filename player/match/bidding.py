"""Bidding Hex: both players bid in secret, the higher bid moves and is paid to the other."""

from collections.abc import Callable, Mapping

import numpy as np

from hsearch.board import Color
from hsearch.game import Game, Move
from player.bidding import Chips, Holding, record
from player.engine import BIDDING, Bidder, Choice, MoveRequest, SealedBid, participant
from player.match.referee import LostError, Referee, reruled, stone
from player.match.variant import Variant

DEFAULT = Holding(100)


class Bidding(Variant[Bidder]):
    """The variant, with what the players begin with.

    Where neither is given the tie-break chip Black has it first, and in a
    tournament White in every other two games.
    """

    name = BIDDING

    def __init__(self, *, black: Holding | None = None, white: Holding | None = None) -> None:
        """Begin with these chips; raise ValueError for two tie-break chips, none or too many."""
        given = {"black": black, "white": white}
        options = ",".join(f"{key}={value}" for key, value in given.items() if value is not None)
        self.text = f"{self.name}:{options}" if options else self.name
        self.black, self.white = black or DEFAULT, white or DEFAULT
        self.is_exchanged = not (self.black.tie_break or self.white.tie_break)
        self.games_per_opening = 4 if self.is_exchanged else 2
        self.chips(0).check_worth()

    def chips(self, meeting: int) -> Chips:
        """Return what the players begin with in each of their games from one opening."""
        if not self.is_exchanged:
            return Chips(self.black, self.white)
        holder = Color(meeting // 2 % 2)
        black, white = (
            Holding(holding.chips, tie_break=color is holder)
            for color, holding in zip(Color, (self.black, self.white), strict=True)
        )
        return Chips(black, white)

    def player(self, spec: str) -> Bidder:
        """Return a new player for its text."""
        made: Bidder = participant(spec, BIDDING)
        return made

    def start(self, game: Game, meeting: int = 0) -> Game:
        """Return the record that goes on with bids. Raise ValueError when its chips do not fit."""
        if not record.has_chips(game):
            return record.started(reruled(game.cut(), self.text), self.chips(meeting))
        record.check(game)
        first = record.chips(Game(game.board, game.nodes[:1]))
        if self.text != self.name and first != self.chips(meeting):
            raise ValueError(f"the game began with {first.black} and {first.white} chips")
        return game

    def moves(self, game: Game) -> tuple[str, ...]:
        """Return the moves with the bids of Black and White before them: `white f6 12:17`."""
        return tuple(
            f"{move.color.word} {move.name(game.board)}" + (f" {bids[0]}:{bids[1]}" if bids else "")
            for move, bids in record.bids_of(game)
        )

    def turn(
        self, referee: Referee, players: Mapping[Color, Bidder], generator: np.random.Generator
    ) -> Callable[[], Color | None]:
        """Return what takes both slips, neither seen by the other, opens them and moves."""
        terms = MoveRequest(seconds=referee.rules.seconds)

        def slip(now: Game, color: Color) -> SealedBid:
            return referee.ask(color, lambda: players[color].bid(now, color, terms, generator))

        def turn() -> Color | None:
            before = record.without_bids(referee.game)
            slips = [slip(before, color) for color in Color]
            after = _opened(before, slips)
            mover = record.mover(after)
            assert mover is not None  # noqa: S101 - bids always tell
            cell = stone(after.position(), mover, slips[mover].cell)
            return referee.add(after.append(Move(mover, cell)), Choice(cell, slips[mover].account))

        return turn


def _opened(game: Game, slips: list[SealedBid]) -> Game:
    """Return the record with the bids on both slips; raise LostError for one beyond the chips."""
    has = record.chips(game)
    for color in Color:
        bid = slips[color].bid
        if not 0 <= bid <= has[color].chips:
            raise LostError(color, "illegal", f"a bid of {bid} with {has[color].chips} chips")
    bids = slips[Color.BLACK].bid, slips[Color.WHITE].bid
    return record.with_bids(game, bids, takes_tie=slips[has.holder].takes_tie)
