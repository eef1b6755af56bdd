"""Advice on moves and bids: at random turns, at ordinary turns, and with given chips."""

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import sqrt

import numpy as np

from hsearch.connect import DEFAULT_LIMITS, Connection, Limits, closure
from hsearch.connect.store import Store
from hsearch.hex import Board, Cell, Color, Point, Position, winner
from hsearch.hex.position import groups
from player.bidding.chips import Holding
from player.bidding.discrete import MAX_EMPTY, Thresholds
from player.evaluate.exact import count
from player.evaluate.fillings import Odds

# Hex in which a coin decides who moves (Peres, Schramm, Sheffield and Wilson 2007).
#
# The best cell is the same for both players: the one most often critical in random
# fillings, or any of several equal ones.

FindOdds = Callable[[Position], Odds]


@dataclass(frozen=True, slots=True)
class CoinTurn:
    """A move by the player whom the coin chose."""

    color: Color
    cell: Cell


def expected_turns(position: Position) -> Fraction:
    """Return the exact mean number of turns under best play.

    Of equally good cells the first is played. Each empty cell at most doubles the work:
    0.2 s for 4x4, 11 s for 5x5.
    """
    means: dict[Position, Fraction] = {}

    def solve(now: Position) -> Fraction:
        if winner(now) is not None:
            return Fraction(0)
        if now not in means:
            critical = count(now).critical
            best = max(critical, key=critical.__getitem__)
            means[now] = 1 + sum(solve(now.put(best, color)) for color in Color) / Fraction(2)
        return means[now]

    return solve(position)


def play(position: Position, rng: np.random.Generator, find_odds: FindOdds) -> list[CoinTurn]:
    """Return a game of best play to its end; `find_odds` finds the best cells, a coin the mover."""
    turns = []
    while winner(position) is None:
        cell = int(rng.choice(find_odds(position).best()))
        turn = CoinTurn(Color(int(rng.integers(2))), cell)
        position = position.put(cell, turn.color)
        turns.append(turn)
    return turns


def average(lengths: Sequence[int]) -> tuple[float, float]:
    """Return the mean of some games' lengths, and its standard error.

    Raise ValueError for fewer than two games, from which no error can be computed.
    """
    if len(lengths) < 2:
        raise ValueError(f"too few games for a standard error: {len(lengths)}")
    return float(np.mean(lengths)), float(np.std(lengths, ddof=1)) / sqrt(len(lengths))


# Stake of a cell at ordinary turns: the strongest connection that needs it.
#
# Bids do not follow from it: a full connection has a reply to each single intrusion,
# but a bidder may buy two moves in a row.


def stakes(
    position: Position, cell: Cell, limits: Limits = DEFAULT_LIMITS
) -> dict[Color, Connection]:
    """Return for each player the strongest connection that a stone on a cell defends or breaks.

    A connection counts if all of its kind between the same groups or edges need the cell.
    Connections from edge to edge are strongest, then those from an edge; then fulls before
    semis; then the smallest. A player without such a connection is missing.
    """
    stakes = {}
    for color, store in closure.closure_of_both(position, limits).items():
        captains = sorted(group.captain for group in groups(position, color))
        connections = [
            connection
            for x, y in combinations(captains, 2)
            if (connection := _dependent(store, x, y, cell)) is not None
        ]
        if connections:
            stakes[color] = min(connections, key=lambda each: _weakness(position.board, each))
    return stakes


def _dependent(store: Store, x: Point, y: Point, cell: Cell) -> Connection | None:
    """Return the smallest connection of two groups if all of its kind need the cell."""
    kind = store.fulls(x, y) or store.semis(x, y)
    return kind[0] if kind and all(each.carrier[cell] for each in kind) else None


def _weakness(board: Board, connection: Connection) -> tuple[int, bool, int]:
    edges = sum(map(board.is_edge, connection.ends))
    return -edges, not connection.is_full, connection.carrier.count()


# Advice on a bid and a move, with given chips.


class Reason(enum.Enum):
    """The reason for the amount of a bid."""

    DECIDED = "the game is decided, so nothing is worth a chip"
    EVERYTHING = "whoever moves wins at once, so everything is bid"
    THRESHOLD = "it keeps the chips at or above the threshold, whatever the opponent does"
    OUTBIDS = "the other player cannot bid more"
    ALL = "the cell is worth more, but these are all the player's chips"
    CRITICAL = "as a share of all chips, half the chance that the cell decides a random filling"


@dataclass(frozen=True, slots=True)
class BidAdvice:
    """A bid, and the move if it wins.

    cell       the cell to play
    bid        the chips to bid, at most those that the player has
    takes_tie  whether to hand over the tie-break chip for the move if the bids are equal
    reason     the reason for the amount
    share      the Richman value: the share of all chips above which the player wins
    error      the standard error of `share`; None if it is exact
    threshold  if `is_solved`, the least holding that wins; None if all chips are not enough
    is_solved  whether `threshold` is known
    second     the next best cell and a bid for it, at most all chips; None if there is none
    """

    cell: Cell
    bid: int
    takes_tie: bool
    reason: Reason
    share: float
    error: float | None = None
    threshold: Holding | None = None
    is_solved: bool = False
    second: tuple[Cell, int] | None = None


def advise(
    odds: Odds,
    color: Color,
    holding: Holding,
    *,
    total: int,
    thresholds: Thresholds | None = None,
) -> BidAdvice:
    """Return the advice for a player who has `holding` of `total` chips.

    `thresholds` may be those of an earlier position of the game; without any, they are
    computed if few cells are empty. Raise ValueError for balanced fillings, from which no
    bid follows, on a full board, and when the player has more chips than `total`.
    """
    _refuse_unadvisable(odds, holding, total)
    position, ranking = odds.position, odds.rank()
    if thresholds is None and len(ranking) <= MAX_EMPTY:
        thresholds = Thresholds(position, total)
    best = ranking[0]
    share, error = 1.0 - odds.chance(color), None if odds.is_exact else odds.error
    if winner(position) is not None:
        return BidAdvice(best, 0, takes_tie=False, reason=Reason.DECIDED, share=share, error=error)
    if thresholds is not None:
        moves = thresholds.moves(position, color)
        best = next(cell for cell in ranking if cell in moves)

    def within(cell: Cell) -> int:
        return min(holding.chips, fair_bid(odds, cell, total))

    bid = within(best)
    takes_tie = True
    reason = Reason.CRITICAL if bid == fair_bid(odds, best, total) else Reason.ALL
    if bid > (most := _most_needed(holding, total)):
        bid, reason = most, Reason.OUTBIDS
    if is_won_at_once(position, best):
        bid, reason = holding.chips, Reason.EVERYTHING
    elif thresholds is not None and thresholds.wins(position, color, holding):
        safe = thresholds.bids(position, color, holding)
        bid, reason = min(safe, key=lambda amount: (abs(amount - bid), amount)), Reason.THRESHOLD
        takes_tie = thresholds.is_tie_taken(position, color, holding, bid)
    others = [cell for cell in ranking if cell != best]
    return BidAdvice(
        best,
        bid,
        takes_tie,
        reason,
        share,
        error,
        threshold=thresholds.threshold(position, color) if thresholds else None,
        is_solved=thresholds is not None,
        second=(others[0], within(others[0])) if others else None,
    )


def _refuse_unadvisable(odds: Odds, holding: Holding, total: int) -> None:
    """Raise ValueError if no bid can be advised."""
    if odds.balanced:
        raise ValueError("balanced fillings do not give a bid")
    if holding.chips > total:
        raise ValueError(f"{holding.chips} of {total} chips")
    if not odds.critical:
        raise ValueError("no cell is empty, so there is no move to bid for")


# Bidding with divisible chips.
#
# R is the share of all chips above which Black wins: 0 if Black has won, 1 if White has, and
# otherwise the mean of the least R that Black can move to and the greatest that White can.
# Both players' best bid is half the difference. R is also White's chance to win when a coin
# decides who moves (Lazarus, Loeb, Propp, Stromquist and Ullman 1999), so that
# `player.evaluate.exact` computes it as odds, without recursion.


@dataclass(frozen=True, slots=True)
class RichmanValues:
    """The share of all chips above which Black wins, now and after the best moves.

    value        R
    after_black  R-, the least that Black can move to
    after_white  R+, the greatest that White can move to; R is the mean of both
    """

    value: float
    after_black: float
    after_white: float


def richman_values(odds: Odds) -> RichmanValues:
    """Return Richman's R, R- and R+. Raise ValueError for balanced fillings.

    R+ - R- is how often the best cell is critical (Payne and Robeva), because both
    players move there.
    """
    if odds.balanced:
        raise ValueError("balanced fillings do not give Richman values")
    value = odds.chance(Color.WHITE)
    half = max(odds.critical.values(), default=0.0) / 2
    # With sampled fillings half the cell's share may exceed R.
    return RichmanValues(value, max(0.0, value - half), min(1.0, value + half))


def fair_bid(odds: Odds, cell: Cell, total: int) -> int:
    """Return (1/2 - L_H) of all chips, rounded down: the bid of Payne and Robeva.

    L_H is the share of fillings in which the cell has the losing color.
    """
    # A billionth of a chip more, so that rounding errors do not cost a whole chip.
    return int((0.5 - odds.losing(cell)) * total + 1e-9)


def _most_needed(holding: Holding, total: int) -> int:
    """Return the least bid that no bid of the opponent, who has the rest, can beat."""
    # With the tie-break chip an equal bid is enough; handing it over costs less than a chip.
    rest = holding.opposite(total)
    return rest.chips + rest.tie_break


def is_won_at_once(position: Position, cell: Cell) -> bool:
    """Return whether each player, if it had the move, would win at once by playing here."""
    return all(winner(position.put(cell, color)) is color for color in Color)
