"""Odds and bids in words, and what a picture of them points out."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from hsearch.board import Board, Cell, Color
from hsearch.connection import Connection
from hsearch.position import Position
from hsearch.render import Marks
from hsearch.strategy.shapes import shape
from player.bidding import MAX_EMPTY, Advice, Chips, Holding, Thresholds, advise, fair_bid
from player.bidding.stake import stakes
from player.cli.reading import Source
from player.fillings import Odds

if TYPE_CHECKING:
    from rich.table import Table

ROWS = 8
LINE = 80  # columns of a terminal


def board_marks(odds: Odds, last: Cell | None) -> Marks:
    """Return what a board on a terminal points out: in how many fillings a cell decides."""
    whole = _fillings(odds.position.board)
    return Marks(
        last=last,
        labels={c: str(round(whole * share)) for c, share in odds.critical.items()},
    )


def on_the_board(board: Board) -> str:
    """Return what the numbers of `board_marks` are."""
    return f"On the board: fillings of {_fillings(board):,} in which the cell decides the winner."


def _fillings(board: Board) -> int:
    """Return of how many fillings the board tells: 1,000, or 100 where that is too wide."""
    digits = 3
    return 1000 if digits * (2 * board.columns + board.rows) <= LINE else 100


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


def report(odds: Odds, has: Chips, source: Source) -> Iterator[str]:
    """Yield the lines below the table."""
    yield on_the_board(odds.position.board)
    yield chances(odds)
    yield _best(odds)
    if odds.balanced:
        yield "Balanced fillings tell of ordinary turns, so there is no bid."
    else:
        total = has.total
        few = len(odds.critical) <= MAX_EMPTY
        solved = Thresholds(odds.position, total) if few else None
        bids = {c: advise(odds, c, has[c], total=total, thresholds=solved) for c in Color}
        for color, advice in bids.items():
            yield from bid_lines(replace(odds.position, turn=color), has[color], advice, total)
        for cell in dict.fromkeys(advice.cell for advice in bids.values()):
            yield from at_stake(odds.position, cell)
    yield "Next: " + source.again("analyze")


def _best(odds: Odds) -> str:
    """Return the best cells in words; of many the first, and how many more there are."""
    best = odds.best()
    names = " ".join(map(odds.position.board.name, best[:ROWS]))
    more = f" and {len(best) - ROWS} more" if len(best) > ROWS else ""
    return f"Best: {names}{more}{', not told apart' if best[1:] and not odds.is_exact else ''}."


def chances(odds: Odds) -> str:
    """Return how often each player wins the fillings."""
    turns = "with as many stones of each" if odds.balanced else "at random turns"
    shares = ", ".join(f"{color.word} {100 * odds.chance(color):.2f} %" for color in Color)
    how = "exact" if odds.fillings is None else f"± {100 * odds.error:.2f} %"
    drawn = "" if odds.fillings is None else f", {odds.fillings:,} fillings"
    return f"Chance to win {turns}: {shares} ({how}{drawn})."


def bid_lines(position: Position, holding: Holding, advice: Advice, total: int) -> Iterator[str]:
    """Yield what the player to move should bid, why, what would win, and the second best."""
    assert advice.cell is not None  # noqa: S101 - the game is not over, so cells are empty
    name = position.board.name
    yield (
        f"{position.turn.word.capitalize()} has {holding} of {total} chips: "
        f"bid {advice.bid} for {name(advice.cell)}; {advice.reason.value}."
    )
    least = f"{total * advice.share:.2f}"
    if advice.error is not None:
        least = f"about {least} ± {total * advice.error:.2f}"
    needs = f"  Could chips be divided, more than {least} would win"
    if advice.is_solved:
        few = "none are enough" if advice.threshold is None else f"{advice.threshold} do"
        needs += f"; of whole chips {few}"
    second = ""
    if advice.second is not None:
        second = f" Second best: {name(advice.second[0])} for {advice.second[1]}."
    yield f"{needs}.{second}"


def at_stake(position: Position, cell: Cell | None) -> Iterator[str]:
    """Yield what hangs on a cell at ordinary turns: what a bid for it defends or breaks."""
    found = {} if cell is None else stakes(position, cell)
    parts = [_named(position, color, connection) for color, connection in found.items()]
    if cell is not None and parts:
        name = position.board.name(cell)
        yield f"On {name} hangs, at ordinary turns, {' and '.join(parts)}."


def _named(position: Position, color: Color, connection: Connection) -> str:
    """Return a connection in words: `Black's full connection of north and south (30 cells)`."""
    kind = "full" if connection.is_full else "semi"
    ends = " and ".join(map(position.board.name, connection.ends))
    count = connection.carrier.count()
    known = shape(connection, position, color)
    size = f"{count} cell{'s' if count > 1 else ''}"
    return f"{color.word.capitalize()}'s {kind} connection of {ends} ({known or size})"
