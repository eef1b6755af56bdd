"""Odds and bids: computed first, then in words, as JSON, and as marks on a board."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hsearch.connect import Connection
from hsearch.hex import Board, Cell, Color, Position
from hsearch.kernels.stop import check
from hsearch.render.text import Marks, quantity
from hsearch.strategy.explain import shape
from player.answers.objects import number, position_object
from player.bidding.advice import (
    BidAdvice,
    advise,
    average,
    expected_turns,
    play,
    richman_values,
    stakes,
)
from player.bidding.chips import Chips, Holding
from player.bidding.discrete import MAX_EMPTY, Thresholds
from player.evaluate.exact import count_or_draw, exact, fractions, is_reachable
from player.evaluate.fillings import Odds
from player.work.clock import TimeLeft

BEST = 8  # cells named at most
LINE = 80  # columns of a terminal
MOST_DIGITS = 16  # of a share: a double holds no more


@dataclass(frozen=True)
class BidAnswer:
    """Bids of both players for the next move.

    odds    how critical each cell is
    chips   the chips of both players
    advice  the bid and the cell, by player; empty if the fillings are balanced
    """

    odds: Odds
    chips: Chips
    advice: Mapping[Color, BidAdvice]

    @classmethod
    def of(cls, odds: Odds, chips: Chips) -> "BidAnswer":
        """Compute the bids of both players."""
        if odds.balanced:
            return cls(odds, chips, {})
        few = len(odds.critical) <= MAX_EMPTY
        thresholds = Thresholds(odds.position, chips.total) if few else None
        advice = {
            color: advise(odds, color, chips[color], total=chips.total, thresholds=thresholds)
            for color in Color
        }
        return cls(odds, chips, advice)

    @cached_property
    def stakes(self) -> Mapping[Cell, Mapping[Color, Connection]]:
        """The connections that need an advised cell at ordinary turns, by cell and owner."""
        cells = dict.fromkeys(each.cell for each in self.advice.values())
        return {cell: stakes(self.odds.position, cell) for cell in cells}


def board_marks(odds: Odds, last: Cell | None) -> Marks:
    """Return the marks of a board on a terminal: in how many fillings each cell decides."""
    whole = _fillings(odds.position.board)
    return Marks(
        last=last,
        labels={c: str(round(whole * share)) for c, share in odds.critical.items()},
    )


def on_the_board(board: Board) -> str:
    """Return the sentence that explains the numbers of `board_marks`."""
    return f"On the board: fillings of {_fillings(board):,} in which the cell decides the winner."


def _fillings(board: Board) -> int:
    """Return the scale of the numbers on a board: 1,000, or 100 where they would be too wide."""
    digits = 3
    return 1000 if digits * (2 * board.columns + board.rows) <= LINE else 100


def picture_marks(odds: Odds, last: Cell | None) -> Marks:
    """Return the marks of a picture: how critical each cell is, in per cent."""
    return Marks(
        last=last,
        heat=dict(odds.critical),
        heat_as="of fillings, in which the cell decides the winner (labels: per cent)",
        labels={cell: f"{100 * share:.1f}" for cell, share in odds.critical.items()},
    )


def statements(bids: BidAnswer) -> Iterator[str]:
    """Yield the meaning of the board, the chances, the best cells, and the bids with reasons."""
    odds = bids.odds
    yield on_the_board(odds.position.board)
    yield chances(odds)
    yield _best(odds)
    if odds.balanced:
        yield "Balanced fillings are for ordinary turns, so there is no bid."
    else:
        yield _richman(odds)
    yield from bid_lines(bids)


def _richman(odds: Odds) -> str:
    """Return the Richman values in words."""
    values = richman_values(odds)
    threshold, less, more = (
        _of(1, share, digits=4) for share in (values.value, values.after_black, values.after_white)
    )
    return (
        f"Richman: Black needs R = {threshold} of all chips; R- = {less} after Black's best move, "
        f"R+ = {more} after White's."
    )


def _of(most: float, share: float, *, digits: int = 2) -> str:
    """Return a share of `most` to `digits` places, or more if a part would look like 0 or all."""
    part, ends = most * share, {0, most}
    while 0 < share < 1 and digits < MOST_DIGITS and float(f"{part:.{digits}f}") in ends:
        digits += 1
    return f"{part:.{digits}f}"


def richman_object(odds: Odds) -> dict[str, Any] | None:
    """Return the Richman values as a JSON object; None for balanced fillings."""
    if odds.balanced:
        return None
    values, digits = richman_values(odds), (None if odds.is_exact else 6)
    return {
        "value": number(values.value, digits),
        "after_black": number(values.after_black, digits),
        "after_white": number(values.after_white, digits),
    }


def _best(odds: Odds) -> str:
    """Return the best cells in words: the first ones, and how many more there are."""
    best = odds.best()
    names = odds.position.board.text(best[:BEST])
    more = f" and {len(best) - BEST} more" if len(best) > BEST else ""
    tied = ", with no measured difference" if best[1:] and not odds.is_exact else ""
    return f"Best: {names}{more}{tied}."


def chances(odds: Odds) -> str:
    """Return how often each player wins the fillings."""
    turns = "with as many stones of each" if odds.balanced else "at random turns"
    shares = ", ".join(f"{color.title} {_of(100, odds.chance(color))} %" for color in Color)
    how = "exact" if odds.fillings is None else f"± {100 * odds.error:.2f} %"
    sample = "" if odds.fillings is None else f", {odds.fillings:,} fillings"
    return f"Chance to win {turns}: {shares} ({how}{sample})."


def bid_lines(bids: BidAnswer) -> Iterator[str]:
    """Yield what each player should bid, and which connections need the cell at ordinary turns.

    Others may join the same ends without the cell, as H-search does not find all connections.
    """
    for color, advice in bids.advice.items():
        yield from _bid(bids, color, advice)
    position = bids.odds.position
    for cell, by_color in bids.stakes.items():
        if by_color:
            parts = " and ".join(
                _describe(position, color, each) for color, each in by_color.items()
            )
            verb = "needs" if len(by_color) == 1 else "need"
            yield f"At ordinary turns, {parts} {verb} {position.board.name(cell)}."


def _bid(bids: BidAnswer, color: Color, advice: BidAdvice) -> Iterator[str]:
    """Yield what a player should bid, why, what would win, and the second best."""
    name, total = bids.odds.position.board.name, bids.chips.total
    yield (
        f"{color.title} has {bids.chips[color]} of {total} chips: "
        f"bid {advice.bid} for {name(advice.cell)}; {advice.reason.value}."
    )
    least = _of(total, advice.share)
    if advice.error is not None:
        least = f"about {least} ± {total * advice.error:.2f}"
    needs = f"  With divisible chips, more than {least} would win"
    if advice.is_solved:
        few = "none are enough" if advice.threshold is None else f"{advice.threshold} do"
        needs += f"; of whole chips {few}"
    second = ""
    if advice.second is not None:
        second = f" Second best: {name(advice.second[0])} for {advice.second[1]}."
    yield f"{needs}.{second}"


def _describe(position: Position, color: Color, connection: Connection) -> str:
    """Return the known connections of a player that are of this kind and join these ends, in words.

    Such as `every known full connection of Black's between north and south (smallest: 30 cells)`;
    `connection` is the smallest one.
    """
    ends = position.board.pair(connection.ends)
    size = shape(connection, position, color) or quantity(connection.carrier.count(), "cell")
    what = f"{connection.kind} connection of {color.title}'s between {ends}"
    return f"every known {what} (smallest: {size})"


def bid_object(bids: BidAnswer, *, turn_is_known: bool = True) -> dict[str, Any]:
    """Return odds and the bid of the player to move as a JSON object.

    If the turn is unknown, the bid and the move are null unless both players' agree. With
    balanced fillings, the bid and each `losing` are null. Exact odds have all their digits
    and, unless the board is large, fractions.
    """
    odds, has, position = bids.odds, bids.chips, bids.odds.position
    name = position.board.name
    movers = (position.turn,) if turn_is_known else tuple(Color)
    advice = [each for color in movers if (each := bids.advice.get(color)) is not None]
    best = [each.cell for each in advice] or [odds.rank()[0]]
    cells = set(map(name, best))
    amounts = {each.bid for each in advice}
    digits, exact = (None if odds.is_exact else 6), fractions(odds)
    return {
        "schema": "hsearch/bid/1",
        "position": position_object(position, turn_is_known=turn_is_known),
        "chips": {color.word: has[color].chips for color in Color},
        "tie_break": has.holder.word,
        "fillings": odds.fillings,
        "exact": odds.is_exact,
        "win_probability": {color.word: number(odds.chance(color), digits) for color in Color},
        "fraction": None
        if exact is None
        else {color.word: str(exact.chance(color)) for color in Color},
        "standard_error": number(odds.error),
        "richman": richman_object(odds),
        "cells": [
            {
                "cell": name(cell),
                "losing": None if odds.balanced else number(odds.losing(cell), digits),
                "critical": number(odds.critical[cell], digits),
                "fraction": None if exact is None else str(exact.critical[cell]),
            }
            for cell in odds.rank()
        ],
        "move": next(iter(cells)) if len(cells) == 1 else None,
        "bid": next(iter(amounts)) if len(amounts) == 1 else None,
    }


# The expected length of a random-turn game with best play.

# With this many empty cells an exact answer takes 2 s; one more cell doubles the time.
MOST_EXACT = 20
FILLINGS = 100_000  # for each move, if not all can be counted


def turns_taken(
    position: Position, games: int, seed: int, seconds: float | None = None
) -> tuple[str, bool]:
    """Return a sentence on the expected number of turns, and whether Ctrl-C ended the games.

    The number is exact if few cells are empty; else it is the mean of `games` games, whose coin
    depends on the seed, or of those that were played when the seconds were over.
    """
    if position.empty.count() <= MOST_EXACT:
        return _sentence(f"{float(expected_turns(position)):.4f}", "exact"), False
    rng, lengths, clock = np.random.default_rng(seed), list[int](), TimeLeft(seconds)

    def odds(now: Position) -> Odds:
        check(late=True)  # also in the middle of a game, which then does not count
        return count_or_draw(now, rng, fillings=None if is_reachable(now) else FILLINGS)

    is_interrupted = False
    try:
        with clock.running():
            while len(lengths) < games:
                lengths.append(len(play(position, rng, odds)))
    except KeyboardInterrupt:
        is_interrupted = True
    cut = ""
    if len(lengths) < games:
        cut = f" of {games}, " + ("interrupted" if is_interrupted else f"in {seconds:g} s")
    if len(lengths) < 2:
        count = f"{quantity(len(lengths), 'game')}{cut}"
        return f"Too few games were played to measure their length: {count}.", is_interrupted
    mean, error = average(lengths)
    return _sentence(f"{mean:.2f} ± {error:.2f}", f"{len(lengths)} games{cut}"), is_interrupted


def _sentence(number: str, how: str) -> str:
    return f"Best play at random turns takes {number} turns on average ({how})."


# The least chips that win, and the best moves, for each number of chips.


@dataclass(frozen=True, slots=True)
class ThresholdRow:
    """The answer for one total of chips, a thousandth of the table that it is read from.

    needs  the least chips with which Black and White win; None if all are too few
    best   the best moves of each
    """

    total: int
    needs: tuple[Holding | None, ...]
    best: tuple[tuple[Cell, ...], ...]

    @classmethod
    def of(cls, position: Position, thresholds: Thresholds) -> "ThresholdRow":
        """Return the part of a solved total that is printed, so that the rest can be freed."""
        return cls(
            thresholds.total,
            tuple(thresholds.threshold(position, color) for color in Color),
            tuple(tuple(thresholds.moves(position, color)) for color in Color),
        )


def thresholds_object(
    position: Position, totals: Sequence[ThresholdRow], *, turn_is_known: bool
) -> dict[str, Any]:
    """Return what each number of chips needs and plays as a JSON object."""
    odds = exact(position)
    names = position.board.names
    rows = []
    for each in totals:
        row: dict[str, Any] = {"chips": each.total}
        for color in Color:
            least = each.needs[color]
            row[color.word] = {
                "needs": None if least is None else str(least),
                "moves": names(position.board.only(*each.best[color])),
            }
        rows.append(row)
    return {
        "schema": "hsearch/thresholds/1",
        "position": position_object(position, turn_is_known=turn_is_known),
        "richman": richman_object(odds),
        "totals": rows,
        "equal_chips_win": {color.word: equal_chips_win(totals, color) for color in Color},
    }


def threshold_statements(position: Position, totals: Sequence[ThresholdRow]) -> list[str]:
    """Return sentences: the answer for divisible chips, where it differs, and who is ahead."""
    odds = exact(position)
    shares, values = fractions(odds), richman_values(odds)
    best = {*odds.best()}
    names = position.board.text(sorted(best))
    share = values.value if shares is None else shares.chance(Color.WHITE)
    lines = [f"With divisible chips, Black would need more than {share} of them; best: {names}."]
    other = [str(e.total) for e in totals if not best & {*e.best[Color.BLACK]}]
    if other:
        lines.append(f"None of these is best for Black with {', '.join(other)} chips.")
    for color in Color:
        least = equal_chips_win(totals, color)
        if least is not None:
            lines.append(
                f"{color.title} wins with half the chips and without the tie-break "
                f"chip, from {least} chips on (to {totals[-1].total})."
            )
    return lines


def equal_chips_win(totals: Sequence[ThresholdRow], color: Color) -> int | None:
    """Return the least total from which on half, rounded down and without `*`, always wins.

    None if half of the largest total does not win: then there is no advantage.
    """
    least = None
    for each in reversed(totals):
        need = each.needs[color]
        if need is None or need.chips + need.tie_break > each.total // 2:
            break
        least = each.total
    return least
