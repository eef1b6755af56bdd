"""The net that comes with the program."""

from functools import cache

from hsearch.formats import shipped
from player.net.file import read_net
from player.net.weights import Net


@cache
def shipped_net() -> Net | None:
    """Return the net; None if this copy has none."""
    path = shipped("net.npz")
    return None if path is None else read_net(path)
