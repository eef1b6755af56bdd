"""What commands read: files, stdin, typed or pasted games, and bad input."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT

import hsearch
from hsearch import formats
from player.cli import main

HSEARCH = [sys.executable, "-m", "player.cli"]
GAME = "positions/games/london-2000-queenbee-hexy.sgf"


def show(*arguments, stdin=""):
    """Run `hsearch show --ascii` in this process."""
    return CliRunner().invoke(main, ["show", "--ascii", *arguments], input=stdin)


BAD = {
    "overlapping": b"(;GM[11]SZ[3]AB[a1]AW[a1])",
    "off-the-board": b"(;GM[11]SZ[3];B[d1])",
    "size-0": b"(;GM[11]SZ[0];B[a1])",
    "size-1000": b"(;GM[11]SZ[1000];B[a1])",
    "occupied": b"(;GM[11]SZ[3];B[a1];W[a1])",
    "after-the-end": b"(;GM[11]SZ[3];B[a1];W[resign];B[b1])",
    "truncated": b"(;GM[11]SZ[3];B[a1];W",
    "empty": b"",
    "blank": b"\n\n",
    "binary": bytes(range(256)),
    "zeros": b"\0" * 1000,
    "go": b"(;GM[1]SZ[19];B[aa])",
    "prose": b"It was a dark and stormy night.",
    "ragged": b". . .\n . .\n",
    "move-list": b"a1 b2 z99",
    "hexworld": b"https://hexworld.org/board/#3,a1a1",
}


@pytest.mark.parametrize("content", BAD.values(), ids=BAD)
def test_bad_input_ends_with_one_line_and_exit_code_3(tmp_path, content):
    """Bad input ends with 3 and one line that starts with the name of the file."""
    path = tmp_path / "input"
    path.write_bytes(content)

    for file, stdin in ((str(path), b""), ("-", content)):
        result = show(file, stdin=stdin)
        assert result.exit_code == 3
        assert result.stdout == ""
        assert result.stderr.startswith(f"{file}: ")
        assert result.stderr.count("\n") == 1


@st.composite
def damaged(draw):
    """Draw a valid text that is cut short and has some bytes replaced."""
    good = b"(;FF[4]GM[11]SZ[5]PB[A]PL[W]AB[a1][b2];B[c3];W[d4](;B[e5])(;B[swap-pieces]))"
    boards = b"B . W\n . B .\n  W . .\n", b"B B .\n . B .\n"
    text = bytearray(draw(st.sampled_from((good, *boards, b"#5,a1b2c3:s"))))
    for at, byte in draw(st.lists(st.tuples(st.integers(0, len(text) - 1), st.integers(0, 255)))):
        text[at] = byte
    return bytes(text[: draw(st.integers(0, len(text)))])


@pytest.mark.slow
@given(st.binary() | st.text().map(str.encode) | damaged())
def test_any_input_is_shown_or_refused(content):
    """Any input ends with 0 and a board or with 3 and one line, never with 1."""
    result = show("-", stdin=content)
    complaints = [line for line in result.stderr.splitlines() if not line.startswith("warning: ")]

    assert (result.exit_code, len(complaints), bool(result.stdout)) in {(0, 0, True), (3, 1, False)}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"(;GM[11]SZ[3]\n;B[d1])", "2:4: 'd1' is off the 3x3 board"),
        (b". . .\n . B ?\n", "2:6: '?'"),
        (b"a1 b2 z99", "'z99'"),
    ],
)
def test_an_error_names_line_column_and_text(content, message):
    """The error names the line, the column and the offending text."""
    assert message in show("-", stdin=content).stderr


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (".", "Is a directory; name a file in it"),
        ("5", "No such file or directory; a move is --move 5, a board is --size 5"),
        ("5x7", "No such file or directory; a board is --size 5x7"),
        ("missing.sgf", "No such file or directory"),
        ("positions/missing.sgf", "No such file or directory"),
        ("positions/../../../etc/passwd", "No such file or directory"),
        ("nul\0byte", "null byte"),
        ("new\nline", "No such file or directory"),
        ("a" * 5000, "File name too long"),
    ],
)
def test_a_file_that_cannot_be_opened_is_reported_in_one_line(tmp_path, monkeypatch, file, message):
    """A file that cannot be opened is reported with the system's reason, in one line."""
    monkeypatch.chdir(tmp_path)
    result = show(file)

    assert result.exit_code == 3
    assert result.stderr.endswith(f"{message}\n")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["show", "review"])
@pytest.mark.parametrize("content", [b"hello there", b"\x89PNG\r\n\x1a\n\0\0"])
def test_a_file_in_no_known_format_is_refused_with_the_list_of_formats(tmp_path, command, content):
    """A file in no known format is refused with the list of formats."""
    path = tmp_path / "note"
    path.write_bytes(content)
    result = CliRunner().invoke(main, [command, str(path)])

    assert result.exit_code == 3
    assert "; what is read is SGF, a link of HexWorld, a board drawn as text" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_link_alone_is_analyzed():
    """A link alone is analyzed as a file is; other links have an error of their own."""
    link = "https://hexworld.org/board/#3,b2"
    assert CliRunner().invoke(main, [link]).stdout.startswith("  a b c\n")
    assert "is not read" in CliRunner().invoke(main, ["https://example.com"]).stderr


@pytest.mark.parametrize("text", ["a3/b4/c5", "B[a3] W[b4]", "a\uff13 b\uff14"])
def test_moves_in_another_notation_get_a_hint(text):
    """Moves in another notation get a hint; a name with digits counts as a file."""
    assert show(text).stderr.endswith("directory; moves are given as a5 c4 d3\n")
    for name in ("game12", "b2-vs-a1.sgf", "round 1 game2"):
        assert show(name).stderr.endswith("No such file or directory\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_file_without_read_permission_is_bad_input(tmp_path):
    """A file without permission to read is bad input."""
    path = tmp_path / "secret.sgf"
    path.write_text("(;GM[11];B[a1])")
    path.chmod(0)

    assert show(str(path)).exit_code == 3


@pytest.mark.parametrize(
    "words",
    ["--help", "analyze a1 --size 3", "review b2 --size 3 --json", "show b2"],
)
def test_a_closed_stdout_is_a_failure(words):
    """A command that prints fails if it was started without stdout."""
    result = subprocess.run(  # noqa: S603 - our own program
        ["sh", "-c", 'exec "$@" >&-', "sh", *HSEARCH, *words.split()],  # noqa: S607 - any shell
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.returncode == 1
    assert result.stderr == "stdout: cannot be written: Bad file descriptor\n"


def test_a_file_does_not_take_the_descriptor_of_a_closed_stdout(tmp_path):
    """With stdout closed, a file does not take its descriptor, and printing nothing is fine."""
    drawing = tmp_path / "board.svg"
    result = subprocess.run(  # noqa: S603 - our own program
        ["sh", "-c", 'exec "$@" >&-', "sh", *HSEARCH, "show", "b2", "--svg", drawing],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (result.returncode, result.stderr) == (0, "")
    assert drawing.read_text().endswith("</svg>\n")


@pytest.mark.parametrize(("arguments", "code"), [(["show", "-"], 3)])
def test_a_closed_stdin_is_bad_input(arguments, code):
    """Reading from a closed stdin is bad input."""
    result = subprocess.run(  # noqa: S603 - our own program
        ["sh", "-c", 'exec "$@" <&-', "sh", *HSEARCH, *arguments],  # noqa: S607 - any shell
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (result.returncode, result.stdout) == (code, "")
    assert result.stderr == "-: stdin is closed\n"


@pytest.mark.parametrize(
    "options", [["--white", "human"], ["--puzzle", "positions/puzzles/proved.txt", "--grade", "1"]]
)
def test_a_game_ends_at_once_if_stdin_is_closed(options):
    """A closed stdin has no lines, as one at its end."""
    with_closed, with_empty = (
        subprocess.run(  # noqa: S603 - our own program
            ["sh", "-c", f'exec "$@" {stdin}', "sh", *HSEARCH, "play", *options],  # noqa: S607
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        for stdin in ("<&-", "</dev/null")
    )

    assert (with_closed.returncode, with_closed.stderr) == (0, "")
    assert with_closed.stdout == with_empty.stdout


def test_an_endless_file_is_refused():
    """An endless file is refused at a limit of characters."""
    result = show("/dev/zero")

    assert result.exit_code == 3
    assert result.stderr == (
        "/dev/zero: too long: more than 1,000,000 characters, which SGF and JSON alone may be\n"
    )


def test_a_game_of_a_long_file_is_shown(tmp_path):
    """A game of a long file is chosen by its number."""
    path = tmp_path / "games.sgf"
    games = [f"(;GM[11]SZ[3]C[{'x' * 9990}];B[{cell}])\n" for cell in ("a1", "b2", "z9") * 40]
    path.write_text("".join(games))
    missing = show(str(path), "--game", "121")

    assert "last stone b2" in show(str(path), "--game", "119").stdout
    assert "last stone a1" in show("-", "--game", "118", stdin=path.read_text()).stdout
    assert missing.exit_code == 3
    assert missing.stderr == f"{path}: no game 121: there are 120\n"


def test_shipped_positions_are_found_from_anywhere(tmp_path, monkeypatch):
    """Shipped positions are found from any folder, after a file of the same name in it."""
    monkeypatch.chdir(tmp_path)
    shipped = show(GAME)
    path = tmp_path / GAME
    path.parent.mkdir(parents=True)
    path.write_text("(;GM[11]SZ[3];B[a1])")

    assert shipped.exit_code == 0
    assert "11x11" in shipped.stdout
    assert "3x3" in show(GAME).stdout


@pytest.mark.parametrize(
    ("arguments", "last"),
    [
        (["https://hexworld.org/board/#11c1,b4:sh4"], "11x11, white to move; last stone h4"),
        (["see [it](https://hexworld.org/board/#11c1,b4:sh4)"], "last stone h4; move 3 of 3."),
        (["#5,a1b2"], "5x5, black to move; last stone b2; move 2 of 2."),
        (["a5 c4 d3"], "11x11, white to move; last stone d3; move 3 of 3."),
        (["a5", "c4", "d3", "--size", "5"], "5x5, white to move; last stone d3; move 3 of 3."),
        (["(;GM[11]SZ[3];B[a1])"], "3x3, white to move; last stone a1; move 1 of 1."),
        (['<hexboard size="2x2" contents="R a1" />'], "2x2, white to move."),
        (['[{"boardsize":3,"moves":"a2 b2","winner":"red"}]'], "3x3, black to move; last stone b2"),
    ],
)
def test_a_game_may_be_typed_or_pasted_as_the_argument(arguments, last):
    """An argument may be a link, a tag, SGF, or moves in one word or several."""
    result = show(*arguments)

    assert (result.exit_code, result.stderr) == (0, "")
    assert last in result.stdout


def test_an_existing_file_takes_precedence_over_a_move(tmp_path, monkeypatch):
    """An existing file goes before moves of the same name; a word that is neither is missing."""
    monkeypatch.chdir(tmp_path)
    Path("a1").write_text("(;GM[11]SZ[3];B[b2])")

    assert "last stone b2" in show("a1").stdout
    assert "last stone b2" in show("a1", "a1").stdout
    assert "last stone b1" in show("b1").stdout
    assert show("b1.sgf").stderr == "b1.sgf: No such file or directory\n"


def test_a_wrong_word_among_moves_is_reported_with_its_place():
    """A wrong word among moves is reported as a move; a name with a blank stays a file name."""
    why = "'zz' is not a move; a move is a cell such as a5, or swap, pass or resign"
    assert show("k9 i2 zz").stderr == f"k9 i2 zz: 1:7: {why}\n"
    assert show("zz", "k9", "i2").stderr == f"zz k9 i2: 1:1: {why}\n"
    for name in ("my game a3", "a3 b2.sgf", "zz"):
        assert show(name).stderr == f"{name}: No such file or directory\n"


def test_wrong_moves_are_reported_with_their_place():
    """Wrong moves are reported with their place; a long game is shortened in the message."""
    link = "https://hexworld.org/board/#11," + "a1b1" * 20

    assert show("a1 a1").stderr.startswith("a1 a1: 1:4: illegal move 'a1'")
    assert show(link).stderr.startswith(f"{link[:50]}...: offset 35: illegal move 'a1'")


def test_several_files_are_shown_one_after_another(tmp_path):
    """Several files are shown in order under their names, or none if one cannot be read."""
    names = [str(tmp_path / name) for name in ("one.sgf", "two.sgf")]
    for name, side in zip(names, "34", strict=True):
        Path(name).write_text(f"(;GM[11]SZ[{side}];B[a1])")
    result = show(*names)
    both = show(*names, "--sgf")
    broken = show(*names, str(tmp_path / "three.sgf"))

    assert [line for line in result.stdout.splitlines() if line.endswith(":")] == [
        f"{name}:" for name in names
    ]
    assert result.stdout.count("white to move") == 2
    assert show("-", "--game", "2", stdin=both.stdout).stdout == show(names[1]).stdout
    assert (broken.exit_code, broken.stdout) == (3, "")


@pytest.mark.parametrize(
    ("command", "option"), [("show", "svg"), ("show", "png"), ("solve", "proof")]
)
def test_a_picture_or_proof_is_of_one_file(tmp_path, monkeypatch, command, option):
    """With several files, the option that takes only one is refused by its name."""
    monkeypatch.chdir(tmp_path)
    Path("one").write_text("a1 b2")
    done = CliRunner().invoke(main, [command, "one", "one", f"--{option}", "out"])

    assert (done.exit_code, done.stdout) == (2, "")
    assert f"2 files were given, but --{option} takes only one" in done.stderr


def test_each_file_that_cannot_be_read_is_named(tmp_path, monkeypatch):
    """Each file that cannot be read gets a line, in order, and nothing is shown."""
    monkeypatch.chdir(tmp_path)
    Path("good").write_text("a1 b2")
    Path("off").write_text("z9")
    done = show("good", "off", "missing", "good", ".")

    assert (done.exit_code, done.stdout) == (3, "")
    assert [line.partition(": ")[0] for line in done.stderr.splitlines()] == ["off", "missing", "."]


def test_a_position_that_fails_does_not_stop_the_others(tmp_path, monkeypatch):
    """A position that fails does not stop the others; the exit code is that of the failure."""
    monkeypatch.chdir(tmp_path)
    Path("open").write_text("(;FF[4]GM[11]SZ[11];B[a1])")
    Path("won").write_text("(;FF[4]GM[11]SZ[3];B[b2])")
    done = CliRunner().invoke(main, ["explain", "open", "won", "open", "--json"])

    assert done.exit_code == 3
    assert done.stdout.count('"schema"') == done.stdout.count("\n") == 1
    assert json.loads(done.stdout)["file"] == "won"
    assert "file" not in json.loads(CliRunner().invoke(main, ["explain", "won", "--json"]).stdout)
    assert done.stderr.count("\n") == done.stderr.count("open: who wins is not proved") == 2


def test_a_file_of_several_games_gives_a_warning(tmp_path):
    """Of several games the first is read, with a warning that names --game or a command with it."""
    text = "(;GM[11]SZ[3];B[a1])(;GM[11]SZ[4];B[b1])"
    first, second = show("-", stdin=text), show("-", "--game", "2", stdin=text)

    assert first.stderr == "warning: -: 2 games: this is the first, --game N reads another\n"
    assert "3x3" in first.stdout
    assert "4x4" in second.stdout
    assert second.stderr == ""
    assert show("-", "--game", "3", stdin=text).stderr == "-: no game 3: there are 2\n"

    path = tmp_path / "two.sgf"
    path.write_text(text)
    words = ["play", "--resume", str(path), "--white", "human"]
    played = CliRunner().invoke(main, words, input="quit\n")
    assert "this is the first, show --game N --sgf writes another\n" in played.stderr


def test_a_format_that_cannot_hold_the_game_suggests_sgf():
    """A format that cannot hold the game, here a resignation out of turn, suggests --sgf."""
    result = show("https://hexworld.org/board/#14,a10b2c3:rb", "--moves")

    assert result.exit_code == 1
    assert result.stderr.endswith("black plays resign out of turn; --sgf writes any game\n")


@pytest.mark.parametrize("text", ["a1 b2", "a1 swap-pieces c3", "B . .\n . . .\n  . . W\n"])
def test_after_standard_input_the_next_command_contains_the_game(text):
    """After standard input, the proposed command contains the game itself."""
    said = CliRunner().invoke(main, ["analyze", "-", "--size", "3"], input=text).stdout
    again = shlex.split(said.splitlines()[-1].removeprefix("Next: ").partition("   ")[0])

    assert again[0] == "hsearch"
    assert "-" not in again
    assert formats.read(again[2]).position() == formats.read(text, size=(3, 3)).position()


@pytest.mark.parametrize("command", ["mustplay", "review"])
def test_the_next_command_takes_no_file_for_an_option(command, tmp_path, monkeypatch):
    """A file whose name begins with `-` is named so that the command can be copied."""
    monkeypatch.chdir(tmp_path)
    Path("-x.sgf").write_text("(;GM[11]SZ[3];B[a1];W[b2];B[c1])")
    said = CliRunner().invoke(main, [command, "--", "-x.sgf"]).stdout
    again = shlex.split(said.splitlines()[-1].removeprefix("Next: ").partition("   ")[0])

    assert again[0] == "hsearch"
    assert CliRunner().invoke(main, again[1:]).exit_code == 0


def test_the_next_command_is_about_the_same_game(tmp_path):
    """The proposed command is about the same game, also from a file of several or no file."""
    path = tmp_path / "two.sgf"
    path.write_text("(;GM[11]SZ[3];B[a1])(;GM[11]SZ[3];B[b2])")
    again = CliRunner().invoke(main, ["analyze", str(path), "--game", "2"]).stdout

    assert f"{path} --game 2 " in again
    assert (
        "'a1 b2' --size 3x3"
        in CliRunner().invoke(main, ["analyze", "a1", "b2", "--size", "3"]).stdout
    )


@pytest.mark.parametrize("first", ["https://hexworld.org/board/#3,a1", "a1"])
@pytest.mark.parametrize(
    "second", ["https://trmph.com/hex/board#3,b2", "(;GM[11]SZ[3];B[b2])"], ids=["link", "sgf"]
)
def test_each_link_is_a_separate_game(first, second):
    """Each link is a game of its own, while numbered moves, which look like links, are one."""
    shown = CliRunner().invoke(main, ["show", first, second])
    moves = CliRunner().invoke(main, ["show", "1,a1", "2,b2", "--size", "3"])

    assert [line for line in shown.stdout.splitlines() if line.endswith(":")] == [
        f"{first}:",
        f"{second}:",
    ]
    assert (shown.stderr, moves.stderr) == ("", "")
    assert moves.stdout.endswith("3x3, black to move; last stone b2; move 2 of 2.\n")


@pytest.mark.parametrize("typed", ["", "\n", "  \n\n"])
def test_empty_input_with_a_size_is_the_empty_board(typed):
    """Empty input with a size is the empty board; without a size it is bad input."""
    sized = CliRunner().invoke(main, ["show", "-", "--size", "3x2", "--ascii"], input=typed)
    plain = CliRunner().invoke(main, ["show", "-"], input=typed)

    assert sized.exit_code == 0, sized.output
    assert sized.stdout.count(".") >= 6
    assert (plain.exit_code, plain.stderr) == (3, "-: nothing there: the text is empty\n")


@pytest.mark.parametrize(
    ("variant", "instead"),
    [
        ("bidding", "; `hsearch bid` keeps its rules"),
        ("random-turn", "; `hsearch bid`"),
        ("alternating", None),
    ],
)
def test_a_game_with_other_turns_gives_a_warning(tmp_path, variant, instead):
    """A command that assumes ordinary turns warns of a game with other turns."""
    file = tmp_path / "game.sgf"
    file.write_text(f"(;FF[4]GM[11]SZ[3]RU[{variant}:x=1];B[a1])")
    for name in ("analyze", "mustplay", "solve", "bid", "show", "thresholds"):
        done = CliRunner().invoke(main, [name, str(file), "--turn", "white"])
        warned = f"a game of {variant}, taken here for one of ordinary turns" in done.stderr
        has_turns = name not in {"bid", "show", "thresholds"}
        assert warned == (instead is not None and has_turns), (name, done.stderr)
        assert not warned or instead in done.stderr


@pytest.mark.parametrize(
    "command", ["evaluate --with fillings", "solve --shortest", "show --moves"]
)
def test_an_error_shows_the_beginning_of_a_long_game(command):
    """A game given as an argument may be long; a line of error names it by its beginning."""
    stones = "][".join(f"{column}7" for column in "abcdefghijklm")
    game = f"(;FF[4]GM[11]SZ[14]AB[{stones}])"
    done = CliRunner().invoke(main, [*command.split(), game, "--turn", "white"])

    assert done.exit_code in {1, 3}
    assert done.stderr.startswith(f"{game[:50]}...: ")


def test_an_error_in_a_file_of_moves_explains_what_a_move_is(tmp_path):
    file = tmp_path / "game.txt"
    file.write_text("c2 S g6")
    done = CliRunner().invoke(main, ["show", str(file)])

    assert done.stderr == (
        f"{file}: 1:4: 'S' is not a move; a move is a cell such as a5, or swap, pass or resign\n"
    )


@pytest.mark.parametrize(
    ("record", "options", "turn"),
    [
        ("(;FF[4]GM[11]SZ[5]AB[a1][b4]AW[c1];B[e5];W[d1])", ("--move", "0"), "black"),
        ("(;FF[4]GM[11]SZ[5];W[c3];B[b2];W[d1])", ("--move", "0"), "white"),
        ("a5 c4", ("--size", "5", "--turn", "white"), "white"),
        ("https://hexworld.org/board/#5c1,a1,b2", ("--move", "2", "--turn", "white"), "white"),
    ],
)
@pytest.mark.parametrize("form", ["--sgf", "--hexworld"])
def test_the_written_position_equals_the_drawn_one(record, options, turn, form):
    """The written position has the turn of the drawn one, also from `--turn` or the next move."""
    drawn, written = show(record, *options), show(record, *options, form)
    again = show("-", stdin=written.stdout)

    assert drawn.exit_code == written.exit_code == again.exit_code == 0
    assert f", {turn} to move" in drawn.stdout
    assert f", {turn} to move" in again.stdout
    boards = [re.sub("[()]", " ", each.stdout.partition("5x5")[0]) for each in (drawn, again)]
    assert boards[0] == boards[1]


SEALED = "(;FF[4]GM[11]SZ[3]RU[dark-classic]XA[eNqLVkoyUtJRgJKJhkqxACTSA9c=])"


@pytest.mark.parametrize("command", ["analyze", "bid", "evaluate", "explain", "solve"])
def test_commands_reject_a_sealed_game_and_show_draws_it(command):
    """Commands refuse a sealed game, whose board is hidden; `show` draws it and says so."""
    result = CliRunner().invoke(main, [command, SEALED])
    shown = show(SEALED)

    assert (result.exit_code, result.stdout) == (3, "")
    assert "sealed while the game goes on; to resume the game, use `hsearch play" in result.stderr
    resumed = re.search("`hsearch (.*)`", result.stderr)[1].replace("FILE", SEALED).split()
    assert CliRunner().invoke(main, resumed).exit_code == 0
    assert shown.exit_code == 0
    assert "sealed" in shown.stdout
    with pytest.raises(ValueError, match="no position: the attempts are sealed"):
        hsearch.Analysis(hsearch.read(SEALED))
    with pytest.raises(ValueError, match="no moves to review: the attempts are sealed"):
        hsearch.review(hsearch.read(SEALED))
