"""Classic evaluations as JSON objects, and as heat on a board."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Cell, Color
from hsearch.circuit import HEXY, circuit
from hsearch.position import Position
from hsearch.render import Marks
from player.evaluate import (
    critical_cells,
    evaluate,
    flow_cells,
    hexy,
    influence_cells,
    linked_cells,
    path_cells,
    two_distance_cells,
)
from player.report.objects import number, position_object


def _currents(position: Position, color: Color) -> NDArray[np.float64]:
    return circuit(position, color).flow


# What an evaluator sees at a cell, and what that is called. Fewer is warmer for lengths.
SIGHTS: dict[str, tuple[Callable[[Position, Color], NDArray[np.float64]], str, bool]] = {
    "shortest_path": (path_cells, "length of the shortest path through the cell", True),
    "two_distance": (two_distance_cells, "sum of the two-distances to both edges", True),
    "queenbee": (two_distance_cells, "potential: two-distances to both edges", True),
    "y_reduction": (influence_cells, "influence on who owns the last cell", False),
    "max_flow": (flow_cells, "flow through the cell", False),
    "resistance": (_currents, "current through the cell", False),
    "fillings": (critical_cells, "how often the cell decides a filling", False),
    "hexy": (linked_cells, "current through the cell, over connections", False),
}


def evaluations_object(
    position: Position, one: str | None, names: Sequence[str], *, links: str = HEXY
) -> dict[str, Any]:
    """Return what one evaluator says of a position, or all of these, as a JSON object."""
    if one is not None:
        about = {"schema": "hsearch/evaluation/1", "position": position_object(position)}
        return {**about, **evaluation_object(position, one, links=links)}
    return {
        "schema": "hsearch/evaluations/1",
        "position": position_object(position),
        "evaluations": [evaluation_object(position, each, links=links) for each in names],
    }


def evaluation_object(position: Position, name: str, *, links: str = HEXY) -> dict[str, Any]:
    """Return what one evaluator measures, as a JSON object; `links` is the wiring of `hexy`."""
    value = hexy(position, links=links) if name == HEXY else evaluate(position, name)
    return {
        "evaluator": name,
        "black": number(value.black),
        "white": number(value.white),
        "evaluation": number(value.evaluation),
    }


def evaluation_marks(
    position: Position, side: Color, name: str, last: Cell | None, *, links: str = HEXY
) -> Marks:
    """Return what an evaluator sees at each cell, for one side; `name` is in `SIGHTS`."""
    see, meaning, fewer_is_warmer = SIGHTS[name]
    seen = linked_cells(position, side, links=links) if name == HEXY else see(position, side)
    shown = {cell: float(seen[cell]) for cell in position.empty.search(1)}
    shown = {cell: value for cell, value in shown.items() if np.isfinite(value) and value > 0}
    most, least = max(shown.values(), default=0.0), min(shown.values(), default=0.0)
    return Marks(
        last=last,
        heat={c: most + 1 - value if fewer_is_warmer else value for c, value in shown.items()},
        heat_as=f"{name}: {meaning}",
        heat_scale=f"{most:.3g} to {least:.3g}" if fewer_is_warmer else "",
        labels={cell: f"{value:.2g}" for cell, value in shown.items()},
    )
