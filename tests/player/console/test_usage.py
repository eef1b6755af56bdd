"""Help fits the terminal, and wrong usage ends in one line that says what to do."""

import re
import subprocess
import sys
from random import Random

import click
import pytest
from click.testing import CliRunner
from commands import verbs
from places import ROOT

from hsearch.hex.board import Board
from player.cli import main
from player.console.options import SizeType
from player.console.usage import COSTS, WIDTH, WrongUsageError, name_value, wrong_usage


def refusal(*words):
    """Return the single line that wrong usage prints."""
    result = CliRunner().invoke(main, words, prog_name="hsearch")

    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr.rstrip("\n")


def command_of(words):
    """Return the command with these words."""
    command = main.get_command(None, words[0])
    return command.commands[words[1]] if len(words) == 2 else command


@pytest.mark.parametrize("words", list(verbs()), ids=" ".join)
def test_every_option_error_is_one_line(words):
    """Each error is one line with the command, the option, the input and what is allowed."""
    begin = f"hsearch {' '.join(words)}: "
    refused = refusal(*words, "--nothing-like-it")

    assert refused.startswith(f"{begin}No such option '--nothing-like-it'")
    for option in command_of(words).params:
        if not isinstance(option, click.Option):
            continue
        name = option.opts[0]
        if option.is_flag:
            if name != "--help":
                assert refusal(*words, f"{name}=3") == f"{begin}{name} takes no value"
            continue
        asked = option.make_metavar(click.Context(command_of(words)))
        if not getattr(option, "_flag_needs_value", False) and not hasattr(option, "complete_args"):
            count = "a value" if option.nargs == 1 else f"{option.nargs} values"
            assert refusal(*words, name) == f"{begin}{name} needs {count}: {name} {asked}"
        if isinstance(option.type, click.types.IntParamType | click.types.FloatParamType):
            for value in ("five", "nan", "5s", "1e999x"):
                refused = refusal(*words, name, *[value] * option.nargs)
                assert refused.startswith(f"{begin}{name}: {value!r} is not a "), refused
                assert "valid" not in refused
        elif isinstance(option.type, click.Choice):
            refused = refusal(*words, name, "x" * 300)
            assert refused.startswith(f"{begin}{name}: '{'x' * 80}...' is not one of '"), refused


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("", None),
        ("nonsense", "hsearch: 'nonsense' is neither a command nor a file; see hsearch --help"),
        ("missing.sgf", "hsearch: 'missing.sgf' is neither a command nor a file; see"),
        ("anlyze a1", "hsearch: No such command 'anlyze'. Did you mean analyze?"),
        ("convert a.sgf", "hsearch: No such command 'convert'. Did you mean show?"),
        ("match hexy tree", "hsearch: No such command 'match'. Did you mean tournament?"),
        ("hint a.sgf", "hsearch: No such command 'hint'. Did you mean analyze?"),
        ("best_moves a.sgf", "hsearch: No such command 'best_moves'. Did you mean analyze?"),
        ("gui", "hsearch: No such command 'gui'. Did you mean board?"),
        ("export a.sgf", "hsearch: No such command 'export'. Did you mean show?"),
        ("analyze a1 -m 1", "hsearch analyze: No such option '-m'. Did you mean --move?"),
        ("show a1 -s 5", "No such option '-s'. Did you mean --sgf or --size or --svg?"),
        ("show a1 -o x.svg", "hsearch show: No such option '-o'; see hsearch show --help"),
        ("dark slove", "hsearch dark: No such command 'slove'. Did you mean solve?"),
        ("template chek", "hsearch template: No such command 'chek'. Did you mean check?"),
        ("-x", "hsearch: No such option '-x'; see hsearch --help"),
        ("--color", "hsearch: --color needs a value: --color [always|never]"),
        ("--color blue show", "hsearch: --color: 'blue' is not one of 'always', 'never'"),
        (
            "explain a1 --color black",
            "'black' is not one of 'always', 'never'; a player is for --for",
        ),
        (
            "show a1 --color white",
            "'white' is not one of 'always', 'never'; a player is for --turn",
        ),
        ("play --color white", "is not one of 'always', 'never'; a player is for --white"),
        ("play --color red", "is not one of 'always', 'never'; a player is for --black"),
        ("explain a1 --color blue", "is not one of 'always', 'never'; a player is for --for"),
        ("mustplay a1 --for black", "No such option '--for'. Did you mean --turn?"),
        ("solve a1 --seconds 3", "No such option '--seconds'. Did you mean --time?"),
        ("gtp --levle 3", "hsearch gtp: No such option '--levle'. Did you mean --level?"),
        (
            "gtp --level x",
            "hsearch gtp: --level: unknown level 'x' (known: 1 Beginner, 2 Novice, 3",
        ),
        ("gtp --level 3 --player hexy", "hsearch gtp: --player and --level exclude each other"),
        ("gtp hexy", "hsearch gtp: 'hexy' is an argument too many: --player NAME chooses who"),
        ("play a.sgf", "'a.sgf' is an argument too many: --resume FILE continues a game, and"),
        ("play --puzzle --grade 3", "hsearch play: --puzzle needs a value: --puzzle FILE"),
        ("explain a1 --between a1 --json", "--between needs 2 values: --between X Y"),
        ("play --white hexy:levle=3", "(known: level, depth, M, K, widths, order, eval, links"),
        ("play --white ab:levle=3", "(known: eval, order, depth, width, opening, nodes)"),
        ("solve a1 --openings 5", "hsearch solve: FILE and --openings exclude each other"),
        ("solve", "hsearch solve: FILE is missing, or --openings N for all openings"),
        ("openings 5 --seed 3", "hsearch openings: --seed is for --balanced N: a map is the same"),
        (
            "a1b2 c3",
            "hsearch: 'a1b2' is neither a command nor a file; hsearch analyze a1b2 analyze",
        ),
        ("solve --openings 5 --size 6", "hsearch solve: --size is about a FILE, and none is given"),
        ("puzzles a.sgf --size 5 --out x.txt", "--size is about engine games: add --from-play N"),
        (
            "solve a1 --size 3 --json --hexboard",
            "hsearch solve: --json and --hexboard exclude each other",
        ),
        (
            "review a1 --size 3 --json --hexworld",
            "hsearch review: --json and --hexworld exclude each other",
        ),
        (
            "evaluate a1 --size 3 --for black",
            "hsearch evaluate: --for needs --svg or --png: it changes a",
        ),
        ("show a1 --id x --game 2", "hsearch show: --id and --game exclude each other: an id"),
        (
            "solve a1 --size 3 --proof ./x --resume x",
            "hsearch solve: --proof and --resume name the same",
        ),
        (
            "tournament ab random --resume x.svg --plot ./x.svg",
            "hsearch tournament: --resume and --plot name the same file: name two",
        ),
        ("experiment 1 --resume x.svg --plot x.svg", "--resume and --plot name the same file"),
        ("review a1 --sgf x.sgf --resume x.sgf", "--sgf and --resume name the same file"),
        ("connections a1 --size 3 --number 2", "--number needs --svg, --png or --between: it"),
        (
            "connections a1 --size 3 --between a1 a2 --json --number 2",
            "--number needs --svg, --png",
        ),
        ("show a1 --inferior --sgf", "--inferior marks a drawing, and goes without --sgf"),
        ("chance --by circuits --games 3", "hsearch chance: --games needs --fit"),
        (
            "chance --by tree --player ab:depth=1 --fit x.json --games 1 --apart 1",
            "hsearch chance: ab:depth=1 searches no tree, which --by tree fits: choose a --player",
        ),
        ("template find --row 3 --length 4", "hsearch template find: --length needs --ladder"),
        (
            "template find --row 3 --ladder 2 --resume x",
            "hsearch template find: --ladder goes without --resume",
        ),
        ("review a1 --jobs two", "hsearch review: --jobs: 'two' is not a whole number from 1 to"),
        ("review a1 --workers=two", "hsearch review: --workers: 'two' is not a whole number"),
        ("tests", "'tests' is neither a command nor a file; hsearch review tests reviews the"),
        (
            "dark show a b",
            "hsearch dark show: 'b' is an argument too many: hsearch dark show [OPTIONS] FILE",
        ),
        ("show", "hsearch show: FILE... is missing, as in: hsearch show positions/"),
        ("template find", "hsearch template find: --row is missing, as in: hsearch template find"),
        ("solve a1 --time -1", "hsearch solve: --time: '-1' is not a number from 0 up"),
        ("bid a1 --until-error 2", "--until-error: '2' is not a number above 0, up to 1"),
        (
            "play --level 0",
            "hsearch play: --level: unknown level '0' (known: 1 Beginner, 2 Novice, 3",
        ),
        ("play --level 3 --depth 2", "hsearch play: --level and --depth exclude each other; both"),
        ("openings five", "hsearch openings: N: 'five' is not a whole number from 1 to 19"),
        (
            "openings --size 5",
            "hsearch openings: No such option '--size'; see hsearch openings --help",
        ),
        ("analyze a1 --moves 3", "No such option '--moves'. Did you mean --move?"),
        ("play --time-limit 5", "No such option '--time-limit'. Did you mean --time?"),
        ("play --opponent hexy", "No such option '--opponent'. Did you mean --white?"),
        ("play --engine hexy", "No such option '--engine'. Did you mean --white?"),
        ("learn fit a --resume b --rate 0", "--rate: '0' is not a number above 0, below 1"),
        ("learn fit a --resume b --channels 7", "--channels: '7' is not a whole number from 8 to"),
        ("show a1 --sise 5", "hsearch show: No such option '--sise'. Did you mean --size"),
        ("show a1 --size 5x", "hsearch show: --size: '5x' is not a board size such as 11 or 5x9"),
        ("explain a1 --between a1", "--between needs 2 values: --between X Y"),
        ("bench nothing", "hsearch bench: no row begins with 'nothing'; rows begin with: closure "),
    ],
)
def test_usage_errors_name_the_fault_and_the_remedy(monkeypatch, words, line):
    monkeypatch.chdir(ROOT)
    if line is None:
        result = CliRunner().invoke(main, [])
        assert result.exit_code == 2
        assert "Commands:" in result.stderr
    else:
        assert line in refusal(*words.split())


def test_a_range_is_written_in_words():
    """A range is described in words, with open, closed or missing ends."""
    ranges = {
        "a whole number": click.INT,
        "a number": click.FLOAT,
        "a whole number from 1 up": click.IntRange(1),
        "a whole number up to 9": click.IntRange(None, 9),
        "a whole number from 1 to 1000000000000": click.IntRange(1, 10**12),
        "a number above 0": click.FloatRange(0, min_open=True),
        "a number above 0, up to 0.5": click.FloatRange(0, 0.5, min_open=True),
        "a number from 0 below 1": click.FloatRange(0, 1, max_open=True),
    }
    for wanted, kind in ranges.items():
        option = click.Option(["--x"], type=kind)
        name_value(option)
        with pytest.raises(click.BadParameter) as caught:
            option.type.convert("y", option, None)
        assert caught.value.message == f"'y' is not {wanted}"


def test_newlines_in_a_usage_error_become_spaces():
    """A usage error without a command is one line that begins with the program's name."""
    error = wrong_usage(click.UsageError("no\nsuch\tthing"))

    assert isinstance(error, WrongUsageError)
    assert error.message == "hsearch: no such thing"


def test_every_command_states_its_time_and_memory():
    """The help of each command states its time and memory, naming only its own options."""
    assert set(COSTS) == {" ".join(words) for words in verbs()}
    for words in verbs():
        text = CliRunner().invoke(main, [*words, "--help"]).stdout
        cost = " ".join(text.partition("Time and memory:")[2].partition("Examples:")[0].split())
        names = {name for each in command_of(words).params for name in each.opts}

        assert cost == COSTS[" ".join(words)]
        assert set(re.findall(r"--[a-z-]+", cost)) <= names, words
        assert re.search(r"\d (MB|GB)|Memory by|--memory", cost), words


# A small process runs the command: a child's peak memory includes the parent it was forked from.
MEASURING = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.mark.slow
@pytest.mark.parametrize("words", ["analyze", "show --inferior", "evaluate"])
def test_the_memory_that_is_stated_is_enough(words, tmp_path):
    """The stated memory is enough for the largest board with 150 stones."""
    board = Board(26, 26)
    cells = Random(1).sample([board.name(cell) for cell in board.cells], 150)  # noqa: S311
    (tmp_path / "game.txt").write_text(" ".join(cells))
    command, *more = words.split()
    line = [sys.executable, "-m", "player.cli", command, str(tmp_path / "game.txt"), "--size", "26"]
    measured = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", MEASURING, *line, *more],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    number, unit = re.findall(r"([\d.]+) (MB|GB)", COSTS[command])[-1]

    assert int(measured.stdout) / 1024 < float(number) * {"MB": 1, "GB": 1024}[unit]


def test_help_is_as_wide_as_the_terminal(monkeypatch):
    """Help is as wide as the terminal, up to 100 columns, and never breaks a name at a hyphen."""

    def lines(columns):
        monkeypatch.setenv("COLUMNS", str(columns))
        with main.make_context("hsearch", ["analyze", "a1"]) as context:
            text = command_of(["analyze"]).get_help(
                command_of(["analyze"]).make_context("analyze", ["a1"], parent=context)
            )
        return text.partition("Examples:")[0].splitlines()

    widths = {columns: max(map(len, lines(columns))) for columns in (60, 80, 100, 300)}

    assert widths[60] < widths[80] <= 80 < widths[100] == widths[300] <= WIDTH
    assert not any(line.endswith("-") for line in lines(60))


# The one rule of exit codes: 2 is for what is wrong in the command line by itself, 3 for what is
# wrong in the files, games, positions and templates that it names.

# How a command is given a file to read; {} is the file.
INPUT = """
analyze {}
show {}
explain {}
review {}
puzzles {} --out puzzles.txt
mustplay {}
solve {}
solve a1 --size 3 --parts {}
verify {}
connections {}
template check {}
template show {}
play --resume {}
play --puzzle {}
board {}
tournament random random --size 5 --games 2 --resume new.jsonl --openings {}
tournament random gtp:x,{} tree:net={}
openings 5 --resume {}
evaluate {}
bid {}
thresholds {}
dark verify {}
dark show {}
dark exploit 2 {}
learn play games --net {}
learn gate {} --resume gate
gtp --player tree:net={}
"""
LINES = [line for line in INPUT.split("\n") if line]
# Commands whose arguments are names from a list, sizes or files that are written, and commands
# that need an extra before they read a file.
NOT_READ = {"experiment", "bench", "dark counts", "dark solve"}
NOT_READ |= {"learn cycle", "learn fit", "learn patterns"}


def test_each_command_that_reads_a_file_is_in_the_list():
    """Each command with an argument is tried with a wrong file below, or reads none."""
    with_argument = {
        " ".join(words)
        for words in verbs()
        if any(isinstance(each, click.Argument) for each in command_of(words).params)
    }
    tried = {name for name in with_argument if any(line.startswith(f"{name} ") for line in LINES)}

    assert with_argument - tried == NOT_READ


@pytest.mark.parametrize("line", LINES)
def test_a_file_that_cannot_be_read_is_bad_input(line, tmp_path, monkeypatch):
    """No file, a folder, other bytes and other text end with 3, and one line that names it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "folder.dat").mkdir()
    (tmp_path / "bytes.dat").write_bytes(b"\0\xff\1" * 9)
    (tmp_path / "text.dat").write_text("hello to you all\n")
    for file in ("missing.dat", "folder.dat", "bytes.dat", "text.dat"):
        result = CliRunner().invoke(main, line.replace("{}", file).split(), prog_name="hsearch")
        lines = result.stderr.removesuffix("\n").split("\n")

        assert result.exit_code == 3, (file, result.output)
        assert file in lines[0], result.stderr
        assert len(lines) == 1 or line.startswith("review"), result.stderr


SIZED = [
    (words, param)
    for words in verbs()
    for param in command_of(words).params
    if isinstance(param.type, SizeType) or param.name == "board"
]


@pytest.mark.parametrize(("words", "param"), SIZED)
def test_a_size_that_no_board_has_is_wrong_usage(words, param):
    """A size is checked with the command line, by all commands: it ends with 2."""
    name = [] if isinstance(param, click.Argument) else [param.opts[0]]
    for value in ("99", "5x0", "5y5"):
        refused = refusal(*words, *name, value)

        where = param.opts[0] if name else "BOARD"
        assert refused.startswith(f"hsearch {' '.join(words)}: {where}: "), refused


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("show a9 --size 5", "a9: 1:1: 'a9' is off the 5x5 board"),
        ("show a1 a1 --size 5", "a1 a1: 1:4: illegal move 'a1'"),
        ("show a1 --size 5 --move 9", "a1: no move 9"),
        ("show a1 --size 5 --game 2", "a1: no game 2"),
        ("show positions/puzzles/classic.txt --id none", "positions/puzzles/classic.txt: no "),
        ("explain a1 --size 5 --between a9 west", "a1: --between: 'a9' is off the 5x5 board"),
        ("connections a1 --size 5 --between a9 west", "a1: --between: 'a9' is off the 5x5"),
        ("connections a1 --size 5 --between north west", "a1: north is Black's and"),
        ("connections a1 --size 5 --between a1 a1", "a1: 'a1' twice"),
        ("connections a1 --size 5 --between a2 b3 --within z9", "a1: --within: 'z9' is off the"),
        ("explain a1 --size 5 --between a2 b3", "a1: both ends are empty cells: name the owner"),
        ("explain a1 --size 5 --between north south --intrude z9", "a1: 'z9' is off the 5x5"),
        ("template check zigurat", "zigurat: neither a file nor a template, but ziggurat"),
        ("template show zigurat", "zigurat: not a template, but ziggurat: see `template list`"),
        ("template check ziggurat --resume nowhere", "ziggurat: --resume: "),
        ("template check ziggurat --remove a1", "ziggurat: 'a1' is not all in the carrier"),
    ],
)
def test_what_the_input_does_not_have_is_bad_input(line, message):
    """A cell, a move, a game or a template that is not there ends with 3, and one line."""
    result = CliRunner().invoke(main, line.split(), prog_name="hsearch")

    assert (result.exit_code, result.stderr.count("\n")) == (3, 1), result.output
    assert result.stderr.startswith(message), result.stderr
