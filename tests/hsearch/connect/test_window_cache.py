"""Window answers are stored, by several processes at once, and damage is reported."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT, SUPPORT
from windows import answer, window

from hsearch import formats
from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.connect.closure import closure
from hsearch.connect.window import strengthen
from hsearch.connect.window_answers import (
    VERSION,
    CacheError,
    CacheFile,
    SearchedWindows,
    WindowAnswer,
    WindowRoom,
    unpack,
    user_file,
    usual_windows,
)
from hsearch.connect.window_shape import STRIDE, Window
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from hsearch.kernels.stop import Flag, Stopped, stopping


@st.composite
def windows(draw):
    """Return windows of disjoint parts, near each other or not."""
    height, width = draw(st.integers(1, 7)), draw(st.integers(1, 20))
    places = st.lists(st.integers(0, 4), min_size=height * width, max_size=height * width)
    owners = draw(places.filter(any))  # a window needs ends to be read
    parts = [
        sum(
            1 << i // width * STRIDE + i % width
            for i, owner in enumerate(owners)
            if owner == wanted
        )
        for wanted in range(1, 5)
    ]
    return Window(*parts, (parts[3],) if parts[3] and draw(st.booleans()) else ())


@given(st.dictionaries(windows(), st.integers(1, 100), min_size=1, max_size=20))
def test_stored_answers_are_read_back(tmp_path_factory, numbers):
    """Every window has its own answer, also after the file is opened again."""
    path = tmp_path_factory.mktemp("cache") / "windows.db"
    entered = {
        which: WindowAnswer(joined=number % 2 == 0, carrier=which.empty, work=number)
        for which, number in numbers.items()
    }
    CacheFile(path).put(entered.items())
    file = CacheFile(path)

    assert len(file) == len(entered)
    assert {which: file.get(which) for which in entered} == entered


def test_different_windows_are_stored_separately(tmp_path):
    """Windows differ by the part of each cell, the width of the rows, and the connected cells."""
    one, two = 1, 1 << STRIDE
    alike = [
        Window(one, two, 4),
        Window(two, one, 4),
        Window(one, 4, two),
        Window(one, two, 4, 2),
        Window(one, two, 4, 2, (2,)),
        Window(one, two, 8),
        Window(one, 1 << 2 * STRIDE, 4),
        Window(one | two, 4 << STRIDE, 2),  # with three bits a row the same bits
        Window(one | 8, 4 << 3, 2),  # as this in one row of six
    ]
    file = CacheFile(tmp_path / "windows.db")
    file.put((which, WindowAnswer(joined=None, carrier=0, work=i)) for i, which in enumerate(alike))

    assert [file.get(which).work for which in alike] == list(range(len(alike)))


def test_only_a_stronger_answer_replaces_another(tmp_path):
    """A verdict stays; an undecided answer is replaced by one with a larger budget."""
    file, which = CacheFile(tmp_path / "windows.db"), window(1)
    said = [
        WindowAnswer(joined=None, carrier=0, work=20),
        WindowAnswer(joined=None, carrier=0, work=10),
        WindowAnswer(joined=True, carrier=3, work=30),
        WindowAnswer(joined=None, carrier=0, work=90),
    ]
    kept = []
    for more in said:
        file.put([(which, more)])
        kept.append(file.get(which))

    assert kept == [said[0], said[0], said[2], said[2]]


def test_a_full_cache_file_drops_the_oldest_answers(tmp_path):
    """When the file is full, the oldest answers are dropped."""
    file = CacheFile(tmp_path / "windows.db", most=10)
    for number in range(25):
        file.put([(window(number), answer(number))])

    assert len(file) == 10
    assert file.get(window(14)) is None
    assert file.get(window(15)) == answer(15)


AT_ONCE = """
import os, sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from hsearch.connect import window_answers
from hsearch.connect.window_answers import CacheFile
from windows import answer, window
window_answers._WAIT = 60  # seconds: a loaded machine may let one process wait long
for first in (0, 300, 600):
    if not os.fork():
        for number in range(first, first + 300, 3):
            file = CacheFile(Path(sys.argv[1]))
            file.put((window(n), answer(n)) for n in range(number, number + 3))
        os._exit(0)
for _ in range(3):
    assert os.wait()[1] == 0
"""


@pytest.mark.slow
def test_processes_that_write_at_once_lose_nothing(tmp_path):
    """Processes wait for each other, even while creating the file; they are forks of one."""
    path = tmp_path / "new" / "windows.db"
    command = [sys.executable, "-c", AT_ONCE, str(path), str(ROOT), str(SUPPORT)]
    subprocess.run(command, check=True, timeout=300)  # noqa: S603 - our own words
    file = CacheFile(path)

    assert [file.get(window(number)) for number in range(900)] == list(map(answer, range(900)))


WRITES = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from hsearch.connect.window_answers import CacheFile
from windows import answer, window
file = CacheFile(Path(sys.argv[1]))
for number in range(10**9):
    file.put([(window(number % 4000), answer(number % 4000))] * 50)
    print(number, flush=True)
"""


@pytest.mark.slow
def test_a_killed_process_loses_no_written_answer(tmp_path):
    """Killed processes lose nothing they have written, several times in a row."""
    path = tmp_path / "windows.db"
    for _ in range(3):
        folders = [str(ROOT), str(SUPPORT)]
        command = [sys.executable, "-c", WRITES, str(path), *folders]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:  # noqa: S603
            for _ in range(20):
                written = int(writer.stdout.readline())
            time.sleep(0.01)
            os.kill(writer.pid, signal.SIGKILL)
        file = CacheFile(path)

        assert len(file) > written
        for number in range(written + 1):
            assert file.get(window(number)) == answer(number)


def _filled(path):
    CacheFile(path).put((window(number), answer(number)) for number in range(199))
    CacheFile(path).put([(small(), WindowAnswer(joined=True, carrier=3 << STRIDE, work=1))])
    return path.read_bytes()


def _damaged(path, kind):
    """Damage a file of answers; return its content afterwards."""
    good = _filled(path)
    if kind == "a checksum":
        with sqlite3.connect(path) as file:
            file.execute("UPDATE answers SET joined = 1 - joined WHERE joined < 2")
        file.close()
    elif kind == "another version":
        with sqlite3.connect(path) as file:
            file.execute("PRAGMA user_version = 99")
        file.close()
    elif kind == "another database":
        path.unlink()
        with sqlite3.connect(path) as file:
            file.execute("CREATE TABLE answers (window, joined)")
        file.close()
    else:
        spoilt = {"no database": b"hello, world\n" * 300, "zeros": bytes(len(good))}
        spoilt["garbage"] = good[:100] + bytes(b ^ 0xFF for b in good[100:])
        spoilt["no tables"] = good[:103] + bytes(2) + good[105:]  # how many SQLite sees
        path.write_bytes(spoilt[kind])
    return path.read_bytes()


KINDS = ["a checksum", "another version", "another database", "no database", "zeros", "garbage",
         "no tables"]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_is_reported_and_left_unchanged(tmp_path, kind):
    """Damage is reported once, in one line that names the file; the answer is still found."""
    path = tmp_path / "windows.db"
    spoilt = _damaged(path, kind)
    said = []
    known = SearchedWindows(CacheFile(path), on_error=said.append)
    first = known.ask(small(), 20)
    again = known.ask(small(15), 20)
    known.flush()
    (error,) = said

    assert first.joined is True
    assert again.joined is True
    assert known.searches == 2
    assert isinstance(error, CacheError)
    assert str(error).startswith(f"{path}: ")
    assert "\n" not in str(error)
    assert path.read_bytes() == spoilt


def small(floor=7):
    """Return a window that needs a search: a bridge above `floor` cells."""
    return Window(3 << STRIDE, 2 << 2 * STRIDE, floor)


@pytest.mark.parametrize("there", ["a file for its folder", "a folder", "a pipe"])
def test_a_search_works_without_a_cache_file(tmp_path, there):
    """An obstacle is reported at once and left alone; nothing else is lost."""
    path = tmp_path / "hsearch" / "windows.db"
    if there == "a file for its folder":
        path.parent.write_text("in the way")
    else:
        path.parent.mkdir()
        path.mkdir() if there == "a folder" else os.mkfifo(path)
    said = []
    known = SearchedWindows(CacheFile(path), on_error=said.append)

    assert known.ask(small(), 20).joined is True
    known.flush()
    assert len(said) == 1
    assert str(said[0]).startswith(f"{path}: ")
    assert not path.is_file()


def test_stored_answers_are_not_searched_again(tmp_path):
    """Written answers are read again, from the file for new answers and from a fixed one."""
    mine, fixed = tmp_path / "mine.db", tmp_path / "fixed.db"
    first = SearchedWindows(CacheFile(fixed))
    told = first.ask(small(), 20)
    first.flush()
    before = fixed.read_bytes()
    second = SearchedWindows(CacheFile(mine), CacheFile(fixed, is_fixed=True))
    again = second.ask(small(), 20)
    second.ask(small(15), 20)
    second.flush()
    third = SearchedWindows(CacheFile(mine), CacheFile(fixed, is_fixed=True))
    third.ask(small(), 20)
    third.ask(small(15), 20)

    assert again == told
    assert (first.searches, second.searches, third.searches) == (1, 1, 0)
    assert fixed.read_bytes() == before
    assert not list(tmp_path.glob("fixed.db-*"))


def test_a_busy_file_is_written_later(tmp_path, monkeypatch):
    """Answers that could not be written are kept for the next attempt."""
    monkeypatch.setattr("hsearch.connect.window_answers._WAIT", 0.01)
    path = tmp_path / "windows.db"
    _filled(path)
    known = SearchedWindows(CacheFile(path))
    known.ask(small(15), 20)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    known.flush()
    during = len(CacheFile(path, is_fixed=True))
    holder.execute("ROLLBACK")
    holder.close()
    known.flush()

    assert during == 200
    assert len(CacheFile(path)) == 201


def test_not_each_answer_waits_for_a_busy_file(monkeypatch):
    """A write that another process keeps from succeeding is tried again after more answers."""
    monkeypatch.setattr("hsearch.connect.window_answers._TOGETHER", 5)
    tries = []

    class Busy:
        def get(self, _window):
            return None

        def put(self, answers):
            tries.append(len(answers))
            raise TimeoutError

    known = SearchedWindows(Busy())
    for floor in range(1, 13):
        known.ask(small(floor), 20)

    assert known.searches == 12
    assert tries == [5, 10]


def test_a_failed_write_leaves_no_lock(tmp_path, monkeypatch):
    """A failed write leaves no lock, so the next write succeeds."""
    monkeypatch.setattr("hsearch.connect.window_answers._WAIT", 0.05)
    path = tmp_path / "windows.db"
    kept = CacheFile(path)
    kept.put([(window(row), answer(row)) for row in (1, 2)])
    other = sqlite3.connect(path, timeout=0.05, isolation_level=None)
    reading = other.execute("SELECT window FROM answers")
    reading.fetchone()

    with pytest.raises(TimeoutError, match="another process"):
        kept.put([(window(3), answer(3))])
    reading.close()
    other.execute("BEGIN IMMEDIATE")
    other.execute("ROLLBACK")
    other.close()
    kept.put([(window(3), answer(3))])
    assert len(kept) == 3


def test_the_cache_file_is_in_the_users_cache_folder(tmp_path, monkeypatch):
    """The file is in the user's cache folder (XDG), with the version in its name."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    assert user_file() == tmp_path / "hsearch" / f"windows-{VERSION}.db"


def test_the_search_reproduces_the_shipped_answers():
    """The search reproduces the shipped answers; otherwise raise VERSION and rebuild the file."""
    path = formats.find_shipped("windows.db")
    file = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    keys = [key for (key,) in file.execute("SELECT window FROM answers ORDER BY id")]
    file.close()
    shipped = CacheFile(path, is_fixed=True)
    for key in keys[:: len(keys) // 40]:
        which = unpacked_window(key)
        told = shipped.get(which)
        again, _ = WindowRoom(which).solve(told.work)

        assert again == told


@pytest.mark.parametrize("used", [1, 5])
def test_false_cached_answers_create_no_connection(tmp_path, monkeypatch, used):
    """Rows with valid checksums claim that all is joined; White wins, and they are dropped."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    position = Position.of(Board(5, 4), black=["e4"], white=["d2", "b4"], turn=Color.WHITE)
    lies, asked = WindowAnswer(joined=True, carrier=0, work=used), {}
    honest = SearchedWindows()
    ask = honest.ask

    def noted(window, budget):
        asked[window] = ask(window, budget)
        return asked[window]

    monkeypatch.setattr(honest, "ask", noted)
    monkeypatch.setattr("hsearch.connect.regions.usual_windows", lambda: honest)
    truth = ConnectionAnalysis(position, knowledge="local")
    assert (truth.winner, truth.proof) == (Color.WHITE, "semi")
    CacheFile(user_file()).put((window, lies) for window in asked)
    poisoned = SearchedWindows(CacheFile(user_file()))
    monkeypatch.setattr("hsearch.connect.regions.usual_windows", lambda: poisoned)
    told = ConnectionAnalysis(position, knowledge="local")

    assert (told.winner, told.proof) == (Color.WHITE, "semi")
    poisoned.flush()
    left = CacheFile(user_file())
    assert [left.get(window) for window in asked] == list(asked.values())


@pytest.mark.parametrize(("joined", "work"), [(False, 1), (None, 10**9)])
def test_false_denials_in_a_file_only_hide_connections(tmp_path, monkeypatch, joined, work):
    """Rows with valid checksums deny all connections: fulls are missing, and nothing is claimed."""
    asked, honest = set(), SearchedWindows()
    ask = honest.ask

    def noted(window, budget):
        asked.add(window)
        return ask(window, budget)

    monkeypatch.setattr(honest, "ask", noted)
    white = "a1 b1 c1 d1 a2 b2 a3 a4"
    position = Position.of(Board(4, 5), black="c2 d2", white=white, turn=Color.WHITE)
    store = closure(position, Color.BLACK)
    truth = strengthen(position, store, honest)
    path = tmp_path / "windows.db"
    CacheFile(path).put((window, WindowAnswer(joined, 0, work)) for window in asked)
    denying = SearchedWindows(CacheFile(path))
    denied = strengthen(position, store, denying)

    assert truth
    assert denied == []
    assert denying.searches == 0

    position = Position.of(Board(5, 4), black=["e4"], white=["d2", "b4"], turn=Color.WHITE)
    asked.clear()
    monkeypatch.setattr("hsearch.connect.regions.usual_windows", lambda: honest)
    known = ConnectionAnalysis(position, knowledge="local")
    assert (known.winner, known.proof) == (Color.WHITE, "semi")
    assert asked
    CacheFile(path).put((window, WindowAnswer(joined, 0, work)) for window in asked)
    denying = SearchedWindows(CacheFile(path))
    monkeypatch.setattr("hsearch.connect.regions.usual_windows", lambda: denying)
    told = ConnectionAnalysis(position, knowledge="local")

    assert denying.searches == 0
    assert told.winner in (None, Color.WHITE)
    assert known.mustplay.cells <= told.mustplay.cells


@pytest.mark.parametrize("is_in_a_file", [False, True])
def test_threads_wait_only_for_searches_of_the_same_window(tmp_path, monkeypatch, is_in_a_file):
    """While one thread searches, others are answered; the same question is searched only once."""
    path, go, begun = tmp_path / "windows.db", threading.Event(), threading.Event()
    if is_in_a_file:
        CacheFile(path).put([(small(), WindowRoom(small()).solve(20)[0])])
    known, solve = SearchedWindows(CacheFile(path)), WindowRoom.solve
    searched, answers = [], []

    def solved(room, budget):
        searched.append(room.window)
        if room.window == small():
            begun.set()
            assert go.wait(60)
        return solve(room, budget)

    monkeypatch.setattr(WindowRoom, "solve", solved)
    one, two = (
        threading.Thread(target=lambda: answers.append(known.ask(small(), 20)), daemon=True)
        for _ in range(2)
    )
    one.start()
    assert begun.wait(60)
    two.start()
    other = threading.Thread(target=known.ask, args=(small(15), 20), daemon=True)
    other.start()
    other.join(30)
    is_answered = not other.is_alive()
    known.flush()
    go.set()
    one.join(60)
    two.join(60)

    assert is_answered
    assert [answer.joined for answer in answers] == [True, True]
    assert searched.count(small()) == 1
    assert known._questions == {}  # noqa: SLF001


def test_a_thread_that_waits_for_another_can_be_stopped(monkeypatch):
    """A waiting thread stops without waiting for the other's search to end."""
    known, go, begun, flag = SearchedWindows(), threading.Event(), threading.Event(), Flag()
    solve, caught = WindowRoom.solve, []

    def solved(room, budget):
        begun.set()
        assert go.wait(60)
        return solve(room, budget)

    def waits():
        with stopping(flag):
            try:
                known.ask(small(), 20)
            except Stopped as error:
                caught.append(error)

    monkeypatch.setattr(WindowRoom, "solve", solved)
    one = threading.Thread(target=known.ask, args=(small(), 20), daemon=True)
    one.start()
    assert begun.wait(60)
    two = threading.Thread(target=waits, daemon=True)
    two.start()
    flag.set()
    two.join(30)
    is_stopped = not two.is_alive()
    go.set()
    one.join(60)

    assert is_stopped
    assert len(caught) == 1


def test_a_false_stored_answer_beyond_the_budget_is_not_returned(tmp_path):
    """With a small budget, then a sufficient one, the answer is true both times."""
    path, cut = tmp_path / "windows.db", Window(1 << STRIDE, 1 << 2 * STRIDE, 1)
    truth, _ = WindowRoom(cut).solve(20)
    CacheFile(path).put([(cut, WindowAnswer(joined=True, carrier=0, work=15))])
    known = SearchedWindows(CacheFile(path))

    assert truth.joined is False
    assert known.ask(cut, 5).joined is None
    assert known.ask(cut, 20) == truth


def unpacked_window(key):
    """Return the window stored in a row."""
    width, height = key[:2]
    length = -(-width * height // 8)
    parts = [unpack(key[i : i + length], width) for i in range(2, len(key), length)]
    return Window(*parts[:4], tuple(parts[4:]))


def test_a_position_of_a_shipped_game_needs_no_new_search(tmp_path, monkeypatch):
    """Positions of the shipped games need no new search."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    game = formats.read(formats.find_shipped("games/london-2000-queenbee-hexy.sgf").read_text())
    position = game.position(46)
    usual_windows.cache_clear()
    known = usual_windows()
    for color in Color:
        strengthen(position, closure(position, color), known)
    usual_windows.cache_clear()

    assert len(known) > 0
    assert known.searches == 0
