"""How good each move looks where nothing is hidden, by H-search and the circuits."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hsearch.analysis import Analysis
from hsearch.cells import CellSet
from hsearch.position import Position

ESTIMATED = 0.5  # of what a proved win counts, for the best cell where nothing is proved
LOST = 0.05  # and where the game is lost: hardly worth a thought


@lru_cache(maxsize=1 << 16)
def outlook(position: Position) -> NDArray[np.float64]:
    """Return a score from 0 to 1 for each cell, for the player to move; 1 is a proved win.

    Where nothing is proved, cells of the must-play region score by the current
    through them in both circuits.
    """
    analysis = Analysis(position)
    store = analysis.stores[position.turn]
    region, scale = analysis.mustplay.cells, ESTIMATED
    if analysis.chain is None and store.edge_semis and not store.edge_fulls:
        scores = np.zeros(position.board.size)
        for semi in store.edge_semis:
            scores[semi.key] = 1
        return scores
    if store.edge_fulls:
        region, scale = store.edge_fulls[0].carrier, 1.0
    elif analysis.mustplay.is_lost:
        region, scale = position.empty, LOST
    return _by_current(analysis, region, scale)


def _by_current(analysis: Analysis, region: CellSet, scale: float) -> NDArray[np.float64]:
    """Return the currents through a region, its greatest as `scale`."""
    scores = np.zeros(analysis.position.board.size)
    for cell, flow in analysis.circuits.weak_links:
        # Cells without current are still better than those that are ruled out.
        scores[cell] = (flow if np.isfinite(flow) else 0.0) + 1e-6 if region[cell] else 0.0
    highest = scores.max()
    return scores * (scale / highest) if highest > 0 else scores
