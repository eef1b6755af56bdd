"""Text boards."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import positions

from hsearch.formats import diagram, suite
from hsearch.formats.error import FormatError
from hsearch.formats.reading import read
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.position import Position
from hsearch.render.text import ASCII, UNICODE, Marks, board, plain

STONES = Position.of(Board(3, 2), black="b2", white="b1")


@given(positions(max_side=12), st.booleans())
def test_reading_undoes_writing(position, labels):
    """Reading a written board gives its stones; the turn must be given again."""
    text = diagram.write(position, labels=labels)

    assert diagram.read(text).position(turn=position.turn) == position
    assert read(text).position(turn=position.turn) == position


@pytest.mark.slow
@given(positions(max_side=26), st.sampled_from([UNICODE, ASCII]), st.data())
def test_printed_boards_are_read(position, symbols, data):
    """Printed boards are read as on a screen: slanted, with marks, labels and a caption."""
    cells = st.sampled_from(position.board.cells)
    marks = Marks(
        last=data.draw(st.none() | cells),
        shade=position.board.only(*data.draw(st.sets(cells))),
        ends=tuple(data.draw(st.sets(cells))),
    )
    text = plain(board(position, marks, symbols))
    below = diagram.write_caption(Game.of_position(position), 0, position)
    expected = Game.of_position(position).position(turn=Color.BLACK)

    assert read(text).position(turn=Color.BLACK) == expected
    assert read(f"{text}\n\n{below}\n").position(turn=Color.BLACK) == expected
    if "to move" in below:
        assert read(f"{text}\n\n{below}\n").position() == position


@pytest.mark.parametrize("side", [1, 2, 9, 10, 26])
def test_diagrams_of_the_smallest_and_largest_sizes_are_read(side):
    """Labels of two digits and the last letter of the alphabet are read."""
    position = Position.of(Board(side, side), black="a1")

    assert read(diagram.write(position)).position(turn=position.turn) == position


def test_a_turn_with_the_kelvin_sign_is_not_a_caption():
    """It is `k` in lower case; the error named no place."""
    with pytest.raises(FormatError, match="1:1: "):
        read("B .\n . W\nblac\u212a to move\n")


def test_write_gives_the_expected_text():
    """Labels are half a cell beside their columns."""
    assert diagram.write(STONES) == ("  a  b  c\n 1\\.  W  .\\1\n  2\\.  B  .\\2\n     a  b  c\n")
    assert diagram.write(STONES, labels=False) == ". W .\n . B .\n"


@pytest.mark.parametrize(
    "text",
    [
        "  a  b  c\n 1\\.  W  .\\1\n  2\\.  B  *\\2\n     a  b  c\n",
        ". o .\n . x .\n",
        " . o . \n  . x . \n",
        "-W_\n +B.",
        "1 . ○ . 1\n 2 . ● . 2\n",
        "  A B C\n1 . w .\n 2 . b .\n   A B C",
        "#0a1b2c3d4e5f6789\n. W .\n . B .",
        "bd83c1c2d7c4a19f\n\n. W .\r\n . # .\r\n",
        ". B .\n . R .".replace("B", "W"),
        "\n. W .\n\n\n . B .\n\n",
    ],
)
def test_boards_drawn_in_other_ways_are_read(text):
    """Boards are read with and without labels, spaces or hashes, and with other stones."""
    assert read(text).position(turn=Color.BLACK) == STONES


@pytest.mark.parametrize("board", [". W .\n . B .\n", "  a b c\n1 . W .\n 2 . B .\n"])
@pytest.mark.parametrize(
    ("line", "turn"),
    [
        ("White to move", Color.WHITE),
        ("BLACK TO PLAY AND WIN!", Color.BLACK),
        ("Blue is to move.", Color.WHITE),
        ("red's turn:", Color.BLACK),
        ("It is White's move", Color.WHITE),
        ("X to move", Color.BLACK),
        ("o to play.", Color.WHITE),
    ],
)
def test_a_line_above_or_below_gives_the_turn(board, line, turn):
    """A line above or below the board, as under a puzzle, gives the turn."""
    texts = f"{line}\n\n{board}", f"{board}\n{line}\n"

    assert [read(text).position() for text in texts] == [replace(STONES, turn=turn)] * 2
    (entry,) = suite.read(f"id x\nboard\n {board.replace(chr(10), chr(10) + ' ')}{line}\n")
    assert entry.game.position() == replace(STONES, turn=turn)


@pytest.mark.parametrize(
    "text", [". B .\n . R .\n", ". b .\n . R .\n", "  a b c\n1 . B .\n 2 . r ."]
)
def test_beside_r_the_stones_b_are_blue(text):
    """R and B are Red and Blue, as in a list of moves; a warning says so."""
    game = read(text)

    assert game.position(turn=Color.BLACK) == STONES
    assert game.warnings == ("R and B are read as Red and Blue: Red is Black here",)
    assert read(f"{text}\nBlue to move").position().turn is Color.WHITE
    assert not read(". W .\n . R .\n").warnings


def test_only_one_line_may_give_the_turn():
    """Only one line may give the turn, since two may contradict each other."""
    with pytest.raises(FormatError, match="4: 'Red to move' is not part of a board"):
        read("Blue to move\n. W .\n . B .\nRed to move")


@pytest.mark.parametrize(
    ("text", "place", "token"),
    [
        (". R .\n . B W\n", "2:6", "W"),
        (". B x\n . r .\n", "1:5", "x"),
        (". .\n . z\n", "2:4", "z"),
        (". .\n . é\n", "2:4", "é"),
        (". .\n . . .\n", "2", None),
        ("1 . .\n 3 . .\n", "2:2", "3"),
        ("  a b c\n. .\n . .\n", "1", None),
        (". " * 27, "1", None),
        (".\n" * 27, "27", None),
        (". " * 10_000, "1", None),
        (".\n" * 10_000, "27", None),
        ("  a b\n1  . .  1\n 2  . .  2\n     a b\n 3  . .  3\n", "5", None),
        ("  a b\n1  . .  1\n 2  . .  2\n     a b\n\nWho wins is unknown.\n", "6", None),
        ("  a b\n1  . .  1\n 2  . .  2\n     a b\n\n3x3, black to move.\n", "6", None),
        ("  a b\n1  . .  1\n 2  . .  2\n     a b\n" + "2x2, black to move.\n" * 2, "6", None),
        (". B\n . W\n\n. W\n . B\n", "4", None),
        (". B\n\n . W\n. W\n", "4", None),
        ("  a b\n1  1 .  1\n 2  . .  2\n     a b\n", "2:4", "1"),
        ("  a b\n1  (B.)  1\n 2  . .  2\n     a b\n", "2:4", "("),
        ("  a b\n1  (B|  1\n 2  . .  2\n     a b\n", "2:4", "("),
        ("  a b\n1  b ●  1\n 2  · ·  2\n     a b\n", "2:6", "●"),
        ("  a b\n1  W .  1\n 2  w .  2\n     a b\n", "3:5", "w"),
    ],
)
def test_errors_name_their_place(text, place, token):
    """Errors name the line, and the column if one symbol is wrong."""
    with pytest.raises(FormatError, match=f"^{place}: ") as error:
        read(text)
    assert error.value.token == token


def test_labels_without_a_board_are_rejected():
    """Labels alone are not a board."""
    with pytest.raises(FormatError, match="no board"):
        diagram.read("  a b c\n")
