"""The file of a net."""

from pathlib import Path

import numpy as np

from hsearch.files import arrays as files
from player.net.forward import forward
from player.net.weights import Net, NetError

SCHEMA = "hsearch/net/1"


def write_net(path: Path, net: Net) -> None:
    """Write a net, whole or not at all. Raise OSError, naming the file, when that fails."""
    about = {"blocks": net.blocks, "channels": net.channels, "record": net.record}
    files.save(path, SCHEMA, about, {"weights": net.weights})


def read_net(path: Path) -> Net:
    """Return the net of a file. Raise NetError, naming the file, when it cannot be used."""
    try:
        about, arrays = files.load(path, SCHEMA, "net")
    except files.ArraysError as error:
        raise NetError(str(error)) from None
    blocks, channels, record = (about.get(key) for key in ("blocks", "channels", "record"))
    if type(blocks) is not int or type(channels) is not int or not isinstance(record, dict):
        raise NetError(f"{path}: not a net: blocks, channels or record are missing")
    if set(arrays) != {"weights"}:
        raise NetError(f"{path}: not a net: it has {', '.join(sorted(arrays)) or 'no arrays'}")
    try:
        net = Net(blocks, channels, arrays["weights"], record)
    except ValueError as error:
        raise NetError(f"{path}: not a net: {error}") from None
    if not _answers(net):
        raise NetError(f"{path}: its answers are no finite numbers")
    return net


def _answers(net: Net) -> bool:
    """Return whether what a net says of the empty 3x3 board is finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        said = forward(net, np.zeros((2, 5, 5), np.float32))
    return all(np.isfinite(each).all() for each in said)
