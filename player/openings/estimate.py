"""How good an opening is, estimated by the circuits."""

import math
from dataclasses import replace

from hsearch.position import Position
from player.chance import shipped_model
from player.ordering import ORDERINGS
from player.search import Settings
from player.search.line import SearchPosition

REPLIES = 12
_SETTINGS = Settings()


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
