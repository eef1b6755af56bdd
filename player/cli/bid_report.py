"""Odds and bids in words, and what a picture of them points out."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from hsearch.board import Cell, Color
from hsearch.render import Marks
from player.bidding import MAX_EMPTY, Advice, Holding, Thresholds, advise, fair_bid
from player.cli.reading import Source
from player.fillings import Odds

if TYPE_CHECKING:
    from rich.table import Table

ROWS = 8


def board_marks(odds: Odds, last: Cell | None) -> Marks:
    """Return what a board on a terminal points out: fillings of 1,000 in which a cell decides."""
    return Marks(
        last=last,
        labels={c: str(round(1000 * share)) for c, share in odds.critical.items()},
    )


def picture_marks(odds: Odds, last: Cell | None) -> Marks:
    """Return what a picture points out: how critical each cell is, in per cent."""
    return Marks(
        last=last,
        heat=dict(odds.critical),
        heat_as="of fillings, in which the cell decides the winner (labels: per cent)",
        labels={cell: f"{100 * share:.1f}" for cell, share in odds.critical.items()},
    )


def table(odds: Odds, total: int) -> "Table":
    """Return the best cells: how often each decides the winner, and the bid it is worth."""
    from rich.table import Table  # noqa: PLC0415 - slow to import

    page = Table(box=None, pad_edge=False)
    for heading in ("cell", "critical", "± error", "losing", "bid"):
        page.add_column(heading, justify="left" if heading == "cell" else "right")
    for cell in odds.ranked()[:ROWS]:
        page.add_row(
            odds.position.board.name(cell),
            f"{odds.critical[cell]:.5f}",
            "exact" if odds.errors is None else f"{odds.errors[cell]:.5f}",
            "" if odds.balanced else f"{odds.losing(cell):.5f}",
            "" if odds.balanced else str(fair_bid(odds, cell, total)),
        )
    return page


def report(odds: Odds, has: dict[Color, Holding], source: Source) -> Iterator[str]:
    """Yield the lines below the table."""
    board = odds.position.board
    yield "On the board: fillings of 1,000 in which the cell decides the winner."
    yield chances(odds)
    best = " ".join(board.name(cell) for cell in odds.best())
    yield f"Best: {best}{', not told apart' if ' ' in best and not odds.is_exact else ''}."
    if odds.balanced:
        yield "Balanced fillings tell of ordinary turns, so there is no bid."
    else:
        total = sum(holding.chips for holding in has.values())
        few = len(odds.critical) <= MAX_EMPTY
        solved = Thresholds(odds.position, total) if few else None
        for color in Color:
            advice = advise(odds, color, has[color], total=total, thresholds=solved)
            yield from _bid(board.name, color, has[color], advice, total)
    yield "Next: " + source.again("analyze")


def chances(odds: Odds) -> str:
    """Return how often each player wins the fillings."""
    turns = "with as many stones of each" if odds.balanced else "at random turns"
    shares = ", ".join(f"{color.word} {100 * odds.chance(color):.2f} %" for color in Color)
    how = "exact" if odds.fillings is None else f"± {100 * odds.error:.2f} %"
    drawn = "" if odds.fillings is None else f", {odds.fillings:,} fillings"
    return f"Chance to win {turns}: {shares} ({how}{drawn})."


def _bid(
    name: Callable[[Cell], str], color: Color, holding: Holding, advice: Advice, total: int
) -> Iterator[str]:
    """Yield what a player should bid, why, and what the player would need to win."""
    assert advice.cell is not None  # noqa: S101 - the game is not over, so cells are empty
    yield (
        f"{color.word.capitalize()} has {holding} of {total} chips: "
        f"bid {advice.bid} for {name(advice.cell)}; {advice.reason.value}."
    )
    needs = f"  Could chips be divided, more than {total * advice.share:.2f} would win"
    if not advice.is_solved:
        yield f"{needs}."
    elif advice.threshold is None:
        yield f"{needs}; of whole chips none are enough."
    else:
        yield f"{needs}; of whole chips {advice.threshold} do."
