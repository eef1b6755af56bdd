"""`hsearch play`, typed into a real terminal and into a pipe."""

import re
import signal
from contextlib import suppress
from functools import partial
from subprocess import TimeoutExpired

import psutil
import pytest
from clock import wait_until
from playing import played
from terminal import PATIENCE, Terminal

from hsearch import formats
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Special
from hsearch.hex.position import winner
from player.engine.spec import PLAYERS
from player.search.openings import load_chart
from player.variants import VARIANTS
from player.variants.base import ALTERNATING, BIDDING


@pytest.fixture
def terminal(terminal, tmp_path):
    """Return a function that runs `hsearch play` in a terminal, with its own record folder."""
    return partial(terminal, "play", "--record", str(tmp_path / "kept.sgf"))


def test_the_swap_is_offered_once(tmp_path):
    """The swap is offered once, before the prompt, and not repeated after a question."""
    record = ("--record", str(tmp_path / "g.sgf"), "--size", "3", "--white", "human", "--swap")
    said = played("b1\nboard\nc2\n", *record).stdout

    assert said.count("White may swap: type swap to take over b1.\nwhite> ") == 1
    assert said.count("may swap") == 1


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (["--swap"], ["a1", "swap", "swap", "c99"]),
        (["--variant", "bidding"], ["30", "20", "a1"]),
    ],
)
def test_no_sentence_is_wider_than_the_terminal(terminal, options, lines):
    """Only the command that resumes the game is longer, for it is copied."""
    two = ("--size", "4", "--white", "human")
    here = terminal(*two, *options, columns=40)
    shown = here.until("> ") + "".join(here.say(line, "> ") for line in lines)

    assert "White left\r\n   and right." in shown
    assert max(map(len, shown.splitlines())) <= 40


def test_a_game_that_is_over_needs_no_engine(tmp_path):
    """The engine of a finished game is not started."""
    kept = tmp_path / "over.sgf"
    kept.write_text("(;GM[11]FF[4]SZ[2];B[a1];W[b1];B[a2])")
    result = played("", "--resume", str(kept), "--white", "gtp:/nowhere/at-all")

    assert result.exit_code == 0
    assert "Black wins by a chain." in result.stdout


def test_a_whole_game_in_a_terminal(terminal, tmp_path):
    """A 5x5 game against hexy works with every command, and is saved with its result."""
    here = terminal("--size", "5", "--white", "hexy:level=3", "--swap", "--ascii")
    here.until("black> ")
    assert "off the 5x5 board" in here.say("f9", "black> ")
    assert "not a cell: 'nonsense'" in here.say("nonsense", "black> ")
    assert "resign " in here.say("help", "black> ")
    assert "there is no move of yours" in here.say("undo", "black> ")
    assert "nothing was taken back" in here.say("redo", "black> ")
    assert "only the second move of the game can be a swap" in here.say("swap", "black> ")
    # a1 is not worth a swap.
    assert "Black plays a1." in here.say("A1", "White plays ")
    here.until("black> ")
    assert "1.a1 2." in here.say("board", "black> ")
    assert "Hint: " in here.say("hint", "black> ")
    why = here.say("why", "black> ")
    assert "Must-play for Black" in why
    assert "The last move: " in why
    assert "a1 is not empty" in here.say("a1", "black> ")
    assert "1.a1" not in here.say("undo", "black> ")
    assert "1.a1 2." in here.say("redo", "black> ")
    assert "cannot be written" in here.say("save /no/such/folder/x.sgf", "black> ")
    assert "name the file" in here.say("save", "black> ")
    assert "Saved as" in here.say(f"save {tmp_path / 'early.sgf'}", "black> ")
    assert "/no/such/file: " in here.say("load /no/such/file", "black> ")
    here.say("undo", "black> ")
    assert "1.a1 2." in here.say(f"load {tmp_path / 'early.sgf'}", "black> ")
    said = "black> "
    while said.endswith("black> "):
        here.say(f"save {tmp_path / 'early.sgf'}", "black> ")
        position = formats.read((tmp_path / "early.sgf").read_text()).position()
        cell = next(position.board.name(c) for c in position.empty.search(1))
        said = here.say(cell, "black> ", "Saved as")
    assert here.process.wait(PATIENCE) == 0
    game = formats.read((tmp_path / "kept.sgf").read_text())

    assert winner(game.position()) is Color.WHITE
    assert game.result == "W+"
    assert game.players == ("human", "hexy:level=3")


@pytest.mark.slow
def test_a_whole_game_on_11x11_in_a_terminal(terminal, tmp_path):
    """A game is swapped, left at the end of input, resumed, and played to its end."""
    sides = ("--black", "hexy:level=2", "--white", "human")
    here = terminal("--size", "11", "--swap", *sides)
    here.until("white> ")
    assert re.search(
        r"White swaps: Black's \w+ is now White's \w+\.", here.say("swap", "Black plays ")
    )
    here.until("white> ")
    for cell in ("b2", "C9", "j3"):
        here.say(cell, "Black plays ")
        here.until("white> ")
    assert "Hint: " in here.say("hint", "white> ")
    assert "Must-play for White" in here.say("why", "white> ")
    assert here.end() == 0
    kept, early = tmp_path / "kept.sgf", tmp_path / "early.sgf"
    assert f"hsearch play --resume {kept} --black hexy:level=2\r\n" in here.until("=2\r\n")

    again = terminal(*sides[:2], "--resume", str(kept))
    assert "2.swap-pieces 3." in again.until("white> ")
    assert "8.j3" not in again.say("undo", "white> ")
    assert "8.j3 9." in again.say("redo", "white> ")
    assert "Saved as" in again.say(f"save {early}", "white> ")
    assert "resign " in again.say("help", "white> ")
    assert "8.j3 9." in again.say("board", "white> ")
    assert "8.j3 9." in again.say(f"load {early}", "white> ")
    said = "white> "
    while said.endswith("white> "):
        again.say(f"save {tmp_path / 'now.sgf'}", "white> ")
        position = formats.read((tmp_path / "now.sgf").read_text()).position()
        cell = next(position.board.name(c) for c in position.empty.search(1))
        said = again.say(cell, "white> ", "Saved as")
    assert again.process.wait(PATIENCE) == 0
    game = formats.read(kept.read_text())

    assert game.moves[1].action is Special.SWAP_PIECES
    assert winner(game.position()) is Color.BLACK
    assert game.result == "B+"

    given_up = terminal(*sides, "--resume", str(early))
    kept = tmp_path / "kept-2.sgf"  # the finished game stays as it is
    given_up.until("white> ")
    given_up.say("resign", "resign? y or n> ")
    assert "White resigns." in given_up.say("y", "Black has won: White resigned.")
    assert "go on" not in given_up.until("Saved as", ".sgf.\r\n")
    assert f"Next: hsearch review {kept}" in given_up.until("decided")
    assert given_up.process.wait(PATIENCE) == 0
    game = formats.read(kept.read_text())

    assert game.result == "B+Resign"
    assert game.moves[-1].action is Special.RESIGN


def test_two_people_play_and_swap(tmp_path):
    """The stone is reflected and turns white; undo takes back one move."""
    record = tmp_path / "game.sgf"
    result = played(
        "b1\nswap\nc3\nundo\nundo\nredo\n",
        *("--size", "3", "--white", "human", "--swap", "--ascii", "--record", str(record)),
    )

    assert result.exit_code == 0
    assert "White swaps: Black's b1 is now White's a2." in result.stdout
    assert formats.read(record.read_text()).moves[-1].action is Special.SWAP_PIECES


def test_a_mark_at_the_start_is_no_part_of_the_first_move(tmp_path):
    """Windows begins a file in UTF-8 with a byte order mark, also what it pipes."""
    record = ("--record", str(tmp_path / "g.sgf"), "--size", "3", "--white", "human")

    assert "Black plays b2." in played("\ufeffb2\nquit\n", *record).stdout


def test_a_swap_is_refused_without_the_swap_option(tmp_path):
    """The message names the option that allows it."""
    options = ("--size", "3", "--white", "human", "--record", str(tmp_path / "x.sgf"))
    result = played("b1\nswap\n", *options)

    assert "start with --swap" in result.stdout


def test_a_swap_at_another_time_is_refused(tmp_path):
    """A swap as the first or a later move is refused, and the message says when it is legal."""
    options = (
        "--swap",
        "--white",
        "human",
        "--black",
        "human",
        "--record",
        str(tmp_path / "g.sgf"),
    )
    text = played("swap\na1\nb2\nswap\n", "--size", "3", *options).stdout

    assert text.count("only the second move of the game can be a swap.") == 2


def test_the_engine_opens_evenly_if_a_swap_is_allowed(tmp_path):
    """With swap the engine opens evenly, without swap in the center."""
    firsts = []
    for swap in ((), ("--swap",)):
        record = tmp_path / f"{len(swap)}.sgf"
        options = ("--size", "7", "--black", "hexy:level=1", *swap, "--record", str(record))
        assert played("", *options).exit_code == 0
        firsts.append(formats.read(record.read_text()).moves[0].action)
    board = Board(7, 7)

    assert firsts[0] == board.cell("d4")
    assert firsts[1] == load_chart(7).most_even


def test_the_opponent_is_named_at_the_start(tmp_path):
    """The opponent has the record's name; two people are shown no opponent."""
    record = ("--size", "3", "--record", str(tmp_path / "g.sgf"))

    assert (
        "\nYou are Black, against tree:level=2.\n"
        in played("", "--white", "tree:level=2", *record).stdout
    )
    assert "\nYou are White, against random.\n" in played("", "--black", "random", *record).stdout
    assert "You are" not in played("", "--white", "human", *record).stdout


def test_a_person_is_white_by_default_if_an_engine_is_black(tmp_path):
    """White is a person by default if an engine is Black."""
    result = played("a1\n", "--size", "3", "--black", "random", "--record", str(tmp_path / "x"))

    assert result.stdout.count("white> ") >= 1
    assert "PW[human]" in (tmp_path / "x").read_text()


def test_commands_without_parameters_reject_arguments(tmp_path):
    """Such a command with an argument reports that and does nothing."""
    options = ("--size", "3", "--white", "human", "--record", str(tmp_path / "x.sgf"))
    result = played("a1\nundo 2\nresign now\n", *options)

    assert "undo takes no argument: leave out '2'." in result.stdout
    assert "resign takes no argument: leave out 'now'." in result.stdout
    assert len(formats.read((tmp_path / "x.sgf").read_text()).moves) == 1


def test_a_resignation_at_a_terminal_is_confirmed(terminal):
    """A person is asked once, and anything but yes continues the game; a pipe is not asked."""
    here = terminal("--size", "3", "--white", "human", "--ascii")
    here.until("black> ")
    here.say("resign", "resign? y or n> ")
    assert "The game goes on." in here.say("", "black> ")
    here.say("resign", "resign? y or n> ")
    assert "White has won: Black resigned." in here.say("YES", "Next: ", "Saved as")


def test_a_swap_needs_a_square_board(tmp_path):
    """The option is refused at the start, for a new game and for a resumed one."""
    file = tmp_path / "g.sgf"
    file.write_text("(;GM[11]SZ[5:7];B[a1])")

    for options in (("--size", "5x7"), ("--resume", str(file))):
        refused = played("a1\nswap\n", *options, "--swap", "--white", "human")
        assert refused.exit_code == 2
        assert "--swap needs a square board, and this one is 5x7" in refused.stderr


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("swap pieces", "White swaps: Black's a2 is now White's b1."),
        ("Swap  Pieces", "White swaps: Black's a2 is now White's b1."),
        ("swap sides", "'swap-sides' is not a move: a swap is swap, or swap-pieces."),
        ("pie", "'pie' is not a move: a swap is swap, or swap-pieces."),
    ],
)
def test_a_swap_may_be_two_words(tmp_path, line, said):
    options = ("--size", "3", "--white", "human", "--swap", "--record", str(tmp_path / "x.sgf"))

    assert said in played(f"a2\n{line}\n", *options).stdout


def test_a_misspelled_command_gets_a_suggestion(tmp_path):
    """The game suggests a command for a misspelled word only."""
    options = ("--size", "3", "--white", "human", "--record", str(tmp_path / "x.sgf"))
    said = played("hnt\nudno\nc9\nfoo\nundo 2\n", *options).stdout

    assert "not a cell: 'hnt'. Did you mean hint? Type help for the commands." in said
    assert "Did you mean undo?" in said
    assert said.count("Did you mean") == 2


def test_unavailable_commands_are_not_suggested(tmp_path):
    """Commands that help does not list are not suggested."""
    options = ("--size", "3", "--variant", "random-turn", "--white", "human", "--seed", "1")
    said = played("levl\nhnt\n", *options, "--record", str(tmp_path / "x.sgf")).stdout

    assert "not a cell: 'levl'. Type help for the commands." in said
    assert "Did you mean hint?" in said


def test_a_question_mark_after_a_command_is_ignored(tmp_path):
    """A question mark after a command is ignored; alone it is help."""
    options = ("--size", "3", "--white", "human", "--record", str(tmp_path / "x.sgf"))
    said = played("b2\nboard?\nundo?\n?\n", *options).stdout

    assert said.count("1.b2") == 2
    assert "not a cell" not in said
    assert "resign " in said


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ("--white", "six"),
            2,
            "unknown player 'six' (known: hexy, tree, policy, ab, random, cohen, level:N,",
        ),
        (("--white", "hexy:color=red"), 2, "unknown option 'color' of hexy"),
        (("--size", "99"), 2, "board size out of range: 99x99"),
        (("--resume", "/no/such.sgf"), 3, "/no/such.sgf: No such file"),
        (("--size", "3", "--resume", "x.sgf"), 2, "exclude each other"),
        (("--level", "13"), 2, "unknown level '13' (known: 1 Beginner, 2 Novice, 3 Easy,"),
        (("--level", "10", "--white", "hexy"), 2, "not a level (1 to 9)"),
        (("--level", "3", "--depth", "2"), 2, "--level and --depth exclude each other"),
        (("--level", "3", "--white", "ab"), 2, "--level is for hexy and tree: none plays here"),
        (("--depth", "3", "--white", "tree"), 2, "--depth is for hexy: none plays here"),
    ],
)
def test_bad_input_sets_exit_code_and_message(arguments, code, message):
    """Bad input gives the exit code and one line with the offending text."""
    result = played("", *arguments)

    assert result.exit_code == code
    assert message in " ".join(result.stderr.split())


def letters(text):
    """Return the number of 5x5 boards in a text: each has two lines of letters."""
    lines = [line for line in text.splitlines() if line.split() == list("abcde")]
    return len(lines) // 2


def test_a_turn_shows_one_board(tmp_path):
    """One board follows the engine's reply; without a person or an engine, each move."""
    record = ("--record", str(tmp_path / "g.sgf"), "--size", "5", "--ascii")
    reply = played("c3\nquit\n", *record, "--white", "random", "--seed", "3").stdout
    people = played("c3\nb2\nquit\n", *record, "--white", "human").stdout
    engines = played("", *record, "--black", "random", "--white", "random", "--seed", "3").stdout
    moves = engines.count(" plays ")

    assert letters(reply) == 2
    assert letters(reply.partition("Black plays c3.")[2].partition("White plays ")[0]) == 0
    assert letters(people) == 3
    assert letters(engines) == moves + 1


def test_a_won_game_shows_its_chain(tmp_path):
    """Only the stones of the shortest winning chain are marked."""
    record = ("--record", str(tmp_path / "g.sgf"), "--size", "3", "--ascii", "--white", "human")
    shown = played("a1\nc1\nb1\nc2\nb2\nc3\nb3\n", *record).stdout
    last = shown.rpartition("Black plays b3.")[2]

    assert "Black wins by a chain. Its stones are marked [ ]." in last
    assert [line.count("[") for line in last.splitlines()[2:5]] == [1, 1, 1]
    assert last.splitlines()[2].split()[:3] == ["1", "B[B]W", "1"]


def test_help_lists_the_levels(tmp_path):
    """Help names the weakest and the strongest level."""
    text = played("help\nquit\n", "--record", str(tmp_path / "g.sgf"), "--white", "human").stdout

    assert "as --level N, 1 Beginner to 12 Strongest, or as --white hexy" in text


@pytest.mark.parametrize("variant", VARIANTS)
def test_commands_have_short_names(tmp_path, variant):
    """Help does not list short names; a variant refuses commands with a reason."""
    options = ("--variant", variant, "--size", "3", "--white", "human")
    lines = "\nhelp\n?\nH\nswap\nq\nhelp\n"
    text = played(lines, *options, "--record", str(tmp_path / "g.sgf")).stdout

    assert text.count("\nboard ") == 3
    assert not re.search(r"^(\?|h|q|swap) ", text, re.MULTILINE)
    assert re.search("(there is no|played without) swap", text)


@pytest.mark.parametrize("variant", VARIANTS)
def test_help_names_the_engines_of_the_variant(tmp_path, variant):
    """Help names exactly the engines that play the variant, and chips only where they are bid."""
    options = ("--variant", variant, "--size", "3", "--white", "human")
    text = played("\nhelp\n", *options, "--record", str(tmp_path / "g.sgf")).stdout
    told = text.partition("Engines are chosen")[2].partition(".\n")[0]
    named = {name.partition(":")[0] for name in told.partition("here are ")[2].split(", ")}
    offered = re.search(r"--white ([a-z-]+)", told)[1]

    assert named - {"gtp", "py", "level"} == set(PLAYERS[variant])
    assert offered in PLAYERS[variant]
    assert ("tree" in told) is (variant == ALTERNATING)
    assert ("bid as many chips" in text) is (variant == BIDDING)


@pytest.mark.parametrize("engine", ["tree", "hexy", "tree:solve=0"])
def test_the_record_has_the_level_of_the_engine(tmp_path, engine):
    """The record has the engine's level."""
    record = tmp_path / "g.sgf"
    played("a1\n", "--size", "3", "--white", engine, "--level", "1", "--record", str(record))

    assert "level=1" in dict(formats.read(record.read_text()).info)["PW"]


def test_help_describes_the_default_player_and_levels():
    """`test_the_default_player_of_white_matches_the_help` checks what is played."""
    text = " ".join(played("", "--help").stdout.split())

    assert "else the level of --level, `tree` from 9x9 on, or `hexy` below and with --dep" in text
    assert "1 (Beginner) to 12 (Strongest), by number or name; of `hexy` or `tree`, 1 to 9." in text


@pytest.mark.parametrize(
    ("options", "white"),
    [
        (("--size", "9"), "tree"),
        (("--size", "8"), "hexy"),
        (("--size", "9x8"), "hexy"),
        (("--size", "9", "--level", "2"), "level:2"),
        (("--size", "5", "--level", "beginner"), "level:1"),
        (("--size", "9", "--depth", "1"), "hexy:depth=1"),
        (("--size", "9", "--variant", "random-turn"), "random-turn"),
    ],
)
def test_the_default_player_of_white_matches_the_help(tmp_path, options, white):
    """White's default player is that of the help, and a resumed game keeps it."""
    record = str(tmp_path / "g.sgf")
    begun = played("e5\nquit\n", *options, "--seed", "1", "--record", record).stdout

    assert f"You are Black, against {white}.\n" in begun
    again = played("quit\n", "--resume", record).stdout
    assert f"You are Black, against {white}.\n" in again


def test_the_level_changes_while_playing(tmp_path):
    """`level` changes the engine and its name in the record; alone it lists all levels."""
    record = tmp_path / "g.sgf"
    options = ("--size", "4", "--level", "1", "--record", str(record))
    text = played("b2\nlevel\nundo\nlevel easy\nredo\nlevel 99\nquit\n", *options).stdout

    assert "1 Beginner" in text
    assert "12 Strongest" in text
    assert "White: level 3 Easy." in text
    assert "unknown level '99'" in text
    assert (game := formats.read(record.read_text())).about("PW") == "level:3"
    assert len(game.moves) == 2
    assert "--white level:3" in text
    again = played("quit\n", "--resume", str(record), "--level", "2").stdout
    assert "against level:2." in again


def test_a_level_needs_an_engine_of_ordinary_turns(tmp_path):
    """`level` is refused between two people and in other variants."""
    record = ("--record", str(tmp_path / "g.sgf"), "--size", "3")
    people = played("level 2\nlevel\nquit\n", *record, "--white", "human").stdout
    bids = played("level 2\nquit\n", *record, "--variant", "bidding").stdout

    assert "no engine plays here" in people
    assert "\n2 Novice" in people
    assert "the levels do not play bidding" in bids


def test_only_a_record_of_one_game_is_overwritten(tmp_path):
    """Other files are left as they are, and the game is saved beside them."""
    diagram = formats.write(Game.of(Board(3, 3), ["b2"]), "diagram")
    one = "(;FF[4]GM[11]SZ[3];B[b2])"
    for name, text in (("d.txt", diagram), ("m.moves", "b2"), ("two.sgf", one + one)):
        file = tmp_path / name
        file.write_text(text)
        began = ("--resume", str(file), "--white", "human", "--black", "human")
        assert "Saved" not in played("quit\n", *began).stdout
        said = played("a1\nquit\n", *began).stdout
        other = file.with_name("two-2.sgf") if name == "two.sgf" else file.with_suffix(".sgf")

        assert f"Saved as {other}; continue with: " in said
        assert file.read_text() == text
        there = formats.load(other).position()
        assert there.board.names(there.black | there.white) == ["a1", "b2"]
        assert f"Saved as {other}; " in played("c1\nquit\n", "--resume", str(other)).stdout


def test_invalid_text_ends_and_saves_the_game(tmp_path):
    """Invalid text ends the game in one line; a long line is quoted by its beginning."""
    record = tmp_path / "g.sgf"
    options = ("--size", "3", "--white", "human", "--record", str(record))
    long = played("x" * 300 + "\n", *options)
    noise = played(b"b2\n" + b"\n" * 9000 + b"\xff\xfe\n", *options)

    assert f"not a cell: '{'x' * 80}...'. Type help" in long.stdout
    assert noise.exit_code == 3
    assert noise.stderr == "-: not text: type a cell such as c3, or help\n"
    assert len(formats.read(record.read_text()).moves) == 1


@pytest.mark.parametrize("variant", ["bidding", "dark-classic"])
def test_invalid_text_in_place_of_a_hidden_line_ends_the_game_in_one_line(variant):
    """A bid is read without echo, and in Dark Hex Enter passes the screen on."""
    noise = played(b"\xff\n", "--size", "3", "--variant", variant, "--white", "human")

    assert noise.exit_code == 3
    assert noise.stderr == "-: not text: type a cell such as c3, or help\n"


def test_lines_are_edited_and_remembered(terminal):
    """Up recalls the last line, and Left moves the cursor in it."""
    here = terminal("--size", "5", "--white", "human", "--ascii")
    here.until("black> ")
    assert "Black plays c3." in here.say("3\x1b[Dc", "white> ")
    assert "c3 is not empty" in here.say("\x1b[A", "white> ")


def test_quit_does_not_save_a_saved_game_again(tmp_path, monkeypatch):
    """After `save` the record is written only for later moves, or if it was there before."""
    monkeypatch.chdir(tmp_path)
    options = ("--size", "5", "--white", "hexy:level=1")
    saved = played("c3\nsave mine.sgf\nquit\n", *options)
    assert "Saved as mine.sgf; continue with: hsearch play --resume mine.sgf " in saved.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["mine.sgf"]

    later = played("c3\nsave other.sgf\na1\nquit\n", *options)
    assert "Saved as hex-game.sgf; " in later.stdout

    before = (tmp_path / "other.sgf").read_bytes()
    again = played("e5\nsave mine-2.sgf\nquit\n", "--resume", "other.sgf", "--white", options[-1])
    assert "Saved as other.sgf; " in again.stdout
    assert (tmp_path / "other.sgf").read_bytes() != before


def test_a_loaded_game_is_saved_in_the_default_record(tmp_path, monkeypatch):
    """A game loaded from a link is saved in the default record."""
    monkeypatch.chdir(tmp_path)
    link = "https://hexworld.org/board/#5,c3b2"
    loaded = played(f"load {link}\nquit\n", "--size", "5", "--white", "hexy:level=1")

    assert (
        "Saved as hex-game.sgf; continue with: hsearch play --resume hex-game.sgf" in loaded.stdout
    )
    assert len(formats.load(tmp_path / "hex-game.sgf").moves) == 2


@pytest.mark.slow
@pytest.mark.parametrize("signals", [[signal.SIGHUP, signal.SIGHUP], [signal.SIGTERM]])
def test_a_game_whose_terminal_is_closed_is_saved(tmp_path, signals):
    """As at Ctrl-C; a closed terminal once lost the game."""
    record = tmp_path / "g.sgf"
    two = ("--size", "3", "--black", "human", "--white", "human")
    here = Terminal("play", *two, "--record", str(record))
    try:
        here.until("black> ")
        here.say("a1", "white> ")
        program, status = psutil.Process(here.process.pid), None
        for _ in range(5):  # a signal that comes just before the program waits does not wake it
            wait_until(lambda: program.status() == psutil.STATUS_SLEEPING)
            for number in signals:
                here.process.send_signal(number)
            with suppress(TimeoutExpired):
                status = here.process.wait(60)
                break
    finally:
        here.close()

    assert status == 130
    assert len(formats.load(record).moves) == 1
