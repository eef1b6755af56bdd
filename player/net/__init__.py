"""A small net that looks at a position: a chance for each move, who wins, and where.

It serves boards of every size: `forward` defines what it says, in plain NumPy, and a
kernel says the same faster; `int8` says nearly the same, faster still.
"""

from player.net.evaluator import Evaluator, Seen
from player.net.file import read_net, write_net
from player.net.shipped import shipped_net
from player.net.weights import Net, NetError

__all__ = ["Evaluator", "Net", "NetError", "Seen", "read_net", "shipped_net", "write_net"]
