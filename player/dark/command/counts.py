"""`hsearch dark counts`: how many games there are."""

from collections.abc import Iterable
from typing import Any

import click

from hsearch.board import Board
from player.console.command import command
from player.console.errors import InputError
from player.console.output import json_option, print_object
from player.dark.command.game import BoardType
from player.dark.rules import Base, DarkRules

PRINTED_GAMES = 236
MOST_CASES = 6  # cells of a board; 3x3 takes hours
LONG = 10**60  # numbers from here on are rounded


@command(
    "counts",
    "hsearch dark counts 2x2 --cases",
    "hsearch dark counts 3x2 --json",
)
@click.argument("board", type=BoardType())
@click.option(
    "--cases",
    "by_case",
    is_flag=True,
    help="Classic until connected: also by Black's first stone and White's.",
)
@json_option("one JSON object")
def counts(board: Board, *, by_case: bool, as_json: bool) -> None:
    """Count the complete games on BOARD, played to the end or until it is full."""
    from player.dark.histories import LONGEST, count_histories, is_countable  # noqa: PLC0415
    from player.dark.reach import size  # noqa: PLC0415 - loaded when needed

    if not is_countable(board):
        known = f"the tree of {board.columns}x{board.rows} has {size(DarkRules(board))}"
        raise InputError(f"{known}; games are counted up to {LONGEST}x{LONGEST}")
    if by_case and board.size > MOST_CASES:
        raise InputError(f"{board.columns}x{board.rows}: cases are told to {MOST_CASES} cells")
    numbers = {
        str(base): {
            "until_full": count_histories(DarkRules(board, base, until_full=True)).terminals,
            "end_rule": count_histories(DarkRules(board, base)).terminals,
        }
        for base in Base
    }
    if as_json:
        print_object({**numbers, "cases": _case_objects(board)} if by_case else numbers)
        return
    click.echo(f"Complete games of Dark Hex on {board.columns}x{board.rows}")
    texts = {base: {rule: _shown(n) for rule, n in row.items()} for base, row in numbers.items()}
    width = max(20, 2 + max(len(text) for row in texts.values() for text in row.values()))
    click.echo(f"{'':10}{'until full':>{width}}{'until connected':>{width}}")
    for base, words in texts.items():
        click.echo(f"{base:10}{words['until_full']:>{width}}{words['end_rule']:>{width}}")
    if any(n >= LONG for row in numbers.values() for n in row.values()):
        click.echo("Long numbers are rounded down; --json prints all digits.")
    if by_case:
        _print_cases(board)
    if board == Board(2, 2):
        click.echo(f"The source printed {PRINTED_GAMES} for classic until connected, a slip.")


def _case_objects(board: Board) -> list[dict[str, Any]]:
    from player.dark.cases import cases  # noqa: PLC0415 - loaded when needed

    return [
        {
            "first": board.name(case.first),
            "reply": board.name(case.reply),
            "black": case.black,
            "white": case.white,
        }
        for case in cases(DarkRules(board))
    ]


def _print_cases(board: Board) -> None:
    """Print the cases, and after each first cell their sum; on 2x2 what the source has, too."""
    from player.dark.cases import PRINTED, cases  # noqa: PLC0415 - loaded when needed

    printed = PRINTED if board == Board(2, 2) else {}
    click.echo(f"\nClassic until connected, by the first stones{' (source)' if printed else ''}")
    click.echo(f"{'black':8}{'white':8}{'black wins':>14}{'white wins':>14}{'games':>14}")
    every = cases(DarkRules(board))
    for first in sorted({case.first for case in every}):
        own = [case for case in every if case.first == first]
        columns: list[tuple[int, int | None]] = [(0, 0)] * 3
        for case in own:
            cells = board.name(case.first), board.name(case.reply)
            theirs = printed.get(cells, (None, None))
            total = None if None in theirs else sum(filter(None, theirs))
            row = (*zip((case.black, case.white), theirs, strict=True), (case.games, total))
            _print_row(*cells, row)
            columns = [
                (a + b, None if c is None or d is None else c + d)
                for (a, c), (b, d) in zip(columns, row, strict=True)
            ]
        _print_row(board.name(first), "all", columns)
    click.echo()


def _print_row(first: str, reply: str, row: Iterable[tuple[int, int | None]]) -> None:
    words = (f"{n:,}" if theirs is None else f"{n:,} ({theirs:,})" for n, theirs in row)
    click.echo(f"{first:8}{reply:8}" + "".join(f"{word:>14}" for word in words))


def _shown(number: int) -> str:
    from player.dark.reach import legible  # noqa: PLC0415 - loaded when needed

    return f"{number:,}" if number < LONG else legible(number)
