"""`hsearch dark`: hidden stones, counted, solved and proved."""

from player.console.command import group
from player.dark.command.counts import counts
from player.dark.command.exploit import exploit
from player.dark.command.matrix import matrix
from player.dark.command.show import show
from player.dark.command.solve import solve
from player.dark.command.table import table
from player.dark.command.verify import verify


@group(
    "dark",
    "hsearch dark solve 3x2 --base abrupt --noise flash",
    "hsearch dark verify positions/dark/3x2-abrupt-flash.txt",
)
def dark() -> None:
    """Count, solve and prove the six games of Dark Hex.

    Boards are columns x rows. In classic games a player who hits a hidden
    stone tries again, in abrupt ones the turn is lost; noisy and flash tell
    the other player that it happened, and where.
    """


for _command in (counts, matrix, solve, verify, show, table, exploit):
    dark.add_command(_command)
