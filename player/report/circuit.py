"""The two circuits of a position: as a sentence, and as a picture of their wires."""

from collections.abc import Iterator

from hsearch.board import Cell, Color
from hsearch.circuit import Circuit, Circuits, Wire, wires
from hsearch.position import Position, captains
from hsearch.render import Marks
from hsearch.render.wires import CircuitDrawing, CircuitPanel, DrawnWire, write
from player.numbers import numbered

LINKS = 5  # weakest links named and marked
LEAST = 0.01  # A: what carries less is not drawn, if only a full connection joins its ends


def text(circuits: Circuits) -> str:
    """Return the resistances, E, and the weakest links."""
    board = circuits.position.board
    links = ", ".join(f"{board.name(cell)} {flow:.2f}" for cell, flow in weakest_links(circuits))
    black, white = circuits.black.resistance, circuits.white.resistance
    return (
        f"Resistance between the edges: Black {black:.3g}, White {white:.3g}; "
        f"E = {circuits.evaluation:+.2f}. Weakest links: {links or 'no current flows'}."
    )


def picture(circuits: Circuits) -> str:
    """Return both circuits as SVG."""
    return drawn(circuits)


def drawn(
    circuits: Circuits, marks: Marks | None = None, *, title: str = "", palette: str = "black-white"
) -> str:
    """Return both circuits as SVG, Black's above White's, with the weakest links marked."""
    position = circuits.position
    found = {one.color: wires(position, one) for one in (circuits.black, circuits.white)}
    most = max((abs(w.current) for every in found.values() for w in every), default=0.0)
    panels = [
        CircuitPanel(
            one.color,
            _heading(one, position),
            [_drawn(w, position, one.color, most) for w in found[one.color] if _is_drawn(w)],
        )
        for one in (circuits.black, circuits.white)
    ]
    weak = {cell: str(place) for place, (cell, _) in enumerate(weakest_links(circuits), start=1)}
    hidden = sum(not _is_drawn(wire) for every in found.values() for wire in every)
    notes = tuple(_notes(most, hidden))
    drawing = CircuitDrawing(title or "The two circuits", text(circuits), panels, weak, notes)
    return write(position, drawing, marks or Marks(), palette=palette)


def weakest_links(circuits: Circuits) -> list[tuple[Cell, float]]:
    """Return the few cells that most current flows through, and how much, the most first."""
    return [(cell, flow) for cell, flow in circuits.weak_links[:LINKS] if flow > 0]


def _is_drawn(wire: Wire) -> bool:
    return not wire.is_full or abs(wire.current) >= LEAST


def _drawn(wire: Wire, position: Position, color: Color, most: float) -> DrawnWire:
    board, tip = position.board, ""
    strength = abs(wire.current) / most if most else 0.0
    if abs(wire.current) >= LEAST:
        x, y = board.name(wire.x), board.name(wire.y)
        tip = f"{x} to {y}: conductance {wire.conductance:.3g}, current {abs(wire.current):.3f} A"
    if not wire.is_full:
        return DrawnWire((wire.x,), (wire.y,), strength, is_full=False, tip=tip)
    named = captains(position, color)
    x_points, y_points = (
        tuple(point for point, name in named.items() if name == named[end])
        for end in (wire.x, wire.y)
    )
    return DrawnWire(x_points, y_points, strength, is_full=True, tip=tip)


def _heading(circuit: Circuit, position: Position) -> str:
    ends = " and ".join(map(position.board.name, position.board.edges(circuit.color)))
    between = f"resistance {circuit.resistance:.3g} between {ends}"
    return f"{_name(circuit.color)}'s circuit: {between}"


def _notes(most: float, hidden: int) -> Iterator[str]:
    if not most:
        yield "no current flows"
        return
    yield f"thickest wire: {most:.2f} of the 1 A from edge to edge"
    if hidden:
        thin = numbered(hidden, "wire")
        yield f"not drawn: {thin} of full connections with less than {LEAST} A"


def _name(color: Color) -> str:
    return color.word.capitalize()
