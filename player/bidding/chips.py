"""The chips of both players, and what two bids do to them."""

from dataclasses import dataclass

from hsearch.board import Color
from player.bidding.holding import MAX_CHIPS, Holding


@dataclass(frozen=True, slots=True)
class Chips:
    """Chips of both players.

    black  Black's holding
    white  White's; just one of the two has the tie-break chip
    """

    black: Holding
    white: Holding

    def __post_init__(self) -> None:
        """Raise ValueError when there is not just one tie-break chip."""
        if self.black.tie_break == self.white.tie_break:
            raise ValueError(f"there is one tie-break chip: {self.black} {self.white}")

    def __getitem__(self, color: Color) -> Holding:
        """Return what a player has."""
        return self.black if color is Color.BLACK else self.white

    @property
    def total(self) -> int:
        """The chips of both together, the tie-break chip not counted."""
        return self.black.chips + self.white.chips

    @property
    def holder(self) -> Color:
        """Player who has the tie-break chip."""
        return Color.BLACK if self.black.tie_break else Color.WHITE

    def check_worth(self) -> None:
        """Raise ValueError when no game is worth a bid, or one player could not have them all."""
        if not self.total:
            raise ValueError("nobody has any chips")
        if self.total > MAX_CHIPS:
            raise ValueError(f"too many chips: {self.total} in all (to {MAX_CHIPS})")

    def settle(self, bids: tuple[int, int], *, takes_tie: bool) -> "tuple[Color, Chips]":
        """Return who moves after the bids of Black and White, and what they have then.

        The higher bid moves and is paid to the other. On equal bids the holder of
        the tie-break chip moves, pays and hands it over if `takes_tie`, else keeps
        it and lets the other move and pay. Raise ValueError for a bid that cannot
        be paid.
        """
        for color in Color:
            check_bid(bids[color], self[color])
        if bids[0] == bids[1]:
            mover = self.holder if takes_tie else self.holder.opponent
        else:
            mover = Color.BLACK if bids[0] > bids[1] else Color.WHITE
        handed = bids[0] == bids[1] and takes_tie
        holder = self.holder.opponent if handed else self.holder
        bid = bids[mover]
        black, white = (
            Holding(
                self[color].chips + (-bid if color is mover else bid),
                tie_break=color is holder,
            )
            for color in Color
        )
        return mover, Chips(black, white)


def check_bid(bid: int, holding: Holding) -> None:
    """Raise ValueError for a bid that a player who has so much cannot make."""
    if not 0 <= bid <= holding.chips:
        raise ValueError(f"a bid of {bid} with {holding.chips} chips")
