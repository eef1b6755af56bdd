"""How a command chooses its position: number of moves, turn and board."""

import json

import pytest
from click.testing import CliRunner
from test_cli_reading import show

from player.cli import main


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "white to move; last stone c1; move 3 of 3."),
        (["--move", "2"], "black to move; last stone b1; move 2 of 3."),
        (["--move", "0"], "4x4, black to move."),
        (["--turn", "black"], "black to move; last stone c1; move 3 of 3."),
    ],
)
def test_move_counts_moves_and_turn_overrides_the_record(options, words):
    """`--move` counts moves, and `--turn` overrides the record."""
    result = show("-", *options, stdin="(;GM[11]SZ[4];B[a1];W[b1];B[c1])")

    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].endswith(words)


def test_a_turn_that_contradicts_the_file_gives_one_warning():
    """A `--turn` that contradicts the record gives one warning; one that agrees gives none."""
    game = "(;GM[11]SZ[4];B[a1])"
    against, along = (show("-", "--turn", word, stdin=game) for word in ("red", "blue"))

    assert against.stderr == "warning: -: the record has white to move; by --turn it is black\n"
    assert along.stderr == ""


def test_solve_and_review_reject_a_position_of_unknown_turn():
    """A command that needs the turn refuses a position that does not determine it."""
    text = "B B B\n . . .\n"
    asked, told = (
        CliRunner().invoke(main, ["solve", "-", *more], input=text)
        for more in ((), ("--turn", "white"))
    )

    assert (asked.exit_code, asked.stdout) == (3, "")
    assert asked.stderr.endswith(
        "do not determine who is to move: use --turn black or --turn white\n"
    )
    assert told.exit_code == 0
    reviewed = CliRunner().invoke(main, ["review", "-"], input=text)
    assert reviewed.stderr.endswith("who is to move: PL[B] or PL[W] in the SGF sets it\n")


@pytest.mark.parametrize(
    ("words", "lost"),
    [
        ("bid", {"turn"}),
        ("bid --chips 20 7*", {"turn", "bid"}),
        ("thresholds", {"turn"}),
        ("evaluate", {"turn"}),
        ("evaluate --with hexy", {"turn"}),
    ],
)
def test_an_unknown_turn_nulls_only_the_fields_that_depend_on_it(words, lost):
    """Where the turn hardly matters, only the fields that depend on it are null."""

    def run(*more):
        done = CliRunner().invoke(
            main, [*words.split(), "-", *more], input=". B B\n . B .\n W . .\n"
        )
        assert (done.exit_code, done.stderr) == (0, "")
        return done.stdout

    def flat(*more):
        found = json.loads(run("--json", *more))
        return found | found.pop("position")

    unknown, black, white = flat(), flat("--turn", "black"), flat("--turn", "white")
    assert {name for name in unknown if unknown[name] is None and black[name] is not None} == lost
    assert {name for name in unknown if black[name] != white[name]} == lost
    assert all(unknown[name] == black[name] for name in set(unknown) - lost)
    said, told = run().splitlines(), run("--turn", "black").splitlines()
    assert len(set(said) ^ set(told)) <= 4  # the turn, and the next command


@pytest.mark.parametrize(
    "words", ["bid --balanced", "evaluate --with hexy --svg x.svg", "evaluate --with own.py:mover"]
)
def test_an_unknown_turn_is_rejected_if_the_result_depends_on_it(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text("def mover(position):\n    return float(position.turn)\n")
    done = CliRunner().invoke(main, [*words.split(), "-"], input="B B B\n . . .\n")

    assert (done.exit_code, done.stdout) == (3, "")
    assert done.stderr.endswith(
        "do not determine who is to move: use --turn black or --turn white\n"
    )
    assert not (tmp_path / "x.svg").exists()


def test_a_move_number_after_the_end_is_bad_input():
    """A `--move` after the end is bad input, and the message says how many moves there are."""
    result = show("-", "--move", "9", stdin="a1 b2 c3")

    assert result.exit_code == 3
    assert "9" in result.stderr
    assert "3 moves" in result.stderr


@pytest.mark.parametrize(
    ("size", "code"),
    [
        ("5", 0),
        ("5x9", 0),
        ("19X19", 0),
        ("0", 2),
        ("1000", 2),
        ("1x1000", 2),
        ("big", 2),
        ("5x", 2),
    ],
)
def test_only_valid_sizes_of_move_lists_are_accepted(size, code):
    """A malformed size, and one that no board has, is wrong usage."""
    result = show("-", "--size", size, stdin="a1 b2")

    assert result.exit_code == code
    assert (size.lower() in result.stdout) == (code == 0)


SIZED = [
    *("analyze a1", "mustplay a1", "show a1", "solve a1", "evaluate a1", "bid a1", "review a1"),
    *("explain a1 --between a1 north", "connections a1", "thresholds a1", "warm", "play", "board"),
    *("tournament random ab:depth=1", "puzzles --from-play 1 --out new", "learn play new"),
]


@pytest.mark.parametrize("words", SIZED)
def test_each_command_rejects_an_impossible_board_size(tmp_path, monkeypatch, words):
    """Each command refuses an impossible board size in one line and writes nothing."""
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, [*words.split(), "--size", "27"])

    assert (result.exit_code, result.stdout, list(tmp_path.iterdir())) == (2, "", [])
    assert result.stderr.count("\n") == 1
    assert result.stderr.endswith("--size: board size out of range: 27x27 (1x1 to 26x26)\n")


@pytest.mark.parametrize("option", [["--move", "-1"], ["--turn", "green"], ["--format", "png"]])
def test_impossible_options_are_wrong_usage(option):
    """Impossible options are wrong usage, and the message names the option."""
    result = show("-", *option, stdin="a1")

    assert result.exit_code == 2
    assert option[0] in result.stderr


@pytest.mark.parametrize("content", ["(;GM[11]SZ[4];B[a1])", "B . . .\n" + ". . . .\n" * 3])
def test_the_board_of_a_file_overrides_the_size_option(content):
    """The file's board overrides `--size`, with one warning if they differ."""
    warned, silent = (show("-", "--size", size, stdin=content) for size in ("11", "4"))

    assert warned.exit_code == 0
    assert warned.stderr == "warning: -: the board is 4x4; --size is for move lists alone\n"
    assert warned.stdout == silent.stdout
    assert silent.stderr == ""
