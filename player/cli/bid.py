"""`hsearch bid` and `hsearch thresholds`: what to bid, where to play, and with how many chips."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import click

from hsearch.hex import Color, Position
from hsearch.hex.position import refuse_won
from player.answers import bid as answer
from player.bidding.advice import fair_bid
from player.bidding.chips import MAX_CHIPS, Chips, Holding, check_total, due, is_begun
from player.bidding.discrete import Thresholds, refuse_large
from player.cli.sampling import SamplingRequest, find_odds, takes_fillings
from player.console.command import INTERRUPTED, command, reading
from player.console.compiling import announce_compiling
from player.console.options import ChipsType, number_option, time_option
from player.console.output import Output, json_option, print_object, say, takes_output
from player.console.reading import InputSource, reads_position
from player.console.screen import Screen, draws, working
from player.evaluate.fillings import FillingMethod, Odds
from player.work.clock import TimeLeft


@command(
    "bid",
    "hsearch bid positions/games/london-2000-queenbee-hexy.sgf --move 12",
    "hsearch bid positions/games/london-2000-queenbee-hexy.sgf --chips '80*' 120 --svg heat.svg",
    "echo 'a5 c4 d3' | hsearch bid - --size 5 --fillings 1024000 --json",
)
@partial(reads_position, needs_turn=False)
@click.option(
    "--chips",
    nargs=2,
    type=ChipsType(),
    metavar="BLACK WHITE",
    help="What each player has, a * for the tie-break chip, as '80*' 120 in quotes;"
    " by default as in the record of a bidding game, else '100*' 100.",
)
@takes_fillings
@takes_output("Draw how critical each cell is")
@click.option(
    "--turns",
    "games",
    type=click.IntRange(2, 10**6),
    metavar="GAMES",
    help="Report how many turns best play takes: exactly, or from this many games, or as many as"
    " are played when --time is up or you press Ctrl-C. A game on 11x11 takes some seconds.",
)
def bid(
    *,
    source: InputSource,
    chips: tuple[Holding, Holding] | None,
    request: SamplingRequest,
    games: int | None,
    output: Output,
) -> None:
    """Report what the next move at the position of FILE is worth in chips, and which it is.

    In bidding Hex the higher bid wins the move and is paid to the other player.
    All fillings of the empty cells are counted, where one side of the board is
    13 cells or less; else, or when asked for, many are drawn.
    """
    if games is not None and output.as_json:
        raise click.UsageError("--turns and --json exclude each other")
    if request.method is FillingMethod.BALANCED:
        source.require_turn()
    else:
        source = _before_bids(source)
    has = _chips_of(*chips) if chips else _chips_at(source)
    with source.blamed():
        refuse_won(source.position)
    seconds = None
    if games is not None and request.enough is not None:
        seconds, request = request.enough.seconds, request.without_time()
    odds, following = find_odds(source.position, request), list[str]()
    if odds.odds is not None:
        following = _answer(answer.BidAnswer.of(odds.odds, has), source, output)
        for remark in request.enough.remarks(odds.odds) if request.enough else ():
            click.echo(remark, err=True)
    is_interrupted = odds.is_interrupted
    if games is not None and not is_interrupted:
        line, is_interrupted = answer.turns_taken(source.position, games, request.seed, seconds)
        say([line])
    say(following)
    if is_interrupted:
        raise click.exceptions.Exit(INTERRUPTED)


def _chips_of(black: Holding, white: Holding) -> Chips:
    """Return the chips of both players; Black has the tie-break chip unless White is given it.

    Raise click's UsageError if both are given it, or if there are no chips at all or too many.
    """
    try:
        both = Chips(black if white.tie_break else replace(black, tie_break=True), white)
        check_total(both.total)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    return both


def _chips_at(source: InputSource) -> Chips:
    """Return the chips of both players for the bids at a source's position, as `due` does.

    Raise InputError if the chips in its record are impossible.
    """
    with reading(source.file):
        return due(source.game.cut(source.moves))


def _answer(bids: answer.BidAnswer, source: InputSource, output: Output) -> list[str]:
    """Draw and print the answer; return the lines to print last, none with --json."""
    if output.picture.is_wanted:
        output.picture.draw(source, answer.picture_marks(bids.odds, source.last), "critical cells")
    if output.as_json:
        print_object(answer.bid_object(bids, turn_is_known=source.turn is not None))
        return []
    _print(bids, source, output.screen)
    return ["Next: " + source.again("analyze")]


def _print(bids: answer.BidAnswer, source: InputSource, screen: Screen) -> None:
    marks = answer.board_marks(bids.odds, source.last)
    screen.show(source.position, marks)
    click.echo(f"\n{source.caption}\n")
    headings = ("cell", "critical", "± error", "losing", "bid")
    screen.table(headings, _rows(bids.odds, bids.chips.total), left=headings[:-1])
    say(("", *answer.statements(bids)))


def _rows(odds: Odds, total: int) -> Iterator[tuple[str, ...]]:
    """Yield a row for each of the best cells: how often it decides who wins, and its fair bid."""
    for cell in odds.rank()[: answer.BEST]:
        yield (
            odds.position.board.name(cell),
            f"{odds.critical[cell]:.5f}",
            "exact" if odds.errors is None else f"{odds.errors[cell]:.5f}",
            "" if odds.balanced else f"{odds.losing(cell):.5f}",
            "" if odds.balanced else str(fair_bid(odds, cell, total)),
        )


# `hsearch thresholds`: the least chips that win, and the best moves, for each number of chips.


def _before_bids(source: InputSource) -> InputSource:
    """Return the input without a turn if its record has bids: both are to bid, neither to move."""
    has_turn = "--turn" in source.options or not is_begun(source.game)
    return source if has_turn else replace(source, turn=None)


@command(
    "thresholds",
    "echo | hsearch thresholds - --size 3 --chips 1 26",
    "hsearch thresholds b2 --size 3 --chips 95 100 --json",
)
@partial(reads_position, needs_turn=False)
@number_option(
    "--chips",
    least=0,
    most=MAX_CHIPS,
    metavar="FROM TO",
    nargs=2,
    default=(1, 20),
    help="How many chips both players have together.",
)
@time_option(
    most=1e6,
    min_open=True,
    help="Most seconds, after which the totals that are solved are printed; no limit by default.",
)
@json_option()
@draws
def thresholds(
    *,
    source: InputSource,
    chips: tuple[int, int],
    seconds: float | None,
    as_json: bool,
    screen: Screen,
) -> None:
    """Report which first move is best for each number of chips, and the least that wins.

    Bids are whole chips, and on equal ones the tie-break chip (*) decides. The best
    moves need the least; with few chips they are not those of the Richman
    values. All is solved exactly, so at most 12 cells may be empty: each total takes a tenth of
    a second then, and 300 MB serve all of them.
    """
    first, last = chips
    if first > last:
        raise click.UsageError(f"--chips {first} {last}: FROM is more than TO")
    source = _before_bids(source)
    position = source.position
    with source.blamed():
        refuse_won(position)
        refuse_large(position)
    announce_compiling()
    table: list[answer.ThresholdRow] = []
    clock = TimeLeft(seconds)
    with working("totals", last - first + 1, unit="totals") as work:
        for total in range(first, last + 1):
            if table and clock.is_up():
                click.echo(
                    f"{seconds:g} s are over: {total} to {last} chips are not solved", err=True
                )
                break
            table.append(answer.ThresholdRow.of(position, Thresholds(position, total)))
            work.update(len(table))
    if as_json:
        print_object(
            answer.thresholds_object(position, table, turn_is_known=source.turn is not None)
        )
        return
    best = [f"best for {color.title}" for color in Color]
    headings = ("chips", "Black needs", best[0], "White needs", best[1])
    screen.table(headings, _threshold_rows(position, table), left=best)
    say(("", *answer.threshold_statements(position, table), "Next: " + source.again("bid")))


def _threshold_rows(position: Position, table: list[answer.ThresholdRow]) -> Iterator[list[str]]:
    for each in table:
        row = [str(each.total)]
        for color in Color:
            cells = position.board.text(each.best[color])
            row += [str(each.needs[color] or "-"), cells]
        yield row
