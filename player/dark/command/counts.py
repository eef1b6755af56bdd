"""`hsearch dark counts`: how many games there are."""

import click

from hsearch.board import Board
from player.console.command import command
from player.console.errors import InputError
from player.console.output import json_option, print_object
from player.dark.command.game import BoardType
from player.dark.rules import Base, Rules

PRINTED_GAMES = 236
LONG = 10**60  # numbers from here on are rounded


@command("counts", "hsearch dark counts 2x2", "hsearch dark counts 3x2 --json")
@click.argument("board", type=BoardType())
@json_option("one JSON object")
def counts(board: Board, *, as_json: bool) -> None:
    """Count the complete games on BOARD, played to the end or until it is full."""
    from player.dark.histories import LONGEST, count_histories, is_countable  # noqa: PLC0415
    from player.dark.reach import size  # noqa: PLC0415 - loaded when needed

    if not is_countable(board):
        known = f"the tree of {board.columns}x{board.rows} has {size(Rules(board))}"
        raise InputError(f"{known}; games are counted up to {LONGEST}x{LONGEST}")
    numbers = {
        str(base): {
            "until_full": count_histories(Rules(board, base, until_full=True)).terminals,
            "end_rule": count_histories(Rules(board, base)).terminals,
        }
        for base in Base
    }
    if as_json:
        print_object(numbers)
        return
    click.echo(f"Complete games of Dark Hex on {board.columns}x{board.rows}")
    texts = {base: {rule: _shown(n) for rule, n in row.items()} for base, row in numbers.items()}
    width = max(20, 2 + max(len(text) for row in texts.values() for text in row.values()))
    click.echo(f"{'':10}{'until full':>{width}}{'until connected':>{width}}")
    for base, words in texts.items():
        click.echo(f"{base:10}{words['until_full']:>{width}}{words['end_rule']:>{width}}")
    if any(n >= LONG for row in numbers.values() for n in row.values()):
        click.echo("Long numbers are rounded down; --json prints all digits.")
    if board == Board(2, 2):
        click.echo(f"The source printed {PRINTED_GAMES} for classic until connected, a slip.")


def _shown(number: int) -> str:
    from player.dark.reach import legible  # noqa: PLC0415 - loaded when needed

    return f"{number:,}" if number < LONG else legible(number)
