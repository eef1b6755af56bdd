"""Move lists."""

import re
import time

import pytest
from hypothesis import given
from records import games

from hsearch.formats import moves
from hsearch.formats.error import FormatError
from hsearch.formats.reading import holds_game, load, read, read_all
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Move, Special
from hsearch.hex.tree import GameNode


@given(games())
def test_reading_undoes_writing(game):
    """Reading a written list gives the game; the size must be given again."""
    text = moves.write(game)

    assert moves.read(text, game.board) == game
    assert moves.read(text, game.board).warnings == ()
    assert read(text, size=(game.board.columns, game.board.rows)) == game


@pytest.mark.parametrize(
    "text",
    [
        "a5 swap-pieces d4 f7",
        "A5,SWAP-PIECES,D4,F7",
        "1. a5 swap-pieces 2. d4 f7\n",
        "a5swap-piecesd4f7",
        "a5\nswap-pieces\nd4\nf7\n",
        "1.a5 swap 2.d4, f7;",
    ],
)
def test_other_spellings_are_read(text):
    """Spaces, commas, numbers, capitals and empty lists are read."""
    game = read(text)

    assert moves.write(game) == "a5 swap-pieces d4 f7\n"
    assert len(game.warnings) == ("swap " in text)


@pytest.mark.parametrize(
    ("text", "place", "token"),
    [
        ("a1 z9", "1:4", "z9"),
        ("a1\n b2 a1", "2:5", "a1"),
        ("a1 b2 swap", "1:7", "swap"),
        ("a1 resign b2", "1:11", "b2"),
        ("a1 ?!", "1:4", "?!"),
        ("1. a1 2. - 3. b2", "1:10", "-"),
        ("12", "1:1", "12"),
        ("a1 a0", "1:4", "a0"),
        ("a1 a99999", "1:4", "a9999"),
        ("hello", "1:1", "hello"),
    ],
)
def test_errors_name_their_place(text, place, token):
    """Errors name the line, the column and the text there."""
    with pytest.raises(FormatError, match=f"^{place}: ") as error:
        read(text)
    assert error.value.token == token


def test_games_that_a_list_cannot_express_are_refused():
    """Setup stones and two moves in a row are not written."""
    board = Board(3, 3)
    twice = Game(board, (GameNode(), *(GameNode(n, Move(Color.BLACK, n)) for n in range(2))))

    with pytest.raises(ValueError, match="set up"):
        moves.write(Game(board, (GameNode(black=(0,)),)))
    with pytest.raises(ValueError, match="black plays b1 out of turn"):
        moves.write(twice)
    with pytest.raises(ValueError, match="takes turns, and black is to move at its end"):
        moves.write(read("(;GM[11]SZ[3];B[a1];PL[B];W[resign])"))


@pytest.mark.parametrize(
    "name", ["game.sgf", "some where/My game.HSGF", "a1.txt\n", "a1.csv", "a1.jsonl"]
)
def test_a_file_name_is_not_a_move(name):
    """The error for a file name names the function that reads files."""
    with pytest.raises(FormatError, match="is the name of a file"):
        read(name)


def test_load_accepts_a_string_or_a_path(tmp_path):
    """A file is loaded by its name as a string or a path, with the options of `read`."""
    path = tmp_path / "game.txt"
    path.write_text("a1 b2")

    assert load(str(path), size=(3, 3)) == load(path, size=(3, 3)) == read("a1 b2", size=(3, 3))
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.sgf")


def test_a_swap_warns_where_the_stone_goes():
    game = moves.read("a3 swap d4", Board(11, 11))

    expected = "'swap' is read as 'swap-pieces': the stone on a3 becomes White's, on c1"
    assert game.warnings == (expected,)
    assert game.position(2).color_at("c1") is Color.WHITE
    (said,) = moves.read("f6 swap", Board(11, 11)).warnings
    assert said.endswith("the stone on f6 becomes White's")


@pytest.mark.parametrize(
    ("link", "played"),
    [
        ("https://trmph.com/hex/board#11,a2b3c4", "a2 b3 c4"),
        ("http://www.trmph.com/hex/board#13,a2a2m13", "a2 swap-sides m13"),
        ("trmph.com/hex/board#11,a3swap-piecesb4", "a3 swap-pieces b4"),
    ],
)
def test_links_of_trmph_are_read(link, played):
    """The link contains the size, and a second move on the first cell swaps it."""
    assert moves.write(read(link)).strip() == played


def test_several_links_of_trmph_are_several_games():
    """Each link is a game of its own."""
    text = "See http://www.trmph.com/hex/board#11,a2b3.\nThen trmph.com/hex/board#13,c4c4, too."

    assert [str(game.board) for game in read_all(text)] == ["11x11", "13x13"]
    assert read(text, number=2).moves[1].special is Special.SWAP_SIDES
    assert read(text).warnings == ("2 games: this is the first, number=N reads another",)


@pytest.mark.parametrize(
    ("moves", "token"),
    [("a2b3c44", "c44"), ("a2a2zz", "zz"), ("a2,a2m13a2", "a2"), ("a2a3,zz", "zz")],
)
def test_errors_in_a_link_of_trmph_name_their_place(moves, token):
    """Errors name the place in the text, whatever the moves are read as."""
    link = f"see\ntrmph.com/hex/board#13,{moves}"

    with pytest.raises(FormatError) as caught:
        read(link)

    column = link.rindex(token) - len("see\n") + 1
    assert str(caught.value).startswith(f"2:{column}: trmph link: ")
    assert caught.value.token == token


def test_errors_on_addresses_and_small_boards_give_a_remedy():
    """The error names what can be read; the command line names its option for a size."""
    with pytest.raises(FormatError, match="save the game there as SGF"):
        read("https://www.littlegolem.net/jsp/game/game.jsp?gid=1512976")
    with pytest.raises(FormatError, match="a board of 13x13 has it"):
        read("a5d7f3i13")
    for said in ("trmph.com/hex/board#11,a5m13", '{"boardsize": 11, "moves": "a5 m13"}'):
        with pytest.raises(FormatError, match=r"'m13' is off the 11x11 board\Z"):
            read(said)  # nobody chooses its size
    with pytest.raises(FormatError, match="'1' is not a move"):
        read("a5 1 c4")
    with pytest.raises(FormatError, match=r"'\[Event' is not a move"):
        read('[Event "x"]\n1. a5 c4')


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1) c2 2) d3.", "c2 d3"),
        ("c2 swapped g6", "c2 swap-pieces g6"),
        ("c2 swaps g6. resigns", "c2 swap-pieces g6 resign"),
        ("h4 forfeits", "h4 forfeit"),
        ("c2swapd4 passed", "c2 swap-pieces d4 pass"),
        ("c2! g6?! d4??, h5", "c2 g6 d4 h5"),
        ("c2 - g6 \u2013 d4", "c2 g6 d4"),
        ("1\tc2\tg6\r\n2\td4\th5\r\n", "c2 g6 d4 h5"),
        ("1;c2;g6\n2;d4", "c2 g6 d4"),
        ("  1 c2 g6\n  2 d4\n", "c2 g6 d4"),
        ("1: c2\n2: g6", "c2 g6"),
        ("|1|c2|g6|\n| 2 | d4 | |\n", "c2 g6 d4"),
        ("c2\N{RIGHTWARDS ARROW}g6 \N{RIGHTWARDS ARROW} d4", "c2 g6 d4"),
        ("B c2, W g6; b: d4", "c2 g6 d4"),
        ("R c2 B g6 r d4", "c2 g6 d4"),
        ("1,B,c2\n2,W,g6", "c2 g6"),
        ("Red c2, Blue swap pieces, Red d4", "c2 swap-pieces d4"),
        ("c2 (Swapped Sides) d4", "c2 swap-sides d4"),
    ],
)
def test_moves_as_people_write_them_are_read(text, written):
    assert moves.write(moves.read(text, Board(11, 11))) == f"{written}\n"


@pytest.mark.parametrize(
    ("text", "comments"),
    [
        ("c2 {a fork} d4", ["", "a fork", ""]),
        ("{a game} {of mine} 1. c2 {see z99}{twice} d4", ["a game\nof mine", "see z99\ntwice", ""]),
        ('{"c2" is} c2 d4 {}', None),
        ("{c2 is } c2 d4 {}", ["c2 is", "", ""]),
    ],
)
def test_a_comment_in_braces_belongs_to_the_previous_move(text, comments):
    """A comment belongs to the move before; a text starting with a brace and a quote is JSON."""
    if comments is None:
        with pytest.raises(FormatError, match="JSON"):
            read(text)
        return
    game = read(text)

    assert [node.comment for node in game.nodes] == comments
    assert moves.write(game) == "c2 d4\n"
    assert not game.warnings


@pytest.mark.parametrize(
    ("end", "result", "winner"),
    [
        ("B+R", "B+R", Color.BLACK),
        ("w+", "w+", Color.WHITE),
        ("White resigns.", "White resigns", Color.BLACK),
        ("(red won on time)", "red won on time", Color.BLACK),
        ("black resigns!", "black resigns", Color.WHITE),
        ("timeout", "black lost on time", Color.WHITE),
        ("(Blue timed out)", "Blue timed out", Color.BLACK),
        ("*", "*", None),
    ],
)
def test_a_result_may_end_a_list(end, result, winner):
    game = read(f"c2 d4 {end}")

    assert (game.result, game.outcome and game.outcome.winner) == (result, winner)
    assert moves.write(game) == "c2 d4\n"
    assert not game.warnings


@pytest.mark.parametrize("result", ["1-0", "0-1", "Alice resigns"])
def test_a_result_without_a_color_gives_a_warning(result):
    game = read(f"c2 d4 ({result})" if " " in result else f"c2 d4 {result}")

    assert game.warnings == (f"'{result}' names no winner, as B+ or W+Resign do",)
    assert game.outcome is None


@pytest.mark.parametrize(
    ("text", "slip"),
    [
        ("c2 {a fork d4", "{a"),
        ("c2 } d4", "}"),
        ("c2 1-0 d4", "1-0"),
        ("1-0", "1-0"),
        ("c2 b", "b"),
    ],
)
def test_unfinished_comments_and_misplaced_results_are_rejected(text, slip):
    with pytest.raises(FormatError, match=f"'{re.escape(slip)}' is not a move"):
        moves.read(text, Board(11, 11))


@pytest.mark.parametrize(
    "text",
    [
        "Nothing here. Go away.",
        "I think Black wins here.\nHe has a bridge",
        "Well...",
        "Oh...",
        "Hmm...\nWow...\n",
        "I go.\nI do a job",  # two adjacent letters are always stones here
    ],
)
def test_prose_is_not_a_board(text):
    """A full stop in prose is not an empty cell; a board with a slip is still a board."""
    with pytest.raises(FormatError, match="is not a move"):
        read(text)
    with pytest.raises(FormatError, match="1:5: 'Q' is not a cell of a board"):
        read(". B Q\n W W .")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (". . .\n . B .\n  . . .\nBlack plays\n", "4:2: 'l'"),
        ("Red plays\n. . .\n . B .\n  . . .\n", "1:2: 'e'"),
        (". . .\n . B .\n  . . QQ\n", "3:7: 'Q'"),
    ],
)
def test_a_board_with_words_is_still_a_board(text, place):
    """The error names what is not a cell, not the first stone; rows of cells are never prose."""
    with pytest.raises(FormatError, match=f"{place} is not a cell of a board"):
        read(text)


@pytest.mark.parametrize("text", ["a1 Red: swapx wins", "a1 b2 Red passport won"])
def test_a_color_before_no_move_is_rejected(text):
    with pytest.raises(FormatError, match=r"1:[47]: 'Red' without a move after it"):
        read(text)


def test_remarks_in_brackets_and_colors_before_moves_are_read():
    """A move in brackets is a move; colors before moves must match the turns."""
    game = read("1. Red: c2 (a fork!) (f6)\n2. red d8 Blue: e5 (good) (very good)\nRed resigned")

    assert moves.write(game) == "c2 f6 d8 e5\n"
    assert [node.comment for node in game.nodes if node.comment] == ["a fork!", "good\nvery good"]
    assert game.result == "Red resigned"
    assert read("c2 (swaps) f6 (Blue wins)").result == "Blue wins"
    for text in ("Blue: c2", "c2 red f6", "White c2 Black f6", "c2 b f6", "B c2 R f6", "w c2"):
        with pytest.raises(FormatError, match="is the other player's, as Black, or Red, begins"):
            read(text)
    for text in ("c2 (f6 was better) d8", "c2 (d4x) d8", "c2 (a fork d8"):
        with pytest.raises(FormatError, match="is not a move"):
            read(text)


@pytest.mark.parametrize("text", ["swap-pieces", "swap-sides\n"])
def test_a_swap_alone_is_read_as_a_move_not_as_a_board(text):
    """The dash of a swap is not an empty cell."""
    with pytest.raises(FormatError, match=r"illegal move 'swap-.*only the second move"):
        read(text)


@pytest.mark.parametrize(
    "text",
    [
        "1,a5 2,c4 3,d3",
        "1 a5 2 c4 3 d3",
        "1 a5 c4 2 d3",
        '["a5", "c4", "d3"]',
        "moves = ('a5', 'c4', 'd3',)",
        "1,a5,c4,2,d3",
        "1, a5; 2, c4; 3, d3",
        "1,black,a5\n2,white,c4\n3,black,d3",
        "1,R,a5\n2,B,c4\n3,R,d3",
        "1,a5,c4\n2,d3,\n",
        "1,a5\r\n2,c4\r\n3,d3\r\n",
        "a5-c4-d3",
        "1. a5-c4 2. d3",
        "A5\N{EN DASH}C4\N{EM DASH}D3",
    ],
)
def test_moves_after_numbers_with_commas_or_joined_by_dashes_are_read(text):
    """Such lists come from tables, chats and programs, and are not HexWorld links."""
    assert holds_game(text)
    assert moves.write(read(text)) == "a5 c4 d3\n"


@pytest.mark.parametrize(
    "text",
    [
        '1,"a5"\n2,"c4"\n3,"d3"\n',
        '1, "a5"\n2, "c4"\n3, "d3"\n',
        '1,"Red","a5"\n2,"Blue","c4"\n3,"Red","d3"',
        '"1","a5"\n"2","c4"\n"3","d3"',
        '"a5", "c4", "d3"',
    ],
)
def test_fields_of_a_table_may_be_quoted(text):
    """Programs quote words and not numbers; such a table is no HexWorld link of a 1x1 board."""
    assert moves.write(read(text)) == "a5 c4 d3\n"


@pytest.mark.parametrize(
    ("text", "slip"),
    [
        ("a5, 2, c4", "2,"),  # the letter of a cell is missing
        ("1,a5 3,c4", "3,"),
        ("1 a5 3 c4", "3"),
        ("a5 2 c4", "2"),
        ("2, a5", "2,"),
        ("a5-", "-"),
        ("-a5", "-a5"),
        ("1-a5", "1-a5"),
        ("a5--c4", "--c4"),
    ],
)
def test_misplaced_numbers_and_dashes_are_rejected(text, slip):
    with pytest.raises(FormatError, match=f"'{re.escape(slip)}' is not a move"):
        moves.read(text, Board(11, 11))


@pytest.mark.parametrize(("text", "size"), [("1,a1", 1), ("1,a1:rb", 1), ("2,b2", 2), ("5,c3", 5)])
def test_a_link_of_a_small_board_is_read(text, size):
    assert read(text).board == Board(size)


@pytest.mark.parametrize(
    ("text", "slip"),
    [
        ("c2 swapper", "swapper"),
        ("h4 resigning", "resigning"),
        ("h4 !? c5", "!?"),
        ("h4 c5!!!", "!!!"),
        ("h4 -c5", "-c5"),
    ],
)
def test_an_error_quotes_the_whole_word(text, slip):
    with pytest.raises(FormatError, match=f"1:[46]: '{re.escape(slip)}' is not a move"):
        moves.read(text, Board(11, 11))


TABLE = [(1, "| n | Red | Blue |"), (2, "|---|---|---|")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "In our game I opened c2 and he swapped. Then G7!, h4\r\nand (i5) was slow.",
            "c2 swap g7 h4 i5",
        ),
        ("If a5 is taken after f6, he resigns; a5 was the mistake.", "a5 f6"),
        ("I would not swap, for a5 then b4 holds, swapped or not.", "a5 b4"),
        ("See https://example.org/a1/b2, version v2.3 of x@a4.org, file-b7 and mp3.", ""),
        ("Nothing here names anything, not even once.", ""),
        ("a5 b6 c7 zz9 d4", ""),  # a list with a slip, which the error names
    ],
)
def test_moves_are_found_among_words(text, found):
    assert " ".join(moves.among_words(text)) == found


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("My game\n\n1. a3 f6\n2. e5 d7\n", [(1, "My game")]),
        ("Hi,\n> 1. a3 f6\n> 2. e5 d7\n\nCheers, Ann", [(1, "Hi,"), (5, "Cheers, Ann")]),
        ("Moves: a3 f6 e5 d7", [(1, "Moves:")]),
        ("Ana: a3 f6\nBob: e5\nd7", [(1, "Ana:"), (2, "Bob:")]),
        ("<Ana> 1. a3 f6\n<B> e5 d7", [(1, "<Ana>"), (2, "<B>")]),
        ("[14:02] Ana: a3 f6\n[2:03 PM] B: e5 d7", [(1, "[14:02] Ana:"), (2, "[2:03 PM] B:")]),
        ("3/12/26, 14:02 - Ana: a3 f6\ne5 d7", [(1, "3/12/26, 14:02 - Ana:")]),
        ("14:02 <Ana> a3 f6\n14:03 <B> e5 d7", [(1, "14:02 <Ana>"), (2, "14:03 <B>")]),
        ("Ana (Black): a3 f6 e5\nBob (White): d7", [(1, "Ana (Black):"), (2, "Bob (White):")]),
        ("move,black,white\n1,a3,f6\n2,e5,d7\n", [(1, "move,black,white")]),
        ("No;Red;Blue\n1;a3;f6\n2;e5;d7\n", [(1, "No;Red;Blue")]),
        ("| n | Red | Blue |\n|---|---|---|\n| 1 | a3 | f6 |\n| 2 | e5 | d7 |", TABLE),
        ('"move","black"\n"1","a3"\n"2","f6"\n"3","e5"\n"4","d7"\n', [(1, "move,  black")]),
        ("n,color,cell\n1,black,a3\n2,white,f6\n3,black,e5\n4,white,d7", [(1, "n,color,cell")]),
        ("n\tby\tcell\n1\tRed\ta3\n2\tBlue\tf6\n3\tRed\te5\n4\tBlue\td7", [(1, "n\tby\tcell")]),
    ],
)
def test_words_around_moves_are_left_out_with_a_warning(text, left_out):
    """Words as in a mail or a table heading are dropped with a warning."""
    game = read(text)

    assert moves.write(game) == "a3 f6 e5 d7\n"
    words = "; ".join(f"line {number}, {line!r}" for number, line in left_out)
    assert game.warnings == (f"words around the moves are left out: {words}",)


def test_words_around_moves_may_name_the_board_and_the_result():
    """The first two of many lines are quoted; a given size stays."""
    text = "Ann - Bob\non 13x13\nyesterday\n\na3 m13\nBlack resigned\n\nBye"
    game = read(text)

    assert str(game.board) == "13x13"
    assert game.result == "Black resigned"
    assert game.warnings == (
        "words around the moves are left out: line 1, 'Ann - Bob'; line 2, 'on 13x13'; and 2 more",
    )
    assert str(read(text, size=14).board) == "14x14"
    assert str(read("on 13 x 13\na3 b4").board) == "13x13"
    assert str(read("on 13 x 13\na3 b4", size=11).board) == "11x11"
    for words in ("Size 13", "Size: 13", "Hex 13:", "Board size: 13x13", "Hex 13, 13x13"):
        assert str(read(f"{words}\na3 b4").board) == "13x13"
    for words in ("3 x 2 games", "5x5 and 7x7", "1920x1080", "99x99", "size 7, size 9", "size 99"):
        assert str(read(f"{words}\na3 b4").board) == "11x11"


@pytest.mark.parametrize("size", [5, (3, 4), "11x11"])
def test_an_empty_text_with_a_size_is_an_empty_game(size):
    """An empty game is read again as written; without a given size it is refused."""
    game = read(" \n", size=size)

    assert game == read("a1", size=size).cut(0)
    assert [*read_all("", size=size)] == [game]
    for options in ({}, {"format": "sgf", "size": size}):
        with pytest.raises(FormatError, match="nothing there: the text is empty"):
            read("", **options)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("Game\na3 f6\ne5 zz\nBye", "3:4: 'zz' is not a move"),
        ("Moves: a3 zz f6 e5", "1:11: 'zz' is not a move"),
        ("a3 dd\nf6 e5\nb2", "1:4: 'dd' is not a move"),
        ("a3 f6\n5 7\n", "2:3: '7' is not a move"),  # the letters of the cells are missing
        ("Moves\na3 f6\n5 7\nBye", "3:3: '7' is not a move"),
        ("Moves\na3 f6\n2. ...\n", "3:4: '...' is not a move"),
        ("a3 f6\nthen e5\n", "2:1: 'then' is not a move"),
        ("a3 f6\nand so on\ne5 b4", "2:1: 'and' is not a move"),
        ("Ana (White): a3\nBob (Black): f6", "1:7: 'White': move 1 is the other player's"),
        ('["a3", "z99"]', "1:9: 'z99' is off the 11x11 board"),
        ("Hello.\nI am here.", "1:1: 'Hello.' is not a move"),
        ("n,white,black\n1,a3,f6", "1:3: 'white' is the first column of moves"),
        ('"n","blue","red"\n"1","a3","f6"', "1:7: 'blue' is the first column of moves"),
        ("| # | Blue | Red |\n|---|---|---|\n| 1 | a3 | f6 |", "1:7: 'Blue' is the first column"),
        ("|**White**|**Black**|\n|:-:|:-:|\n|a3|f6|", "1:4: 'White' is the first column"),
        ("White Black\n1. a3 f6", "1:1: 'White' is the first column of moves"),
        ("move white  black\r\n1 a3 f6", "1:6: 'white' is the first column of moves"),
    ],
)
def test_slips_among_moves_are_not_taken_for_words_around_them(text, error):
    """A line with a cell, or with only numbers, is never dropped."""
    with pytest.raises(FormatError, match=f"^{re.escape(error)}"):
        read(text)


def test_many_empty_lines_are_read_quickly():
    """Empty lines take linear time: a million characters are read at once."""
    begun = time.process_time()
    game = read("a1" + "\n " * 60_000 + "b1")

    assert len(game.moves) == 2
    assert time.process_time() - begun < 3


def test_a_template_of_a_wiki_is_named_as_such():
    with pytest.raises(FormatError, match=r"^a template of a wiki, in \{\{ \}\}, cannot be read"):
        read("{{hexboard|5x5|contents=R a5 B c4}}")
    assert holds_game("{{hexboard}}")  # as an argument of a command, it is not a missing file
    assert not holds_game("{{hexboard}}.sgf")


@pytest.mark.parametrize(
    ("text", "place", "slip"),
    [
        ("a3 (b3? c4) b4", "1:4", "(b3? c4)"),
        ("a3 b4 (2. c5 d6) c4", "1:7", "(2. c5 d6)"),
        ("a3 (b3 (good) c4) b4", "1:4", "(b3 (good) c4)"),
        ("a3 (b3 c4", "1:4", "(b3 c4"),
    ],
)
def test_a_variation_in_brackets_is_refused(text, place, slip):
    """Several moves in brackets among others are not spliced into the game."""
    with pytest.raises(FormatError, match=f"^{place}: {re.escape(repr(slip))} is a variation"):
        read(text)


def test_moves_in_brackets_that_are_no_variation_are_read():
    """One move gives a warning that quotes it; words and comments may be in brackets, too."""
    for text in ("(a3 b4 c5)", "(a3 b4) (c5)", "a3 b4 {not (b3 c4)} c5", "(a3) (b4) (c5)"):
        game = read(text)
        assert (moves.write(game), game.warnings) == ("a3 b4 c5\n", ())

    assert read("a3 b4 (c5)").warnings == ("1:7: '(c5)' is read as the next move",)
    assert not read("a3 (swap-pieces) c5 (good)").warnings


@pytest.mark.parametrize(
    ("text", "place", "slip"),
    [
        ("1. a3 b4\n2. c5\n3. d6 e7", "3:1", "'3.' stands before move 4, White's"),
        ("1. a3 2. b4 4. c5 5. d6", "1:13", "'4.' stands before move 3, Black's"),
        ("1) a3 2) b4 2) c5", "1:13", "'2' stands before move 3, Black's"),
        ("1 a3\n3 c5", "2:1", "'3' stands before move 2, White's"),
        ("1. a3 b4 2... c5", "1:10", "'2...' stands before move 3, Black's"),
    ],
)
def test_a_number_before_a_move_of_the_other_player_is_refused(text, place, slip):
    """A missing move would exchange the colors of all later ones."""
    with pytest.raises(FormatError, match=f"^{place}: {re.escape(slip)}"):
        read(text)


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("1. a3 b4 2. c5 d6 2. e7 f8", "1:19: '2.' stands before move 5"),
        ("12. a3 b4 13. c5 d6", "1:1: '12.' stands before move 1"),
        ("0 a3\n1 b4", "1:1: '0' stands before move 1"),
        ("1. a3 2. b4 5. c5", "1:13: '5.' stands before move 3"),
        ("1. a3 b4 2. c5 d6 3. e7", None),
        ("1. a3 1... b4 2. c5 2... d6", None),
        ("1. a3 2. b4 3. c5", None),
        ("1. a3 b4 3. c5 d6 5. e7", None),
        (f"{'9' * 5000}. a3 b4", "1:1: '999"),
    ],
)
def test_numbers_that_count_neither_moves_nor_pairs_give_a_warning(text, warning):
    """A warning names the first of them; the colors are as they would be with right numbers."""
    warnings = read(text).warnings

    assert len(warnings) == (warning is not None)
    assert all(each.startswith(warning) for each in warnings)


@pytest.mark.parametrize("word", ["pie", "swapper", "switch"])
def test_an_error_at_a_word_for_a_swap_names_the_words_that_are_read(word):
    with pytest.raises(FormatError, match="not a move: a swap is swap, swap-pieces or swap-sides"):
        read(f"a3 {word} b4")
