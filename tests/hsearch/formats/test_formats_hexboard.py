"""HexWiki's tag."""

import pytest
from hypothesis import given
from strategies import positions

from hsearch.formats import hexboard
from hsearch.formats.error import FormatError
from hsearch.formats.reading import read, read_all
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position

BOARD = Board(4, 3)


@given(positions(max_side=8))
def test_reading_undoes_writing(position):
    """Labels, shades and a crop do not change the stones."""
    labels = {cell: str(cell) for cell in list(position.board.cells)[::3]}
    tag = hexboard.write(position, carrier=position.empty, labels=labels, visible=position.empty)

    assert read(tag).position(turn=position.turn) == position
    assert read(hexboard.write(position)).position(turn=position.turn) == position


def test_write_gives_the_expected_text():
    """Stones come first, then labeled empty cells, then the shaded carrier."""
    position = Position.of(BOARD, black="b1", white="a1 a3")
    named = BOARD.named
    cell = BOARD.cell

    assert hexboard.write(
        position,
        carrier=named("a2 b2"),
        labels={cell("b1"): "1", cell("c2"): "*"},
        visible=named("a1 b1 c1 a2 c2 d3"),
    ) == (
        '<hexboard size="4x3" coords="show" visible="a1--c1 a2 c2 d3" '
        'contents="R 1:b1 B a1 a3 E *:c2 S a2 b2" />'
    )


def test_a_label_that_the_wiki_lacks_is_refused():
    """The error names the cell."""
    with pytest.raises(ValueError, match="'no way', as on b1"):
        hexboard.write(Position.of(BOARD), labels={1: "no way"})


@pytest.mark.parametrize(
    ("contents", "black", "white"),
    [
        ("R a1 b2 B c1", "a1 b2", "c1"),
        ("R a1--b2 E b1", "a1 a2 b2", ""),
        ("B all R (a1 b1) S red:a1 all", "a1 b1", "c1 d1 a2 b2 c2 d2 a3 b3 c3 d3"),
        ("R a1 S area(a3,c1,d3) red:area(a1,b2) B c1", "a1", "c1"),
        ("R arrow(3):a1 +:b1 12:c1 B x:d1", "a1 b1 c1", "d1"),
        ("", "", ""),
    ],
)
def test_modes_rectangles_brackets_and_labels_are_read(contents, black, white):
    """Modes, rectangles, brackets and labels are read."""
    text = f'{{{{hide}}}} text\n<hexboard\n  size=\'4x3\' edges="" contents="{contents}" />'

    assert read(text, format="hexboard").position(turn=Color.BLACK) == Position.of(
        BOARD, black=black, white=white
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('<hexboard size="0x3" />', "1:17"),
        ('<hexboard size="999x999" />', "1:17"),
        ('<hexboard size="many" />', "1:17"),
        ('<hexboard size="3x3"\ncontents="R a4" />', "2:13"),
        ('<hexboard size="3x3" contents="a1" />', "1:32"),
        ('<hexboard size="3x3" contents="R a1 ??" />', "1:37"),
        ('<hexboard size="3x3" contents="R area(a1,b2)" />', "1:34"),
    ],
)
def test_errors_name_their_place(text, place):
    """Errors name the line and column, also inside an attribute."""
    with pytest.raises(FormatError, match=f"^{place}: "):
        read(text)


def test_an_unfinished_tag_is_rejected():
    """An unfinished tag is refused without a place."""
    with pytest.raises(FormatError, match="hexboard"):
        read('<hexboard size="3x3"')


def test_several_tags_are_several_games():
    """Each tag is a game with its own number."""
    text = '<hexboard size="2x2" contents="R a1" /> and <hexboard size="3x3" contents="B c3" />'

    assert [game.board.columns for game in read_all(text)] == [2, 3]
    assert read(text, number=2).nodes[0].white == (8,)
