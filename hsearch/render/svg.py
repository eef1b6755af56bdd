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
    Dot,
    circle,
    clean,
    hexagon,
    points,
    star,
    text_at,
)
from hsearch.render.style import PALETTES, STYLE, TINTS

LEAST_WIDTH = 15.0  # a legend has to fit beside a board of one cell


def write(
    position: Position, marks: Marks, *, title: str = "", palette: str = "black-white"
) -> str:
    """Return an SVG document of a position, with the title above the board."""
    board = position.board
    left, top = -WIDTH / 2 - 2.0, -2.8 - (1.6 if title else 0.0)
    width = max(WIDTH * (board.columns + (board.rows - 1) / 2) + 4.0, LEAST_WIDTH)
    legend = list(_legend(marks, 1.5 * board.rows + 2.0))
    foot = 1.5 * (board.rows - 1) + 2.8
    height = foot - top + 1.5 * len(legend)
    name = title or f"Hex position, {board.columns}x{board.rows}"
    lines = head((left, top), (width, height), name, STYLE + PALETTES[palette])
    if title:
        lines.append(text_at((left + 0.6, top + 1.4), name, "ink title", anchor="start"))
    lines += stones(position, marks)
    lines += legend
    return "\n".join((*lines, "</svg>", ""))


def head(corner: Dot, size: Dot, name: str, style: str) -> list[str]:
    """Return how a document begins: what screen readers call it, its style, and the page."""
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
    cells = (line for cell in board.cells for line in _cell(position, marks, cell))
    return [*_edges(board, marks), *_coordinates(board), *cells]


def center_of(board: Board, cell: Cell) -> Dot:
    """Return the place of a cell."""
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

    In a corner that touches two cells the bands meet in a corner of the cell,
    in one that touches three on the middle of a side.
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
    if any(marks.is_shaded(cell) and cell not in marks.tints for cell in _shaded(marks)):
        cells = marks.shaded_as + ("; star: key" if marks.key is not None else "")
        sample = hexagon((x, y), "cell", scale=0.6) + hexagon((x, y), "shaded", scale=0.6)
        yield f"<g>{sample}{circle((x, y), 0.1, 'dot')}{_note((x + 1, y), cells)}</g>"
        y += 1.5
    for number, name in enumerate(marks.tint_names):
        if number in marks.tints.values():
            sample = hexagon((x, y), "cell", scale=0.6)
            sample += hexagon((x, y), _tint(number), scale=0.6)
            yield f"<g>{sample}{_note((x + 1, y), name)}</g>"
            y += 1.5
    for note in marks.notes:
        yield f"<g>{_note((x - 0.6, y), note)}</g>"
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


def _shaded(marks: Marks) -> Iterator[Cell]:
    return iter(()) if marks.shaded is None else iter(marks.shaded.search(1))


def _tint(number: int) -> str:
    return f"tint tint{number % TINTS}"


def _note(at: Dot, text: str) -> str:
    return text_at((at[0], at[1] + 0.15), text, "ink", anchor="start")


def _opacity(warmth: float) -> float:
    return 0.1 + 0.8 * warmth
