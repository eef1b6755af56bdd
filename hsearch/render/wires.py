"""Pictures of circuits on boards: the more current in a wire, the thicker it is.

Each player has a board, one below the other. Wires between adjacent points are
straight and solid; those of full connections are bent and dashed, so that they
differ in more than color.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hsearch.hex import Board, Cell, Color, Point, Position
from hsearch.render import svg
from hsearch.render.text import Marks

LEAST_WIDTH = 25.0  # room for the legend
THINNEST, THICKEST = 0.6, 7.0
BEND = 0.16  # of a wire's length

LEGEND = (
    (False, "wire of points that touch; the thicker, the more current"),
    (True, "the same of points that a full connection joins"),
)
WEAKEST = "weakest links: most current in both circuits"
WIRES = """
.wire { fill: none; stroke: #b3411b; stroke-linecap: round }
.full { stroke: #1f63b5; stroke-dasharray: 6 4; stroke-linecap: butt }
.weak { fill: #f6c945; stroke: #4a3b00; stroke-width: 1 } .on-weak { fill: #241d00 }
@media (prefers-color-scheme: dark) {
.wire { stroke: #ffab85 } .full { stroke: #86bcff }
}
"""


@dataclass(frozen=True, slots=True)
class DrawnWire:
    """A wire to draw.

    x, y      the points that it may join, several for a group; the nearest pair is joined
    strength  its thickness, from 0 to 1
    is_full   whether it stands for a full connection, and is bent and dashed
    tip       its tooltip; empty for none
    """

    x: tuple[Point, ...]
    y: tuple[Point, ...]
    strength: float
    is_full: bool
    tip: str = ""


@dataclass(frozen=True, slots=True)
class CircuitPanel:
    """One board of the picture: a player, the heading above, and the wires."""

    color: Color
    heading: str
    wires: Sequence[DrawnWire]


@dataclass(frozen=True, slots=True)
class CircuitDrawing:
    """Parts of a drawing of circuits.

    title, description  what screen readers read; the title is also drawn at the top
    panels              the boards
    weak                labels of weak cells, on every board
    notes               the last lines of the legend
    """

    title: str
    description: str
    panels: Sequence[CircuitPanel]
    weak: Mapping[Cell, str]
    notes: Sequence[str]


def write(
    position: Position, drawing: CircuitDrawing, marks: Marks, *, palette: str = "black-white"
) -> str:
    """Return an SVG document of circuits, with the same marks on every board."""
    board = position.board
    left, top = -svg.WIDTH / 2 - 2.0, -4.6
    width = max(svg.WIDTH * (board.columns + (board.rows - 1) / 2) + 4.0, LEAST_WIDTH)
    step = 1.5 * (board.rows - 1) + 6.4
    foot = top + 1.8 + step * len(drawing.panels)
    legend = list(_legend(foot + 0.4, drawing.notes, has_weak=bool(drawing.weak)))
    height = foot - top + 1.5 * len(legend)
    lines = svg.head(
        (left, top), (width, height), drawing.title, svg.STYLE + svg.PALETTES[palette] + WIRES
    )
    lines.insert(2, f"<desc>{svg.clean(drawing.description)}</desc>")
    lines.append(svg.text_at((left + 0.6, top + 1.4), drawing.title, "ink title", anchor="start"))
    for number, panel in enumerate(drawing.panels):
        lines.append(f'<g transform="translate(0,{svg.UNIT * (1.8 + step * number):.1f})">')
        lines.append(svg.text_at((left + 0.6, -3.2), panel.heading, "ink label", anchor="start"))
        lines += svg.stones(position, marks)
        lines += _wires(position, panel)
        for cell, label in drawing.weak.items():
            lines += _weak(svg.center_of(board, cell), label)
        lines.append("</g>")
    return "\n".join((*lines, *legend, "</svg>", ""))


def _wires(position: Position, panel: CircuitPanel) -> Iterator[str]:
    """Yield the wires, the thickest last, so that they lie on top."""
    for wire in sorted(panel.wires, key=lambda wire: wire.strength):
        start, end = _ends(position, wire)
        yield _stroke(start, end, wire.strength, is_full=wire.is_full, tip=wire.tip)


def _stroke(start: svg.Dot, end: svg.Dot, strength: float, *, is_full: bool, tip: str = "") -> str:
    """Return a wire between two places."""
    thick = THINNEST + (THICKEST - THINNEST) * strength
    (x0, y0), (x1, y1) = ((svg.UNIT * x, svg.UNIT * y) for x, y in (start, end))
    kind, way = "wire", f"L{x1:.1f},{y1:.1f}"
    if is_full:
        x, y = (x0 + x1) / 2 - BEND * (y1 - y0), (y0 + y1) / 2 + BEND * (x1 - x0)
        kind, way = "wire full", f"Q{x:.1f},{y:.1f} {x1:.1f},{y1:.1f}"
    close = f"><title>{svg.clean(tip)}</title></path>" if tip else "/>"
    return f'<path class="{kind}" d="M{x0:.1f},{y0:.1f} {way}" stroke-width="{thick:.1f}"{close}'


def _ends(position: Position, wire: DrawnWire) -> tuple[svg.Dot, svg.Dot]:
    """Return the places where a wire begins and ends, as near to each other as possible."""
    board = position.board
    starts, ends = (
        [place for point in points for place in _places(board, point)]
        for points in (wire.x, wire.y)
    )
    return min(((a, b) for a in starts for b in ends), key=lambda ends: math.dist(*ends))


def _places(board: Board, point: Point) -> list[svg.Dot]:
    """Return the places where a wire may end at a point."""
    if not board.is_edge(point):
        return [svg.center_of(board, point)]
    return [_foot(board, point, cell) for cell in board.neighbors(point)]


def _foot(board: Board, edge: Point, cell: Cell) -> svg.Dot:
    """Return the place where an edge touches a border cell."""
    x, y = svg.center_of(board, cell)
    north, south, west, _ = (edge for color in Color for edge in board.edges(color))
    if edge in {north, south}:
        return x, y + (-1 if edge == north else 1)
    return x + (-svg.WIDTH / 2 if edge == west else svg.WIDTH / 2), y


def _weak(at: svg.Dot, label: str) -> Iterator[str]:
    x, y = at
    yield svg.circle(at, 0.42, "weak")
    yield svg.text_at((x, y + 0.17), label, "label on-weak")


def _legend(y: float, notes: Sequence[str], *, has_weak: bool) -> Iterator[str]:
    """Yield the lines of the legend."""
    x = -svg.WIDTH / 2
    for is_full, what in LEGEND:
        samples = "".join(
            _stroke((x - 0.4 + at, y), (x + 0.8 + at, y), strength, is_full=is_full)
            for at, strength in ((0.0, 0.0), (1.5, 0.4), (3.0, 1.0))
        )
        yield f"<g>{samples}{svg.note_at((x + 4.4, y), what)}</g>"
        y += 1.5
    if has_weak:
        yield f"<g>{''.join(_weak((x, y), '1'))}{svg.note_at((x + 1, y), WEAKEST)}</g>"
        y += 1.5
    for note in notes:
        yield f"<g>{svg.note_at((x - 0.6, y), note)}</g>"
        y += 1.5
