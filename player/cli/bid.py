"""`hsearch bid`: what to bid for the next move, and where to play it."""

from typing import TYPE_CHECKING

import click

from hsearch.position import winner
from player.bidding import Holding, fair_bid
from player.cli.drawing import find_odds
from player.cli.sampling import SamplingRequest, takes_fillings
from player.cli.turns import turns
from player.console.chips import ChipsType, chips_at, chips_of
from player.console.command import command
from player.console.errors import INTERRUPTED, InputError
from player.console.output import Output, print_object, say, takes_output
from player.console.reading import InputSource, reads_position
from player.console.screen import Screen
from player.fillings import Odds
from player.report.bid import BEST, Bids, bid_object, board_marks, picture_marks, statements

if TYPE_CHECKING:
    from rich.table import Table


@command(
    "bid",
    "hsearch bid positions/games/london-2000-queenbee-hexy.sgf --move 12",
    "hsearch bid positions/games/london-2000-queenbee-hexy.sgf --chips '80*' 120 --svg heat.svg",
    "echo 'a5 c4 d3' | hsearch bid - --size 5 --fillings 1024000 --json",
)
@reads_position
@click.option(
    "--chips",
    nargs=2,
    type=ChipsType(),
    metavar="BLACK WHITE",
    help="What each player has, a * for the tie-break chip, as '80*' 120 in quotes; else what the"
    " record of a bidding game says, else '100*' 100.",
)
@takes_fillings
@takes_output("Draw how critical each cell is")
@click.option(
    "--turns",
    "games",
    type=click.IntRange(2, 10**6),
    metavar="GAMES",
    help="Tell how many turns best play takes: exactly, or from this many games, or as many as are"
    " played when you press Ctrl-C.",
)
def bid(
    *,
    source: InputSource,
    chips: tuple[Holding, Holding] | None,
    wanted: SamplingRequest,
    games: int | None,
    output: Output,
) -> None:
    """Tell what the next move at the position of FILE is worth in chips, and which it is.

    In bidding Hex the higher bid wins the move and is paid to the other player.
    All fillings of the empty cells are counted, where one side of the board is
    13 cells or less; else, or when asked for, many are drawn.
    """
    if games is not None and output.as_json:
        raise click.UsageError("--turns and --json exclude each other")
    has = chips_of(*chips) if chips else chips_at(source)
    if (won := winner(source.position)) is not None:
        raise InputError(f"{source.file}: the game is over: {won.word} has won")
    found = find_odds(source.position, wanted)
    if found.odds is not None:
        bids = Bids.of(found.odds, has)
        if output.picture.is_wanted:
            output.picture.draw(source, picture_marks(found.odds, source.last), "critical cells")
        if output.as_json:
            print_object(bid_object(bids))
        else:
            _print(bids, source, output.screen)
        for remark in wanted.enough.remarks(found.odds) if wanted.enough else ():
            click.echo(remark, err=True)
    is_interrupted = found.is_interrupted
    if games is not None and not is_interrupted:
        line, is_interrupted = turns(source.position, games, wanted.seed)
        say([line])
    if is_interrupted:
        raise click.exceptions.Exit(INTERRUPTED)


def _print(bids: Bids, source: InputSource, screen: Screen) -> None:
    marks = board_marks(bids.odds, source.last)
    screen.show(source.position, marks)
    click.echo(f"\n{source.caption}\n")
    screen.rich(_table(bids.odds, bids.chips.total))
    say(("", *statements(bids), "Next: " + source.again("analyze")))


def _table(odds: Odds, total: int) -> "Table":
    """Return the best cells: how often each decides the winner, and the bid it is worth."""
    from rich.table import Table  # noqa: PLC0415 - slow to import

    page = Table(box=None, pad_edge=False)
    for heading in ("cell", "critical", "± error", "losing", "bid"):
        page.add_column(heading, justify="right" if heading == "bid" else "left")
    for cell in odds.ranked()[:BEST]:
        page.add_row(
            odds.position.board.name(cell),
            f"{odds.critical[cell]:.5f}",
            "exact" if odds.errors is None else f"{odds.errors[cell]:.5f}",
            "" if odds.balanced else f"{odds.losing(cell):.5f}",
            "" if odds.balanced else str(fair_bid(odds, cell, total)),
        )
    return page
