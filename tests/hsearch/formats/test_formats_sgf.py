"""SGF: written games are read again, and other programs' records are read as they mean them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from records import LINES, TEXTS, games, trees

from hsearch.formats import sgf
from hsearch.formats.error import FormatError
from hsearch.formats.reading import read, read_all, write
from hsearch.formats.sgf_tree import escape, text_of
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Move, Special
from hsearch.hex.position import Position
from hsearch.hex.tree import GameNode

HEAD = "(;FF[4]GM[11]SZ[5]"


@pytest.mark.slow
@given(trees())
def test_reading_undoes_writing(game):
    """Variations, setup, comments, texts and foreign properties are read again."""
    text = sgf.write(game)

    assert read(text) == game
    assert sgf.read(text).warnings == ()  # unlike `read`, no warning of turns


@given(games())
def test_reading_undoes_writing_with_swaps(game):
    """The kind of swap stays the same, whoever wrote the record."""
    text = sgf.write(game)

    assert sgf.read(text) == game
    assert sgf.read(text.replace("AP[hsearch:", "AP[other:")) == game


@pytest.mark.parametrize(
    ("size", "swap", "mover"),
    [(5, "swap-pieces", "white"), (5, "swap-sides", "black"), ((5, 9), "swap-sides", "black")],
)
def test_a_move_out_of_turn_does_not_change_our_swap(size, swap, mover):
    """In others' records the next move shows which swap was meant; ours may be out of turn."""
    board = Board(size) if isinstance(size, int) else Board(*size)
    game = Game.of(board, ["b1", Special(swap)]).append(Move(mover, board.cell("c3")))

    assert sgf.read(sgf.write(game)) == game
    assert not sgf.read(sgf.write(game)).warnings


@pytest.mark.parametrize("name", ["my note", "Event", "B", "SZ", "AB", "pb", ""])
def test_names_that_are_not_sgf_game_info_are_refused(name):
    """Such a name would be read as a move, a stone or a size, or not at all."""
    with pytest.raises(ValueError, match=f"'{name}' is not game information in SGF; "):
        write(Game.of(5, "a1", info={"PB": "Ana", name: "c3"}))


@given(TEXTS)
def test_escaped_text_is_read_back(text):
    """Brackets and backslashes are read again."""
    assert text_of(escape(text)) == text


@given(LINES, LINES)
def test_players_and_comments_are_plain_text(name, comment):
    """No reader sees an escape."""
    game = read(f"{HEAD}PB[{escape(name)}]C[{escape(comment)}])")

    assert game.players == (name, None)
    assert game.nodes[0].comment == comment


def test_the_root_has_game_encoding_program_and_size():
    """Game, encoding, program and size come first; points are in lower case."""
    text = sgf.write(Game.of(Board(5, 9), [0]))

    assert text.startswith("(;FF[4]GM[11]CA[UTF-8]AP[hsearch:")
    assert text.endswith("]SZ[5:9];B[a1])\n")


def test_lines_break_between_nodes_only():
    """A long game has short lines, broken only between nodes."""
    lines = sgf.write(Game.of(Board(9, 9), Board(9, 9).cells)).splitlines()

    assert max(map(len, lines)) <= 100
    assert all(line.startswith(";") for line in lines[1:])


@pytest.mark.parametrize(
    ("text", "moves", "warns"),
    [
        (HEAD + ";B[a1];W[b2])", "a1 b2", None),
        ("\ufeff junk; here " + HEAD + ";B[a1])", "a1", None),
        (HEAD + ";B[a1])(;GM[1];B[aa])", "a1", "2 games"),
        ("(;FF[4]SZ[5];B[a1])", "a1", None),
        ("(;GM[11];B[k11])", "k11", "SZ"),
        (HEAD + " ; B\n [A1] ;\tW [B2 ])", "a1 b2", None),
        (HEAD + ";B[Swap-Sides])", None, None),
        (HEAD + ";B[a1];W[])", "a1 pass", "pass"),
        (HEAD + ";B[ae];W[ba])", "a5 b1", None),
        (HEAD + ";Black[a1];White[b2])", "a1 b2", None),
        (HEAD + ";black[a1];white[b2])", "a1 b2", None),
        (HEAD + ";B[a1];R[c3])", "a1", "'R[c3]' is not played: only B and W are moves"),
        (HEAD + ";B[a1]RED[swap])", "a1", "'RED[swap]' is not played"),
        (HEAD + ";B[a1]N[c3]V[1]R[later]TR[c3])", "a1", None),
        (HEAD + ";B[a1]C[\\]\\\\\\:93])", "a1", None),
        (HEAD + ";B[a1](;W[b2])(;W[c3];B[d4]))", "a1 b2", None),
        (HEAD + ";B[a1];W[ReSign])", "a1 resign", None),
        (HEAD + ";B[a1];W[swap])", "a1 swap-pieces", "swap"),
        (HEAD + ";B[a1];W[swap];B[c3])", "a1 swap-pieces c3", None),
        (HEAD + ";B[a1];W[swap];W[c3])", "a1 swap-sides c3", None),
        (
            HEAD + ";B[a1];W[swap-pieces];W[c3])",
            "a1 swap-sides c3",
            "swap-sides', because white moves next",
        ),
        (
            HEAD + ";B[a1];W[swap-sides];B[c3])",
            "a1 swap-pieces c3",
            "swap-pieces', because black moves next",
        ),
        (HEAD + ";B[a1];W[swap-sides];PL[B];B[c3])", "a1 swap-sides c3", None),
        (HEAD + ";B[a1];W[swap-pieces];PL[W];W[c3])", "a1 swap-sides c3", "swap-sides"),
        (HEAD + ";B[a1];W[swap-sides])", "a1 swap-sides", None),
        (HEAD + ";B[a1];W[swap-pieces])", "a1 swap-pieces", None),
    ],
)
def test_sgf_habits_of_other_programs_are_accepted(text, moves, warns):
    """Habits of other programs are accepted, some with a warning."""
    if moves is None:
        with pytest.raises(FormatError, match="swap"):
            read(text)
        return
    game = read(text)

    assert [move.name(game.board) for move in game.moves] == moves.split()
    assert len(game.warnings) == (warns is not None)
    assert all(warns in warning for warning in game.warnings)


def test_setup_with_compressed_point_lists_is_read():
    """A rectangle stands for all its points; PL gives the turn."""
    game = read(HEAD + "AB[a1:b2][e5]AW[c3]PL[W])")

    assert game.position() == Position.of(
        Board(5, 5), black="a1 b1 a2 b2 e5", white="c3", turn=Color.WHITE
    )


def test_later_setup_replaces_and_removes_stones():
    """Later setup replaces and removes stones."""
    game = read(HEAD + "AB[a1][b1];AW[a1]AE[b1])")

    assert game.position(turn=Color.BLACK) == Position.of(Board(5, 5), white="a1")


def test_setup_and_a_move_in_one_node_are_two_steps():
    """The position before the first move has the setup stones."""
    game = read(HEAD + "AB[a1]B[c3])")

    assert game.position(0) == Position.of(Board(5, 5), black="a1")
    assert game.position(1).black.count() == 2


@pytest.mark.parametrize(
    ("data", "name", "warns"),
    [
        (b"PB[\xc3\xa9]", "é", 0),
        (b"PB[\xe9]", "é", 1),
        (b"CA[ISO-8859-1]PB[\xe9]", "é", 0),
        (b"CA[cp1252]PB[\x80]", "€", 0),
        (b"CA[punycode]PB[e]", "e", 0),
        (b"CA[UTF-16]PB[\xc3\xa9]", "é", 0),
        (b"CA[no such]PB[\xc3\xa9]", "é", 0),
    ],
)
def test_the_encoding_is_ca_else_utf_8_else_latin_1(data, name, warns):
    """CA decides, else UTF-8, else Latin-1 with a warning."""
    game = read(b"(;GM[11]SZ[3]" + data + b")")

    assert game.players[0] == name
    assert len(game.warnings) == warns


def test_utf_16_with_a_byte_order_mark_is_read():
    """UTF-16 with a byte order mark is read, as some shells write only that."""
    assert read("(;GM[11]SZ[3];B[a1])".encode("utf-16")).moves


def test_little_golem_writes_the_first_players_moves_as_w():
    """The moves then change colors; the names and the result do not."""
    text = (
        "(;FF[4]EV[x]PB[firehand]PW[Bundle Gerbe]SZ[13]RE[W]"
        "SO[http://www.littlegolem.com];W[ac];B[ie];W[resign])"
    )
    game = read(text)

    assert game.players == ("firehand", "Bundle Gerbe")
    assert game.result == "W"
    assert [move.name(game.board) for move in game.moves] == ["a3", "i5", "resign"]
    assert [move.color for move in game.moves] == [Color.BLACK, Color.WHITE, Color.BLACK]
    assert not game.warnings  # normal for records from there
    assert "exchanged" in read(text.replace("littlegolem", "elsewhere")).warnings[0]
    assert not read(text.replace("W[ac];B[ie];W", "B[ac];W[ie];B")).warnings
    assert read(text.replace("ac", "a3")).moves[0].color is Color.WHITE


COLLECTION = (
    "junk (no game) (;GM[11]SZ[3]C[);(\\]];B[a1](;W[b1])(;W[b2]))\n(;GM[11]SZ[3];B[z9])\n"
    "prose ( ;GM[11]SZ[3];B[c3])(;GM[11]SZ[3];B["
)


def test_games_of_a_collection_are_read_by_number():
    """Each is read alone: a broken one does not affect the others, and is counted."""
    names = {}
    for number in (1, 3):
        game = read(COLLECTION, number=number)
        names[number] = [move.name(game.board) for move in game.moves]
        assert not game.warnings
    with pytest.raises(FormatError, match=r"^2:17: 'z9'"):
        read(COLLECTION, number=2)
    with pytest.raises(FormatError, match="no game 5: there are 4"):
        read(COLLECTION, number=5)

    assert names == {1: ["a1", "b1"], 3: ["c3"]}
    assert read(COLLECTION).warnings == ("4 games: this is the first, number=N reads another",)


@pytest.mark.slow
@given(st.lists(trees(max_nodes=3), min_size=1, max_size=4))
def test_all_games_of_a_collection_are_read(wanted):
    """All games are read whatever brackets their comments contain."""
    assert list(read_all("\n".join(map(sgf.write, wanted)))) == wanted


@pytest.mark.parametrize(
    ("text", "place", "token"),
    [
        ("(;GM[1]SZ[9])", (1, 6), "1"),
        ("(;GM[11]SZ[0])", (1, 12), "0"),
        ("(;GM[11]SZ[1000])", (1, 12), "1000"),
        ("(;GM[11]SZ[99999999999])", (1, 12), "99999999999"),
        ("(;GM[11]SZ[3:])", (1, 12), "3:"),
        ("(;GM[11]SZ[3];B[z9])", (1, 17), "z9"),
        ("(;GM[11]SZ[3]\n;B[az])", (2, 4), "az"),
        ("(;GM[11]SZ[3]\n;B[a1]\n;W[a1])", (3, 4), "a1"),
        ("(;GM[11]SZ[3];B[a1](;W[b2])(;W[a1]))", (1, 32), "a1"),
        ("(;GM[11]SZ[3];B[a1];W[resign];B[b2])", (1, 33), "b2"),
        ("(;GM[11]SZ[3:4];B[a1];W[swap-pieces])", (1, 25), "swap-pieces"),
        ("(;GM[11]SZ[3]AB[a1]AW[a1])", (1, 20), "a1"),
        ("(;GM[11]SZ[3]AB[a1:d1])", (1, 20), "d1"),
        ("(;GM[11]SZ[3]PL[green])", (1, 17), "green"),
        ("(;GM[11]SZ[3];B[a1]W[b1])", (1, 22), None),
        ("(;GM[11]SZ[3];B)", (1, 15), "B"),
        ("(;GM[11]SZ[3];=)", (1, 15), "="),
        ("(;GM[11]SZ[3]();B[a1])", (1, 14), "("),
    ],
)
def test_errors_name_their_place(text, place, token):
    """Errors name the line, the column and the text there."""
    with pytest.raises(FormatError, match=f"^{place[0]}:{place[1]}: ") as error:
        read(text)
    assert (error.value.line, error.value.column) == place
    assert error.value.token == token


def test_a_game_of_many_variations_is_read_and_written():
    """Nothing recurses: variations may be nested ten thousand deep."""
    depth = 10_000
    text = HEAD + "(;C[x]" * depth + ")" * (depth + 1)
    deep = read(text)
    broad = Game(Board(2, 2), (GameNode(), *(GameNode(0, comment=str(n)) for n in range(depth))))

    assert len(deep.nodes) == depth + 1
    assert read(sgf.write(deep)) == deep
    assert read(sgf.write(broad)) == broad


@pytest.mark.parametrize("text", ["(" * 10**6, "(;" * 10**5 + "]", HEAD + "C[" + "\\]" * 10**6])
def test_huge_numbers_of_brackets_are_rejected(text):
    """Many brackets give an ordinary error."""
    with pytest.raises(FormatError):
        read(text, format="sgf")


def test_many_passes_are_read_quickly():
    """Warnings and setup take linear time in the length of the text."""
    game = read(HEAD + ";B[];W[]" * 10_000 + ")")

    assert {move.special for move in game.moves} == {Special.PASS}
    assert len(game.warnings) == 10


GOLEM = (
    "(;FF[4]EV[null]PB[{}]PW[{}]SZ[11]RE[B]SO[https://www.littlegolem.net];W[ad];B[eg];W[resign])"
)


@pytest.mark.parametrize(
    ("black", "white"),
    [("ana\\b", "Bob;]"), ("]]", "[x"), ("(;", "\\"), ("a]PW", "".join(map(chr, range(32, 127))))],
)
def test_unescaped_names_of_little_golem_are_read(black, white):
    """Unescaped names are read as they are, and hide no other game of a download."""
    text = "\n".join(
        (GOLEM.format(black, white), GOLEM.format("Ana", "Bob"), GOLEM.format(white, black))
    )

    players = [game.players for game in read_all(text)]

    assert players == [(black, white), ("Ana", "Bob"), (white, black)]


@pytest.mark.parametrize(
    ("text", "moves", "warning"),
    [
        ("(B[e5];W[d4])", "e5 d4", "1:1: ';' is missing after '('"),
        (HEAD + ";B[a5];W[c4]", "a5 c4", "1:31: the game does not end: ')' is missing"),
        (HEAD + ";B[a5];W[c", "a5", "1:27: the value of 'W' does not end: it is left out"),
        (HEAD + ";B[a5](;W[c4])(;W[b3]);B[d1])", "a5 c4", "1:41: a node after variations"),
        (HEAD + ";B[a5]C[or so;W[c4])", "a5 c4", "1:26: the value of 'C' does not end: it is read"),
        (HEAD + ";B[a5;W[c4])", "a5 c4", "1:21: the value of 'B' does not end: it is read"),
        (HEAD + ";B[a5]C[so\n(;W[c4])(;W[d1]))", "a5 c4", "1:26: the value of 'C' does not"),
        ("(;FF[4]GM[11];B[a12])", "a12", "SZ is missing: read as 13x13"),
        ("(;GM[11];B[c3];W[am])", "c3 a13", "SZ is missing: read as 13x13"),
        ("(;GM[11]AB[b1:m13];W[a1])", "a1", "SZ is missing: read as 13x13"),
    ],
)
def test_damaged_games_are_read_with_a_warning(text, moves, warning):
    """The warning names the place and the fault."""
    game = read(text)

    assert " ".join(move.name(game.board) for move in game.moves) == moves
    assert any(each.startswith(warning) for each in game.warnings)


@pytest.mark.parametrize("lost", ["", ")", ";W[c4", "C[so"])
@pytest.mark.parametrize("head", [HEAD, HEAD.replace("FF", "AP[HexGui:1.0]FF")])
def test_an_unclosed_game_does_not_hide_the_next_one(head, lost):
    """The first node of the next game ends it, and a value of it."""
    text = f"{HEAD};B[a5]{lost}\n{head};B[b2])"
    games = list(read_all(text))

    assert [game.moves[0].name(game.board) for game in games] == ["a5", "b2"]
    assert {len(game.moves) for game in games} == {1}
    assert read(text, number=2).moves == games[1].moves
    assert bool(games[0].warnings) == (lost != ")")


@pytest.mark.parametrize("comment", [";B[a5", "see (;FF[4", "(;W[a", "\\;B[a5]", ";B[a5]"])
def test_a_comment_with_a_node_is_read_back(comment):
    """A value that ends with a node is not taken for one that lacks its end."""
    game = Game(Board(5, 5), (GameNode(comment=comment),))

    assert read(sgf.write(game)) == game


@pytest.mark.parametrize(
    ("lost", "quoted"),
    [
        ("(FF[4]GM[11]SZ[3];B[b2])", "'(FF[4]GM[11]SZ[3];B[b2])'"),
        (";GM[11]SZ[3];B[b2])", "';GM[11]SZ[3];B[b2])'"),
        ("GM [11]\nSZ [3]", r"'GM [11]\nSZ [3]'"),
    ],
)
def test_a_damaged_game_after_another_is_skipped_with_a_warning(lost, quoted):
    """Otherwise one wrong line of a collection would be a game less, of which nobody hears."""
    warning = f"2:1: {quoted} is in no game, and skipped: each begins with '(;'"

    for text in (f"{HEAD};B[a5])\n{lost}\n{HEAD};B[c4])\n", f"{HEAD};B[a5])\n{lost}\n"):
        first, *others = read_all(text)
        assert first.warnings == (warning,)
        assert all(game.warnings == () for game in others)


def test_words_between_games_are_skipped_without_a_warning():
    """A mail or a page has words around its games, which are not properties."""
    text = f"Ana's games (two):\n{HEAD};B[a5])\nand (see [1]) another;\n{HEAD};B[c4])\n-- Ana"

    assert [game.warnings for game in read_all(text)] == [(), ()]


def test_swap_pieces_in_records_of_hexgui_swaps_sides():
    """At the end of a record, the program that wrote it decides the meaning of the word."""
    text = "(;AP[{}]FF[4]GM[11]SZ[11];B[f2];W[swap-pieces])"

    actions = [read(text.format(name)).moves[1].action for name in ("HexGui:0.9.GIT", "other")]

    assert actions == [Special.SWAP_SIDES, Special.SWAP_PIECES]


BOARDSPACE = """(;
GM[11]VV[1]
SU[hex-11]
P0[id "ana"]
P1[id "bob"]
;
P0[0 Start P0]
;
P0[1 dropb A 5]
;
P1[2 dropw C 4]
)"""


@pytest.mark.parametrize(("moves", "warns"), [("", True), (";B[a1]", False), ("AB[a1]", False)])
def test_a_record_with_only_foreign_moves_gives_a_warning(moves, warns):
    """Such a record is not silently read as an empty board."""
    game = read(BOARDSPACE.replace("SU[hex-11]", f"SZ[11]{moves}"))

    told = "7:4: nothing is played: moves are B[c4] and W[d5], not 'P0[0 Start P0]'"
    assert game.warnings == ((told,) if warns else ())


def test_written_property_names_can_be_read_again():
    """A property name is written without a leading digit, so it can be read again."""
    game = read("(;GM[11]SZ[3]p0[x]a1Xy2[z];B[a1])")

    assert [name for name, _ in game.nodes[0].properties] == ["P0", "X2"]
    assert read(sgf.write(game)) == game


def test_a_game_comment_keeps_its_line_breaks():
    """Only a comment keeps its lines: SGF has other texts on one line."""
    game = read("(;GM[11]SZ[3]GC[first\nsecond]EV[a\ncup];B[a1])")

    assert game.info == (("GC", "first\nsecond"), ("EV", "a cup"))
    assert read(sgf.write(game)) == game


def test_a_loss_on_time_may_be_written_as_the_last_move():
    """It gives the result, unless RE is there; elsewhere it is left out with a warning."""
    game = sgf.read("(;GM[11]SZ[5];B[a3];W[Timeout])")

    assert (len(game.moves), game.result, game.warnings) == (1, "B+Time", ())
    assert sgf.read("(;GM[11]SZ[5]RE[W+];B[timeout])").result == "W+"
    middle = sgf.read("(;GM[11]SZ[5];B[a3];W[timeout];B[b4])")
    assert middle.result is None
    assert middle.warnings[0].endswith("'timeout' is left out: it does not end the game")
