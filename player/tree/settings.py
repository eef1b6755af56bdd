"""The numbers of a best-first search."""

import math
from dataclasses import dataclass, field
from typing import Any

from hsearch.closure import Limits
from player.net import Net
from player.patterns import PatternWeights
from player.tree.estimate import CALIBRATED

NET_ALONE: dict[str, Any] = {"playouts": False, "blend": 1.0, "trust": 1.0, "expand_at": 0}
BY_PATTERNS: dict[str, Any] = {"prior": 2.0, "heat": 1.0}  # what fits where patterns draw
COLDEST = 0.01  # heat; currents are 2 at most, and e to the 200 is still a number
_RANGES = {
    "simulations": (1, math.inf),
    "look_at": (0, math.inf),
    "expand_at": (0, math.inf),
    "ask_at": (0, math.inf),
    "blend": (0, 1),
    "trust": (0, 1),
    "prior": (0, math.inf),
    "heat": (COLDEST, math.inf),
    "slope": (1e-6, math.inf),
    "rave": (1e-6, math.inf),
    "worth": (0, 1),
}


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """Settings of a best-first search.

    simulations  how many are run; None for as many as there is time for
    look_at      simulations through a node before H-search looks at it; 0 for at once, None for
                 the root alone
    expand_at    simulations through a node before its moves get nodes of their own
    playouts     whether simulations play the rest of the game
    blend        what the chance by the circuits counts against the playout, from 0 to 1
    slope        how much of a chance E makes; `CALIBRATED` is that of games between equals
    prior        how far the weak links, the patterns or the net draw the search
    heat         how even weak links make it: the current that is e times as likely, 0.01 or more
    rave         the most that moves played later in a playout may count
    limits       of H-search
    net          what is asked about the moves of each node, in place of the weak links; None
                 for no net
    ask_at       simulations through a node before the net is asked about it
    trust        what the net's chance counts against that by the circuits, from 0 to 1; beside
                 playouts it weakens the search, without them (`net_alone`) it is the search
    patterns     what says of each new node which moves to try first, beside the weak links, and who
                 wins; None for none. Not beside a net
    worth        what the chance by patterns counts against all else, from 0 to 1
    int8         whether the net is asked in numbers of eight bits, several times as fast; needs the
                 extra `fast`

    Raise ValueError when a number is out of range.
    """

    simulations: int | None = None
    look_at: int | None = 64
    expand_at: int = 8
    playouts: bool = True
    blend: float = 0.5
    slope: float = CALIBRATED
    prior: float = 0.5
    heat: float = 0.1
    rave: float = 500.0
    limits: Limits = field(default_factory=Limits)
    net: Net | None = None
    ask_at: int = 0
    trust: float = 0.0
    int8: bool = False
    patterns: PatternWeights | None = None
    worth: float = 0.5

    def __post_init__(self) -> None:
        for name, (least, most) in _RANGES.items():
            value = getattr(self, name)
            if value is not None and not (least <= value <= most and value < math.inf):
                told = f"{least:g} or more" if most == math.inf else f"{least:g} to {most:g}"
                raise ValueError(f"{name} out of range: {value:g} ({told})")
        judges = self.look_at is not None or (self.net is not None and self.trust > 0)
        judges = judges or (self.patterns is not None and self.worth > 0)
        if not self.playouts and (self.blend < 1 or not judges):
            told = "without playouts all is the circuits' or a net's: blend=1, and look or trust"
            raise ValueError(told)
        if self.patterns is not None and self.net is not None:
            raise ValueError(
                "patterns are of a search without a net: say net=none or patterns=none"
            )
        if self.int8 and self.net is None:
            raise ValueError("int8 is of a net, and there is none: say which, as net=shipped")


def net_alone(net: Net, **more: Any) -> TreeSettings:
    """Return settings of a search that plays nothing out, but asks a net about each new node."""
    return TreeSettings(**(NET_ALONE | {"net": net} | more))
