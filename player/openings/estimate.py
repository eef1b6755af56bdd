"""Estimates of openings by the circuits."""

import math
from dataclasses import replace

from hsearch.board import Color
from hsearch.position import Position
from player.chance import shipped_model
from player.ordering import ORDERINGS
from player.search import Settings, search
from player.search.line import SearchPosition
from player.search.score import is_loss, is_win

REPLIES = 12
WIDTHS = (8, 6, 5, 4, 4, 3)  # of a deep search, the last for all plies after it
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
