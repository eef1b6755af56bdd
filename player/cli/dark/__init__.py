"""`hsearch dark`: hidden stones, counted, solved and proved."""

import click

from player.cli.dark.counts import counts
from player.cli.dark.matrix import matrix
from player.cli.dark.show import show
from player.cli.dark.solve import solve
from player.cli.dark.table import table
from player.cli.dark.verify import verify


@click.group()
def dark() -> None:
    """Count, solve and prove the six games of Dark Hex.

    Boards are columns x rows. In classic games a player who hits a hidden
    stone tries again, in abrupt ones the turn is lost; noisy and flash tell
    the other player that it happened, and where.
    """


for _command in (counts, matrix, solve, verify, show, table):
    dark.add_command(_command)
