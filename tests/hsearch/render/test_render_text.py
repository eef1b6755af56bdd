"""Boards for a terminal."""

from dataclasses import replace

import pytest
from hypothesis import given
from strategies import positions

from hsearch.formats.reading import read
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from hsearch.render import display as pictured
from hsearch.render.text import ASCII, UNICODE, Marks, board, plain


def drawn(position, marks=None, symbols=ASCII):
    """Return a position as text."""
    return plain(board(position, marks or Marks(), symbols))


def test_each_kind_of_mark_has_its_own_shape():
    """Each kind of mark has its own shape, so none depends on color."""
    here = Board(5, 4)
    position = Position.of(here, black="b2 c2", white="a4 e1")
    marks = Marks(
        shade=here.named("c1 d1 d2"),
        key=here.cell("d1"),
        ends=(here.cell("c2"), here.point("north")),
        last=here.cell("a4"),
        labels={here.cell("a1"): "1"},
        heat={here.cell("e3"): 4.0, here.cell("e4"): 1.0, here.cell("d4"): 0.0},
    )

    assert drawn(position, marks).split("\n") == [
        "  a b c d e",
        "1  1 . * ! W  1",
        " 2  . B[B]* .  2",
        "  3  . . . . 9  3",
        "   4 (W). . . 3  4",
        "       a b c d e",
    ]


def test_marked_cells_side_by_side_share_a_bar():
    """There is one column between two brackets."""
    here = Board(4, 1)
    position = Position.of(here, black="a1 b1 c1")
    marks = Marks(ends=(here.cell("a1"), here.cell("b1")), last=here.cell("c1"))

    assert drawn(position, marks).split("\n")[1] == "1 [B|B|B).  1"


def test_the_1x1_board_is_drawn_with_its_labels():
    """The board is one cell between two letters and two numbers."""
    assert drawn(Position.of(Board(1, 1)), symbols=UNICODE) == "  a\n1  ·  1\n    a"


def test_row_numbers_of_two_digits_keep_the_slant():
    """Row 10 is one column to the right of row 9, as for all rows."""
    lines = drawn(Position.of(Board(2, 10), black="a9 a10")).split("\n")

    assert lines[9] == "         9  B .  9"
    assert lines[10] == "         10  B .  10"


@pytest.mark.parametrize("label", ["12", "1.25"])
def test_long_labels_widen_the_board(label):
    """A long label fits, and adjacent cells stay half a cell apart."""
    here = Board(3, 3)
    lines = drawn(Position.of(here, white="a3"), Marks(labels={here.cell("b2"): label})).split("\n")

    assert label in lines[2]
    assert lines[3].index("W") - lines[2].index(".") == len(label)
    assert lines[2].index(label) - lines[2].index(".") == 2 * len(label)


@given(positions(max_side=26, stones="..BW"))
def test_every_cell_is_drawn_beside_its_neighbors(position):
    """Neighbors are two columns apart in a row, and one column apart in adjacent rows."""
    here = position.board
    lines = drawn(position).split("\n")
    shift = len(str(here.rows)) + 2

    for cell in here.cells:
        column, row = here.column_and_row(cell)
        color = position.color_at(cell)
        shown = {Color.BLACK: "B", Color.WHITE: "W", None: "."}[color]
        assert lines[row + 1][shift + 2 * column + row] == shown
    assert len(lines) == here.rows + 2
    assert all(line == line.rstrip() for line in lines)


@given(positions(max_side=5))
def test_styles_do_not_change_the_text(position):
    """Edges have their owner's style, and an edge that is an end is reversed."""
    here = position.board
    north = here.point("north")
    lines = board(position, Marks(ends=(north,)), ASCII)

    assert plain(lines) == drawn(position)
    assert lines[0][-1][1].endswith("reverse")
    assert lines[0][-1][1] != lines[-1][-1][1]
    assert lines[1][-1][1] != lines[-1][-1][1]


@pytest.mark.parametrize(
    ("encoding", "fits"),
    [("utf-8", True), ("cp1252", False), ("ascii", False), ("no such encoding", False)],
)
def test_fit_checks_whether_an_encoding_has_the_symbols(encoding, fits):
    """Windows' cp1252 needs the fallback."""
    assert UNICODE.fit(encoding) is fits
    assert ASCII.fit("ascii")


@pytest.mark.parametrize(("value", "warmth"), [(0.0, 0.0), (-1.0, 0.0), (2.0, 0.5), (4.0, 1.0)])
def test_warmth_is_a_fraction_of_the_greatest_heat(value, warmth):
    """Values that are not positive are cold."""
    assert Marks(heat={0: value, 1: 4.0}).warmth(0) == warmth


def test_infinite_heat_has_the_greatest_warmth():
    """Finite values are cold then, and no result is NaN."""
    marks = Marks(heat={0: float("inf"), 1: 4.0})

    assert [marks.warmth(cell) for cell in range(3)] == [1.0, 0.0, 0.0]


def test_names_are_ordered_by_color_after_swapping_sides():
    """Black comes first, as everywhere, whoever has that color now."""
    game = read("(;GM[11]SZ[3]PB[Ana]PW[Bob];B[a3];W[swap-sides];W[b2];B[c1])")

    assert str(game).startswith("Bob - Ana\n")
    assert "<title>Bob - Ana</title>" in pictured.picture(game)
    assert str(game.cut(1)).startswith("Ana - Bob\n")
    assert str(replace(game, cursor=1)).startswith("Ana - Bob\n")
