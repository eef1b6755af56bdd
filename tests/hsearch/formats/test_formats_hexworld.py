"""HexWorld links."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from records import games, trees
from strategies import positions

from hsearch.formats import hexworld
from hsearch.formats.error import FormatError
from hsearch.formats.reading import read, read_all
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Move
from hsearch.hex.position import Position
from hsearch.hex.tree import TurnUnknownError


@given(games(), st.data())
def test_reading_undoes_writing(game, data):
    """Moves, swap, resignation and moves that were taken back are read again."""
    cursor = data.draw(st.none() | st.integers(0, len(game.moves) - 1)) if game.moves else None
    game = Game(game.board, game.nodes, cursor=cursor)
    flags = {"rotation": 9, "mirrored": True, "numbers": True, "red_and_blue": True}

    assert read(hexworld.write(game)) == game
    assert read(hexworld.write(game, **flags)) == game


@given(games(), st.integers(1, 12), st.booleans(), st.booleans(), st.booleans())
def test_the_display_flags_of_a_link_are_read(game, rotation, mirrored, numbers, red_and_blue):
    flags = {"rotation": rotation, "mirrored": mirrored, "numbers": numbers}
    link = hexworld.write(game, **flags, red_and_blue=red_and_blue)

    assert hexworld.view_of(link) == (rotation, mirrored, numbers)
    assert hexworld.view_of("#5,a1") == hexworld.view_of("a1") == (10, False, False)


@given(positions(max_side=5))
def test_any_position_can_be_written_as_a_list_of_moves(position):
    """Passes make up for surplus stones of one player, and for the turn."""
    game = read(hexworld.write(Game.of_position(position)))

    assert game.position() == position


@pytest.mark.slow
@given(trees())
def test_a_link_preserves_the_position_of_any_game(game):
    """Setup and variations are lost, but the stones and the turn stay."""
    try:
        position = game.position()
    except TurnUnknownError:
        return

    assert read(hexworld.write(game)).position() == position


@pytest.mark.parametrize(
    ("text", "columns", "rows", "moves"),
    [
        ("https://hexworld.org/board/#11,a2:sf6", 11, 11, "a2 swap-pieces f6"),
        ("https://hexworld.org/board/#", 11, 11, ""),
        ("My game: HexWorld.org/board/#5,a1b5", 5, 5, "a1 b5"),
        ("HTTPS://HEXWORLD.ORG/board/#5,a1b5", 5, 5, "a1 b5"),
        ("#5x9r9mnc1,a1b9\n", 5, 9, "a1 b9"),
        ("http://127.0.0.1:8765/#5x9c1,a1b9", 5, 9, "a1 b9"),
        ("https://hex.example.org/?token=x#13", 13, 13, ""),
        ("13c1", 13, 13, ""),
        ("#13", 13, 13, ""),
        ("#,a1", 11, 11, "a1"),
        ("14x14q7zzz,n14", 14, 14, "n14"),
        ("5,a1:pb1", 5, 5, "a1 pass b1"),
        ("5,a1:Sb1:rb", 5, 5, "a1 swap-sides b1 resign"),
        ("5,a1%3Ap%62%31", 5, 5, "a1 pass b1"),
        ("5, a1\\b1 :fw", 5, 5, "a1 b1 forfeit"),
    ],
)
def test_other_spellings_are_read(text, columns, rows, moves):
    """Whole links, bare hashes, escapes and unknown flags are read."""
    game = read(text, format="hexworld" if text == "13c1" else None)

    assert game.board == Board(columns, rows)
    assert [move.name(game.board) for move in game.moves] == moves.split()


def test_the_writer_omits_defaults():
    """The writer omits rotation 10 and trailing commas; a cursor at the start needs two."""
    game = Game.of(Board(11, 11), [0, 12])

    assert hexworld.write(game) == "https://hexworld.org/board/#11,a1b2"
    assert hexworld.write(Game(game.board, game.nodes, cursor=0)).endswith("#11,,a1b2")
    assert hexworld.write(Game(Board(3, 4)), rotation=9).endswith("#3x4r9")


@pytest.mark.parametrize("rotation", [-1, 0, 13, 99])
def test_a_rotation_that_cannot_be_read_is_not_written(rotation):
    with pytest.raises(ValueError, match=rf"^rotation out of range: {rotation} \(1 to 12\)$"):
        hexworld.write(Game(Board(3, 4)), rotation=rotation)


def test_a_cursor_at_the_end_changes_nothing():
    """A trailing comma does not change the game."""
    assert read("#5,a1b1,") == read("#5,a1b1")
    assert read("#5,a1,b1").position() == Position.of(Board(5, 5), black="a1", turn=Color.WHITE)


def test_a_cursor_before_a_move_out_of_turn_keeps_the_turn():
    """The pass that sets the turn is before the cursor, also at the end of the record."""
    board = Board(5)
    game = Game.of(board, ["a1"]).append(Move("black", board.cell("c3")))
    before = replace(game, cursor=1)
    at_its_end = replace(game.with_turn("black"), cursor=2)

    assert hexworld.write(before).endswith("#5,a1:p,c3")
    assert read(hexworld.write(before)).position() == before.position()
    assert hexworld.write(at_its_end).endswith("#5,a1:pc3:p")
    assert read(hexworld.write(at_its_end)).position() == at_its_end.position()


def test_the_resign_flag_names_the_color_that_resigns():
    """`:rb` means that Black resigns, whoever was to move."""
    assert read("5,a1:rb").moves[-1].color is Color.BLACK
    assert read("5,a1:rb").position() == Position.of(Board(5, 5), black="a1", turn=Color.WHITE)


@pytest.mark.parametrize(
    ("text", "offset", "token"),
    [
        ("#0,a1", 1, "0"),
        ("#1000,a1", 1, "1000"),
        ("#99999999999", 1, None),
        ("#5,a1z9", 5, "z9"),
        ("#5,a1a1", 5, "a1"),
        ("#5,a1?", 5, "?"),
        ("#5,%61%31a1", 9, "a1"),
        ("#5,a1:xb1", 5, ":xb1"),
        ("#5,a1b1:s", 7, ":s"),
        ("#5x6,a1:s", 7, ":s"),
        ("#5,a1:rwb1", 8, "b1"),
        ("#5,a1,b1,c1", 8, ",c1"),
        ("#5,a0", 3, "a0"),
    ],
)
def test_errors_name_their_offset(text, offset, token):
    """The error names the first invalid move, not the rest of the link."""
    with pytest.raises(FormatError, match=f"^offset {offset}: ") as error:
        read(text)
    assert token is None or error.value.token == token


@pytest.mark.parametrize(("moves", "column"), [("a1a1", 37), ("a1?b1", 37), ("a1:sz9", 39)])
def test_errors_in_prose_name_line_and_column(moves, column):
    """Errors in prose name line and column, since nobody counts the characters of a mail."""
    text = f"Two games:\n{LINK}\nand https://hexworld.org/board/#5,{moves}\n"

    with pytest.raises(FormatError, match=f"^3:{column}: "):
        read(text, number=2)
    with pytest.raises(FormatError, match=r"^2:29: board size out of range"):
        read("see\nhttps://hexworld.org/board/#0,a1")


LINK = "https://hexworld.org/board/#5c1,a1b2:p"


@pytest.mark.parametrize(
    "text",
    [
        LINK,
        f"See {LINK}, or not.",
        f"Look: {LINK}.\n\nA second paragraph, with a1 in it.",
        f"[the game]({LINK}) of *last week*",
        f"<{LINK}>",
        f'<a href="{LINK}">this</a>',
        f"**{LINK}**!",
        LINK.replace(":", "\\:", 2).replace("\\:", ":", 1),
        LINK.replace("b2", "\n  b2"),
        f"{LINK}\n",
    ],
)
def test_a_link_is_found_in_prose(text):
    """Text around a link is not read as moves, and a link broken over lines is joined."""
    game = read(text)

    assert [move.name(game.board) for move in game.moves] == ["a1", "b2", "pass"]
    assert not game.warnings


def test_several_links_are_several_games():
    """Each link is a game; an address without a hash is ignored."""
    text = f"From hexworld.org: {LINK}; https://hexworld.org/board/#3,c3?"

    assert [len(game.moves) for game in read_all(text)] == [3, 1]
    assert read(text, number=2).board == Board(3, 3)
    assert "2 games" in read(text).warnings[0]


def test_a_link_without_a_hash_is_refused():
    """A link without moves is refused, as it may be half a link."""
    with pytest.raises(FormatError, match="without '#'"):
        read("https://hexworld.org/board/")


@pytest.mark.parametrize("text", ["1,3 2,4", "#5,a1%20zz", "#5,a1 ? b2", "hexworld.org/#5,a1zz\\y"])
def test_an_error_quotes_the_text_as_it_was_written(text):
    """The quoted text is in the input, with its blanks and escapes, at the offset."""
    with pytest.raises(FormatError) as caught:
        read(text)

    token = caught.value.token
    assert token
    assert text[caught.value.offset :].startswith(token)
