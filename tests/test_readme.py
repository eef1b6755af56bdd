"""What the README and the pages in `docs` show is what the program says today."""

import re

from click.testing import CliRunner
from documents import README, ROOT, TOLD

from hsearch import formats
from hsearch.analysis.analysis import Analysis
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from hsearch.render import text
from hsearch.render.text import Marks
from player.cli import main

GAME = "positions/games/london-2000-queenbee-hexy.sgf"


def test_the_first_picture_is_true():
    """The stone in the center of 5x5, with the carrier of its win."""
    position = Position.of(Board(5, 5), black="c3", turn=Color.WHITE)
    carrier = Analysis(position).edge_connection(Color.BLACK).carrier
    lines = text.plain(text.board(position, Marks(shaded=carrier))).splitlines()

    shown = README.split("```")[0]
    for line in lines:
        assert f"    {line.rstrip()}" in shown, line


def test_the_first_command_prints_what_is_shown():
    """The block below the set-up command, but for the line with the time."""
    command = re.search(r"install .*/hsearch (analyze \S+ --move 50)$", README, re.MULTILINE)[1]
    file, *options = command.split()[1:]
    done = CliRunner().invoke(main, ["analyze", str(ROOT / file), *options])
    printed = [line.rstrip() for line in done.stdout.splitlines() if not line.startswith("Time:")]
    printed[-1] = printed[-1].replace(f"{ROOT}/", "")

    assert "\n".join(printed) in README


def test_the_explanation_is_what_explain_prints():
    """All lines of the block below its command."""
    command = re.search(r"^hsearch (explain (\S+) --move 38 .*)$", TOLD, re.MULTILINE)
    done = CliRunner().invoke(main, command[1].replace(command[2], str(ROOT / command[2])).split())
    printed = [line.rstrip().replace(f"{ROOT}/", "") for line in done.stdout.splitlines()]

    assert "\n".join(printed) in TOLD


def test_the_chances_are_what_bid_prints():
    """The lines shown are among those of its command."""
    done = CliRunner().invoke(main, ["bid", str(ROOT / GAME), "--move", "51"])
    block = next(b for b in TOLD.split("```")[1::2] if "Chance to win" in b)

    assert block.strip() in done.stdout


def test_the_game_is_what_play_prints(tmp_path, monkeypatch):
    """The last board of the typed game, and what `why` says of it."""
    typed, command = re.search(r"^printf '(.*)' \| hsearch (play .*)$", TOLD, re.MULTILINE).groups()
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, command.split(), input=typed.replace("\\n", "\n"))
    printed = "\n".join(line.rstrip() for line in done.stdout.splitlines())
    block = next(b for b in TOLD.split("```")[1::2] if "Must-play for Black (*)" in b)

    assert block.strip("\n") in printed


def test_pictures_are_made_by_the_commands_beside_them(tmp_path):
    """Each `--svg NAME` of these pages gives the picture of that name, byte for byte."""
    made = re.findall(r"^hsearch (\w+) (\S+) (.*)--svg (\S+)$", TOLD, re.MULTILINE)

    # test_board_page.py takes those of the page, board.png and others.
    shipped = {path.name for path in (ROOT / "positions/pictures").glob("*.svg")}
    assert {name for *_, name in made} == shipped
    for verb, file, options, name in made:
        out = tmp_path / name
        arguments = [verb, str(ROOT / file), *options.split(), "--svg", str(out)]
        assert CliRunner().invoke(main, arguments).exit_code == 0
        assert out.read_text() == (ROOT / "positions/pictures" / name).read_text()


def test_the_readme_shows_something_early():
    """One sentence, a board, ten lines of code: all before line 40, and 120 lines in all."""
    lines = README.splitlines()

    assert lines[0] == "# hsearch"
    assert lines.index("```python") < 25
    assert lines.index("## Start") < 40
    assert len(lines) <= 120


def test_every_shipped_file_is_told_of():
    """The README of `positions/` names each of its files."""
    told = (ROOT / "positions" / "README.md").read_text()
    for path in (ROOT / "positions").rglob("*"):
        if path.is_file() and path.name != "README.md":
            name = path.relative_to(ROOT / "positions")
            assert name.as_posix() in told or f"{name.parent}/*{name.suffix}" in told, name
    assert formats.shipped("bench.txt")
