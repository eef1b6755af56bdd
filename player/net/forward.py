"""Output of a net for a position: the definition, to which the kernel is held.

A residual net as in He et al.: Deep residual learning for image recognition (2016),
without a normalisation: Bachlechner et al.: ReZero is all you need (2020), whose scales
are multiplied into the weights here. Some blocks see the whole board by pooling, after
Wu: Accelerating self-play learning in Go (2019).
"""

from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from player.net.weights import Net

Values = NDArray[np.float32]


class NetOutput(NamedTuple):
    """Output of a net, as logits, for the board as the mover sees it.

    policy  rows x columns: how good each move is; stones are not left out
    value   how likely the mover wins
    owners  rows x columns: how likely each cell is in the carrier of the winner's connection
    """

    policy: Values
    value: float
    owners: Values


def forward(net: Net, planes: Values) -> NetOutput:
    """Return what a net says of the planes of a position (`features`)."""
    parts = net.parts()
    trunk = convolved(planes, parts["stem"], parts["stem_bias"])
    trunk = np.maximum(trunk, 0)
    for block in range(net.blocks):
        hidden = convolved(padded(trunk), parts[f"{block}_first"], parts[f"{block}_first_bias"])
        if f"{block}_pool" in parts:
            hidden += (parts[f"{block}_pool"] @ pooled(trunk))[:, None, None]
        hidden = padded(np.maximum(hidden, 0))
        trunk = trunk + convolved(hidden, parts[f"{block}_second"], parts[f"{block}_second_bias"])
    trunk = np.maximum(trunk, 0)
    head = np.einsum("oc,crs->ors", parts["head"], trunk) + parts["head_bias"][:, None, None]
    head = np.maximum(head, 0)
    known = np.maximum(parts["value_hidden"] @ pooled(trunk) + parts["value_hidden_bias"], 0)
    return NetOutput(
        policy=np.einsum("c,crs->rs", parts["policy"][0], head),
        value=float((parts["value"] @ known + parts["value_bias"])[0]),
        owners=np.einsum("c,crs->rs", parts["owner"][0], head) + parts["owner_bias"],
    )


def convolved(planes: Values, weights: Values, bias: Values) -> Values:
    """Return what a convolution makes of planes that reach one cell further on each side."""
    windows = sliding_window_view(planes, (3, 3), axis=(1, 2))
    taps = weights.reshape(len(weights), 3, 3, len(planes))
    sums: Values = np.einsum("crsij,oijc->ors", windows, taps, optimize=True)
    return sums + bias[:, None, None]


def padded(planes: Values) -> Values:
    """Return planes with zeros around."""
    return np.pad(planes, [(0, 0), (1, 1), (1, 1)])


def pooled(planes: Values) -> Values:
    """Return the mean of each plane, then the largest number of each."""
    return np.concatenate([planes.mean(axis=(1, 2)), planes.max(axis=(1, 2))])
