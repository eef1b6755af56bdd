"""The board: names, neighbors and symmetries."""

import operator
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import boards

from hsearch.hex.board import (
    Board,
    Color,
    column_name,
    column_number,
    flood,
    from_number,
    from_words,
    neighbor_sets,
    read_size,
    to_number,
    to_words,
)
from hsearch.hex.position import Position

ACUTE, OBTUSE = 4, 5  # a corner touches two edges, and two or three cells


@pytest.mark.parametrize(("columns", "rows"), [(0, 5), (5, 0), (1000, 1000), (-1, 3), (27, 3)])
def test_impossible_sizes_are_refused(columns, rows):
    """The error contains the requested size."""
    with pytest.raises(ValueError, match=f"{columns}x{rows}"):
        Board(columns, rows)


@given(boards(26))
def test_names_and_points_are_inverse(board):
    """Every point has one name, in either case, which finds the point."""
    for point in range(board.size + 4):
        assert board.point(board.name(point)) == point
        assert board.point(board.name(point).upper()) == point


@pytest.mark.parametrize("name", ["", "a", "1", "a0", "a01", "aa", "d1", "a5", "zz9", "a1b", "å1"])
def test_invalid_cell_names_are_refused(name):
    """The error contains the name."""
    with pytest.raises(ValueError, match=repr(name)):
        Board(3, 4).cell(name)


@pytest.mark.parametrize("name", ["\u212a1", "a\u0661", "\uff4b1"])
def test_letters_and_digits_of_a_cell_are_ascii(name):
    """The Kelvin sign is `k` in lower case, but not the letter of a column."""
    with pytest.raises(ValueError, match="not a cell: "):
        Board(11).cell(name)


@given(boards(12))
def test_adjacency_is_mutual_and_preserved_by_symmetries(board):
    """Adjacency is mutual, also on the rotated and on the transposed board."""
    for point in range(board.size + 4):
        for other in board.neighbors(point):
            assert point in board.neighbors(other)
            assert board.rotate(other) in board.neighbors(board.rotate(point))
            assert board.transpose(other) in board.transposed.neighbors(board.transpose(point))


def test_corners_are_acute_and_obtuse_in_turn():
    """a1 touches two cells and two edges, the next corner three cells and two edges."""
    board = Board(5, 5)
    corners = [len(board.neighbors(board.cell(name))) for name in ("a1", "e1", "e5", "a5")]

    assert corners == [ACUTE, OBTUSE, ACUTE, OBTUSE]
    assert len(board.neighbors(board.cell("c3"))) == 6


def test_transposition_exchanges_the_players_edges():
    """Transposing exchanges north and west, so White's game is Black's on the mirror."""
    board = Board(4, 6)

    for color in Color:
        mirrored = tuple(board.transpose(edge) for edge in board.edges(color))
        assert mirrored == board.transposed.edges(color.opponent)


@given(st.integers(0, 2000))
def test_column_letters_count_like_a_spreadsheet(column):
    """Columns run from a to z, then aa, ab and so on."""
    assert column_number(column_name(column)) == column
    assert column_name(26) == "aa"


@given(boards(9), st.data())
def test_a_set_iterates_over_its_cells(board, data):
    """Iteration, `in` and the bits agree, whatever made the set."""
    cells = st.sets(st.sampled_from(board.cells))
    one, two = data.draw(cells), data.draw(cells)
    first, second = board.only(*one), board.only(*two)
    everything = set(board.cells)

    for made, expected in (
        (first, one),
        (~first, everything - one),
        (first & second, one & two),
        (first | second, one | two),
        (from_number(to_number(first), board.size), one),
        (from_words(to_words(first, 11), board.size), one),
        (pickle.loads(pickle.dumps(first)), one),  # noqa: S301 - our own
    ):
        assert list(made) == sorted(expected)
        assert [cell in made for cell in board.cells] == [bool(bit) for bit in made.tolist()]
        assert (made.count(), made == board.only(*expected)) == (len(expected), True)
    assert board.size not in first
    assert -1 not in ~first
    with pytest.raises(TypeError, match=r"as board.cell\('a1'\) is one"):
        assert "a1" in ~first


def test_every_color_is_truthy():
    """`if analysis.winner:` asks whether anybody wins, so Black, 0 in arrays, is true, too."""
    assert all(Color)
    assert [int(color) for color in Color] == [0, 1]


@pytest.mark.parametrize(
    ("text", "how", "color"),
    [
        ("black", {}, Color.BLACK),
        ("white", {}, Color.WHITE),
        ("b", {}, None),
        ("Black", {}, None),
        ("B", {"letters": True}, Color.BLACK),
        ("WHITE", {"letters": True}, Color.WHITE),
        ("red", {"letters": True}, None),
        ("Red", {"foreign": True}, Color.BLACK),
        ("BLUE", {"foreign": True}, Color.WHITE),
        ("vertical", {"foreign": True}, None),
        ("r", {"foreign": True}, None),
        ("", {"foreign": True}, None),
        ("blac\u212a", {"foreign": True}, None),
    ],
)
def test_options_decide_which_color_words_are_read(text, how, color):
    if color is not None:
        assert Color.named(text, **how) is color
        return
    with pytest.raises(ValueError, match=f"'{text}' is neither black nor white"):
        Color.named(text, **how)


def test_points_are_taken_by_name_or_number():
    """Points are taken by name or number, and named from any container."""
    board = Board(5)
    cell = board.cell("c3")

    assert board.cell(cell) == board.cell("C3") == cell
    assert board.name("C3") == board.name(cell) == "c3"
    assert board.names((cell, 0)) == ["c3", "a1"]
    assert board.names(board.neighbors("a1")) == ["b1", "a2", "north", "west"]
    assert board.names(board.only(cell, 0)) == ["a1", "c3"]
    assert board.neighbors("c3") == board.neighbors(cell)
    assert board.rotate("a1") == board.cell("e5")
    assert board.column_and_row("c2") == (2, 1)
    assert board.is_edge("north")
    assert not board.is_edge("c3")
    large, small = Board(14), np.int8(100)  # 13 times 14 columns overflows it
    assert large.at(np.int8(5), np.int8(13)) == large.cell("f14")
    assert large.rotate(small) == large.rotate(100)
    assert {type(large.at(*np.int8([5, 2]))), type(large.point(small))} == {int}
    for wrong in (99, -1):
        with pytest.raises(ValueError, match=f"no point {wrong} on the 5x5 board: 0 to 28"):
            board.name(wrong)


def test_true_is_not_a_cell():
    """True, which Python counts as 1, is refused as values of other wrong types are."""
    board, position = Board(5), Position.of(5)

    for wrong in (True, False, None, 1.5):
        for ask in (board.cell, position.play, position.is_legal, position.color_at):
            with pytest.raises(ValueError, match=f"not a cell of the 5x5 board: {wrong}"):
                ask(wrong)
        with pytest.raises(ValueError, match=f"no point {wrong} on the 5x5 board"):
            board.point(wrong)


def test_points_off_the_board_are_refused():
    """Points off the board are refused, not taken for another cell or an edge."""
    board = Board(5, 5)
    for column, row in ((5, 0), (0, 5), (-1, 0), (0, -1)):
        with pytest.raises(ValueError, match="not a cell of the 5x5 board: column"):
            board.at(column, row)
    for ask in (board.neighbors, board.is_edge, board.rotate, board.transpose, board.name):
        for point in (-1, 29):
            with pytest.raises(ValueError, match=r"no point .* on the 5x5 board: 0 to 28"):
                ask(point)
    for ask in (board.column_and_row, board.only):
        with pytest.raises(ValueError, match="not a cell of the 5x5 board: -1"):
            ask(-1)
    assert board.transpose("b1") == board.cell("a2")
    assert board.only("a1", "b2") == board.named("a1 b2")


@given(st.sets(st.integers(0, 8)), st.sets(st.integers(0, 8)))
def test_a_set_of_cells_compares_like_a_python_set(first, second):
    board = Board(np.int64(3), np.int64(3))
    ours, others = board.only(*first), board.only(*second)

    assert [cell for cell in np.arange(9) if cell in ours] == sorted(first)
    assert bool(ours) == bool(first)
    for compare in (operator.le, operator.lt, operator.ge, operator.gt, operator.eq):
        assert compare(ours, others) == compare(first, second)
    assert type(board.columns) is int


def test_a_set_of_cells_shows_its_cells_and_no_bits():
    """A set shows numbers, as connections do: it has no names."""
    cells = Board(5, 5).only("a1", "c3")

    assert repr(cells) == str(cells) == f"{cells}" == "<CellSet {0 12} of 25 cells>"
    assert repr(cells & ~cells) == "<CellSet {} of 25 cells>"


@given(boards(9), st.randoms(use_true_random=True))
def test_a_flood_spreads_over_neighbors(board, generator):
    """The flood spreads as over each cell's neighbors, on boards of any shape."""
    start, wall = 1 << generator.randrange(board.size), generator.getrandbits(board.size)
    reached, around = start & ~wall, neighbor_sets(board)
    for _ in board.cells:
        for cell in board.cells:
            reached |= around[cell] & ~wall if reached >> cell & 1 else 0

    assert flood(board, start, ~wall) == reached


def test_a_size_is_read_with_either_sign():
    """Sizes are copied from pages, which write a sign of multiplication."""
    assert read_size("13\N{MULTIPLICATION SIGN}9") == read_size("13 x 9") == (13, 9)
    assert read_size("5") == read_size("5X5") == (5, 5)
    for text in ("5\N{ARABIC-INDIC DIGIT FIVE}", "5*5", "5x", "x5", ""):
        with pytest.raises(ValueError, match="is not a board size such as 11 or 5x9"):
            read_size(text)
