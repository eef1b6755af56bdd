"""`hsearch show`: the board, pictures and other formats."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from places import ROOT, needs_full_device

from hsearch import formats
from hsearch.formats import sgf
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from player.cli import main
from player.console.screen import wants_color
from player.variants.dark import seal

SGF = "(;FF[4]GM[11]SZ[4]PB[Ann]PW[Bob];B[a3];W[b2];B[c2];W[d1])"


def show(*arguments, stdin=SGF, **settings):
    """Run `hsearch show -` in this process."""
    return CliRunner().invoke(main, ["show", "-", *arguments], input=stdin, **settings)


def test_show_prints_the_board_and_describes_the_position():
    """The board marks the last stone in brackets, and a line below describes the position."""
    assert show().stdout == (
        "  a b c d\n"
        "1  · · ·(○) 1\n"
        " 2  · ○ ● ·  2\n"
        "  3  ● · · ·  3\n"
        "   4  · · · ·  4\n"
        "       a b c d\n"
        "\n"
        "4x4, black to move; last stone d1; move 4 of 4.\n"
    )


@pytest.mark.parametrize("how", [[], ["--ascii"]])
@pytest.mark.parametrize("game", [SGF, "a2 swap-pieces f6 e8 resign", "b2", "b2 pass", "k11 pass"])
def test_a_printed_board_can_be_read_back(how, game):
    """A printed board reads back as the same board with the same player to move."""
    text = show(*how, stdin=game).stdout
    again = show(*how, stdin=text)

    assert again.exit_code == 0, again.output
    assert again.stdout.splitlines()[:-1] == re.sub(r"\((.)\)", r" \1 ", text).splitlines()[:-1]
    assert ("to move" not in text) or text.splitlines()[-1].split(";")[0] in again.stdout


@pytest.mark.parametrize("options", [["--inferior"], ["--inferior", "--ascii"]])
def test_boards_with_letters_are_refused(options):
    """A board with letters is refused, as a letter may be a stone in another drawing."""
    text = show("--size", "5", *options, stdin="b4 d2 a2").stdout
    result = show(stdin=text)

    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.count("\n") == 1


def test_a_won_game_names_the_winner():
    """A won game names the winner."""
    assert show("--size", "1", stdin="a1").stdout.endswith(
        "1x1, black has won; last stone a1; move 1 of 1.\n"
    )


RECORD = "(;GM[11]SZ[11]RE[{}];B[f6];W[e8])"


@pytest.mark.parametrize(
    ("moves", "state"),
    [
        ("f6 e8 resign", "white has won: black resigned; last stone e8; move 3 of 3."),
        ("f6 resign", "black has won: white resigned; last stone f6; move 2 of 2."),
        (RECORD.format("W+T"), "white has won: black lost on time; last stone e8; move 2 of 2."),
        (RECORD.format("W+R"), "white has won: black resigned; last stone e8; move 2 of 2."),
        (RECORD.format("W+"), "white has won: the record says so; last stone e8; move 2 of 2."),
        (RECORD.format("B+R"), "black to move; last stone e8; move 2 of 2."),  # out of turn
    ],
)
def test_a_game_given_up_names_the_winner(moves, state):
    """A game given up names the winner, and its printed board reads back with a turn."""
    shown = show(stdin=moves).stdout

    assert shown.splitlines()[-1] == f"11x11, {state}"
    assert ("black to move" in show(stdin=shown).stdout) is ("f6 resign" not in moves)
    assert "white to move" in show("--move", "1", stdin=moves).stdout


def test_a_sealed_game_is_shown_with_a_note_on_hidden_attempts():
    """A sealed game of dark Hex is shown with a note that its attempts are hidden."""
    record = sgf.write(seal(Game.of(Board(3, 3), (4, 0))))

    assert show(stdin=record).stdout.splitlines()[-1] == (
        "3x3, black to move; the attempts are sealed while the game goes on."
    )


@pytest.mark.parametrize("form", ["hexworld", "hexboard", "diagram", "moves"])
def test_a_sealed_game_is_written_as_sgf_alone(form):
    """A sealed game is written as SGF only, as another format would hold an empty game."""
    record = sgf.write(seal(Game.of(Board(3, 3), (4, 0))))
    result = show(f"--{form}", stdin=record)

    assert show("--sgf", stdin=record).stdout == record
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.endswith("sealed while the game goes on; --sgf writes any game\n")


def test_a_record_is_sealed_by_xa_and_not_by_xh():
    """A record is sealed by XA, its attempts, and not by XH, the chips of a bidding game."""
    record = sgf.write(seal(Game.of(Board(3, 3), (4, 0))))
    bidding = "(;FF[4]GM[11]SZ[3]RU[bidding]XH[100*][100];PL[B]XB[9][5]XH[91*][109];B[a1])"

    assert "sealed" in show(stdin=record).stdout
    assert "sealed" not in show(stdin=bidding).stdout


def test_a_position_without_a_turn_is_read():
    """A position without a turn is shown, converted, listed and explained, but not solved."""
    text = "B B B . .\n . . W . .\n  . B . . .\n   . . . . .\n    . . . . .\n"
    shown = show(stdin=text)
    converted = {name: show(f"--{name}", stdin=text) for name in ("sgf", "hexboard", "hexworld")}

    assert shown.stdout.splitlines()[-1] == "5x5, black or white to move."
    assert show(stdin=shown.stdout).stdout == shown.stdout
    assert "PL[" not in converted["sgf"].stdout
    assert show(stdin=converted["sgf"].stdout).stdout == shown.stdout
    for name in ("hexboard", "hexworld"):
        again = formats.read(converted[name].stdout).position(turn=Color.BLACK)
        assert again == formats.read(text).position(turn=Color.BLACK)
    for words in (["connections", "-"], ["explain", "-", "--between", "north", "b3"]):
        assert CliRunner().invoke(main, words, input=text).exit_code == 0
    assert "use --turn" in show("--inferior", stdin=text).stdout
    refused = CliRunner().invoke(main, ["solve", "-"], input=text)
    assert (refused.exit_code, "--turn" in refused.stderr) == (3, True)


@pytest.mark.parametrize(("how", "encoding"), [(["--ascii"], "utf-8"), ([], "cp1252")])
def test_without_unicode_the_board_is_ascii(how, encoding):
    """The board is ASCII on request, or if the encoding has no circles."""
    result = CliRunner(charset=encoding).invoke(main, ["show", "-", *how], input=SGF)

    assert result.exit_code == 0
    assert " 2  . W B .  2" in result.stdout


@pytest.mark.parametrize("words", [["show", "-", "--sgf"], ["review", "-", "--json"]])
def test_text_for_programs_is_utf_8(words):
    """SGF names its encoding and JSON has one, whatever the locale."""
    text = "(;FF[4]GM[11]SZ[2]PB[Иван]PW[Böb];B[a1];W[b1];B[a2])"
    result = CliRunner(charset="cp1252").invoke(main, words, input=text.encode())

    assert result.exit_code == 0
    assert "Иван" in result.stdout_bytes.decode("utf-8")
    assert words[0] == "review" or formats.read(result.stdout_bytes).players == ("Иван", "Böb")


def test_colors_change_no_character():
    """Colors add escape sequences and a legend, and change no other character."""
    colored = show("--color", "always", color=True).stdout

    assert "\x1b[" in colored
    bare = re.sub(r"\x1b\[[0-9;]*m", "", colored)
    explained = "\n● Black joins top and bottom   ○ White joins left and right\n"
    assert bare.replace(explained, "", 1) == show("--color", "never").stdout
    assert explained in bare


@pytest.mark.parametrize(
    ("choice", "environment", "is_terminal", "colored"),
    [
        (None, {}, True, True),
        (None, {}, False, False),
        (None, {"TERM": "dumb"}, True, False),
        (None, {"NO_COLOR": "1"}, True, False),
        (None, {"NO_COLOR": ""}, True, True),
        (None, {"FORCE_COLOR": "1"}, False, True),
        (None, {"CLICOLOR_FORCE": "1", "TERM": "dumb"}, False, True),
        (None, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("always", {"NO_COLOR": "1", "TERM": "dumb"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_color_depends_on_option_environment_and_terminal(
    choice, environment, is_terminal, colored
):
    """Color depends on the option, NO_COLOR, FORCE_COLOR, TERM and the terminal, in this order."""
    assert wants_color(choice, environment, is_terminal=is_terminal) is colored


@pytest.mark.parametrize("name", ["sgf", "hexworld"])
@pytest.mark.parametrize("moves", [4, 2, 0])
def test_other_formats_hold_the_same_game(name, moves):
    """Each format reads back as the same position, also with --move."""
    text = show(f"--{name}", "--move", str(moves)).stdout
    expected = formats.read(SGF).position(moves)

    assert formats.read(text).position() == expected


def test_hexboard_shows_the_stones():
    """`--hexboard` writes the stones in the notation of HexWiki."""
    text = show("--hexboard").stdout

    assert text.startswith("<hexboard")
    assert formats.read(text).position() == formats.read(SGF).position()


@pytest.mark.parametrize("option", ["--sgf", "--moves", "--hexworld"])
def test_moves_a_link_has_taken_back_are_omitted_with_a_warning(option):
    """Moves that a link has taken back are left out with a warning, unless --move is given."""
    link = "https://hexworld.org/board/#5,a3b4,c3"
    cut, whole = show(option, stdin=link), show(option, "--move", "3", stdin=link)
    asked, drawn = show(option, "--move", "2", stdin=link), show("--hexboard", stdin=link)

    assert cut.stderr == (
        "warning: -: the link stands after move 2 of 3, and the rest is left out: "
        "--move 3 writes it, too\n"
    )
    assert len(formats.read(whole.stdout, size=5).moves) == 3
    assert asked.stdout == cut.stdout
    assert whole.stderr == asked.stderr == drawn.stderr == ""


BIDS = "(;GM[11]SZ[3]RU[bidding]XH[100*][100];PL[B]XB[17][12]XH[83*][117];B[b2])"
NOTED = "(;GM[11]SZ[5]C[played at home];B[c3]C[good]TR[c3];W[b4](;B[d2])(;B[a1];W[a2]))"


@pytest.mark.parametrize(
    ("stdin", "option", "what"),
    [
        (
            NOTED,
            "--hexworld",
            "comments, marks and variations are left out: --hexworld writes none; ",
        ),
        (NOTED, "--hexboard", "comments, marks and variations are left out: --hexboard writes "),
        (NOTED, "--diagram", "comments, marks and variations are left out: --diagram writes none"),
        (NOTED, "--moves", "comments, marks and variations are left out: --moves writes "),
        (NOTED, "--moves --move 2", "comments and marks are left out"),
        (NOTED, "--hexworld --move 0", ""),
        ("(;GM[11]SZ[5]C[played at home];B[c3])", "--hexworld", ""),
        ("(;GM[11]SZ[5];B[c3](;W[b4];B[d2])(;W[a2]))", "--sgf --move 2", "variations are left out"),
        ("(;GM[11]SZ[5];B[c3](;W[b4];B[d2])(;W[a2]))", "--sgf --move 1", ""),
        (NOTED, "--sgf", ""),
        ("a1 {good} b2", "--moves --size 3", "comments are left out"),
        (SGF, "--hexworld", "names are left out: --hexworld writes none; --sgf does"),
        (SGF, "--hexworld --move 2", ""),
        (SGF, "--diagram", ""),
        (SGF, "--sgf", ""),
        ("(;GM[11]SZ[3]RE[W+R];B[b2])", "--moves", "the result is left out: --moves writes none"),
        ("(;GM[11]SZ[3]PB[Ann]RE[W+R];B[b2])", "--moves", "names and the result are left out"),
        ("(;GM[11]SZ[3]RE[W+R];B[b2];W[a1])", "--moves --move 1", ""),
        ("(;GM[11]SZ[3]RE[W+R];B[b2];W[a1];B[resign])", "--moves", ""),
        ("(;GM[11]SZ[2]RE[B+];B[a1];W[b1];B[a2])", "--hexworld", ""),
        (BIDS, "--moves", "bids are left out: --moves writes none; --sgf does"),
        (BIDS, "--diagram", "bids are left out: --diagram writes none; --sgf does"),
    ],
)
def test_content_a_format_cannot_hold_is_omitted_with_a_warning(stdin, option, what):
    """One warning names the annotations, names, results or bids that a format cannot hold."""
    result = show(*option.split(), stdin=stdin)

    assert result.exit_code == 0
    assert result.stderr.startswith(f"warning: -: {what}" if what else "")
    assert result.stderr.count("\n") == bool(what)
    failed = show("--moves", stdin="(;GM[11]SZ[5]AB[a1];W[b2]C[good])")
    assert failed.stderr == "-: a move list holds no stones set up by hand; --sgf writes any game\n"


def test_formats_exclude_each_other():
    """Two output formats at once are wrong usage."""
    result = show("--sgf", "--hexworld")

    assert result.exit_code == 2
    assert "--sgf" in result.stderr
    assert "--hexworld" in result.stderr


def test_a_picture_is_written_to_a_file(tmp_path):
    """A picture is written to its file, titled with the players, and nothing is printed."""
    out = tmp_path / "board.svg"
    result = show("--svg", str(out))
    root = ET.parse(out).getroot()  # noqa: S314 - our own text

    assert (result.exit_code, result.output) == (0, "")
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "Ann - Bob, after move 4"


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        pytest.param(
            *("/dev/full", 1, "/dev/full: cannot be written: No space left on device"),
            marks=needs_full_device,
        ),
        ("no/board.svg", 2, "--svg: no/board.svg: there is no folder no"),
        ("file/board.svg", 2, "--svg: file/board.svg: there is no folder file"),
    ],
)
def test_a_picture_that_cannot_be_written_is_a_failure(tmp_path, monkeypatch, name, code, words):
    """There is one line, and no work is done for a file whose folder is missing."""
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    result = show("--svg", name)

    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.endswith(f"{words}\n")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("option", ["--sgf", "--hexworld", "--hexboard"])
def test_written_formats_end_with_exactly_one_newline(option):
    """Written formats end with exactly one newline."""
    text = show(option).stdout

    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_inferior_cells_are_marked(tmp_path):
    """Inferior cells have letters on the board and in the picture, and a line per kind."""
    out = tmp_path / "board.svg"
    words = ["show", "-", "--size", "5", "--inferior", "--ascii"]
    result = CliRunner().invoke(main, words, input="b4 d2 a2")

    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "  a b c d e",
        "1  b b b b w  1",
        " 2 (B)v r W w  2",
        "  3  r . . r v  3",
        "   4  v B r - -  4",
        "    5  b b v . v  5",
        "        a b c d e",
        "",
        "5x5, white to move; last stone a2; move 3 of 3.",
        "b  captured by black, as good as black stones: a1 b1 c1 d1 a5 b5",
        "w  captured by white, as good as white stones: e1 e2",
        (
            "   to count one as a stone, reply inside its carrier: a1 b1 for a1 b1; "
            "a1 b1 c1 d1 for c1 d1; e1 e2 for e1 e2; a5 b5 for a5 b5"
        ),
        "v  vulnerable, a reply makes white's move dead: b2(c2) e3(d4) a4(b3) c5(d5) e5(d5)",
        "r  reversible, a reply undoes white's move: c2(b3) a3(b3) d3(e3) c4(e4)",
        "-  dominated, white has a better move: d4(c3) e4(c3)",
    ]
    CliRunner().invoke(main, [*words, "--svg", str(out)], input="b4 d2 a2")
    svg = out.read_text()
    assert all(f">{letter}<" in svg for letter in "bwvr-")


def test_show_reports_a_board_without_inferior_cells():
    """A board without inferior cells says so."""
    words = ["show", "-", "--size", "5", "--inferior"]
    result = CliRunner().invoke(main, words, input="c3")

    assert result.stdout.splitlines()[-1].startswith("-  dominated")
    result = CliRunner().invoke(main, ["show", "-", "--size", "1", "--inferior"], input="a1")
    assert result.stdout.splitlines()[-1] == "No inferior cells are known."


@pytest.mark.parametrize("name", formats.WRITTEN)
def test_every_format_that_is_written_is_an_option(name):
    game = formats.read(SGF)
    value = game.position() if name in {"hexboard", "diagram"} else game

    assert show(f"--{name}").stdout == formats.write(value, name)


@pytest.mark.parametrize("form", ["hexboard", "diagram"])
def test_a_written_position_names_the_turn_that_its_stones_do_not_give(form):
    """After a swap, and with --turn; `solve` then solves for the same player."""
    written = show(f"--{form}", "--size", "4", stdin="a2 swap-pieces d3 c4 d1").stdout

    assert written.endswith("\nWhite to move\n")
    assert formats.read(written).position().turn is Color.WHITE
    turned = show(f"--{form}", "--size", "3", "--turn", "black", stdin="a1").stdout
    assert turned.endswith("\nBlack to move\n")
    assert "to move" not in show(f"--{form}", "--size", "3", stdin="a1").stdout


@pytest.mark.parametrize("command", ["show", "connections", "explain", "analyze", "solve"])
def test_the_help_of_each_command_lists_the_accepted_inputs(command):
    text = " ".join(CliRunner().invoke(main, [command, "--help"]).stdout.split())

    assert "a HexWorld link or a list of moves, `-` for stdin, or the link or the moves" in text


def test_the_page_offers_every_format_that_is_written():
    """The page's menu, a second list in JavaScript, has every format that is written."""
    menu = (ROOT / "player/board/static/panels/files.js").read_text()

    assert set(re.findall(r"""\n  \["[^"]+", "(\w+)\"""", menu)) == {*formats.WRITTEN}
