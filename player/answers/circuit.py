"""The circuits of a position and the classic evaluations: in words, as JSON, and as pictures."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsearch.analysis.circuit import HEXY, Circuit, Circuits, Wire, circuit, wires
from hsearch.hex import Cell, Color, Position, captains
from hsearch.render.text import Marks, quantity
from hsearch.render.wires import CircuitDrawing, CircuitPanel, DrawnWire, write
from player.answers.objects import number, position_object
from player.evaluate import evaluators

LINKS = 5  # weakest links named and marked
LEAST = 0.01  # A: a wire of a full connection is not drawn if it carries less


def text(circuits: Circuits) -> str:
    """Return the resistances, E, and the weakest links."""
    board = circuits.position.board
    links = ", ".join(f"{board.name(cell)} {flow:.2f}" for cell, flow in weakest_links(circuits))
    black, white = circuits.black.resistance, circuits.white.resistance
    return (
        f"Resistance between the edges: Black {black:.3g}, White {white:.3g}; "
        f"E = {circuits.evaluation:+z.2f}. Weakest links: {links or 'no current flows'}."
    )


def picture(circuits: Circuits) -> str:
    """Return both circuits as SVG."""
    return draw(circuits)


def draw(
    circuits: Circuits, marks: Marks | None = None, *, title: str = "", palette: str = "black-white"
) -> str:
    """Return both circuits as SVG, Black's above White's, with the weakest links marked."""
    position = circuits.position
    wires_of = {one.color: wires(position, one) for one in (circuits.black, circuits.white)}
    most = max((abs(w.current) for every in wires_of.values() for w in every), default=0.0)
    panels = [
        CircuitPanel(
            one.color,
            _heading(one, position),
            [_draw_wire(w, position, one.color, most) for w in wires_of[one.color] if _is_drawn(w)],
        )
        for one in (circuits.black, circuits.white)
    ]
    weak = {cell: str(place) for place, (cell, _) in enumerate(weakest_links(circuits), start=1)}
    hidden = sum(not _is_drawn(wire) for every in wires_of.values() for wire in every)
    notes = tuple(_notes(most, hidden))
    drawing = CircuitDrawing(title or "The two circuits", text(circuits), panels, weak, notes)
    return write(position, drawing, marks or Marks(), palette=palette)


def weakest_links(circuits: Circuits) -> list[tuple[Cell, float]]:
    """Return the few cells that most current flows through, with the current, largest first."""
    return [(cell, flow) for cell, flow in circuits.weak_links[:LINKS] if flow > 0]


def _is_drawn(wire: Wire) -> bool:
    return not wire.is_full or abs(wire.current) >= LEAST


def _draw_wire(wire: Wire, position: Position, color: Color, most: float) -> DrawnWire:
    board, tip = position.board, ""
    strength = abs(wire.current) / most if most else 0.0
    if abs(wire.current) >= LEAST:
        x, y = board.name(wire.x), board.name(wire.y)
        tip = f"{x} to {y}: conductance {wire.conductance:.3g}, current {abs(wire.current):.3f} A"
    if not wire.is_full:
        return DrawnWire((wire.x,), (wire.y,), strength, is_full=False, tip=tip)
    captain_of = captains(position, color)
    x_points, y_points = (
        tuple(point for point, name in captain_of.items() if name == captain_of[end])
        for end in (wire.x, wire.y)
    )
    return DrawnWire(x_points, y_points, strength, is_full=True, tip=tip)


def _heading(circuit: Circuit, position: Position) -> str:
    ends = position.board.pair(position.board.edges(circuit.color))
    between = f"resistance {circuit.resistance:.3g} between {ends}"
    return f"{circuit.color.title}'s circuit: {between}"


def _notes(most: float, hidden: int) -> Iterator[str]:
    if not most:
        yield "no current flows"
        return
    yield f"thickest wire: {most:.2f} of the 1 A from edge to edge"
    if hidden:
        thin = quantity(hidden, "wire")
        yield f"not drawn: {thin} of full connections with less than {LEAST} A"


# Classic evaluations: JSON objects, and heat on a board.


# By evaluator: its value at a cell, the name of that, and whether a lower value is warmer.
SIGHTS: dict[str, tuple[Callable[[Position, Color], NDArray[np.float64]], str, bool]] = {
    "shortest_path": (evaluators.path_cells, "length of the shortest path through the cell", True),
    "two_distance": (evaluators.two_distance_cells, "sum of the two-distances to both edges", True),
    "queenbee": (evaluators.two_distance_cells, "potential: two-distances to both edges", True),
    "y_reduction": (evaluators.influence_cells, "influence on who owns the last cell", False),
    "max_flow": (evaluators.flow_cells, "flow through the cell", False),
    "resistance": (lambda *side: circuit(*side).flow, "current through the cell", False),
    "fillings": (evaluators.critical_cells, "how often the cell decides a filling", False),
    "hexy": (evaluators.circuit_flow, "current through the cell, over connections", False),
}


def evaluations_object(
    position: Position,
    one: str | None,
    names: Sequence[str],
    *,
    links: str = HEXY,
    turn_is_known: bool = True,
) -> dict[str, Any]:
    """Return the evaluation by `one` evaluator, or by each of `names`, as a JSON object."""
    where = position_object(position, turn_is_known=turn_is_known)
    if one is not None:
        about = {"schema": "hsearch/evaluation/1", "position": where}
        return {**about, **evaluation_object(position, one, links=links)}
    return {
        "schema": "hsearch/evaluations/1",
        "position": where,
        "evaluations": [evaluation_object(position, each, links=links) for each in names],
    }


def evaluation_object(position: Position, name: str, *, links: str = HEXY) -> dict[str, Any]:
    """Return the evaluation by one evaluator as a JSON object; `links` is the wiring of `hexy`."""
    value = (
        evaluators.hexy(position, links=links)
        if name == HEXY
        else evaluators.evaluate(position, name)
    )
    return {
        "evaluator": name,
        "black": None if math.isnan(value.black) else number(value.black),
        "white": None if math.isnan(value.white) else number(value.white),
        "evaluation": number(value.evaluation),
    }


def evaluation_marks(
    position: Position, side: Color, name: str, last: Cell | None, *, links: str = HEXY
) -> Marks:
    """Return an evaluator's values at the cells, for one side; `name` is a key of `SIGHTS`."""
    see, meaning, fewer_is_warmer = SIGHTS[name]
    values = (
        evaluators.circuit_flow(position, side, links=links)
        if name == HEXY
        else see(position, side)
    )
    amounts = {cell: float(values[cell]) for cell in position.empty.search(1)}
    amounts = {cell: value for cell, value in amounts.items() if np.isfinite(value) and value > 0}
    most, least = max(amounts.values(), default=0.0), min(amounts.values(), default=0.0)
    return Marks(
        last=last,
        heat={c: most + 1 - value if fewer_is_warmer else value for c, value in amounts.items()},
        heat_as=f"{name}: {meaning}",
        heat_scale=f"{most:.3g} to {least:.3g}" if fewer_is_warmer else "",
        labels={cell: f"{value:.2g}" for cell, value in amounts.items()},
    )
