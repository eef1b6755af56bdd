"""Bidding Hex: both players bid in secret; the higher bid moves and is paid to the other player.

The state holds sealed bids until both are in; then they are opened together. On equal bids the
holder of the tie-break chip hands it over, pays and moves, or keeps it and lets the other pay and
move. A sealed bid may decide this in advance, and plan the move. `player.bidding.chips` defines
the record.
"""

from dataclasses import dataclass, replace
from typing import TypeAlias

from hsearch.hex import Color, Game, Move, Special
from player.bidding import chips as chip_record
from player.bidding.chips import DEFAULT, Chips, Holding, check_bid, check_total
from player.variants.base import (
    BIDDING,
    NOTHING,
    Act,
    GameState,
    IllegalActError,
    Legal,
    SealedBid,
    Tie,
    Variant,
    at_cursor,
    move_words,
    new_nodes,
    stone,
    with_info,
)

DIGITS = 9  # more than any number of chips has
YES, NO = ("yes", "y"), ("no", "n")

BidPair: TypeAlias = tuple[SealedBid | None, SealedBid | None]  # Black's and White's
UNSEALED: BidPair = (None, None)


@dataclass(frozen=True, slots=True)
class BiddingState(GameState):
    """A game in progress, with sealed bids; the turn of its position has no meaning."""

    bids: BidPair = UNSEALED

    @property
    def chips(self) -> Chips:
        """The chips of both players, before the sealed bids."""
        return chip_record.chips(self.game)

    @property
    def mover(self) -> Color | None:
        """The winner of the last bids, who is to move; None while bids are due or at the end."""
        return None if self.winner is not None else chip_record.mover(self.game)

    @property
    def tie(self) -> int | None:
        """The equal bid of both players while the tie is to be broken; else None."""
        black, white = self.bids
        return None if black is None or white is None else black.chips


@dataclass(frozen=True, slots=True)
class BiddingView:
    """What one side knows of a game.

    game      the record, without sealed bids
    own       the side's sealed bid; None before it
    is_in     whether Black and White have sealed a bid
    tie       the equal bid of both players while the tie is to be broken; else None
    """

    game: Game
    color: Color
    own: SealedBid | None
    is_in: tuple[bool, bool]
    tie: int | None


class Bidding(Variant[BiddingState]):
    """The variant, with the players' first chips.

    If neither is given the tie-break chip, Black holds it first; in a tournament White does in
    every other pair of games.
    """

    name = BIDDING
    decided_by = "bids"
    rules = (
        "Both bid in secret. The higher bid moves, and is paid to the other player. On equal bids\n"
        "the holder of the tie-break chip (*) hands it over, pays and moves, or keeps it and lets\n"
        "the other pay and move."
    )
    inputs = (("a number such as 17", "bid as many chips"), *Variant.inputs)

    def __init__(self, *, black: Holding | None = None, white: Holding | None = None) -> None:
        """Set the first chips; raise ValueError at two tie-break chips, no or too many chips."""
        holdings = {"black": black, "white": white}
        options = ",".join(f"{key}={value}" for key, value in holdings.items() if value is not None)
        self.text = f"{self.name}:{options}" if options else self.name
        self.black, self.white = black or DEFAULT, white or DEFAULT
        self.is_exchanged = not (self.black.tie_break or self.white.tie_break)
        self.games_per_opening = 4 if self.is_exchanged else 2
        check_total(self.chips(0).total)

    def chips(self, meeting: int) -> Chips:
        """Return the first chips of a game; `meeting` counts the games from one opening."""
        if not self.is_exchanged:
            return Chips(self.black, self.white)
        holder = Color(meeting // 2 % 2)
        black, white = (
            Holding(holding.chips, tie_break=color is holder)
            for color, holding in zip(Color, (self.black, self.white), strict=True)
        )
        return Chips(black, white)

    def start(self, game: Game, meeting: int = 0) -> BiddingState:
        """Return the state that continues with bids. Raise ValueError if its chips do not match."""
        game = at_cursor(game)
        if not chip_record.is_begun(game):
            game = chip_record.with_chips(with_info(game.cut(), RU=self.text), self.chips(meeting))
            return BiddingState.of(game)
        chip_record.check(game)
        first = chip_record.first_chips(game)
        if self.text != self.name and first not in map(self.chips, range(self.games_per_opening)):
            raise ValueError(f"the game began with {first.black} and {first.white} chips")
        return BiddingState.of(game)

    def to_act(self, state: BiddingState) -> tuple[Color, ...]:
        """Return who is to move, who has not bid yet, or who must break a tie."""
        if state.winner is not None:
            return ()
        if (mover := state.mover) is not None:
            return (mover,)
        missing = tuple(color for color in Color if state.bids[color] is None)
        return missing or (state.chips.holder,)

    def legal(self, state: BiddingState, color: Color) -> Legal:
        """Return the empty cells for a move or a plan, and the chips for a bid."""
        if color not in self.to_act(state):
            return NOTHING
        if state.tie is not None:
            return Legal(tie=True)
        chips = None if state.mover is not None else state.chips[color]
        return Legal(frozenset(state.position.empty.search(1)), chips=chips)

    def read(self, state: BiddingState, color: Color, text: str) -> Act:
        """Return a move, a bid, or the answer to equal bids, whichever is due. Raise ValueError."""
        if state.mover is not None or text.strip().lower() == Special.RESIGN.value:
            return super().read(state, color, text)
        if state.tie is not None:
            if text.lower() not in YES + NO:
                raise ValueError(f"{text!r} is neither yes nor no")
            return Tie(text.lower() in YES)
        if not (text.isascii() and text.isdigit() and len(text) <= DIGITS):
            most = state.chips[color].chips
            raise ValueError(f"{text!r} is not a number of chips from 0 to {most}")
        return SealedBid(int(text))

    def _after(self, state: BiddingState, color: Color, act: Act) -> BiddingState:
        """Seal a bid, break a tie or place a stone, whichever is due."""
        if state.mover is not None:
            return state.then(Move(color, stone(state.position, act)))
        if state.tie is not None:
            bid = state.bids[color]
            if not isinstance(act, Tie) or bid is None:
                raise IllegalActError("the bids are equal: hand the tie-break chip over, or not")
            bid = replace(bid, takes_tie=act.is_taken)
        elif isinstance(act, SealedBid):
            bid = act
            try:
                check_bid(bid.chips, state.chips[color])
            except ValueError as error:
                raise IllegalActError(str(error)) from None
            if bid.plan is not None and bid.plan is not Special.RESIGN:
                stone(state.position, bid.plan)
        else:
            raise IllegalActError("bids come before the move")
        black, white = state.bids
        bids = (bid, white) if color is Color.BLACK else (black, bid)
        return _open(replace(state, bids=bids))

    def view(self, state: BiddingState, color: Color) -> BiddingView:
        """Return the record, the side's own bid, and whether the other bid is in, not its size."""
        is_in = state.bids[0] is not None, state.bids[1] is not None
        return BiddingView(state.game, color, state.bids[color], is_in, state.tie)

    def words(
        self, before: BiddingState, after: BiddingState, _viewer: Color | None = None
    ) -> list[str]:
        """Return both bids once they are open, their effect on the chips, and the moves."""
        if after.game is before.game and after.bids == UNSEALED != before.bids:
            is_one = None in before.bids
            return [f"The sealed {'bid is' if is_one else 'bids are'} taken back."]
        sentences, is_known = [], before.tie is not None
        for node in new_nodes(before, after):
            if node.about(chip_record.BIDS) and node.turn is not None:
                if not is_known:
                    sentences.append(_bid_words(*chip_record.read_bids(node)))
                is_known, chips = False, chip_record.read_chips(node)
                sentences.append(
                    f"{node.turn.title} moves. Black has {chips.black} now, White {chips.white}."
                )
            if node.move is not None:
                sentences.append(move_words(node.move, after.game.board))
        if after.tie is not None and not is_known:
            sentences.append(_bid_words(after.tie, after.tie))
        return sentences

    def standing(self, state: BiddingState, _viewer: Color | None = None) -> str:
        """Return the chips of both players."""
        chips = state.chips
        return f"Black has {chips.black}, White has {chips.white} chips."

    def moves(self, game: Game) -> tuple[str, ...]:
        """Return the moves, each with the bids of Black and White: `white f6 12:17`."""
        return tuple(
            f"{move.color.word} {move.name(game.board)}" + (f" {bids[0]}:{bids[1]}" if bids else "")
            for move, bids in chip_record.bids_of(game)
        )

    def take_back(self, state: BiddingState) -> BiddingState:
        """Return the state without the current bids; else without the last move and its bids.

        Raise ValueError when there is no bid.
        """
        if state.mover is not None:
            return BiddingState.of(chip_record.without_bids(state.game))
        if state.bids != UNSEALED:
            return replace(state, bids=UNSEALED)
        bids = [bids for _, bids in chip_record.bids_of(state.game)]
        if not bids or bids[-1] is None:
            raise ValueError("there is no bid to take back")
        return BiddingState.of(chip_record.without_bids(state.game.cut(len(bids) - 1)))


def _open(state: BiddingState) -> BiddingState:
    """Open both bids, if both are in and no tie is to be broken.

    The winner's plan is played at once.
    """
    black, white = state.bids
    if black is None or white is None:
        return state
    both, chips = (black, white), (black.chips, white.chips)
    takes_tie = both[state.chips.holder].takes_tie
    if black.chips == white.chips and takes_tie is None:
        return state
    mover, game = chip_record.with_bids(state.game, chips, takes_tie=takes_tie is not False)
    plan, after = both[mover].plan, BiddingState.of(game)
    return after if plan is None else after.then(Move(mover, plan))


def _bid_words(black: int, white: int) -> str:
    return f"Black bids {black}, White bids {white}."
