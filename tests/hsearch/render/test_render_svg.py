"""Boards as SVG pictures."""

import math
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictures import SVG, elements
from strategies import positions

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from hsearch.render import svg
from hsearch.render.text import Marks


def corners(polygon):
    """Return the vertices of a polygon."""
    return [tuple(map(float, place.split(","))) for place in polygon.get("points").split()]


@given(positions(max_side=9))
def test_every_cell_and_stone_is_drawn(position):
    """There is one hexagon for each cell, and one disk for each stone."""
    text = svg.write(position, Marks())

    assert len(elements(text, "polygon", "cell")) == position.board.size
    for color in Color:
        assert len(elements(text, "circle", color.word)) == position.stones(color).count()


@given(positions(max_side=6))
def test_only_hexagons_of_neighboring_cells_share_corners(position):
    """Neighbors share two corners, other cells none."""
    board = position.board
    hexagons = [corners(e) for e in elements(svg.write(position, Marks()), "polygon", "cell")]

    for cell in board.cells:
        for other in board.cells:
            common = sum(
                any(math.dist(one, two) < 1 for two in hexagons[other]) for one in hexagons[cell]
            )
            expected = 6 if cell == other else 2 * (other in board.neighbors(cell))
            assert common == expected


@given(positions(max_side=7))
def test_edge_bands_follow_the_corners_of_edge_cells(position):
    """A band follows corners of all cells at its edge, and no inner corner."""
    board = position.board
    text = svg.write(position, Marks())
    hexagons = [corners(e) for e in elements(text, "polygon", "cell")]
    bands = elements(text, "polyline", "edge")

    assert len(bands) == 4
    for edge, band in enumerate(bands, start=board.size):
        passed = [
            {cell for cell in board.cells if any(math.dist(place, c) < 1 for c in hexagons[cell])}
            for place in corners(band)
        ]
        assert set().union(*passed) == set(board.neighbors(edge))
        assert all(len(cells) < 3 for cells in passed)


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (5, 9), (9, 5), (19, 19), (26, 26)])
def test_cells_and_coordinates_are_inside_the_view_box(columns, rows):
    """All cells and coordinates are inside the view box."""
    board = Board(columns, rows)
    text = svg.write(
        Position.of(board), Marks(shade=board.only(0), ends=(0,), heat={0: 1.0}), title="T"
    )
    root = ET.fromstring(text)  # noqa: S314 - our own text
    left, top, width, height = map(float, root.get("viewBox").split())
    places = [place for e in elements(text, "polygon", "cell") for place in corners(e)]
    places += [(float(e.get("x")), float(e.get("y"))) for e in root.iter(SVG + "text")]

    assert all(left < x < left + width and top < y < top + height for x, y in places)
    assert len({e.text for e in elements(text, "text", "ink")}) >= columns + rows


def test_a_part_of_a_board_has_its_cells_and_the_bands_of_its_ends():
    """There is a band for each cell at an end; there are no names and no other edges."""
    board = Board(4, 4)
    part, south = board.named("c2 d2 b3 c3 d3 a4 b4 c4 d4"), board.edges(Color.BLACK)[1]
    position = Position.of(board, black="c2", white="a1 b4")
    text = svg.write(position, Marks(area=part, ends=(board.cell("c2"), south)))
    whole = svg.write(position, Marks())

    assert len(elements(text, "polygon", "cell")) == part.count()
    assert len(elements(text, "circle", "white")) == 1
    assert len(elements(text, "polyline", "edge")) == 4
    assert [e.text for e in elements(text, "text", "ink")] == ["ends"]
    assert len(elements(whole, "text", "ink")) == 16
    _, top, _, height = map(float, ET.fromstring(text).get("viewBox").split())  # noqa: S314
    for hexagon in elements(text, "polygon", "cell"):
        assert all(top < y < top + height for _, y in corners(hexagon))


def test_marks_are_drawn_and_explained():
    """Carrier, key, ends, last move and labels each have a shape, which the legend names."""
    board = Board(4, 4)
    marks = Marks(
        shade=board.named("a1 b1"),
        key=board.cell("a1"),
        ends=(board.cell("c2"), board.point("west")),
        last=board.cell("d4"),
        labels={board.cell("d1"): "7"},
        heat={board.cell("a3"): 2.0, board.cell("a4"): 1.0},
        heat_as="weak link",
    )
    text = svg.write(Position.of(board, black="c2", white="d4"), marks)

    assert len(elements(text, "polygon", "shaded")) == 2 + 1
    assert len(elements(text, "polygon", "key")) == 1
    assert len(elements(text, "circle", "end")) == 1 + 1
    assert len(elements(text, "polyline", "end")) == 1
    assert len(elements(text, "polygon", "heat")) == 2 + 5
    assert [e.text for e in elements(text, "text", "label")] == ["7"]
    assert "d4, white, last move" in text
    for words in ("carrier; star: key", "ends", "0 to 2 weak link"):
        assert words in text


@given(st.text(), st.text(max_size=5))
def test_any_title_or_label_gives_valid_svg(title, label):
    """Names come from files, so they may contain markup and control characters."""
    text = svg.write(Position.of(Board(2, 2)), Marks(labels={0: label}), title=title)
    root = ET.fromstring(text)  # noqa: S314 - our own text, which is what is tested

    assert root.find(SVG + "script") is None
    assert root.findtext(SVG + "title") == (
        "".join(c for c in title if c.isprintable()) if title else "Hex position, 2x2"
    )


def test_svg_pictures_contain_no_nan_or_infinity():
    """Infinite heat is drawn as the warmest color."""
    text = svg.write(Position.of(Board(2, 1)), Marks(heat={0: math.inf, 1: 1.0}))

    assert "nan" not in text
    for kind in ("heat", "cell"):
        for polygon in elements(text, "polygon", kind):
            assert all(map(math.isfinite, (x for place in corners(polygon) for x in place)))


def test_the_picture_supports_both_color_schemes():
    """The picture has its own background, so it is readable without a color scheme."""
    text = svg.write(Position.of(Board(2, 2)), Marks())

    assert "prefers-color-scheme: dark" in text
    assert len(elements(text, "rect", "page")) == 1
