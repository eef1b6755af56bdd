"""Chips, the tie-break chip, and the effect of bids; games of bidding Hex as records."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hsearch.hex import Color, Game, GameNode, Move

MAX_CHIPS = 10_000


@dataclass(frozen=True, slots=True, order=True)
class Holding:
    """A player's chips, ordered by value: 4 < 4* < 5.

    chips      the number of chips
    tie_break  whether the player has the tie-break chip, too, written `*`
    """

    chips: int
    tie_break: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError when the number is out of range."""
        if not 0 <= self.chips <= MAX_CHIPS:
            raise ValueError(f"not a number of chips: {self.chips} (0 to {MAX_CHIPS})")

    def __str__(self) -> str:
        return f"{self.chips}{'*' if self.tie_break else ''}"

    @classmethod
    def read(cls, text: str) -> "Holding":
        """Return the holding for a text such as `45` or `45*`.

        Raise ValueError when the text is not a holding.
        """
        match = re.fullmatch(r"([0-9]{1,9})(\*?)", text.strip(), re.ASCII)
        if match is None:
            raise ValueError(f"not a number of chips: {text!r}")
        return cls(int(match[1]), bool(match[2]))

    def opposite(self, total: int) -> "Holding":
        """Return the opponent's holding if both players together have `total` chips."""
        return Holding(total - self.chips, not self.tie_break)


DEFAULT = Holding(100)  # of each player, unless given


# The chips of both players.


@dataclass(frozen=True, slots=True)
class Chips:
    """Chips of both players.

    black  Black's holding
    white  White's holding; exactly one of the two has the tie-break chip
    """

    black: Holding
    white: Holding

    def __post_init__(self) -> None:
        """Raise ValueError unless exactly one player has the tie-break chip."""
        if self.black.tie_break == self.white.tie_break:
            raise ValueError(f"there is one tie-break chip: {self.black} {self.white}")

    def __getitem__(self, color: Color) -> Holding:
        """Return a player's holding."""
        return self.black if color is Color.BLACK else self.white

    @property
    def total(self) -> int:
        """The chips of both together, without the tie-break chip."""
        return self.black.chips + self.white.chips

    @property
    def holder(self) -> Color:
        """The player who has the tie-break chip."""
        return Color.BLACK if self.black.tie_break else Color.WHITE

    def settle(self, bids: tuple[int, int], *, takes_tie: bool) -> "tuple[Color, Chips]":
        """Return who moves after the bids of Black and White, and the chips then.

        The player with the higher bid pays it to the other and moves. On equal bids the
        holder of the tie-break chip moves, pays and hands it over if `takes_tie`; else it
        keeps the chip, and the other player moves and pays. Raise ValueError for a bid that
        cannot be paid.
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


def check_total(chips: int) -> None:
    """Raise ValueError when both players have no chips, or more than one player can hold."""
    if not chips:
        raise ValueError("nobody has any chips")
    if chips > MAX_CHIPS:
        raise ValueError(f"too many chips: {chips} in all (at most {MAX_CHIPS})")


def check_bid(bid: int, holding: Holding) -> None:
    """Raise ValueError for a bid that a player with this holding cannot make."""
    if not 0 <= bid <= holding.chips:
        raise ValueError(f"a bid of {bid} with {holding.chips} chips")


# Games of bidding Hex as records that SGF can hold.
#
# The first node, or another one before the first bid, has the initial holdings in XH:
# Black's, then White's. Each move follows a node of its own that has both bids in XB,
# the player to move in PL, and the holdings after the bids in XH::
#
#     ;...RU[bidding]XH[100*][100];PL[B]XB[17][12]XH[83*][117];B[f6]
#
# Other readers ignore the private properties XB and XH. Moves before the first bid are
# an opening, which costs no chips.

BIDS, HOLDINGS = "XB", "XH"


def with_chips(game: Game, chips: Chips) -> Game:
    """Return the record of a game up to its current position, with these initial chips."""
    played = game.cut()
    first, *rest = played.nodes
    properties = tuple(entry for entry in first.properties if entry[0] != HOLDINGS)
    return replace(
        played, nodes=(replace(first, properties=(*properties, _holdings(chips))), *rest)
    )


def with_bids(game: Game, bids: tuple[int, int], *, takes_tie: bool) -> tuple[Color, Game]:
    """Return who moves after two more bids, and the record with these.

    Raise ValueError for a bid that cannot be paid.
    """
    mover, after = chips(game).settle(bids, takes_tie=takes_tie)
    black, white = map(str, bids)
    properties = ((BIDS, (black, white)), _holdings(after))
    return mover, game.append_node(GameNode(turn=mover, properties=properties))


def chips(game: Game) -> Chips:
    """Return the players' chips at the end of a record."""
    return read_chips([node for node in game.main_line if node.about(HOLDINGS)][-1])


def first_chips(game: Game) -> Chips:
    """Return the players' initial chips in a record."""
    return read_chips(next(node for node in game.main_line if node.about(HOLDINGS)))


def is_begun(game: Game) -> bool:
    """Return whether a record has chips or bids."""
    return any(node.about(HOLDINGS) or node.about(BIDS) for node in game.main_line)


def mover(game: Game) -> Color | None:
    """Return the winner of the last bids if the move is still due; None if bids are due."""
    last = game.main_line[-1]
    return last.turn if last.move is None and last.about(BIDS) else None


def bids_of(game: Game) -> Iterator[tuple[Move, tuple[int, int] | None]]:
    """Yield each move with the bids before it; None for the moves of an opening."""
    bids = None
    for node in game.main_line:
        if node.about(BIDS):
            bids = read_bids(node)
        if node.move is not None:
            yield node.move, bids
            bids = None


def nodes_to_last_bids(game: Game) -> tuple[GameNode, ...]:
    """Return the nodes up to the last bids; empty if there are no bids yet."""
    line = game.main_line
    bids = [number for number, node in enumerate(line) if node.about(BIDS)]
    return line[: bids[-1] + 1] if bids else ()


def without_bids(game: Game) -> Game:
    """Return the record without bids at its end that no move has followed yet."""
    line = game.main_line
    return game if mover(game) is None or len(line) == 1 else replace(game, nodes=line[:-1])


def due(game: Game) -> Chips:
    """Return the players' chips before the next bids of a record.

    Bids that no move has followed yet do not count. In a record without chips or bids, both
    have `DEFAULT`, and Black has the tie-break chip. Raise ValueError as `check` does.
    """
    game = without_bids(game.cut())
    if not is_begun(game):
        return Chips(replace(DEFAULT, tie_break=True), DEFAULT)
    check(game)
    return chips(game)


def check(game: Game) -> None:
    """Raise ValueError, naming the move, when chips, bids and moves are not consistent."""
    has: Chips | None = None
    due: Color | None = None
    number, has_bids = 1, False
    for node in game.main_line:
        try:
            if node.move is not None and not node.about(BIDS):
                _check_bid_for(node.move, due, has_bids=has_bids)
            has, due = _step(node, has, due)
            has_bids = has_bids or bool(node.about(BIDS))
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from None
        number += node.move is not None
    if has is None:
        raise ValueError(f"no {HOLDINGS} gives the players' chips")


def _check_bid_for(move: Move, due: Color | None, *, has_bids: bool) -> None:
    if has_bids and due is None and not move.gives_up:
        raise ValueError("nobody has bid for it")


def _step(
    node: GameNode, has: Chips | None, due: Color | None
) -> tuple[Chips | None, Color | None]:
    """Return the chips after a node, and the player who is due to move after bids."""
    if node.about(BIDS):
        if has is None:
            raise ValueError(f"bids, but no {HOLDINGS} gives the players' chips")
        has, due = _settle(node, has), node.turn
    elif node.about(HOLDINGS):
        before, has = has, read_chips(node)
        if before is None:
            check_total(has.total)
        elif has != before:
            raise ValueError(f"chips of {has.black} {has.white} without bids")
    if node.move is None:
        return has, due
    if due is not None and node.move.color is not due and not node.move.gives_up:
        raise ValueError(f"{due.word} has won the bid, and the other player moves")
    return has, None


def _settle(node: GameNode, has: Chips) -> Chips:
    """Return the chips after a node's bids; raise ValueError if they do not follow from them."""
    bids, after = read_bids(node), read_chips(node)
    holdings = [has.settle(bids, takes_tie=takes) for takes in (True, False)]
    if (node.turn, after) not in holdings:
        raise ValueError(
            f"bids of {bids[0]} and {bids[1]} do not lead to {after.black} {after.white}"
        )
    return after


def _holdings(chips: Chips) -> tuple[str, tuple[str, str]]:
    return HOLDINGS, (str(chips.black), str(chips.white))


def _two(node: GameNode, name: str) -> tuple[str, str]:
    values = node.about(name)
    if len(values) != 2:
        raise ValueError(f"{name} has {len(values)} values, not one for each player")
    return values[0], values[1]


def read_chips(node: GameNode) -> Chips:
    """Read the chips of a node that has XH. Raise ValueError when they are malformed."""
    black, white = _two(node, HOLDINGS)
    return Chips(Holding.read(black), Holding.read(white))


def read_bids(node: GameNode) -> tuple[int, int]:
    """Read the bids of Black and White at a node. Raise ValueError when they are malformed."""
    black, white = (Holding.read(text) for text in _two(node, BIDS))
    if black.tie_break or white.tie_break:
        raise ValueError(f"a bid does not include the tie-break chip: {black} {white}")
    return black.chips, white.chips
