"""Estimates of openings, as E after the first move: by the circuits or by simulations."""

import math
from dataclasses import dataclass, replace

import numpy as np

from hsearch.board import Color
from hsearch.position import Position
from player.chance import shipped_model
from player.ordering import ORDERINGS
from player.search import SearchSettings, search
from player.search.line import SearchPosition
from player.search.score import is_loss, is_win
from player.tree import TreeSearch, TreeSettings
from player.tree.estimate import CALIBRATED

REPLIES = 12
WIDTHS = (8, 6, 5, 4, 4, 3)  # of a deep search, the last for all plies after it
_SETTINGS = SearchSettings()
_SEED = 1


@dataclass(frozen=True, slots=True)
class MapEffort:
    """Ways to estimate an opening: by a look at the replies, or by one of two searches.

    depth        of alpha-beta
    simulations  of the tree
    """

    depth: int | None = None
    simulations: int | None = None

    def __str__(self) -> str:
        """Return the search and its number, as ` depth 7`; nothing for a look."""
        parts = (("depth", self.depth), ("simulations", self.simulations))
        return "".join(f" {name} {number}" for name, number in parts if number is not None)

    def estimate(self, position: Position) -> float:
        """Return E of a position with a single stone, as if nobody were to move.

        Infinite when it is decided. Negative is good for Black.
        """
        if self.depth is not None:
            return searched(position, self.depth)
        if self.simulations is not None:
            return simulated(position, self.simulations)
        return estimate(position)


LOOK = MapEffort()


def black_chance(value: float, even: float) -> float:
    """Return Black's chance after an opening of this estimate, where another is thought even.

    It is that of `player.chance` without the tempo, as nobody is to move.
    """
    model = replace(shipped_model(), tempo=0.0, tempo_phase=0.0)
    return model.chance(even - value, 0.0)


def estimate(position: Position) -> float:
    """Return E of a position with a single stone, as if nobody were to move.

    The player to move stands better than E after the stone tells, and worse
    than E after their best reply; the mean of the two is returned. Infinite when
    one of them is decided. Negative is good for Black.
    """
    line = SearchPosition(position, _SETTINGS.limits, ORDERINGS[_SETTINGS.ordering])
    view = line.probe()
    if view.winner is not None:
        return view.evaluation
    after = []
    for reply in view.moves[:REPLIES]:
        line.play(reply)
        after.append(line.probe().evaluation)
        line.undo()
    best = min(after) if position.turn.word == "black" else max(after)
    return best if math.isinf(best) else (view.evaluation + best) / 2


def searched(position: Position, depth: int) -> float:
    """Return E of a position with a single stone by alpha-beta, as if nobody were to move.

    That is the mean of the searches to this depth and to one less: after an odd
    number of moves E flatters whoever made the last. Infinite when the search
    proves who wins. Negative is good for Black.
    """
    scores: list[float] = []
    settings = replace(_SETTINGS, depth=depth, widths=WIDTHS)
    last = search(position, settings, progress=lambda found: scores.append(found.score))
    two = scores[-2:] or [last.score]  # where there is one move only, no depth is told
    mean = sum(two) / len(two)
    value = -mean if position.turn is Color.BLACK else mean
    is_decided = is_win(two[-1]) or is_loss(two[-1])
    return math.copysign(math.inf, value) if is_decided else value


def simulated(position: Position, simulations: int) -> float:
    """Return the E that stands for the chance which that many simulations find.

    Games are played out from the leaves alone, and H-search looks at the root only: looks
    at other nodes brought nothing here (`positions/results/openings.md`). Infinite when
    that proves who wins. Negative is good for Black.
    """
    settings = TreeSettings(simulations=simulations, look_at=None)
    found = TreeSearch(position, settings).run(np.random.default_rng(_SEED))
    if found.winner is not None:
        return -math.inf if found.winner is Color.BLACK else math.inf
    chance = None if found.best is None else found.best.chance
    if chance is None or not 0 < chance < 1:
        return estimate(position)
    value = math.log(chance / (1 - chance)) / CALIBRATED
    return -value if position.turn is Color.BLACK else value
