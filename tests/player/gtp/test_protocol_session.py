"""The session's state: moves, undo, swaps, resignation, records."""

import os
from dataclasses import replace

import pytest
from hexgui import ask, fail, send
from hypothesis import given
from hypothesis import strategies as st

from hsearch import formats
from hsearch.formats import sgf
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Move
from player.answers.analysis import Analysis
from player.answers.memory import MEMORY
from player.gtp.session import Session


@pytest.fixture
def session():
    """Return a session on a 3x3 board with a quick player."""
    made = Session()
    made.settings.player = "random"
    ask(made, "boardsize 3")
    return made


def stones(session):
    """Return Black's and White's stones by name."""
    board, position = session.board, session.position
    return tuple(" ".join(board.names(position.stones(color))) for color in Color)


@pytest.mark.parametrize(
    ("arguments", "size"),
    [("3", (3, 3)), ("5 9", (5, 9)), ("5:9", (5, 9)), ("1", (1, 1)), ("26 26", (26, 26))],
)
def test_boardsize_takes_columns_and_rows_and_clears_the_board(arguments, size):
    """`boardsize` takes columns, then rows, and empties the board."""
    session = Session()
    ask(session, "play b a1")
    ask(session, f"boardsize {arguments}")

    assert (session.board.columns, session.board.rows) == size
    assert not session.position.black.any()
    assert fail(session, "undo") == "cannot undo"


@pytest.mark.parametrize(
    "arguments", ["0", "27", "5 0", "-3", "x", "5:", "5:9:2", "1e1", "٣", "99999"]
)
def test_an_unacceptable_size_changes_nothing(session, arguments):
    """The failure is the protocol's message, and the board stays."""
    ask(session, "play b a1")

    assert fail(session, f"boardsize {arguments}") == "unacceptable size"
    assert stones(session) == ("a1", "")


@pytest.mark.parametrize("word", ["b", "B", "black", "Black", "red", "vertical", "empty", "r"])
def test_color_names_ignore_case(session, word):
    """`red` means Black only when spelled out, and `empty` is not a color."""
    if word in {"vertical", "empty", "r"}:
        assert fail(session, f"play {word} a1").startswith("argument 1 must be color")
    else:
        ask(session, f"play {word} a1")
        assert stones(session) == ("a1", "")


def test_turns_are_not_enforced(session):
    """A player may move twice, also after the game is decided."""
    send(["play b a1", "play b a2", "play b a3", "play b C3", "play w b1"], session)

    assert stones(session) == ("a1 a2 a3 c3", "b1")
    assert ask(session, "final_score") == "B+"


def test_an_occupied_cell_changes_nothing(session):
    """A move on an occupied cell does not enter the history."""
    ask(session, "play b a1")

    assert fail(session, "play w a1") == "illegal move: white a1 (occupied)"
    ask(session, "undo")
    assert stones(session) == ("", "")
    assert fail(session, "undo") == "cannot undo"


@given(st.lists(st.tuples(st.sampled_from("bw"), st.integers(0, 15)), max_size=12))
def test_as_many_undos_as_plays_restore_the_position(moves):
    """One undo for each accepted move restores the state."""
    session = Session()
    send(["boardsize 4", "play b a1"], session)
    before = session.state
    lines = [f"play {color} {session.board.name(cell)}" for color, cell in moves]
    accepted = sum(reply.startswith("=") for reply in send(lines, session))
    send(["undo"] * accepted, session)

    assert session.state == before


def test_a_resignation_that_is_played_is_undone(session):
    """HexGui undoes a resignation that it sent, and the stone before stays."""
    send(["play w b1", "play b resign"], session)

    assert ask(session, "final_score") == "W+"
    ask(session, "undo")
    assert stones(session) == ("", "b1")
    assert fail(session, "final_score") == "cannot score"


def test_undo_does_not_count_a_resignation_by_the_engine(session):
    """HexGui does not undo an engine's resignation, so `undo` removes the stone before."""
    send(["play b b1", "play b b2", "play b b3"], session)

    assert ask(session, "genmove white") == "resign"
    assert ask(session, "reg_genmove white") == "resign"
    ask(session, "undo")
    assert stones(session) == ("b1 b2", "")


@pytest.mark.parametrize("color", ["black", "white"])
@pytest.mark.parametrize("given_up", ["black", "white"])
@pytest.mark.parametrize("word", ["resign", "forfeit"])
def test_commands_still_answer_after_a_resignation(session, color, given_up, word):
    """After a resignation, commands still answer for either player."""
    send(["play b b2", f"play {given_up} {word}"], session)

    assert ask(session, f"hsearch-best-moves {color}").count("proved") > 0
    assert ask(session, f"hsearch-pv {color}")
    solved = [ask(session, f"{each}-solver-find-winning {color}") for each in ("dfs", "dfpn")]
    assert sorted(solved[0].split()) == sorted(solved[1].split())
    assert bool(solved[0]) == (color == "black")
    assert session.board.cell(ask(session, f"reg_genmove {color}")) != session.board.cell("b2")
    assert session.board.cell(ask(session, f"genmove {color}")) != session.board.cell("b2")
    assert sum(len(names.split()) for names in stones(session)) == 2


ASKING = ["hsearch-best-moves", "hsearch-explain", "hsearch-hint", "hsearch-pv", "hsearch-values"]


@pytest.mark.parametrize("command", ASKING)
@pytest.mark.parametrize(
    ("lines", "turn"),
    [
        ("play b a3", "white"),
        ("play b a3;play b b3", "white"),
        ("play b a3;play w b2;undo", "white"),
        ("play b a3;play w resign", "white"),
        ("play w a3", "black"),
    ],
)
def test_a_missing_color_means_the_player_to_move(session, command, lines, turn):
    """Without a color, a command answers for the player to move, also after a resignation."""
    send(lines.split(";"), session)
    other = {"black": "white", "white": "black"}[turn]
    said = {word: ask(session, f"{command} {word}".strip()) for word in ("", turn, other)}

    assert said[""] == said[turn]
    assert said[turn] != said[other] or command == "hsearch-pv"  # both players would play there


@pytest.mark.parametrize("command", ASKING)
def test_commands_need_a_color_in_bidding(session, command):
    """In bidding a command needs a color, because there are no turns."""
    send(["hsearch-variant bidding"], session)

    assert fail(session, command) == "argument 1 must be color: bidding has no turns"


@pytest.mark.parametrize(
    ("text", "turn"),
    [("B[a1];W[b2]", "black"), (";W[c3];B[b2]", "white"), ("HA[2]AB[a1][b2];W[c3]", "white")],
)
def test_a_game_that_is_loaded_to_its_start_keeps_the_turn(session, tmp_path, text, turn):
    """The first move gives the turn, also if it is in the first node."""
    path = tmp_path / "game.sgf"
    path.write_text(f"(;FF[4]GM[11]SZ[5]{text})")
    ask(session, f"loadsgf {path} 0")

    assert ask(session, "hsearch-turn") == f"{turn} move"
    assert formats.read(ask(session, "printsgf")).position().turn.word == turn


def test_the_winner_passes_and_does_not_resign(session):
    """The winner's reply is a pass: GTP has no word for a finished game."""
    send(["play b b1", "play b b2", "play b b3"], session)

    assert ask(session, "genmove black") == "pass"
    assert ask(session, "reg_genmove black") == "pass"
    assert ask(session, "genmove white") == "resign"
    assert ask(session, "final_score") == "B+"


def test_a_move_replaces_a_resignation(session):
    """A move after a resignation replaces it, and the record stays readable."""
    send(["play b a1", "play w resign", "play w b2"], session)

    assert stones(session) == ("a1", "b2")
    assert "resign" not in ask(session, "printsgf")
    send(["undo"], session)
    assert ask(session, "final_score") == "B+"


def swapping(*lines, style="pieces", size="3"):
    """Return a session after lines, with swaps allowed."""
    session = Session()
    session.settings.player = "random"
    first = [f"boardsize {size}", "param_game allow_swap 1", f"param_game swap_style {style}"]
    replies = send([*first, *lines], session)
    assert all(reply.startswith("= ") for reply in replies), replies
    return session


@pytest.mark.parametrize(
    ("style", "word", "expected"),
    [
        ("pieces", "swap", ("", "a3")),
        ("pieces", "swap-pieces", ("", "a3")),
        ("pieces", "SWAP-SIDES", ("c1", "")),
        ("sides", "swap", ("c1", "")),
        ("sides", "swap-pieces", ("c1", "")),
        ("sides", "swap-sides", ("c1", "")),
    ],
)
def test_a_swap_is_read_by_its_style(style, word, expected):
    """The stone is reflected and changes color, or the players exchange colors."""
    session = swapping("play b c1", f"play w {word}", style=style)

    assert stones(session) == expected
    ask(session, "undo")
    assert stones(session) == ("c1", "")


@pytest.mark.parametrize("how", ["play {} b2", "genmove {}"])
@pytest.mark.parametrize(("color", "stone"), [("w", ("c1", "")), ("b", ("", "a3"))])
def test_the_next_move_decides_how_a_swap_is_read(how, color, stone):
    """If the swapper moves next, sides were swapped; undo reverts that reading."""
    session = swapping("play b c1", "play w swap-pieces", how.format(color))

    ask(session, "undo")
    assert stones(session) == stone


@pytest.mark.parametrize(("style", "word"), [("sides", "swap-pieces"), ("pieces", "swap-sides")])
@pytest.mark.parametrize("color", ["w", "b"])
@pytest.mark.parametrize(
    "next_moves",
    [
        ["genmove {}"],
        ["play {} b2", "play b a1", "play w a3"],
        ["play {} resign", "play {} a1"],
        ["play b b2", "undo", "play w b2", "undo", "play {} a1"],
    ],
)
def test_a_swap_of_sides_leaves_the_stone_also_in_the_record(
    style, word, color, next_moves, tmp_path
):
    """After a swap of sides the stone stays, whoever moves next, also in the record."""
    moves = [move.format(color) for move in next_moves]
    session = swapping("play b c1", f"play w {word}", *moves, style=style)
    record, again = tmp_path / "swapped.sgf", Session()
    send([f"printsgf {record}"], session)
    send([f"loadsgf {record}"], again)

    assert "W[swap-sides]" in ask(session, "printsgf")
    assert again.position == session.position
    assert again.state.game.moves == session.state.game.moves
    while len(session.games) > 1:
        assert "c1" in stones(session)[0]
        ask(session, "undo")


def test_proofs_after_a_swap_are_about_the_swapped_sides():
    """If the swapper moves next, proofs are about swapped sides, not about swapped pieces."""
    MEMORY.forget()
    session = swapping("play b a2", "play w swap", "param_hsearch player hexy")
    pieces = replace(session.position, turn=Color.WHITE)
    ask(session, "genmove w")
    sides = session.games[-2].position()

    assert sides.board.names(sides.black) == ["a2"]
    assert MEMORY.look_up(sides).winner is Color.BLACK
    assert MEMORY.look_up(pieces) is None
    assert Analysis(pieces).winner is Color.WHITE


def test_a_refused_move_does_not_reinterpret_a_swap():
    """A refused move of White does not turn a swap of pieces into a swap of sides."""
    session = swapping("play b c1", "play w swap")

    assert "occupied" in fail(session, "play w c1")
    assert stones(session) == ("", "a3")


@pytest.mark.parametrize(
    "before",
    [[], ["play b a1", "play w b1"], ["play b a1", "play b b1"], ["play b a1", "play w swap"]],
)
def test_a_swap_is_only_legal_as_the_second_move(before):
    """A swap elsewhere is refused and changes nothing."""
    session = swapping(*before)
    state = session.state

    assert fail(session, "play b swap").startswith(
        "illegal move: black swap (only the second move of"
    )
    assert session.state == state


def test_a_swap_has_to_be_allowed(session):
    """By default a swap is refused, with the parameter that allows it."""
    ask(session, "play b a1")

    assert "not allowed" in fail(session, "play w swap-pieces")
    assert "param_game allow_swap" in fail(session, "play w swap-sides")


def test_pieces_are_swapped_on_square_boards_only():
    """On other boards only sides can be swapped."""
    session = swapping("play b a1", size="2 3")

    assert "square" in fail(session, "play w swap")
    ask(session, "play w swap-sides")


def test_play_game_plays_all_moves_or_none(session):
    """`play-game` plays all moves, or none if one of them is illegal."""
    ask(session, "play-game a1 b2 c3")
    assert stones(session) == ("a1 c3", "b2")

    assert "occupied" in fail(session, "play-game a1 a1")
    assert stones(session) == ("a1 c3", "b2")
    ask(session, "play-game")
    assert stones(session) == ("", "")


def test_a_record_is_written_and_read(session, tmp_path):
    """A file name may be quoted, and a record is loaded up to a given move."""
    send(["play b a1", "play w b2", "play b c3", "play w resign"], session)
    path = tmp_path / "my game.sgf"
    ask(session, f'printsgf "{path}"')

    assert path.read_text() == ask(session, "printsgf") + "\n"
    assert "RE[B+Resign]" in path.read_text()
    for moves, expected in ((0, ("", "")), (2, ("a1", "b2")), (9, ("a1 c3", "b2"))):
        ask(session, f'loadsgf "{path}" {moves}')
        assert stones(session) == expected
    send(["undo", "undo"], session)
    assert stones(session) == ("a1", "b2")


def test_a_loaded_record_keeps_its_variations_and_comments(tmp_path):
    """What another program has written is there again, also below moves that were taken back."""
    path, session = tmp_path / "game.sgf", Session()
    head, rest = "PB[Ana]C[root]ZZ[1][2]", ";B[c3]C[one];W[b2]KO[](;B[d4]N[a])(;B[d3]LB[d3:x])"
    path.write_text(f"(;FF[4]GM[11]AP[Other:1]SZ[5]{head}{rest})")
    ask(session, f"loadsgf {path}")

    assert f"{head}{rest})" in ask(session, "printsgf").replace("\n", "")
    send(["undo", "undo", "play w b4"], session)
    other = ";B[c3]C[one](;W[b4])(;W[b2]KO[](;B[d4]N[a])(;B[d3]LB[d3:x])))"
    assert f"{head}{other}" in ask(session, "printsgf").replace("\n", "")
    send(["undo", "play w b2"], session)
    assert f"{head};B[c3]C[one];W[b2]KO[])" in ask(session, "printsgf").replace("\n", "")
    ask(session, "clear_board")
    assert "C[" not in ask(session, "printsgf")


def test_a_loaded_record_keeps_who_won_and_how(tmp_path):
    """A loss on time stands after the last move of a record, and is written with it again."""
    path, session = tmp_path / "game.sgf", Session()
    path.write_text("(;FF[4]GM[11]SZ[5]RE[W+Time];B[c3];W[b2];B[d4])")
    ask(session, f"loadsgf {path}")

    assert ask(session, "final_score") == "W+"
    assert "RE[W+Time]" in ask(session, "printsgf")

    ask(session, "undo")
    assert fail(session, "final_score") == "cannot score"
    assert "RE[" not in ask(session, "printsgf")

    ask(session, f"loadsgf {path} 2")
    assert fail(session, "final_score") == "cannot score"

    ask(session, f"loadsgf {path}")
    ask(session, "play white c2")
    assert fail(session, "final_score") == "cannot score"


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ("W+Time", "White has won: Black lost on time."),
        ("B+R", "Black has won: White resigned."),
        ("W+", "White has won: the record says so."),
        ("?", "Proved: Black"),
    ],
)
def test_an_explanation_begins_with_how_the_record_ended(result, words, tmp_path):
    """The end is that of the record, after its last move only."""
    path, session = tmp_path / "game.sgf", Session()
    path.write_text(f"(;FF[4]GM[11]SZ[5]RE[{result}];B[c3];W[b2];B[d4])")
    ask(session, f"loadsgf {path}")

    for color in ("", " black", " white"):
        said = ask(session, f"hsearch-explain{color}")
        assert said.startswith(words)
        assert "Black, wins" in said or "Black wins" in said  # what is proved of the position
    for change in ("undo", "play black d4"):
        ask(session, change)
        assert ask(session, "hsearch-explain").startswith("Proved: Black")
    ask(session, "play white resign")
    assert ask(session, "hsearch-explain").startswith("Black has won: White resigned.")


def test_showboard_names_the_turn_that_the_stones_do_not_give(session):
    """After two black stones in a row, the board shows who is to move."""
    send(["boardsize 3", "play b a1"], session)
    assert "to move" not in ask(session, "showboard")

    ask(session, "play b b1")
    assert ask(session, "showboard").endswith("White to move")


def test_printsgf_overwrites_only_our_own_records(session, tmp_path):
    """`printsgf` overwrites our records, but not notes or records of other programs."""
    path, mine = tmp_path / "game.sgf", tmp_path / "notes.txt"
    for number, text in enumerate(("my notes", "(;FF[4]GM[11]AP[HexGui:0.9]SZ[5];B[c3])")):
        mine.write_text(text)
        said = f"cannot write file: {mine} holds something else: choose another name"
        assert fail(session, f"printsgf {mine}") == said
        assert mine.read_text() == text
        ask(session, f"play b a{number + 1}")
        ask(session, f"printsgf {path}")
        assert path.read_text() == ask(session, "printsgf") + "\n"


@pytest.mark.parametrize("word", ["resign", "forfeit"])
@pytest.mark.parametrize("moves", ["b a1", "b a1;w b1", "w a1;w b2", "b a1;b b2"])
def test_the_turn_after_giving_up_is_that_of_the_record(tmp_path, moves, word):
    """Whoever gives up, in turn or not, the same player is to move once the file is loaded."""
    for color in Color:
        played = Session()
        send(["boardsize 3", *(f"play {move}" for move in moves.split(";"))], played)
        turn = played.position.turn
        file = tmp_path / f"{color.word}.sgf"
        send([f"play {color.word} {word}", f"printsgf {file}"], played)
        before = ask(played, "showboard")
        loaded = Session()
        send([f"loadsgf {file}"], loaded)

        assert ask(loaded, "showboard") == before
        assert loaded.position.turn is played.position.turn is turn


def test_printsgf_names_the_swap_rule(session):
    """Only a game with swap names it, and a variant keeps its own rules."""
    send(["boardsize 4", "play b a1"], session)
    assert "RU[" not in ask(session, "printsgf")
    ask(session, "param_game allow_swap 1")
    assert "RU[swap]" in ask(session, "printsgf")
    ask(session, "hsearch-variant bidding")
    assert "RU[bidding]" in ask(session, "printsgf")


def test_printsgf_overwrites_no_other_game(session, tmp_path):
    """It replaces the file that holds this game or its beginning, or that was loaded or written."""
    path = tmp_path / "game.sgf"
    path.write_text(sgf.write(Game.of(session.board, "a1 b2")))
    refused = f"cannot write file: {path} holds another game: choose another name"
    for moves in ("a1", "a1 b3"):
        ask(session, f"play-game {moves}")
        assert fail(session, f"printsgf {path}") == refused

    ask(session, "play-game a1 b2 c3")
    ask(session, f"printsgf {path}")
    ask(session, "undo")
    ask(session, f"printsgf {path}")  # of this game, although it holds more
    assert len(formats.load(path).moves) == 2
    send(["clear_board", "play b c1"], session)
    assert fail(session, f"printsgf {path}") == refused
    send([f"loadsgf {path}", "undo", "play w c1"], session)
    ask(session, f"printsgf {path}")
    assert [move.name(session.board) for move in formats.load(path).moves] == ["a1", "c1"]


def test_no_record_of_several_games_is_overwritten(session, tmp_path):
    """Games of ours that were joined into a file stay there, whatever brackets are in comments."""
    path = tmp_path / "games.sgf"
    game = Game.of(Board(3, 3), "a1 b2").append(Move(Color.BLACK, 8), comment="a ) and (;B[a1\\]")
    text = sgf.write(game)
    path.write_text(text)
    ask(session, f"loadsgf {path}")
    ask(session, f"printsgf {path}")
    path.write_text(text + text)

    assert "holds something else" in fail(session, f"printsgf {path}")
    assert path.read_text() == text + text


def test_no_file_is_written_under_the_name_of_a_folder(session, tmp_path):
    for command in ("printsgf", "hsearch-proof"):
        for name in (f"{tmp_path}/a name/", "."):
            said = f"cannot write file: {name} is the name of a folder"
            assert fail(session, f"{command} {name}") == said
        assert fail(session, f'{command} ""').endswith("file: the name of a file is empty")
    assert list(tmp_path.iterdir()) == []


def test_a_file_name_may_have_blanks_without_quotes(session, tmp_path):
    """A final number counts moves unless a file has that name."""
    send(["play b a1", "play w b2"], session)
    for name in ("my game.sgf", "my game 1"):
        ask(session, f"printsgf {tmp_path}/{name}")
    for sent, expected in (
        ("my game.sgf", ("a1", "b2")),
        ("my game.sgf 1", ("a1", "")),
        ("my game 1", ("a1", "b2")),
        ("my game 1 0", ("", "")),
    ):
        ask(session, f"loadsgf {tmp_path}/{sent}")
        assert stones(session) == expected

    assert fail(session, f"loadsgf {tmp_path}/no game.sgf") == "cannot load file: no such file"
    assert fail(session, f"loadsgf {tmp_path}/my game.sgf -1").startswith("argument 3 must be num")
    assert fail(session, "loadsgf") == "syntax error: usage: loadsgf FILE [MOVES]"
    ask(session, "printsgf")


def test_setup_is_loaded_and_not_undone(session, tmp_path):
    """Move number 0 is the setup, which undo does not remove."""
    path = tmp_path / "puzzle.sgf"
    path.write_text("(;GM[11]SZ[2:3]AB[a1][b1]AW[a2]PL[W];W[b2];B[a3])")
    ask(session, f"loadsgf {path}")
    send(["undo", "undo"], session)

    assert stones(session) == ("a1 b1", "a2")
    assert fail(session, "undo") == "cannot undo"


@pytest.mark.parametrize("text", ["", "no game", "(;GM[1])", "(;SZ[3];B[a1];W[a1])", None])
def test_a_file_that_cannot_be_loaded_changes_nothing(session, tmp_path, text):
    """The reply gives the reason, and special files are not opened."""
    ask(session, "play b a1")
    path = tmp_path / "bad.sgf"
    if text is not None:
        path.write_text(text)

    assert fail(session, f"loadsgf {path}").startswith("cannot load file: ")
    assert fail(session, "loadsgf /dev/zero") == "cannot load file: a device, not a file"
    assert fail(session, f"loadsgf {tmp_path}") == "cannot load file: a folder, not a file"
    assert fail(session, f"loadsgf {tmp_path}/no.sgf") == "cannot load file: no such file"
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        said = fail(session, f"loadsgf {tmp_path}/pipe")
        assert said == "cannot load file: a named pipe, not a file"
    assert fail(session, f"printsgf {tmp_path}/no/such").startswith("cannot write file: ")
    assert stones(session) == ("a1", "")


@pytest.mark.parametrize("size", ["3", "19 19"])
def test_a_position_is_analyzed_once(session, size):
    """The analysis is reused until the board or a limit changes, on large boards as well."""
    ask(session, f"boardsize {size}")
    before = session.analysis
    assert session.analysis is before

    ask(session, "play b a1")
    after = session.analysis
    assert after is not before
    assert session.analysis is after

    ask(session, "param_hsearch M 7")
    assert session.analysis.options.limits.M == 7


def test_genmove_plays_its_move_and_reg_genmove_does_not(session):
    """`genmove` plays its move, and `reg_genmove` does not."""
    cell = ask(session, "genmove w")
    assert stones(session) == ("", cell)

    ask(session, "reg_genmove b")
    assert stones(session) == ("", cell)
    assert ask(session, "group-get " + cell) == cell


def test_the_engine_swaps_in_the_style_of_the_session():
    """The answer is the client's word, and the board follows our reading of it."""
    for style, little_golem, word in (
        ("pieces", 0, "swap-pieces"),
        ("sides", 0, "swap-pieces"),
        ("sides", 1, "swap"),
    ):
        session = swapping("play b b2", f"param_game on_little_golem {little_golem}", style=style)
        session.settings.player = "hexy:depth=1"

        assert ask(session, "genmove w") == word
        assert stones(session) == (("", "b2") if style == "pieces" else ("b2", ""))
