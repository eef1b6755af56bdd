"""The README and the pages in `docs` show what the program prints today."""

import re
import shlex
import subprocess
import sys
import tokenize
from functools import cache

import pytest
from click.testing import CliRunner
from documents import PAGES, README, ROOT, TOLD
from golden_lines import GOLDENS
from nightly import NIGHTLY

from hsearch import formats
from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from hsearch.render import text
from hsearch.render.text import Marks
from player.cli import main

SILENT = {"", "compiling kernels, kept for later runs ...\n"}
GAME = "positions/games/london-2000-queenbee-hexy.sgf"


def test_the_first_board_of_the_readme_matches_the_program():
    """The first picture shows the center stone on 5x5 with the carrier of its win."""
    position = Position.of(Board(5, 5), black="c3", turn=Color.WHITE)
    carrier = ConnectionAnalysis(position).edge_connection(Color.BLACK).carrier
    lines = text.plain(text.board(position, Marks(shade=carrier))).splitlines()

    shown = README.split("```")[0]
    for line in lines:
        assert f"    {line.rstrip()}" in shown, line


def test_the_first_command_prints_what_is_shown():
    """The block below the set-up command is what it prints, except the line with the time."""
    command = re.search(r"install .*/hsearch (analyze \S+ --move 50)$", README, re.MULTILINE)[1]
    file, *options = command.split()[1:]
    done = CliRunner().invoke(main, ["analyze", str(ROOT / file), *options])
    printed = [line.rstrip() for line in done.stdout.splitlines() if not line.startswith("Time:")]
    printed[-1] = printed[-1].replace(f"{ROOT}/", "")

    assert "\n".join(printed) in README


def test_the_first_page_starts_in_three_lines_on_each_system(monkeypatch):
    """The lines are the same on each system, and the last one prints the winner."""
    page = PAGES["docs/index.md"].split("## Install")[1].split("## ")[0]
    posix, windows = (block.split("\n", 1)[1].split("\n") for block in page.split("```")[1:4:2])
    words = shlex.split(posix[2].removeprefix(".venv/bin/hsearch "))
    monkeypatch.chdir(ROOT)
    done = CliRunner().invoke(main, words)

    assert len(posix) == len(windows) == 4  # the last line is empty
    assert [line.replace("py -m", "python3 -m").replace("\\", "/") for line in windows] == [
        line.replace("/bin/", "/Scripts/").replace("'", '"') for line in posix
    ]
    assert done.exit_code == 0
    assert "Proved: Black" in done.stdout


def test_the_explanation_is_what_explain_prints():
    """The block below the command is exactly its output."""
    command = re.search(r"^hsearch (explain (\S+) --move 38 .*)$", TOLD, re.MULTILINE)
    done = CliRunner().invoke(main, command[1].replace(command[2], str(ROOT / command[2])).split())
    printed = [line.rstrip().replace(f"{ROOT}/", "") for line in done.stdout.splitlines()]

    assert "\n".join(printed) in TOLD


def test_the_chances_are_what_bid_prints():
    """All shown lines occur in the output of the command."""
    done = CliRunner().invoke(main, ["bid", str(ROOT / GAME), "--move", "51"])
    block = next(b for b in TOLD.split("```")[1::2] if "Chance to win" in b)

    assert block.strip() in done.stdout


def test_the_game_is_what_play_prints(tmp_path, monkeypatch):
    """The last board of the typed game, and the answer to `why`, are as shown."""
    typed, command = re.search(r"^printf '(.*)' \| hsearch (play .*)$", TOLD, re.MULTILINE).groups()
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, command.split(), input=typed.replace("\\n", "\n"))
    printed = "\n".join(line.rstrip() for line in done.stdout.splitlines())
    block = next(b for b in TOLD.split("```")[1::2] if "Must-play for Black: none" in b)

    assert block.strip("\n") in printed


@cache
def picture_lines():
    """Return the command lines that draw pictures, by picture; a page may repeat another's."""
    lines = re.findall(r"^hsearch (.*--svg \S+)$", TOLD, re.MULTILINE)
    by_name = {line.split()[-1]: shlex.split(line)[:-1] for line in lines}
    assert len(set(lines)) == len(by_name), "two lines draw pictures of the same name"
    return by_name


def test_each_picture_of_the_pages_has_a_command_line():
    """Each picture has a command line, and each line a picture; test_board_page.py has others."""
    folders = ROOT / "positions/pictures", ROOT / "docs/pictures"
    shown = set(re.findall(r"!\[[^]]+\]\([^)]*pictures/([^)/]+\.svg)\)", TOLD))

    assert set(picture_lines()) == shown
    assert sorted(path.name for folder in folders for path in folder.glob("*.svg")) == sorted(shown)


def shown_picture(name):
    """Return the file of a picture that the pages show."""
    shipped = ROOT / "positions/pictures" / name
    return shipped if shipped.exists() else ROOT / "docs/pictures" / name


DRAWN_BY_GOLDENS = {"review.svg"}  # it takes seconds, and `test_goldens.py` compares the picture


def test_pictures_that_goldens_compare_are_drawn_there():
    """Each has the command of the pages in a golden."""
    lines = [line for path in GOLDENS for line in path.read_text().splitlines()]
    for name in DRAWN_BY_GOLDENS:
        assert f"$ hsearch {' '.join([*picture_lines()[name], name])}" in lines


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[NIGHTLY] if name == "sixth-row.svg" else [])
        for name in picture_lines()
        if name not in DRAWN_BY_GOLDENS
    ],
)
def test_pictures_are_made_by_the_commands_beside_them(name, tmp_path, monkeypatch):
    """Each command draws the picture beside it, byte for byte."""
    monkeypatch.chdir(ROOT)
    made = tmp_path / name

    done = CliRunner().invoke(main, [*picture_lines()[name], str(made)])
    assert done.exit_code == 0
    assert done.stderr in SILENT
    assert made.read_text() == shown_picture(name).read_text()


def shown_commands(text):
    """Return the command lines in blocks of `console`, and the output shown below each."""
    blocks = re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [
        tuple(shown.split("\n", 1))
        for block in blocks
        for shown in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    ]


def fits(shown, printed):
    """Return whether an output is as shown; `...` alone on a line stands for any lines."""
    shown, printed = (
        "".join(f"{line.rstrip()}\n" for line in text.rstrip().splitlines())
        for text in (shown, printed)
    )
    parts = (re.escape(part) for part in re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE))
    return re.fullmatch("(?:.*\n)*".join(parts), printed) is not None


# What follows a prompt of `play` is typed, and not printed unless in a terminal.
TYPED = re.compile(r"^((?:black|white)> )(.+)\n", re.MULTILINE)
CONSOLES = {name: shown_commands(text) for name, text in {"README.md": README, **PAGES}.items()}


@pytest.mark.parametrize("page", [name for name, lines in CONSOLES.items() if lines])
def test_the_consoles_of_a_page_show_what_their_commands_print(page, tmp_path, monkeypatch):
    """The commands of a page, run in order in a folder like a clone's, print what is shown."""
    for folder in ("positions", "docs"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    for line, shown in CONSOLES[page]:
        name, *words = shlex.split(line)
        if name == "python":
            done = subprocess.run(  # noqa: S603
                [sys.executable, *words], capture_output=True, text=True, check=True
            )
        else:
            typed = "".join(f"{match[2]}\n" for match in TYPED.finditer(shown))
            done = CliRunner().invoke(main, words, input=typed)
            assert (name, done.exit_code) == ("hsearch", 0), line

        assert done.stderr in SILENT, line
        assert fits(TYPED.sub(r"\1", shown), done.stdout), f"{line}\n{done.stdout}"


def test_console_output_that_differs_is_detected():
    text = "```console\n$ hsearch a\none\n...\ntwo\n$ hsearch b\nthree\n```\n"

    assert shown_commands(text) == [
        ("hsearch a", "one\n...\ntwo\n"),
        ("hsearch b", "three\n"),
    ]
    assert fits("one\n...\ntwo\n", "one\n2\n3\ntwo\n")
    assert fits("one\n...\ntwo\n", "one\ntwo\n")
    assert not fits("one\n...\ntwo\n", "one\n2\n")
    assert not fits("one\n", "one\nmore\n")


def test_files_named_by_the_pages_exist():
    """Each file named in backticks exists, relative to the root of the checkout."""
    rooms = r"(?:hsearch|player|tests|positions|docs)"
    named = set(re.findall(rf"`({rooms}/[\w./-]+\.[a-z]+)`", TOLD))

    assert len(named) > 30
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def remarks(path):
    """Yield the comments and the longer strings of a module, including docstrings."""
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT or token.string.startswith('"""'):
                yield token.string


def test_pages_named_by_the_code_exist():
    """Each page named in comments and docstrings exists, by its path or its name alone."""
    pages = [*ROOT.glob("*.md")]
    for room in ("docs", "positions", "tests"):
        pages += (ROOT / room).rglob("*.md")
    there = {page.relative_to(ROOT).as_posix() for page in pages} | {page.name for page in pages}
    named = {
        (path.name, page)
        for room in ("hsearch", "player", "tests")
        for path in (ROOT / room).rglob("*.py")
        if ".md" in path.read_text()
        for text in remarks(path)
        for page in re.findall(r"\b[\w/.-]+\.md\b", text)
    }

    assert len(named) > 20
    assert {(module, page) for module, page in named if page not in there} == set()


def test_the_line_that_a_lesson_breaks_is_in_the_code():
    """In `docs/explanation/h-search.md`, the planted fault is caught by the test named there."""
    source = (ROOT / "hsearch/connect/connection.py").read_text()

    assert source.count("    if reduce(and_, (semi.carrier for semi in semis)).any():\n") == 1


def test_the_readme_is_short_and_shows_code_early():
    """A sentence, a board and ten lines of code come before line 40, of 120 lines at most."""
    lines = README.splitlines()

    assert lines[0] == "# hsearch"
    assert lines.index("```python") < 25
    assert lines.index("## Start") < 40
    assert len(lines) <= 120


def test_every_shipped_file_is_documented():
    """The README of `positions/` names each file there."""
    told = (ROOT / "positions" / "README.md").read_text()
    for path in (ROOT / "positions").rglob("*"):
        if path.is_file() and path.name != "README.md":
            name = path.relative_to(ROOT / "positions")
            assert name.as_posix() in told or f"{name.parent}/*{''.join(name.suffixes)}" in told, (
                name
            )
    assert formats.find_shipped("bench.txt")
