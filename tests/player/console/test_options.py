"""Options shared by several commands have the same spelling and meaning in all of them."""

import re

import click
import pytest
from click.testing import CliRunner
from commands import verbs

from player.cli import main
from player.console.options import OutPath, OutputFile

PROCESSES = {"--workers", "--jobs"}


def spellings(words):
    """Yield the spellings of each option of a command."""
    command = main.get_command(None, words[0])
    if len(words) == 2:
        command = command.commands[words[1]]
    yield from (set(each.opts) for each in command.params if isinstance(each, click.Option))


def test_commands_accept_both_spellings_of_the_process_count():
    """Each command that takes a number of processes accepts both spellings of the option."""
    found = {
        tuple(words): names & PROCESSES
        for words in verbs()
        for names in spellings(words)
        if names & PROCESSES
    }

    assert len(found) > 8
    assert {words for words, names in found.items() if names != PROCESSES} == set()


# Options that take different kinds of value in different commands, as their help says.
APART = {"--balanced", "--chips", "--openings", "--player", "--resume", "--sgf", "--size"}


def test_an_option_takes_the_same_type_in_all_commands():
    """An option takes the same kind of value in all commands, apart from those in APART."""
    kinds = {}
    for words in verbs():
        command = main.get_command(None, words[0])
        command = command.commands[words[1]] if len(words) == 2 else command
        for each in command.params:
            if isinstance(each, click.Option):
                taken = "" if each.is_flag else each.make_metavar(click.Context(command))
                kinds.setdefault(each.opts[0], {}).setdefault(taken, []).append(words)

    assert {name for name, taken in kinds.items() if len(taken) > 1} == APART
    assert set(kinds["--color"]) == {"[always|never]"}
    assert set(kinds["--time"]) == {"SECONDS"}
    assert set(kinds["--for"]) == {"BLACK|WHITE"}
    assert {("explain",), ("connections",)} < set(map(tuple, kinds["--color"]["[always|never]"]))


@pytest.mark.parametrize("command", ["explain", "connections", "show"])
def test_colors_can_be_forced(command):
    """Commands that draw a board accept `--color always` and `--color never`."""
    ends = () if command == "show" else ("--for", "black", "--between", "b2", "north")
    words = [command, "b2", "--size", "3", *ends, "--color"]
    plain, colored = (CliRunner().invoke(main, [*words, how]) for how in ("never", "always"))

    assert (plain.exit_code, colored.exit_code) == (0, 0), plain.output + colored.output
    assert "\x1b[" not in plain.stdout
    assert "\x1b[" in colored.stdout


GOES_ON = {"--resume"}  # the command reads an old file itself
FOREIGN = {
    ".svg": b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0"/></svg>',
    ".png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    ".html": b"<!doctype html>\n<html><body>Ana's page</body></html>",
    ".sgf": b"(;FF[4]GM[11]SZ[11]PB[Hexy]PW[Queenbee]RE[B+];B[a10];W[f6])",
    ".json": b'{"mine": true}',
    ".csv": b"name,points\nAna,3\n",
    "": b"a diary\n",
}


def writing():
    """Yield the words and type of each option that names a file to write."""
    for words in verbs():
        command = main.get_command(None, words[0])
        command = command.commands[words[1]] if len(words) == 2 else command
        for each in command.params:
            is_path = isinstance(each, click.Option) and isinstance(each.type, click.Path)
            if is_path and each.type.file_okay and not each.type.exists:
                yield [*words, each.opts[0]], each.type


def test_options_that_write_files_check_for_existing_files():
    found = list(writing())

    assert len(found) > 25
    assert [
        words
        for words, kind in found
        if not isinstance(kind, OutputFile) and words[-1] not in GOES_ON
    ] == []


@pytest.mark.parametrize("words", [words for words, kind in writing() if words[-1] not in GOES_ON])
def test_a_file_of_another_kind_is_left_as_it_is(tmp_path, words):
    """A file of another kind is left unchanged, and the error offers --force."""
    (option,) = (option for other, option in writing() if other == words)
    endings = option.kind.endings
    for ending, content in FOREIGN.items():
        name = f"mine{endings[0] if endings and ending != '' else ''}"
        file = tmp_path / name
        file.write_bytes(content)
        result = CliRunner().invoke(main, [*words, str(file)])

        assert result.exit_code == 2
        assert f"was not written by {words[-1]} and is left as it is" in result.stderr
        assert "--force" in result.stderr
        assert file.read_bytes() == content


@pytest.mark.parametrize(
    ("words", "ending"),
    [
        ("analyze a1 --svg", ".png"),
        ("analyze a1 --png", ".svg"),
        ("review a1 --svg", ".png"),
        ("review a1 --html", ".sgf"),
        ("review a1 --sgf", ".html"),
        ("solve a1 --proof", ".svg"),
        ("play --record", ".png"),
    ],
)
def test_an_ending_of_another_format_is_refused(tmp_path, words, ending):
    result = CliRunner().invoke(main, [*words.split(), str(tmp_path / f"x{ending}")])

    assert result.exit_code == 2
    assert f"does not write {ending} files: use " in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [words for words, each in writing() if words[-1] not in GOES_ON and each.kind.endings],
)
@pytest.mark.parametrize("ending", [".txt", ".foo"])
def test_a_rejected_ending_is_reported_with_the_possible_ones(tmp_path, words, ending):
    """A file name whose ending is not of the format is refused with the possible endings."""
    result = CliRunner().invoke(main, [*words, str(tmp_path / f"x{ending}")])

    assert result.exit_code == 2
    assert f"{words[-1]} does not write {ending} files: use ." in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_dash_is_not_an_output_file(tmp_path, monkeypatch):
    """A dash is refused as a file to write: nobody means a file of that name."""
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["show", "b2", "--svg", "-"], prog_name="hsearch")

    assert (done.exit_code, list(tmp_path.iterdir())) == (2, [])
    assert done.stderr == (
        "hsearch show: --svg: '-' is not the name of a file: for stdout use /dev/stdout\n"
    )
    done = CliRunner().invoke(main, ["review", "b2", "--resume", "-"], prog_name="hsearch")
    assert (done.exit_code, list(tmp_path.iterdir())) == (2, [])
    assert done.stderr.endswith("--resume: '-' is not the name of a file: choose another\n")


READS_STDIN = {("verify", "files"), ("dark", "verify", "files")}


def paths():
    """Yield each parameter that takes a path, with its command's words as the id."""
    for words in verbs():
        command = main.get_command(None, words[0])
        command = command.commands[words[1]] if len(words) == 2 else command
        for each in command.params:
            if isinstance(each.type, click.Path) and (*words, each.name) not in READS_STDIN:
                yield pytest.param(each, id=" ".join((*words, each.name)))


@pytest.mark.parametrize("parameter", list(paths()))
def test_a_dash_or_an_empty_name_is_rejected_as_a_path(parameter):
    kind = parameter.type
    what = "file( or folder)?" if kind.file_okay else "folder"
    with pytest.raises(click.BadParameter, match=f"^'-' is not the name of a {what}: "):
        kind.convert("-", parameter, None)
    with pytest.raises(click.BadParameter, match=f"^the name of a {what} is empty$"):
        kind.convert("", parameter, None)


def test_a_file_to_write_has_no_name_of_a_folder():
    """`--svg name/` was written into a file `name`."""
    kinds = [each.values[0] for each in paths() if isinstance(each.values[0].type, OutPath)]

    refusal = r"^'name/' is the name of a folder: name a file"
    assert len(kinds) > 30
    for parameter in kinds:
        with pytest.raises(click.BadParameter, match=refusal):
            parameter.type.convert("name/", parameter, None)


@pytest.mark.parametrize(
    "words", ["verify", "review", "analyze", "puzzles --out x.txt", "dark verify"]
)
def test_a_second_use_of_stdin_is_rejected(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, [*words.split(), "-", "-"], input="a1 b2", prog_name="hsearch")

    command = words.removesuffix(" --out x.txt")
    said = f"hsearch {command}: '-' is stdin, which is read once: name it once\n"
    assert (done.exit_code, done.stdout, list(tmp_path.iterdir())) == (2, "", [])
    assert done.stderr == said


def test_an_svg_file_needs_no_extension(tmp_path):
    for name in ("drawn", "drawn-0.5"):
        words = ["show", "a1", "--size", "3", "--svg", str(tmp_path / name)]
        assert CliRunner().invoke(main, words).exit_code == 0

        assert (tmp_path / name).read_text().startswith("<svg ")


def test_options_overwrite_foreign_files_only_with_force(tmp_path):
    """An option overwrites its own output, an empty file or a device; the rest needs --force."""
    for words in (
        ("analyze", "b2", "--size", "3", "--svg", "a.svg"),
        ("analyze", "b2", "--size", "3", "--png", "a.png"),
        ("review", "b2 a1", "--size", "3", "--effort", "quick", "--svg", "r.svg"),
        ("review", "b2 a1", "--size", "3", "--effort", "quick", "--html", "r.html"),
        ("review", "b2 a1", "--size", "3", "--effort", "quick", "--sgf", "r.sgf"),
        ("solve", "b2", "--size", "3", "--proof", "p.proof"),
    ):
        file = tmp_path / words[-1]
        for _ in range(2):
            result = CliRunner().invoke(main, [*words[:-1], str(file)])
            assert result.exit_code == 0, result.output
        file.write_bytes(b"")
        assert CliRunner().invoke(main, [*words[:-1], str(file)]).exit_code == 0
        file.write_bytes(b"a diary")
        assert CliRunner().invoke(main, [*words[:-1], str(file)]).exit_code == 2
        assert CliRunner().invoke(main, [*words[:-1], str(file), "--force"]).exit_code == 0
        assert file.read_bytes() != b"a diary"
    result = CliRunner().invoke(main, ["analyze", "b2", "--size", "3", "--svg", "/dev/null"])
    assert result.exit_code == 0


# The commands that store a run, and those that only resume.
RUNS = {
    ("solve",),
    ("openings",),
    ("tournament",),
    ("review",),
    ("experiment",),
    ("template", "find"),
    ("dark", "solve"),
    ("learn", "fit"),
    ("learn", "gate"),
    ("learn", "patterns"),
}
RESUMED = {("play",), ("template", "check")}


def test_a_run_is_stored_and_resumed_by_one_option():
    """Each command that stores a run does so by `--resume`, which has no other name."""
    stored = {
        tuple(words): names
        for words in verbs()
        for names in spellings(words)
        if "--resume" in names
    }

    assert {*stored} == RUNS | RESUMED
    assert all(names == {"--resume"} for names in stored.values())


WORDS_OF_CLICK = re.compile(r"\b(INTEGER|FLOAT|TEXT)\b|\bRANGE\b")


@pytest.mark.parametrize("words", [*verbs()], ids=" ".join)
def test_the_help_has_no_type_names_of_click(words):
    """No help names a value by a type of click, such as INTEGER."""
    text = CliRunner().invoke(main, [*words, "--help"]).stdout

    assert not WORDS_OF_CLICK.search(text)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("solve", "a1", "--time", "5s"), "--time: '5s' is not a number from 0 up"),
        (("solve", "a1", "--time", "nan"), "--time: 'nan' is not a number from 0 up"),
        (("bid", "a1", "--time", "NaN"), "is not a number"),
        (("review", "a1", "--time", "inf"), "--time: 'inf' is not a number above 0"),
        (("tournament", "ab", "random", "--time", "1e999"), "'1e999' is not a number from 0.01 up"),
        (("dark", "solve", "2x2", "--power", "nan"), "--power: 'nan' is not a number"),
        (("analyze", "a1", "--move", "x.sgf"), "--move: 'x.sgf' is not a whole number from 0 up"),
        (("openings", "five"), "N: 'five' is not a whole number from 1 to 19"),
    ],
)
def test_values_that_are_not_numbers_are_wrong_usage(words, told):
    """A value that is not a number is wrong usage; `nan` once passed every range.

    JSON, in which results are written, has no infinite number.
    """
    result = CliRunner().invoke(main, words)

    assert result.exit_code == 2
    assert told in result.stderr


def test_a_whole_number_may_be_larger_than_any_float():
    """It is in the range or not, as any other."""
    large = "9" * 400
    past = CliRunner().invoke(main, ["show", "a1", "--size", "3", "--move", large])
    seed = CliRunner().invoke(main, ["openings", "3", "--balanced", "1", "--seed", large])
    games = CliRunner().invoke(main, ["tournament", "ab", "random", "--games", large])

    budget = CliRunner().invoke(main, ["explain", "a1", "--between", "a1", "b2", "--budget", large])

    assert (past.exit_code, seed.exit_code, games.exit_code) == (3, 0, 2)
    assert "from 1 to 1000000000000\n" in budget.stderr  # a kernel has words of 64 bits
    assert "from 1 to 1000000000" in games.stderr


def test_a_folder_that_may_not_be_written_is_reported_before_the_work(tmp_path, monkeypatch):
    """No work is done for a file or a folder there; a file that a link names is elsewhere."""
    shut, link = tmp_path / "shut", tmp_path / "link.svg"
    shut.mkdir()
    link.symlink_to(shut / "x.svg")
    monkeypatch.setattr("os.access", lambda file, _how: str(file) != str(shut))
    lines = []
    for words in (
        ("solve", "a1", "--size", "3", "--proof", str(shut / "x.proof")),
        ("show", "a1", "--size", "3", "--svg", str(link)),
        ("openings", "3", "--save", str(shut)),
        ("review", "a1", "--size", "3", "--proofs", str(shut)),
    ):
        done = CliRunner().invoke(main, words)
        assert (done.exit_code, done.stdout) == (1, "")
        lines.append(done.stderr)

    assert lines == [
        f"{shut}/x.proof: cannot be written: no permission in {shut}\n",
        f"{link}: cannot be written: no permission in {shut}\n",
        f"{shut}: cannot be written: no permission\n",
        f"{shut}: cannot be written: no permission\n",
    ]
    assert [*shut.iterdir()] == []


def test_a_player_with_a_decimal_is_not_the_file_of_an_option(tmp_path):
    """`--openings` of `tournament` takes the next word for its file only if it is like one."""
    words = ["tournament", "random", "--size", "5", "--resume", str(tmp_path / "rows")]
    player = CliRunner().invoke(main, [*words, "--openings", "ab:depth=1,width=0.5"])
    file = CliRunner().invoke(main, [*words, "--openings", "none.list"])

    assert "'width=0.5' in 'ab:depth=1,width=0.5'" in player.stderr or player.exit_code == 2
    assert (file.exit_code, file.stderr) == (3, "none.list: No such file or directory\n")


def test_a_folder_that_was_deleted_is_named(tmp_path, monkeypatch):
    """The system names no file where the current folder is gone."""
    monkeypatch.chdir(tmp_path)
    tmp_path.rmdir()
    done = CliRunner().invoke(main, ["play", "--size", "3", "--white", "human"], input="a1\n")

    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "the current folder no longer exists: change to another\n"


def test_a_word_of_several_may_be_in_any_case():
    """The command gets the word as the help has it."""
    words = ("connections", "b2", "--size", "3", "--between", "b2", "top")
    upper, lower = (
        CliRunner().invoke(main, [*words, "--kind", kind, "--format", name])
        for kind, name in (("FULL", "Moves"), ("full", "moves"))
    )

    assert (upper.exit_code, upper.stdout) == (0, lower.stdout)
