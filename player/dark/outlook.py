"""Outlook of each move where nothing is hidden, by H-search and the circuits.

A full connection rests on replies to moves that a player of Dark Hex does not
see. `outlook` trusts it nevertheless; `bare_outlook` asks H-search only who
has won and where one must play, and wires its circuits without connections.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hsearch.analysis import Analysis
from hsearch.board import Color
from hsearch.cells import CellSet
from hsearch.circuit import circuit
from hsearch.position import Position
from player.fillings import exact

ESTIMATED = 0.5  # of what a proved win counts, for the best cell where nothing is proved
LOST = 0.05  # and where the game is lost: hardly worth a thought
HOPEFUL = 0.3  # the same for one who is not seen, and outside the must-play region


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


@lru_cache(maxsize=1 << 16)
def bare_outlook(position: Position) -> NDArray[np.float64]:
    """Return a score from 0 to 1 for each cell, for a player to move whom nobody sees."""
    analysis, mover = Analysis(position), position.turn
    store, empty = analysis.stores[mover], _members(position.empty)
    own, other = (_flow(position, color) * empty for color in (mover, mover.opponent))
    if store.edge_fulls:
        # Cells without current are still better than those outside the connection.
        return _scaled((own + 1e-9) * _members(store.edge_fulls[0].carrier), 1.0)
    if store.edge_semis:
        return _scaled(own + other, 1.0)
    if analysis.mustplay.is_lost:
        return _scaled(own + other, HOPEFUL)
    region = _members(analysis.mustplay.cells)
    return _scaled((own + other) * (HOPEFUL + (1 - HOPEFUL) * region), ESTIMATED)


@lru_cache(maxsize=1 << 16)
def chance_outlook(position: Position) -> NDArray[np.float64]:
    """Return how often each cell decides in random fillings, for a player to move."""
    scores = np.zeros(position.board.size)
    for cell, share in exact(position).critical.items():
        scores[cell] = share
    return scores


def _flow(position: Position, color: Color) -> NDArray[np.float64]:
    flow = circuit(position, color, links="none").flow
    return np.where(np.isfinite(flow), flow, 0.0)


def _members(cells: CellSet) -> NDArray[np.float64]:
    """Return 1 for each cell of a set, 0 for the others."""
    return np.array(cells.tolist(), float)


def _by_current(analysis: Analysis, region: CellSet, scale: float) -> NDArray[np.float64]:
    """Return the currents through a region, its greatest as `scale`."""
    scores = np.zeros(analysis.position.board.size)
    for cell, flow in analysis.circuits.weak_links:
        # Cells without current are still better than those that are ruled out.
        scores[cell] = (flow if np.isfinite(flow) else 0.0) + 1e-6 if region[cell] else 0.0
    return _scaled(scores, scale)


def _scaled(scores: NDArray[np.float64], highest: float) -> NDArray[np.float64]:
    """Return scores with the greatest as `highest`."""
    greatest = scores.max()
    return scores * (highest / greatest) if greatest > 0 else scores
