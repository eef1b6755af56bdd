"""Boards as SVG pictures, readable on light and on dark pages."""

import math
from collections.abc import Iterable, Iterator
from html import escape
from typing import TypeAlias

from hsearch.hex import Board, Cell, Color, Position
from hsearch.hex.board import column_name
from hsearch.render.text import Marks

# Hexagons, stars and texts as elements of SVG.
#
# Places are measured in units: a hexagon stands on a corner and is one unit from
# center to corner, and each row is shifted by half a cell from the row above. The
# class of an element, `kind`, is what the style sheet of the picture colors.

Dot: TypeAlias = tuple[float, float]

UNIT = 24.0  # pixels
WIDTH = math.sqrt(3)  # of a hexagon, corner to center being 1
TOP, UPPER_RIGHT, LOWER_RIGHT, BOTTOM, LOWER_LEFT, UPPER_LEFT = (
    (math.sin(math.radians(60 * n)), -math.cos(math.radians(60 * n))) for n in range(6)
)


def text_at(at: Dot, text: str, kind: str, *, anchor: str = "middle") -> str:
    """Return a line of text with its baseline at a place."""
    return text_element(UNIT * at[0], UNIT * at[1], text, kind, anchor=anchor)


def text_element(x: float, y: float, text: str, kind: str, *, anchor: str = "start") -> str:
    """Return a line of text with its baseline at a place in pixels."""
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{clean(text)}</text>'
    )


def hexagon(center: Dot, kind: str, *, opacity: float = 1.0, scale: float = 1.0) -> str:
    """Return a hexagon: a cell, or a smaller one for a legend."""
    x, y = center
    corners = (TOP, UPPER_RIGHT, LOWER_RIGHT, BOTTOM, LOWER_LEFT, UPPER_LEFT)
    see_through = f' fill-opacity="{opacity:.2f}"' if opacity < 1 else ""
    outline = points((x + scale * dx, y + scale * dy) for dx, dy in corners)
    return f'<polygon class="{kind}" points="{outline}"{see_through}/>'


def star(center: Dot, radius: float) -> str:
    """Return the star of a key, five-pointed, one of its points up."""
    x, y = center
    corners = []
    for n in range(10):
        reach = radius if n % 2 == 0 else radius * 0.42
        angle = math.pi * n / 5
        corners.append((x + reach * math.sin(angle), y - reach * math.cos(angle)))
    return f'<polygon class="key" points="{points(corners)}"/>'


def circle(center: Dot, radius: float, kind: str) -> str:
    """Return a circle; the style sheet makes it a disk or a ring."""
    x, y = (UNIT * value for value in center)
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{UNIT * radius:.1f}"/>'


def points(places: Iterable[Dot]) -> str:
    """Return places as the value of a `points` attribute."""
    return " ".join(f"{UNIT * x:.1f},{UNIT * y:.1f}" for x, y in places)


def clean(text: str) -> str:
    """Return a text escaped for XML, without control characters."""
    return escape("".join(c for c in text if c.isprintable()), quote=False)


# Style sheets of SVG pictures, for light and for dark pages.

TINTS = 6

STYLE = """
svg { color-scheme: light dark; font: 11px system-ui, sans-serif; }
.page { fill: #fbfaf7 } .ink { fill: #30343b } .title { font-size: 14px; font-weight: 600 }
.cell { fill: #ece6d9; stroke: #8d8574; stroke-width: 1 }
.shaded { fill: #57a773; fill-opacity: .6 } .dot { fill: #1d5c38 }
.tint { fill-opacity: .55 } .tint0 { fill: #56b4e9 } .tint1 { fill: #e69f00 }
.tint2 { fill: #2fa37c } .tint3 { fill: #cc79a7 } .tint4 { fill: #d9cf2e } .tint5 { fill: #8a7fd1 }
.heat { fill: #f07f4f } .frame { fill: none; stroke: #8d8574 }
.black { fill: #17191d; stroke: #17191d } .white { fill: #ffffff; stroke: #55524b }
.edge { fill: none; stroke-width: 11; stroke-linejoin: round; stroke-linecap: round }
.rim { fill: none; stroke-width: 14; stroke: #55524b; stroke-linejoin: round;
  stroke-linecap: round }
.edge.black { stroke: #17191d } .edge.white { stroke: #ffffff }
.end { fill: none; stroke: #b0189b; stroke-width: 3.5 } .rim.end { stroke-width: 19 }
.key { fill: #f6c945; stroke: #4a3b00; stroke-width: 1 }
.on-black { fill: #ffffff } .on-white { fill: #17191d } .label { font-weight: 600 }
@media (prefers-color-scheme: dark) {
.page { fill: #16181c } .ink { fill: #d9dce1 }
.cell { fill: #3b3f47; stroke: #757b86 } .frame { stroke: #757b86 }
.shaded { fill: #3b8f60; fill-opacity: .5 } .dot { fill: #d5f5e3 } .heat { fill: #ad3012 }
.black { fill: #0a0b0d; stroke: #b4bac4 } .white { fill: #f3f4f6; stroke: #0a0b0d }
.tint { fill-opacity: .4 }
.rim { stroke: #b4bac4 } .edge.black { stroke: #0a0b0d } .edge.white { stroke: #f3f4f6 }
.end { stroke: #ff7be9 } .rim.end { stroke: #ff7be9 }
}
"""


# Colors of the stones: `STYLE` has those of the first palette; others are appended to it.
PALETTES = {
    "black-white": "",
    "red-blue": """
.black { fill: #c8372d; stroke: #7d1a13 } .white { fill: #2f66c4; stroke: #173a78 }
.edge.black { stroke: #c8372d } .edge.white { stroke: #2f66c4 }
.on-black, .on-white { fill: #ffffff }
@media (prefers-color-scheme: dark) {
.black { fill: #d2463b; stroke: #f3b8b3 } .white { fill: #3d74d6; stroke: #bcd0f5 }
.edge.black { stroke: #d2463b } .edge.white { stroke: #3d74d6 }
}
""",
}


# The board.

LEAST_WIDTH = 15.0  # room for a legend below a board of one cell


def write(
    position: Position, marks: Marks, *, title: str = "", palette: str = "black-white"
) -> str:
    """Return an SVG document of a position, with the title above the board."""
    board = position.board
    centers = [center_of(board, cell) for cell in _cells(board, marks)]
    (west, east), (north, south) = ((min(line), max(line)) for line in zip(*centers, strict=True))
    left, top = west - WIDTH / 2 - 2.0, north - 2.8 - (1.6 if title else 0.0)
    width = max(east - west + WIDTH + 4.0, LEAST_WIDTH)
    legend = list(_legend(marks, (west - WIDTH / 2, south + 3.5)))
    height = south + 2.8 - top + 1.5 * len(legend)
    name = title or f"Hex position, {board}"
    lines = head((left, top), (width, height), name, STYLE + PALETTES[palette])
    if title:
        lines.append(text_at((left + 0.6, top + 1.4), name, "ink title", anchor="start"))
    lines += stones(position, marks)
    lines += legend
    return "\n".join((*lines, "</svg>", ""))


def head(corner: Dot, size: Dot, name: str, style: str) -> list[str]:
    """Return the first lines of a document: its title for screen readers, style, and page."""
    (left, top), (width, height) = corner, size
    view = " ".join(f"{UNIT * value:.1f}" for value in (left, top, width, height))
    sides = f'width="{UNIT * width:.0f}" height="{UNIT * height:.0f}"'
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="{view}" {sides}>',
        f"<title>{clean(name)}</title>",
        f"<style>{style}</style>",
        f'<rect class="page" x="{UNIT * left:.1f}" y="{UNIT * top:.1f}" {sides}/>',
    ]


def stones(position: Position, marks: Marks) -> list[str]:
    """Return a board with its stones and marks, without a legend."""
    board = position.board
    cells = (line for cell in _cells(board, marks) for line in _cell(position, marks, cell))
    if marks.area is not None:
        return [*_sides(board, marks), *cells]
    return [*_edges(board, marks), *_coordinates(board), *cells]


def _cells(board: Board, marks: Marks) -> Iterable[Cell]:
    return board.cells if marks.area is None else marks.area.search(1)


def center_of(board: Board, cell: Cell) -> Dot:
    """Return the center of a cell."""
    column, row = board.column_and_row(cell)
    return WIDTH * (column + row / 2), 1.5 * row


def _cell(position: Position, marks: Marks, cell: Cell) -> Iterator[str]:
    board = position.board
    x, y = center = center_of(board, cell)
    color = position.color_at(cell)
    state = "empty" if color is None else color.word
    if cell == marks.last:
        state += ", last move"
    yield f"<g><title>{board.name(cell)}, {state}</title>"
    yield hexagon(center, "cell")
    if color is not None:
        yield circle(center, 0.66, color.word)
    yield from _ground(position, marks, cell, center)
    label = marks.labels.get(cell)
    if cell == marks.key:
        yield star((x, y - 0.3) if label else center, 0.4 if label else 0.62)
    elif marks.is_shaded(cell) and not label:
        yield circle(center, 0.14, "dot")
    ink = "ink" if color is None else f"on-{color.word}"
    if label:
        yield text_at((x, y + 0.5) if cell == marks.key else (x, y + 0.17), label, f"label {ink}")
    elif cell == marks.last:
        yield circle(center, 0.2, ink)
    if cell in marks.ends:
        yield circle(center, 0.74, "end")
    yield "</g>"


def _ground(position: Position, marks: Marks, cell: Cell, center: Dot) -> Iterator[str]:
    """Color a cell under its label."""
    if position.empty[cell] and marks.warmth(cell):
        yield hexagon(center, "heat", opacity=_opacity(marks.warmth(cell)))
    if cell in marks.tints:
        yield hexagon(center, _tint(marks.tints[cell]))
    elif marks.is_shaded(cell):
        yield hexagon(center, "shaded")


def _edges(board: Board, marks: Marks) -> Iterator[str]:
    """Draw the four edges as bands, half of each under the cells.

    The bands meet in a corner of a corner cell that has two neighbors, and in the
    middle of a side of one that has three.
    """
    last_column, last_row = board.columns - 1, board.rows - 1
    across, down = range(board.columns), range(board.rows)

    def corner(column: int, row: int, *offsets: Dot) -> Dot:
        x, y = WIDTH * (column + row / 2), 1.5 * row
        count = len(offsets)
        return x + sum(o[0] for o in offsets) / count, y + sum(o[1] for o in offsets) / count

    northeast = corner(last_column, 0, TOP, UPPER_RIGHT)
    southwest = corner(0, last_row, BOTTOM, LOWER_LEFT)
    paths = (
        [corner(column, 0, at) for column in across for at in (UPPER_LEFT, TOP)] + [northeast],
        [southwest]
        + [corner(column, last_row, at) for column in across for at in (BOTTOM, LOWER_RIGHT)],
        [corner(0, row, at) for row in down for at in (UPPER_LEFT, LOWER_LEFT)] + [southwest],
        [northeast]
        + [corner(last_column, row, at) for row in down for at in (UPPER_RIGHT, LOWER_RIGHT)],
    )
    edges = [edge for color in Color for edge in board.edges(color)]
    for edge, path in zip(edges, paths, strict=True):
        line = points(path)
        if edge in marks.ends:
            yield f'<polyline class="rim end" points="{line}"/>'
        yield f'<polyline class="rim" points="{line}"/>'
    for edge, path in zip(edges, paths, strict=True):
        owner = next(color for color in Color if edge in board.edges(color))
        yield f'<polyline class="edge {owner.word}" points="{points(path)}"/>'


def _sides(board: Board, marks: Marks) -> Iterator[str]:
    """Draw the bands of the edges that are ends, only along the cells that are drawn."""
    corners = (
        (UPPER_LEFT, TOP, UPPER_RIGHT),
        (LOWER_LEFT, BOTTOM, LOWER_RIGHT),
        (UPPER_LEFT, LOWER_LEFT, BOTTOM),
        (TOP, UPPER_RIGHT, LOWER_RIGHT),
    )
    bands = [
        (points((x + dx, y + dy) for dx, dy in side), color)
        for color in Color
        for edge, side in zip(board.edges(color), corners[2 * color :], strict=False)
        for cell in _cells(board, marks)
        if edge in marks.ends and edge in board.neighbors(cell)
        for x, y in (center_of(board, cell),)
    ]
    yield from (f'<polyline class="rim end" points="{line}"/>' for line, _ in bands)
    yield from (f'<polyline class="rim" points="{line}"/>' for line, _ in bands)
    yield from (f'<polyline class="edge {color.word}" points="{line}"/>' for line, color in bands)


def _coordinates(board: Board) -> Iterator[str]:
    for column in range(board.columns):
        for row in (-1, board.rows):
            place = (WIDTH * (column + row / 2), 1.5 * row + 0.15)
            yield text_at(place, column_name(column), "ink")
    for row in range(board.rows):
        for column in (-1, board.columns):
            yield text_at((WIDTH * (column + row / 2), 1.5 * row + 0.15), str(row + 1), "ink")


def _legend(marks: Marks, at: Dot) -> Iterator[str]:
    """Yield a line of the legend for each kind of mark in use."""
    x, y = at
    shaded = () if marks.shade is None else marks.shade.search(1)
    if any(cell not in marks.tints for cell in shaded):
        cells = marks.shade_as + ("; star: key" if marks.key is not None else "")
        sample = hexagon((x, y), "cell", scale=0.6) + hexagon((x, y), "shaded", scale=0.6)
        yield f"<g>{sample}{circle((x, y), 0.1, 'dot')}{note_at((x + 1, y), cells)}</g>"
        y += 1.5
    for number, name in enumerate(marks.tint_names):
        if number in marks.tints.values():
            sample = hexagon((x, y), "cell", scale=0.6)
            sample += hexagon((x, y), _tint(number), scale=0.6)
            yield f"<g>{sample}{note_at((x + 1, y), name)}</g>"
            y += 1.5
    for note in marks.notes:
        yield f"<g>{note_at((x - 0.6, y), note)}</g>"
        y += 1.5
    if marks.ends:
        yield f"<g>{circle((x, y), 0.45, 'end')}{note_at((x + 1, y), 'ends')}</g>"
        y += 1.5
    if marks.heat:
        swatches = "".join(
            hexagon((x + 1.1 * n, y), "cell", scale=0.6)
            + hexagon((x + 1.1 * n, y), "heat", opacity=_opacity(n / 4), scale=0.6)
            for n in range(5)
        )
        scale = marks.heat_scale or f"0 to {max(marks.heat.values()):.3g}"
        note = f"{scale} {marks.heat_as}".rstrip()
        yield f"<g>{swatches}{note_at((x + 1.1 * 5, y), note)}</g>"


def _tint(number: int) -> str:
    return f"tint tint{number % TINTS}"


def note_at(at: Dot, text: str) -> str:
    """Return a line of the legend that begins at a point."""
    return text_at((at[0], at[1] + 0.15), text, "ink", anchor="start")


def _opacity(warmth: float) -> float:
    return 0.1 + 0.8 * warmth
