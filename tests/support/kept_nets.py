"""Nets: weights and how they were made."""

from pathlib import Path

import numpy as np
from kept_dark import repacked
from kept_format import Kept

from player.net import NetError, read_net, write_net
from player.net.weights import random_net


def _made_net(path: Path) -> None:
    write_net(path, random_net(2, 8, np.random.default_rng(0)))


NETS: tuple[Kept, ...] = (
    Kept("net", ("player/net/weights",), _made_net, read_net, (NetError,), repacked),
)
