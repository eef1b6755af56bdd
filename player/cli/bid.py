"""`hsearch bid`: what to bid for the next move, and where to play it."""

from typing import Any

import click

from hsearch.board import Color
from hsearch.position import winner
from hsearch.render import text
from player.bidding import Chips, Holding, advise
from player.cli.bid_report import board_marks, picture_marks, report, table
from player.cli.chips import ChipsType, chips_at, chips_of
from player.cli.command import command
from player.cli.compiling import announce_compiling
from player.cli.drawing import find_odds
from player.cli.endings import INTERRUPTED, InputError, one_line
from player.cli.objects import number, position_object, print_object
from player.cli.picture import Picture, takes_picture
from player.cli.prose import say
from player.cli.reading import Source, reads_position
from player.cli.sampling import Wanted, takes_fillings
from player.cli.screen import Screen, draws
from player.cli.turns import turns
from player.fillings import Odds, fractions


@command(
    "bid",
    "hsearch bid positions/games/london-2000-queenbee-hexy.sgf --move 12",
    "hsearch bid positions/games/london-2000-queenbee-hexy.sgf --chips 80* 120 --svg heat.svg",
    "echo 'a5 c4 d3' | hsearch bid - --size 5 --fillings 1024000 --json",
)
@reads_position
@click.option(
    "--chips",
    nargs=2,
    type=ChipsType(),
    metavar="BLACK WHITE",
    help="What each player has, a * for the tie-break chip; else what the record of a bidding"
    " game says, else 100* 100.",
)
@takes_fillings
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@takes_picture("Draw how critical each cell is")
@click.option(
    "--turns",
    "games",
    type=click.IntRange(2, 10**6),
    metavar="GAMES",
    help="Tell how many turns best play takes: exactly, or from so many games.",
)
@draws
def bid(  # noqa: PLR0913 - an option each
    *,
    source: Source,
    chips: tuple[Holding, Holding] | None,
    wanted: Wanted,
    as_json: bool,
    picture: Picture,
    games: int | None,
    screen: Screen,
) -> None:
    """Tell what the next move at the position of FILE is worth in chips, and which it is.

    In bidding Hex the higher bid wins the move and is paid to the other player.
    All fillings of the empty cells are counted, where one side of the board is
    13 cells or less; else, or when asked for, many are drawn.
    """
    if games is not None and as_json:
        raise click.UsageError("--turns and --json exclude each other")
    has = chips_of(*chips) if chips else chips_at(source)
    if (won := winner(source.position)) is not None:
        raise InputError(one_line(f"{source.file}: the game is over: {won.word} has won"))
    announce_compiling()
    found = find_odds(source.position, wanted)
    if found.odds is not None:
        if picture.is_wanted:
            title = ", ".join(part for part in (source.title, "critical cells") if part)
            marks = picture_marks(found.odds, source.last)
            picture.write(source.position, marks, title=title, game=source.game, moves=source.moves)
        if as_json:
            print_object(bid_object(found.odds, has))
        else:
            _print(found.odds, has, source, screen)
        for remark in wanted.enough.remarks(found.odds) if wanted.enough else ():
            click.echo(remark, err=True)
    is_interrupted = found.is_interrupted
    if games is not None and not is_interrupted:
        line, is_interrupted = turns(source.position, games, wanted.seed)
        say([line])
    if is_interrupted:
        raise click.exceptions.Exit(INTERRUPTED)


def _print(odds: Odds, has: Chips, source: Source, screen: Screen) -> None:
    marks = board_marks(odds, source.last)
    screen.board(text.board(source.position, marks, screen.symbols))
    click.echo(f"\n{source.caption}\n")
    screen.rich(table(odds, has.total))
    say(("", *report(odds, has, source)))


def bid_object(odds: Odds, has: Chips) -> dict[str, Any]:
    """Return odds and a bid as JSON has them; the bid is that of the player to move.

    Balanced fillings tell neither how often cells lose nor what to bid. Exact odds
    have all their digits and, unless the board is large, fractions.
    """
    position = odds.position
    name, turn = position.board.name, position.turn
    cell, amount = odds.ranked()[0], None
    if not odds.balanced:
        advice = advise(odds, turn, has[turn], total=has.total)
        assert advice.cell is not None  # noqa: S101 - the game is not over, so cells are empty
        cell, amount = advice.cell, advice.bid
    digits, known = (None if odds.is_exact else 6), fractions(odds)
    return {
        "schema": "hsearch/bid/1",
        "position": position_object(position),
        "chips": {color.word: has[color].chips for color in Color},
        "tie_break": has.holder.word,
        "fillings": odds.fillings,
        "exact": odds.is_exact,
        "win_probability": {color.word: number(odds.chance(color), digits) for color in Color},
        "fraction": None
        if known is None
        else {color.word: str(known.chance(color)) for color in Color},
        "standard_error": number(odds.error),
        "cells": [
            {
                "cell": name(cell),
                "losing": None if odds.balanced else number(odds.losing(cell), digits),
                "critical": number(odds.critical[cell], digits),
                "fraction": None if known is None else str(known.critical[cell]),
            }
            for cell in odds.ranked()
        ],
        "move": name(cell),
        "bid": amount,
    }
