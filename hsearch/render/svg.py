"""Boards as SVG pictures, readable on light and on dark pages."""

from collections.abc import Iterator

from hsearch.board import Board, Cell, Color, column_name
from hsearch.position import Position
from hsearch.render.marks import Marks
from hsearch.render.shapes import (
    BOTTOM,
    LOWER_LEFT,
    LOWER_RIGHT,
    TOP,
    UNIT,
    UPPER_LEFT,
    UPPER_RIGHT,
    WIDTH,
    Place,
    circle,
    clean,
    hexagon,
    points,
    star,
    text_at,
)

LEAST_WIDTH = 15.0  # a legend has to fit beside a board of one cell

STYLE = """
svg { color-scheme: light dark; font: 11px system-ui, sans-serif; }
.page { fill: #fbfaf7 } .ink { fill: #30343b } .title { font-size: 14px; font-weight: 600 }
.cell { fill: #ece6d9; stroke: #8d8574; stroke-width: 1 }
.shaded { fill: #57a773; fill-opacity: .6 } .dot { fill: #1d5c38 }
.heat { fill: #f07f4f } .frame { fill: none; stroke: #8d8574 }
.black { fill: #17191d; stroke: #17191d } .white { fill: #ffffff; stroke: #55524b }
.edge { fill: none; stroke-width: 11; stroke-linejoin: round }
.rim { fill: none; stroke-width: 14; stroke: #55524b; stroke-linejoin: round }
.edge.black { stroke: #17191d } .edge.white { stroke: #ffffff }
.end { fill: none; stroke: #b0189b; stroke-width: 3.5 } .rim.end { stroke-width: 19 }
.key { fill: #f6c945; stroke: #4a3b00; stroke-width: 1 }
.on-black { fill: #ffffff } .on-white { fill: #17191d } .label { font-weight: 600 }
@media (prefers-color-scheme: dark) {
.page { fill: #16181c } .ink { fill: #d9dce1 }
.cell { fill: #3b3f47; stroke: #757b86 } .frame { stroke: #757b86 }
.shaded { fill: #3b8f60; fill-opacity: .5 } .dot { fill: #d5f5e3 } .heat { fill: #ad3012 }
.black { fill: #0a0b0d; stroke: #b4bac4 } .white { fill: #f3f4f6; stroke: #0a0b0d }
.rim { stroke: #b4bac4 } .edge.black { stroke: #0a0b0d } .edge.white { stroke: #f3f4f6 }
.end { stroke: #ff7be9 } .rim.end { stroke: #ff7be9 }
}
"""


def write(position: Position, marks: Marks, *, title: str = "") -> str:
    """Return an SVG document of a position, with the title above the board."""
    board = position.board
    top = 1.6 if title else 0.0
    left, head = -WIDTH / 2 - 2.0, -2.8 - top
    width = max(WIDTH * (board.columns + (board.rows - 1) / 2) + 4.0, LEAST_WIDTH)
    legend = list(_legend(marks, 1.5 * board.rows + 2.0))
    foot = 1.5 * (board.rows - 1) + 2.8
    height = foot - head + 1.5 * len(legend)
    view = " ".join(f"{UNIT * x:.1f}" for x in (left, head, width, height))
    size = f'width="{UNIT * width:.0f}" height="{UNIT * height:.0f}"'
    name = title or f"Hex position, {board.columns}x{board.rows}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="{view}" {size}>',
        f"<title>{clean(name)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="page" x="{UNIT * left:.1f}" y="{UNIT * head:.1f}" {size}/>',
    ]
    if title:
        lines.append(text_at((left + 0.6, head + 1.4), name, "ink title", anchor="start"))
    lines += _edges(board, marks)
    lines += _coordinates(board)
    for cell in board.cells:
        lines += _cell(position, marks, cell)
    lines += legend
    return "\n".join((*lines, "</svg>", ""))


def _center(board: Board, cell: Cell) -> Place:
    column, row = board.column_and_row(cell)
    return WIDTH * (column + row / 2), 1.5 * row


def _cell(position: Position, marks: Marks, cell: Cell) -> Iterator[str]:
    board = position.board
    x, y = center = _center(board, cell)
    color = position.color_at(cell)
    state = "empty" if color is None else color.word
    if cell == marks.last:
        state += ", last move"
    yield f"<g><title>{board.name(cell)}, {state}</title>"
    yield hexagon(center, "cell")
    if color is not None:
        yield circle(center, 0.66, color.word)
    elif marks.warmth(cell):
        yield hexagon(center, "heat", opacity=_opacity(marks.warmth(cell)))
    if marks.is_shaded(cell):
        yield hexagon(center, "shaded")
    label = marks.labels.get(cell)
    if cell == marks.key:
        yield star((x, y - 0.3) if label else center, 0.4 if label else 0.62, "key")
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


def _edges(board: Board, marks: Marks) -> Iterator[str]:
    """Draw the four edges as bands, half of each under the cells.

    In a corner that touches two cells the bands meet in a corner of the cell,
    in one that touches three on the middle of a side.
    """
    last_column, last_row = board.columns - 1, board.rows - 1
    across, down = range(board.columns), range(board.rows)

    def corner(column: int, row: int, *offsets: Place) -> Place:
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


def _coordinates(board: Board) -> Iterator[str]:
    for column in range(board.columns):
        for row in (-1, board.rows):
            place = (WIDTH * (column + row / 2), 1.5 * row + 0.15)
            yield text_at(place, column_name(column), "ink")
    for row in range(board.rows):
        for column in (-1, board.columns):
            yield text_at((WIDTH * (column + row / 2), 1.5 * row + 0.15), str(row + 1), "ink")


def _legend(marks: Marks, y: float) -> Iterator[str]:
    """Explain each kind of mark in use, one line a kind."""
    x = -WIDTH / 2
    if marks.shaded is not None and marks.shaded.any():
        cells = marks.shaded_as + ("; star: key" if marks.key is not None else "")
        sample = hexagon((x, y), "cell", scale=0.6) + hexagon((x, y), "shaded", scale=0.6)
        yield f"<g>{sample}{circle((x, y), 0.1, 'dot')}{_note((x + 1, y), cells)}</g>"
        y += 1.5
    if marks.ends:
        yield f"<g>{circle((x, y), 0.45, 'end')}{_note((x + 1, y), 'ends')}</g>"
        y += 1.5
    if marks.heat:
        swatches = "".join(
            hexagon((x + 1.1 * n, y), "cell", scale=0.6)
            + hexagon((x + 1.1 * n, y), "heat", opacity=_opacity(n / 4), scale=0.6)
            for n in range(5)
        )
        scale = marks.heat_scale or f"0 to {max(marks.heat.values()):.3g}"
        note = f"{scale} {marks.heat_as}".rstrip()
        yield f"<g>{swatches}{_note((x + 1.1 * 5, y), note)}</g>"


def _note(at: Place, text: str) -> str:
    return text_at((at[0], at[1] + 0.15), text, "ink", anchor="start")


def _opacity(warmth: float) -> float:
    return 0.1 + 0.8 * warmth
