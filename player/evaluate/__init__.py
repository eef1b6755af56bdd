"""Evaluators: from a position to what it is worth.

All but `hexy` do without virtual connections. Each is one module and one
function of a position. `evaluate` calls one by name.
"""

from collections.abc import Callable, Mapping
from functools import partial

from hsearch.position import Position
from player.evaluate.connected import connected
from player.evaluate.evaluation import Evaluation
from player.evaluate.fillings import critical_cells, fillings
from player.evaluate.hexy import hexy, linked_cells
from player.evaluate.max_flow import flow_cells, max_flow
from player.evaluate.queenbee import queenbee
from player.evaluate.resistance import resistance
from player.evaluate.shortest_path import path_cells, shortest_path
from player.evaluate.two_distance import two_distance, two_distance_cells
from player.evaluate.y_reduction import influence_cells, y_reduction

__all__ = [
    "BY_TWO_DISTANCE",
    "EVALUATORS",
    "Evaluation",
    "connected",
    "critical_cells",
    "evaluate",
    "fillings",
    "flow_cells",
    "hexy",
    "influence_cells",
    "linked_cells",
    "max_flow",
    "path_cells",
    "queenbee",
    "resistance",
    "shortest_path",
    "two_distance",
    "two_distance_cells",
    "y_reduction",
]

EVALUATORS: Mapping[str, Callable[[Position], Evaluation]] = {
    "connected": connected,
    "shortest_path": shortest_path,
    "two_distance": two_distance,
    "two_distance_one_way": partial(two_distance, averaged=False),
    "queenbee": queenbee,
    "y_reduction": y_reduction,
    "y_reduction_one_way": partial(y_reduction, averaged=False),
    "max_flow": max_flow,
    "resistance": resistance,
    "fillings": fillings,
    "hexy": hexy,
}
# They weigh empty cells, and so have no measure of a player who has won.
BY_TWO_DISTANCE = frozenset({"two_distance", "two_distance_one_way", "queenbee"})


def evaluate(position: Position, name: str) -> Evaluation:
    """Return what the named evaluator says of a position.

    Raise ValueError when no evaluator has that name.
    """
    if name not in EVALUATORS:
        raise ValueError(f"unknown evaluator {name!r} (known: {', '.join(EVALUATORS)})")
    return EVALUATORS[name](position)
