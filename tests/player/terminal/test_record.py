"""Records of games at the terminal: what is saved, resumed and left alone."""

import os
import shlex
from contextlib import contextmanager
from pathlib import Path

import pytest
from hexgui import fail
from places import needs_full_device
from playing import played

from hsearch import formats
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.console.screen import Work
from player.gtp.session import Session
from player.search.settings import SearchResult
from player.search.tree import TreeFindings
from player.terminal import record

SEARCHED = SearchResult(4, 0.5, (4, 0), 3, complete=False)
IN_A_TREE = TreeFindings(Position.of(Board(3, 3)), (), (4, 0), None, 70, 2, 0.1, complete=False)


def test_load_saves_the_current_game_first(tmp_path):
    """The game before is saved under its own name, unless it is saved already."""
    record, other = tmp_path / "x.sgf", tmp_path / "other.sgf"
    options = ("--size", "3", "--white", "human", "--record", str(record))
    lines = f"a1\nsave {other}\nload {other}\nb2\nload {other}\nc3\nexit\n"
    said = played(lines, *options).stdout

    assert "Black joins top and bottom, White left and right. Type help" in said
    assert said.count("The game before is saved") == 1
    assert f"The game before is saved as {tmp_path / 'x-2.sgf'}." in said
    assert [len(formats.read(path.read_text()).moves) for path in sorted(tmp_path.iterdir())] == [
        1,
        2,
        2,
    ]
    assert "The game is not over." in said


def test_load_saves_bids_without_a_move(tmp_path):
    """Bids are in the record once both are open."""
    record, other = tmp_path / "x.sgf", tmp_path / "other.sgf"
    other.write_text("(;FF[4]GM[11]SZ[3];B[b2])")
    options = ("--size", "3", "--variant", "bidding", "--white", "human", "--record", str(record))
    said = played(f"60\n50\nload {other}\n", *options).stdout

    assert f"The game before is saved as {tmp_path / 'x-2.sgf'}." in said
    assert "XB[60][50]" in (tmp_path / "x-2.sgf").read_text()


def test_load_keeps_a_resumed_game(tmp_path):
    """A resumed game is saved elsewhere, because the loaded game overwrites its file."""
    record, other = tmp_path / "x.sgf", tmp_path / "other.sgf"
    for path, cell in ((record, "a1"), (other, "b2")):
        played(f"{cell}\n", "--size", "3", "--white", "human", "--record", str(path))
    played(f"load {other}\n", "--white", "human", "--resume", str(record))

    assert "B[a1]" in (tmp_path / "x-2.sgf").read_text()


def test_a_resumed_game_keeps_its_swap(tmp_path):
    """The record stores the swap as a rule of the game."""
    record = tmp_path / "game.sgf"
    options = ("--white", "human", "--record", str(record))
    played("a3\n", "--size", "3", "--swap", *options)
    result = played("swap\n", "--resume", str(record), *options)

    assert "RU[swap]" in record.read_text()
    assert "White swaps: Black's a3 is now White's c1." in result.stdout
    assert f"continue with: hsearch play --resume {record} --white human\n" in result.stdout

    other = tmp_path / "other.sgf"
    other.write_text("(;FF[4]GM[11]SZ[3];B[a3])")
    result = played(f"save {tmp_path / 'no.sgf'}\nload {other}\nswap\n", "--size", "3", *options)
    assert "start with --swap" in result.stdout


def test_the_line_that_resumes_a_game_keeps_its_options(tmp_path):
    """Time, seed and screen are not in the record; what was not given is not in the line."""
    record = tmp_path / "game.sgf"
    options = ["--white", "random", "--time", "2.5", "--seed", "4", "--color", "never", "--ascii"]
    result = played("a3\n", "--size", "3", "--record", str(record), *options)
    command = f"hsearch play --resume {record} {' '.join(options)}"
    again = played("", *shlex.split(command)[2:], "--record", str(tmp_path / "copy.sgf"))

    assert f"continue with: {command}\n" in result.stdout
    assert " B" in again.stdout
    bare = played("quit\n", "--resume", str(record), "--record", str(tmp_path / "c.sgf"))
    more = played("undo\nb2\n", "--resume", str(record), "--record", str(tmp_path / "c.sgf"))
    assert "Nothing was played" in bare.stdout
    assert f"--resume {tmp_path / 'c.sgf'} --white random\n" in more.stdout


def test_a_resumed_game_does_not_repeat_its_first_coins(tmp_path):
    """A game with a seed that is resumed after each move has coins of both players."""
    record = tmp_path / "game.sgf"
    options = ("--white", "human", "--seed", "4", "--record", str(record))
    played("a1\n", "--size", "4", "--variant", "random-turn", *options)
    for cell in ["b1", "c1", "d1", "a2", "b2", "c2", "d2"]:
        played(f"{cell}\n", "--resume", str(record), *options)

    _first, _second, *rest = formats.read(record.read_text()).moves
    assert {move.color for move in rest} == set(Color)


OURS = "FF[4]GM[11]CA[UTF-8]AP[hsearch:0.1.0]SZ[3]"
RECORDS = {
    "a record of another program": "(;FF[4]GM[11]SZ[3]PB[Hexy]PW[Queenbee]RE[B+];B[b2];W[a1])",
    "names that only look known": "(;FF[4]GM[11]SZ[3]PB[human]PW[tree];B[b2];W[a1])",
    "a game shown as SGF": f"(;{OURS}PB[Ana]PW[Bob];B[b2];W[a1])",
    "one that is over": f"(;{OURS}PB[human]PW[hexy]RE[B+];B[b2])",
    "one with notes": f"(;{OURS}PB[human]PW[hexy];B[b2]C[!];W[a1])",
    "one with variations": f"(;{OURS}PB[human]PW[hexy](;B[b2])(;B[a1]))",
    "no record": "a diary",
}


@pytest.mark.parametrize(
    "text", [text for text in RECORDS.values() if text[0] == "(" and "RE[" not in text]
)
def test_play_does_not_overwrite_other_files(tmp_path, text):
    """The game continues in a file of another name, which is announced at once."""
    record, two = tmp_path / "g.sgf", ("--white", "human", "--black", "human")
    record.write_text(text)
    result = played("c1\nquit\n", "--resume", str(record), *two)

    assert record.read_text() == text
    assert f"{record} stays as it is; what is played goes to {tmp_path / 'g-2.sgf'}." in (
        result.stdout
    )
    assert "B[c1]" in (there := (tmp_path / "g-2.sgf").read_text()) or "W[c1]" in there


@pytest.mark.parametrize("text", RECORDS.values(), ids=RECORDS)
def test_no_command_of_a_game_writes_over_another_file(tmp_path, text):
    """`save FILE` and `--record` replace only what play wrote, unless forced."""
    file, two = tmp_path / "g.sgf", ("--size", "3", "--white", "human", "--black", "human")
    file.write_text(text)
    saved = played(f"b1\nsave {file}\n", *two, "--record", str(tmp_path / "r.sgf"))
    named = played("b1\n", *two, "--record", str(file))
    is_ours = "AP[hsearch" in text and "human" in text

    if is_ours:
        assert f"{file} holds another game: choose another name" in saved.stdout
        assert named.exit_code == 0
        return
    what = "another game" if "AP[hsearch" in text else "something else"
    assert f"{file} holds {what}: choose another name" in saved.stdout
    assert named.exit_code == 2
    assert "--force" in named.stderr
    assert file.read_text() == text
    assert played("b1\n", *two, "--record", str(file), "--force").exit_code == 0
    assert "B[b1]" in file.read_text()


def test_a_game_is_not_saved_under_the_name_of_a_folder(tmp_path):
    two = ("--size", "3", "--white", "human", "--black", "human")
    saved = played(f"b1\nsave {tmp_path}/g/\n", *two, "--record", str(tmp_path / "r.sgf"))

    assert f"{tmp_path}/g/ is the name of a folder: name a file" in saved.stdout
    assert not (tmp_path / "g").exists()


def test_a_game_is_not_saved_under_the_ending_of_another_format(tmp_path):
    """A picture of that name could not be opened; `--record` and GTP refuse it as well."""
    path, text = tmp_path / "board.PNG", tmp_path / "game.txt"
    lines = f"b1\nsave {path}\nsave {text}\n"
    saved = played(lines, "--size", "3", "--white", "human", "--record", str(tmp_path / "r.sgf"))
    refusal = f"{path}: a game is not written to .png files: use .sgf"

    assert refusal in saved.stdout
    assert fail(Session(), f"printsgf {path}") == f"cannot write file: {refusal}"
    assert (path.exists(), text.exists()) == (False, True)


def test_a_file_that_cannot_be_saved_does_not_end_the_game(tmp_path):
    """A name that is too long, and a file that cannot be read, are reported as any other slip."""
    long = "x" * 300
    lines = f"b1\nsave {long}\nsave /proc/self/mem\na2\n"
    done = played(lines, "--size", "3", "--white", "human", "--record", str(tmp_path / "r.sgf"))

    assert done.exit_code == 0
    assert "cannot be written: File name too long. Type help for the" in done.stdout
    assert "/proc/self/mem: cannot be written: " in done.stdout
    assert "W[a2]" in (tmp_path / "r.sgf").read_text()


def test_a_game_that_is_read_from_a_pipe_is_saved_in_the_current_folder(tmp_path, monkeypatch):
    """A pipe has a name, as `/dev/fd/63`, but no folder for the record."""
    monkeypatch.chdir(tmp_path)
    reader, writer = os.pipe()
    os.write(writer, b"(;FF[4]GM[11]SZ[3];B[a1])")
    os.close(writer)
    done = played("b2\n", "--resume", f"/dev/fd/{reader}", "--white", "human")
    os.close(reader)

    assert done.exit_code == 0
    assert "Saved as hex-game.sgf; continue with: " in done.stdout


def test_a_record_starts_no_program(tmp_path):
    """A player's name in a record runs no program; the command line chooses the player."""
    record = tmp_path / "game.sgf"
    record.write_text(f"(;FF[4]GM[11]SZ[3]PB[gtp:touch {tmp_path / 'ran'}]PW[Deep Hex];B[a1])")
    result = played("b1\n", "--resume", str(record), "--white", "human")

    assert result.exit_code == 0
    assert not (tmp_path / "ran").exists()
    assert "PB[human]PW[human]" in (tmp_path / "game-2.sgf").read_text()


@needs_full_device
def test_a_record_that_cannot_be_written_is_printed():
    """If the record cannot be written, its SGF is printed, and the command has failed."""
    result = played("b2\n", "--size", "3", "--white", "human", "--record", "/dev/full")

    assert "could not be saved" in result.stderr
    assert ";B[b2])" in result.stdout
    assert result.exit_code == 1


def test_resuming_a_finished_game_leaves_its_record_unchanged(tmp_path):
    """A resumed finished game keeps its players and its result."""
    record = tmp_path / "g.sgf"
    two = ("--white", "human", "--black", "human")
    played("a1\nb1\na2\nb2\n", "--size", "2", *two, "--record", str(record))
    before = record.read_text()
    done = played("", "--resume", str(record), "--black", "random", "--white", "human")

    assert formats.read(before).result == "B+"
    assert done.exit_code == 0
    assert "Nothing was played." in done.stdout
    assert f"{record} stays as it is" in done.stdout
    assert record.read_text() == before


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ("B+T", "Black has won: White lost on time."),
        ("W+", "White has won: the record says so."),
        ("?", None),
        ("B+T", None),
    ],
)
def test_a_game_that_is_over_by_its_result_is_not_resumed(tmp_path, result, words):
    """It ends as after a resignation, whether resumed or loaded; its record stays as it is."""
    file, record = tmp_path / "g.sgf", str(tmp_path / "r.sgf")
    moves = "B[b2];W[a1]" if words or result == "?" else ""
    text = f"(;{OURS}PB[Ana]PW[Bob]RE[{result}];{moves})"
    file.write_text(text)
    two = ("--white", "human", "--black", "human", "--record", record)
    resumed = played("c1\n", *two, "--resume", str(file))
    loaded = played(f"b3\nload {file}\nc1\n", *two, "--size", "3")

    for done in (resumed, loaded):
        assert ("Black plays c1." in done.stdout) == (words is None)
        assert words is None or words in done.stdout
    assert file.read_text() == text
    assert ("Nothing was played." in resumed.stdout) == (words is not None)
    assert ("Nothing was played in the loaded game." in loaded.stdout) == (words is not None)


@pytest.mark.parametrize("ends", ["RE[B+R];B[b2];W[a1];B[c1]", ";B[b2];W[a1];B[c1];W[resign]"])
def test_a_resignation_has_the_same_words_by_a_move_and_by_the_result(tmp_path, ends):
    """A resumed game names it in the words of `analyze`; a move once had words of its own."""
    (tmp_path / "g.sgf").write_text(f"(;{OURS}PB[Ana]PW[Bob]{ends})")
    here = played("", "--resume", str(tmp_path / "g.sgf"), "--record", str(tmp_path / "r.sgf"))

    assert "Black has won: White resigned.\n" in here.stdout
    assert "other side" not in here.stdout


def test_a_loaded_file_is_saved_again_only_with_more_moves(tmp_path, monkeypatch):
    """The file and the record stay as they are if nothing is played after `load`."""
    monkeypatch.chdir(tmp_path)
    size, two = ("--size", "3"), ("--white", "human", "--black", "human")
    played("a1\nquit\n", *size, *two, "--record", "one.sgf")
    played("b1\nquit\n", *size, *two, "--record", "two.sgf")
    before = [Path(name).read_text() for name in ("one.sgf", "two.sgf")]

    done = played("load two.sgf\nquit\n", *two, "--resume", "one.sgf")
    assert "Nothing was played in the loaded game: one.sgf is as it was." in done.stdout
    assert [Path(name).read_text() for name in ("one.sgf", "two.sgf")] == before
    assert "Saved as new.sgf" in played("load two.sgf\nc3\n", *two, "--record", "new.sgf").stdout


def test_a_finished_game_that_is_loaded_is_not_saved_again(tmp_path, monkeypatch):
    """A game that a chain ended is not copied either; the game before it is saved."""
    monkeypatch.chdir(tmp_path)
    two = ("--size", "2", "--white", "human", "--black", "human")
    played("a1\nb1\na2\n", *two, "--record", "over.sgf")
    done = played("b2\nload over.sgf\n", *two)

    assert "The game before is saved as hex-game-2.sgf." in done.stdout
    assert "Saved as" not in done.stdout
    assert "Next:" not in done.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hex-game-2.sgf", "over.sgf"]


def test_a_file_saved_during_a_game_is_not_changed_later(tmp_path):
    """After `save FILE` the game continues and ends in its own record."""
    mark, file = tmp_path / "mark.sgf", tmp_path / "game.sgf"
    typed = f"b2\na1\nsave {mark}\nb1\na2\nb3\n"
    result = played(typed, "--size", "3", "--white", "human", "--record", str(file))

    assert "Black wins" in result.stdout
    assert formats.load(mark).result is None
    assert [len(formats.load(each).moves) for each in (mark, file)] == [2, 5]


WRITER = """
from pathlib import Path

def writer(position, _generator):
    Path({record!r}).write_text({text!r})
    return next(position.empty.search(1))
"""


def test_a_game_of_another_terminal_is_not_written_over(tmp_path):
    """Two games that begin in one folder would have the same record, as would two that resume."""
    record, engine = tmp_path / "x.sgf", tmp_path / "engine.py"
    text = f"(;{OURS}PB[human]PW[human];B[c1])\n"
    engine.write_text(WRITER.format(record=str(record), text=text))
    options = ("--white", f"py:{engine}:writer", "--record", str(record))
    first = played(f"b2\nsave {record}\n", "--size", "3", *options).stdout
    second = played("b3\n", "--resume", str(record), "--black", "human", *options).stdout

    assert f"{record} holds another game: choose another name" in first
    assert f"Saved as {tmp_path / 'x-2.sgf'}; continue with" in first
    assert f"Saved as {tmp_path / 'x-3.sgf'};" in second
    assert record.read_text() == text
    lengths = [len(formats.load(tmp_path / f"x-{number}.sgf").moves) for number in (2, 3)]
    assert lengths == [2, 4]


@pytest.mark.parametrize(
    ("findings", "told"), [(SEARCHED, "3 moves ahead"), (IN_A_TREE, "70 simulations")]
)
def test_progress_shows_no_expected_moves(monkeypatch, findings, told):
    """The progress shows no moves that the engine expects, because a person is the opponent."""
    said = []

    @contextmanager
    def working(_what):
        yield Work(said.append)

    monkeypatch.setattr(record, "working", working)
    with record.thinking("hexy") as progress:
        progress(findings)

    assert said == [f"hexy is thinking ... {told}"]


def test_a_game_that_the_engine_cannot_play_is_not_loaded(tmp_path):
    """After the error the current game stays."""
    engine, other, kept = (tmp_path / name for name in ("small.py", "other.sgf", "x.sgf"))
    engine.write_text(
        "class Small:\n"
        "    def prepare(self, board):\n"
        "        assert board.rows < 4, 'too large'\n"
        "    def choose(self, game, terms, generator): ...\n"
        "    def close(self): ...\n"
    )
    other.write_text("(;FF[4]GM[11]SZ[5];B[c3];W[d4])")
    options = ("--size", "3", "--black", "human", "--white", f"py:{engine}:Small")
    result = played(f"load {other}\nboard\nquit\n", *options, "--record", str(kept))

    assert "too large" in result.output
    assert "a b c d e" not in result.stdout
    assert "The game is not over." in result.stdout


def test_a_second_game_leaves_the_first_as_it_is(tmp_path):
    """A game cannot be played again as it was: `--record` adds a number, unless it is forced."""
    file = tmp_path / "g.sgf"
    two = ("--white", "human", "--black", "human", "--record", str(file))
    first = played("a1\nquit\n", "--size", "3", *two)
    text = file.read_text()
    second = played("b2\nquit\n", "--size", "3", *two)

    assert "stays" not in first.stdout
    assert f"{file} stays as it is; what is played goes to {tmp_path / 'g-2.sgf'}." in second.stdout
    assert file.read_text() == text
    assert "B[b2]" in (tmp_path / "g-2.sgf").read_text()
    played("c3\nquit\n", *two, "--resume", str(file))
    assert "B[a1];W[c3]" in file.read_text()
    played("c1\nquit\n", "--size", "3", *two, "--force")
    assert "B[c1]" in file.read_text()
    assert {path.name for path in tmp_path.iterdir()} == {"g.sgf", "g-2.sgf"}
