"""After kills at any moment and full disks, finished work is kept and can be resumed."""

import errno
import os
import random
import re
import resource
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from nightly import IS_NIGHTLY
from places import ROOT
from stored_rows import EFFORT, EVENT
from windows import answer, window

from hsearch.connect.window_answers import CacheError, CacheFile
from hsearch.formats.files import Lines, LinesError, whole, write_whole
from player.cli import main
from player.engine.results import Rows
from player.engine.tournament import run
from player.study.review_rows import ReviewRows

TIMES = 100 if IS_NIGHTLY else 8
HEAD = '{"schema": "test"}'

# Each script prints a number when that piece of work is finished.
ADDING = """
import sys
from pathlib import Path
from hsearch.formats.files import Lines
lines = Lines(Path(sys.argv[1]), sys.argv[2], "test")
with lines.hold():
    for number in range(len([*lines.rest]), 10**9):
        lines.add('{"number": %d, "text": "%s"}' % (number, "x" * (number % 7000)))
        print(number, flush=True)
"""
REPLACING = """
import sys
from pathlib import Path
from hsearch.formats.files import write_whole
for number in range(10**9):
    write_whole(Path(sys.argv[1]), f"{number}\\n" * (1 + number % 20_000))
    print(number, flush=True)
"""


def killed(script, *words):
    """Kill a script at a random moment; return the last number that it printed."""
    command = [sys.executable, "-c", script, *map(str, words)]
    with subprocess.Popen(  # noqa: S603 - our own script
        command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)}
    ) as process:
        first = process.stdout.readline()
        time.sleep(random.uniform(0, 0.05))  # noqa: S311 - any moment
        process.kill()
        printed = [first, *process.stdout.read().splitlines(keepends=True)]
    return int([line for line in printed if line.endswith("\n")][-1])


def test_lines_survive_kills(tmp_path):
    """Every added line is kept, and the next process appends to them."""
    path, before = tmp_path / "lines", -1
    for _ in range(TIMES):
        last = killed(ADDING, path, HEAD)
        kept = Lines(path, HEAD, "test")
        numbers = [int(line.split(b",")[0].split()[1]) for _, line in kept.rest]

        assert before < last <= numbers[-1]
        assert numbers == list(range(len(numbers)))
        before = last


def test_a_shorter_line_replaces_an_incomplete_one(tmp_path):
    path = tmp_path / "lines"
    path.write_text(f'{HEAD}\n{{}}\n{{"text": "{"x" * 99}')
    kept = Lines(path, HEAD, "test")
    with kept.hold():
        kept.add("{}")

    assert path.read_text() == f"{HEAD}\n{{}}\n{{}}\n"


def test_whole_files_survive_kills(tmp_path):
    """The file is the old one or the new one, never a mixture."""
    path = tmp_path / "file"
    for _ in range(TIMES):
        last = killed(REPLACING, path)
        lines = path.read_text().splitlines()
        number = int(lines[0])

        assert number >= last
        assert lines == [str(number)] * (1 + number % 20_000)
        assert len(list(tmp_path.iterdir())) <= 2  # at most one leftover file
    write_whole(path, "the end")

    assert list(tmp_path.iterdir()) == [path]


def test_temporary_files_of_live_processes_are_left_alone(tmp_path):
    """Temporary files of live processes, here or elsewhere, and files of other names stay."""
    path = tmp_path / "file[1]"
    with whole(path) as file:
        file.write(b"new")
        (mine,) = tmp_path.iterdir()
        dead = mine.name.replace(f"-{os.getpid()}-", "-999999999-")
        kept = {
            mine.name.replace(f"-{os.getpid()}-", f"-{os.getppid()}-"),
            mine.name.replace(f".{mine.suffixes[-2][1:9]}-", ".00000000-"),
            f"other{dead}",
            "file1" + dead.removeprefix("file[1]"),
        }
        for name in {dead, *kept}:
            (tmp_path / name).write_text("half")
    write_whole(path, "newer")

    assert {found.name for found in tmp_path.iterdir()} == {path.name, *kept}


def test_two_threads_may_write_the_same_file(tmp_path):
    """Each thread writes a file of its own; the one that ends last replaces the other."""
    path = tmp_path / "file"
    with whole(path) as file:
        file.write(b"first")
        with ThreadPoolExecutor() as executor:
            executor.submit(write_whole, path, "second").result()
        assert path.read_text() == "second"

    assert path.read_text() == "first"
    assert list(tmp_path.iterdir()) == [path]


def test_lines_are_not_added_to_a_file_that_lost_some(tmp_path):
    """A file that was shortened or removed in the meantime is not filled up with zeros."""
    path = tmp_path / "lines"
    kept = Lines(path, HEAD, "test")
    with kept.hold():
        kept.add('{"number": 1}')
        whole_text = path.read_text()
        path.write_text(whole_text[:-3])
        with pytest.raises(LinesError, match="lines: it has lost lines meanwhile; start again"):
            kept.add('{"number": 2}')
        assert path.read_text() == whole_text[:-3]
        path.unlink()
        with pytest.raises(FileNotFoundError):
            kept.add('{"number": 2}')
        assert not path.exists()


@pytest.mark.parametrize("letter", ["a", "\u00e4", "\u2b22"])
def test_files_with_long_names_are_written(tmp_path, letter):
    """A name may have 255 bytes; the ending of the partial file would make it longer."""
    width = len(letter.encode())
    paths = [tmp_path / (letter * (length // width) + ".txt") for length in (170, 200, 220, 251)]
    for number, path in enumerate(paths):
        with whole(path) as file:
            file.write(b"%d" % number)
            (mine,) = set(tmp_path.iterdir()) - set(paths)
            (tmp_path / mine.name.replace(f"-{os.getpid()}-", "-999999999-")).write_text("half")
        write_whole(path, str(number))

    assert {path: path.read_text() for path in tmp_path.iterdir()} == {
        path: str(number) for number, path in enumerate(paths)
    }


@contextmanager
def small_disk(folder, size):
    """Yield a folder whose files hold at most `size` bytes, until `grow` is called."""
    disk = folder / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o"]
    mounted = os.geteuid() == 0 and _succeeds([*mount, f"size={size}", "none", str(disk)])
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    def grow():
        if mounted:
            assert _succeeds([*mount, "remount,size=10M", "none", str(disk)])
        else:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    if not mounted:  # Python ignores the signal, and the write fails
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield disk, grow
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        if mounted:
            _succeeds(["umount", "--lazy", str(disk)])  # a cache may still be open


def _succeeds(command):
    return subprocess.run(command, capture_output=True, check=False).returncode == 0  # noqa: S603


FULL = r"No space|too large|full|disk I/O"


def test_rows_survive_a_full_disk(tmp_path):
    """Finished games stay, the error names the file, and the others follow with more space."""
    with small_disk(tmp_path, 8192) as (disk, grow):
        path = disk / "rows"
        with pytest.raises(OSError, match=FULL) as error:
            run(Rows(path, EVENT), range(100), lambda _: False)
        kept = Rows(path, EVENT)
        games = list(kept.games)
        grow()
        run(kept, range(len(games) + 3), lambda _: False)

        assert error.value.filename == str(path)
        assert len(games) > 5
        assert games == list(range(len(games)))
        assert list(Rows(path, EVENT).games) == list(range(len(games) + 3))


def test_reviews_survive_a_full_disk(tmp_path):
    """The command reports the full disk in one line, and later does the rest."""
    file, number = tmp_path / "games.sgf", 12
    file.write_text("(;GM[11]SZ[3];B[a1];W[b2];B[c3])" * number)
    with small_disk(tmp_path, 16384) as (disk, grow):
        path = disk / "rows"
        words = ["review", str(file), "--effort", "quick", "--resume", str(path)]
        full = CliRunner().invoke(main, words)
        finished = len(ReviewRows(path, EFFORT).rows)
        grow()
        done = CliRunner().invoke(main, words)

        assert full.exit_code == 1
        assert re.fullmatch(rf"{path}: cannot be written: ({FULL}).*\n", full.stderr)
        assert 0 < finished < number
        assert done.exit_code == 0
        games = [game for _, game, _ in ReviewRows(path, EFFORT).rows]
        assert games == [*range(1, number + 1)]


def test_windows_survive_a_full_disk(tmp_path):
    """Stored windows stay, and more are added when there is space again."""
    with small_disk(tmp_path, 65536) as (disk, grow):
        path = disk / "windows"
        entered = []
        with pytest.raises(CacheError, match=FULL):
            _enter(CacheFile(path), entered)
        kept = [CacheFile(path).get(window(number)) for number in entered]
        grow()
        CacheFile(path).put([(window(10**6), answer(1))])

        assert len(entered) > 100
        assert kept == list(map(answer, entered))
        assert CacheFile(path).get(window(10**6)) == answer(1)


def _enter(file, entered):
    for number in range(10**6):
        file.put([(window(number), answer(number))] * 9)
        entered.append(number)


def test_whole_files_survive_a_full_disk(tmp_path):
    """The old file stays, without any part of the new one."""
    with small_disk(tmp_path, 65536) as (disk, grow):
        path = disk / "file"
        write_whole(path, "a" * 30_000)
        with pytest.raises(OSError, match=FULL) as error:
            write_whole(path, "b" * 90_000)

        assert error.value.filename == str(path)
        assert path.read_text() == "a" * 30_000
        assert list(disk.iterdir()) == [path]
        grow()
        write_whole(path, "b" * 90_000)
        assert path.read_text() == "b" * 90_000


def test_the_error_of_a_read_only_disk_names_the_file(tmp_path, monkeypatch):
    """It names the file, not the partial file, which cannot be removed there either."""

    def refuse(path, *_arguments, **_options):
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    def refuse_too(path, *_arguments, **_options):
        raise PermissionError(errno.EPERM, "Operation not permitted", str(path))

    path = tmp_path / "file"
    with monkeypatch.context() as disk:
        disk.setattr(Path, "open", refuse)
        disk.setattr(Path, "unlink", refuse_too)
        with pytest.raises(OSError, match="Read-only") as error:
            write_whole(path, "text")

    assert error.value.filename == str(path)


def test_devices_and_links_are_not_replaced(tmp_path):
    """Devices and pipes are written directly; links stay links; permissions stay."""
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_whole(link, "new")
    write_whole(Path(os.devnull), "nothing")

    assert link.is_symlink()
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert not Path(os.devnull).is_file()


def test_files_of_other_writers_are_left_unchanged(tmp_path):
    """A file whose only line is not the header, or that another process writes, stays as it is."""
    path = tmp_path / "lines"
    path.write_text("mine")
    with pytest.raises(LinesError, match=r"lines:1: not a list of tests: 'mine'"):
        Lines(path, HEAD, "list of tests")
    path.write_text("")
    one, other = (Lines(path, HEAD, "test") for _ in range(2))
    with one.hold():
        one.add("{}")
        with pytest.raises(LinesError, match="another process is writing to it"), other.hold():
            pass
    with pytest.raises(LinesError, match="has written to it; start again"), other.hold():
        pass

    assert path.read_text() == f"{HEAD}\n{{}}\n"
    assert list(tmp_path.iterdir()) == [path]
