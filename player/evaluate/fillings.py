"""The chance to win at random turns: the share of all fillings that a player wins.

A coin colors each empty cell; that is also how a game at random turns ends if
both play well (Peres, Schramm, Sheffield and Wilson 2007). All fillings are
counted, none is drawn, so the shorter side of the board may be 13 at most.
"""

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Color
from hsearch.position import Position
from player.evaluate.evaluation import Evaluation, frames, weighed
from player.fillings import exact


def fillings(position: Position) -> Evaluation:
    """Return each player's chance; White's minus Black's.

    Raise ValueError when both sides of the board are too long to count.
    """
    odds = exact(position)
    black, white = odds.chance(Color.BLACK), odds.chance(Color.WHITE)
    return weighed(frames(position), black, white, white - black)


def critical_cells(position: Position, _color: Color) -> NDArray[np.float64]:
    """Return how often each empty cell decides a filling: the same for both players.

    0 for cells with a stone. Raise ValueError as `fillings` does.
    """
    cells = np.zeros(position.board.size)
    for cell, share in exact(position).critical.items():
        cells[cell] = share
    return cells
