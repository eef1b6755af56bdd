"""Work behind the socket: canceling, limits on memory and threads, progress of compiling."""

import asyncio
import gc
import json
import re
import subprocess
import sys
import threading
import time
import tracemalloc
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from unittest.mock import Mock

import numba
import pytest
from anyio.from_thread import start_blocking_portal
from board_client import client, empty_desk, page
from clock import HOLD, wait_until
from endless import TakenLock, find_all
from numba.core import event
from places import ROOT

from hsearch import formats
from hsearch.connect.store import workspace
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.position import Position
from hsearch.kernels.bits import has
from hsearch.kernels.cache import kernel
from hsearch.kernels.stop import Flag, Stopped, stopping
from player.answers.analysis import Analysis
from player.answers.candidates import best_moves
from player.answers.objects import position_object
from player.board import serve as warming
from player.board.asked import dark, playing, records, solving
from player.board.desk import Analyses, EngineSeats
from player.board.records import PositionObject, page_record
from player.board.threads import BoardJob, CancelledError, Threads
from player.console.compiling import announcing
from player.study.examine import review_game
from player.study.review import EFFORTS
from player.variants.base import ALTERNATING

LONDON = ("london-2000-queenbee-hexy", "london-2000-hexy-queenbee")
SIX = {"columns": 6, "rows": 6, "black": ["b4"], "white": [], "turn": "white"}


def test_a_canceled_solver_reports_its_own_positions():
    """A canceled solver answers "not solved" and resumes when asked again.

    Both runs count the positions of their own question only.
    """
    with client() as browser, page(browser) as one:
        counts = []
        for _ in range(2):
            one.progress.clear()
            number = one.send("solve", position=SIX | {"columns": 9, "rows": 9}, seconds=60)
            while not any("text" in progress for progress in one.progress):
                message = json.loads(one.socket.receive_text())
                one.progress.append(message)
            one.send("cancel", job=number)
            answer = one.hear(number)
            told = next(progress["text"] for progress in one.progress if "text" in progress)
            shown = int(told.split()[0].replace(",", ""))
            counts.append((shown, re.search("([0-9,]+) positions?", answer["answer"]["said"])[1]))

    assert answer["kind"] == "answer"
    assert answer["answer"]["solved"]["winner"] is None
    assert all(shown <= int(said.replace(",", "")) for shown, said in counts)


def cancelled_at_once():
    """Return a job that is canceled at its first progress message."""
    job = BoardJob(lambda _told: job.cancel.set())
    return job


def test_three_slow_jobs_run_at_the_same_time():
    """Three slow jobs run at the same time."""
    threads, meeting = Threads(), threading.Barrier(3)

    async def ask():
        jobs = [BoardJob(lambda _told: None) for _ in range(3)]
        await asyncio.gather(
            *(threads.run(job, lambda: meeting.wait(HOLD), "slow") for job in jobs)
        )

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, ask()).result()

    assert not meeting.broken


def test_cancel_stops_work_that_reports_no_progress():
    """Cancel stops work that reports no progress: odds on 13x13, and checking a proof."""
    job, desk = cancelled_at_once(), empty_desk(13)
    with pytest.raises(CancelledError):
        playing.odds(desk, job, playing.OddsQuestion(PositionObject(13, 13, [], [], "black")))
    job.cancel.set()
    proof = (ROOT / "positions/puzzles/proved").glob("*.proof")
    with pytest.raises(CancelledError):
        solving.verify(desk, job, solving.VerifyQuestion(next(proof).read_text()))


def test_a_canceled_question_ends_at_once_and_frees_its_thread():
    """A canceled question ends at once, and its thread is free for others."""
    threads, job = Threads(), BoardJob(lambda _told: None)

    async def ask():
        asked = asyncio.ensure_future(threads.run(job, find_all, "quick"))
        await asyncio.sleep(0.5)
        job.cancel.set()
        with pytest.raises(CancelledError):
            await asyncio.wait_for(asked, 30)
        return await threads.run(BoardJob(lambda _told: None), lambda: "free", "quick")

    # In a thread: the browser of an earlier test may have its event loop in this one.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, ask()).result() == "free"


def test_a_question_that_waits_for_an_engine_can_be_canceled():
    """Else six attempts in a game of Dark Hex hold all threads until its engine has answered."""
    desk, job = empty_desk(3), BoardJob(lambda _told: None)
    started = dark.start(desk, job, dark.StartQuestion(3))
    seat = started["game"], started["keys"]["black"]
    desk.dark.of(*seat)[0].turn_lock = TakenLock()
    with desk.seats.of("hexy", ALTERNATING, Board(3)) as engine:
        desk.seats._engines["hexy", ALTERNATING] = engine, TakenLock()  # noqa: SLF001
    job.cancel.set()

    with stopping(job.cancel), pytest.raises(Stopped):
        dark.attempt(desk, job, dark.AttemptQuestion(*seat, "b2"))
    with stopping(job.cancel), pytest.raises(Stopped), desk.seats.of("hexy", ALTERNATING, Board(3)):
        pytest.fail("it has the engine")


def test_an_engine_that_cannot_be_prepared_holds_no_page(monkeypatch, capfd):
    """The error is raised again when somebody plays."""
    monkeypatch.setattr("player.engine.spec.participant", Mock(side_effect=RuntimeError("missing")))
    seats, tell = EngineSeats(), Mock()
    assert seats.is_ready("hexy", ALTERNATING, Board(5), 60, BoardJob(tell))
    page = weakref.ref(tell)
    del tell
    gc.collect()

    assert page() is None
    assert capfd.readouterr().err == ""
    with pytest.raises(RuntimeError, match="missing"), seats.of("hexy", ALTERNATING, Board(5)):
        pytest.fail("it plays")


def test_the_threads_of_a_closed_server_end():
    """Idle threads end, with the workspaces of their kernels; a later question is cancelled."""
    threads, before, job = Threads(), set(threading.enumerate()), BoardJob(lambda _told: None)

    async def ask():
        for lane in ("trifle", "quick", "slow"):
            await threads.run(job, lambda: None, lane)
        own = [each for each in threading.enumerate() if each.name in {"trifle", "quick", "slow"}]
        threads.close()
        with pytest.raises(asyncio.CancelledError):
            await threads.run(job, lambda: None, "quick")
        return own

    with ThreadPoolExecutor(1) as thread:
        own = set(thread.submit(asyncio.run, ask()).result()) - before
    for each in own:
        each.join(60)
    assert len(own) == 3
    assert not any(each.is_alive() for each in own)


HELD = """
import asyncio, sys, time
from player.board.threads import BoardJob
from player.board.threads import Threads
threads, job = Threads(), BoardJob(lambda _told: None)
async def ask():
    work = asyncio.ensure_future(threads.run(job, lambda: time.sleep(60), "slow"))
    await asyncio.sleep(0.2)
    work.cancel()
asyncio.run(ask())
threads.close()
"""


def test_a_process_does_not_wait_for_work_that_cannot_be_stopped():
    """The server's process ends even if a kernel would run for an hour."""
    subprocess.run([sys.executable, "-c", HELD], check=True, timeout=100)  # noqa: S603 - our own words


def test_a_review_stops_within_a_position():
    """A canceled review stops within a position of 19x19, which can take seconds.

    Compiling cannot be canceled, and a run compiles what earlier runs did not need.
    So one of four runs has to be within the bound.
    """
    game = formats.read("https://hexworld.org/board/#19c1,j10k9i11l8h12m7g13")

    def stopped_after():
        """Return how many processor seconds a review takes after it was canceled."""
        flag, ended = Flag(), []

        def run():
            with stopping(flag), pytest.raises(Stopped):
                review_game(game, EFFORTS["deep"])
            ended.append(time.thread_time())

        work = threading.Thread(target=run)
        work.start()
        time.sleep(3)
        cancelled = time.clock_gettime(time.pthread_getcpuclockid(work.ident))
        flag.set()
        work.join(60)
        assert ended, "not ended within a minute"
        return ended[0] - cancelled

    assert any(stopped_after() < 1 for _ in range(4))


def test_a_closed_tab_stops_its_work():
    """Closing a tab cancels its job and frees the thread."""
    go, seen = threading.Event(), []

    def analysis(position):
        seen.append(position)
        go.wait(HOLD)  # so that a failing test does not hang
        return Analysis(position)

    game = formats.load(ROOT / f"positions/games/{LONDON[0]}.sgf")
    desk = empty_desk(analyses=Analyses(analysis))
    with client(desk) as browser, page(browser) as other:
        with page(browser) as one:
            one.send("graph", game=page_record(game))
            while not seen:
                pass
        other.ask("read", text="a1")
        go.set()
        second = formats.load(ROOT / f"positions/games/{LONDON[1]}.sgf").cut(12)
        assert other.ask("graph", game=page_record(second)) == {"plies": 13}

    assert len(seen) <= 13 + 2  # the first game's seventy positions were canceled


def record_of_london():
    return page_record(formats.load(ROOT / f"positions/games/{LONDON[0]}.sgf"))


# Each takes at least a minute unless stopped.
NINE = {"columns": 9, "rows": 9, "black": [], "white": [], "turn": "black"}
LONG = {
    "solve": lambda: {"position": NINE, "seconds": 60},
    "prove": lambda: {"position": NINE},
    "puzzle": lambda: {"position": NINE, "cell": "a1"},
    "hint": lambda: {"game": record_of_london() | {"cursor": 20}, "seconds": 60},
    "review": lambda: {"game": record_of_london(), "effort": "deep"},
}


def is_at_work():
    """Return whether a thread is answering a question."""
    for frame in sys._current_frames().values():  # noqa: SLF001 - there is no other way
        step = frame
        while step is not None:
            if step.f_globals.get("__name__", "").startswith("player.board.asked."):
                return True
            step = step.f_back
    return False


@pytest.mark.slow
@pytest.mark.parametrize("kind", LONG)
def test_no_thread_works_for_a_closed_tab(kind):
    """After a tab is closed, no thread works on its question of any kind."""
    with client() as browser:
        with page(browser) as one:
            one.send(kind, **LONG[kind]())
            wait_until(is_at_work)
        wait_until(lambda: not is_at_work())


def test_analyses_are_bounded_by_bytes():
    kept = Analyses(Analysis, most_bytes=3_000_000)
    for cell in Board(7, 7).cells:
        kept.of(Position.of(Board(7, 7)).play(cell))

    assert kept.bytes <= 3_000_000
    assert kept.of(Position.of(Board(7, 7))).position == Position.of(Board(7, 7))


def test_filled_boards_are_counted_among_the_bytes():
    """The byte count includes the analysis of the filled-in board."""
    kept, opened = Analyses(Analysis), Game.of(Board(11, 11), ["c2", "c9", "f6"])
    positions = [opened.position(turn=turn) for turn in Color]
    for game in [*positions, Position.of(Board(6, 6), black=["d3"], white=["c5"], turn="white")]:
        analysis = kept.of(game)
        stores = [*analysis.stores.values(), *analysis.filled.stores.values()]
        kept.forget()
        kept.of(game)

        assert kept.bytes == sum(store.memory.nbytes + store.log.nbytes for store in stores)


def test_connections_that_were_read_are_counted_among_the_bytes():
    """Read connections take twice the bytes of the arrays that they were read from."""
    kept, position = Analyses(Analysis), Game.of(Board(11, 11), ["c2", "c9", "f6"]).position()
    stores = kept.of(position).stores.values()
    before = kept.bytes
    tracemalloc.start()
    read = sum(len([*store]) for store in stores)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    kept.of(position)

    assert read > 1000
    assert kept.bytes - before == pytest.approx(taken, rel=0.3)


@pytest.mark.parametrize("turn", Color)
def test_a_chance_is_reused_only_for_its_turn(turn):
    """A search's chance is reused for the same turn, and not for the other turn."""
    kept, position = Analyses(Analysis), replace(Position.of(Board(11, 11)).play("f6"), turn=turn)
    best = best_moves(kept.of(position), 0.5)
    other = replace(position, turn=turn.opponent)

    assert kept.of(position).chance == best.chance
    assert kept.of(position).chance.by == "tree"
    assert kept.of(other).chance.by != "tree"


def test_quick_jobs_report_warming_up_and_trifles_do_not_wait():
    go, told = threading.Event(), []

    def loading():
        event.start_event("numba:compile", {"dispatcher": has})
        go.wait(HOLD)  # so that a failing test does not hang

    def tell(message):
        told.append(message)
        go.set()

    threads = Threads()
    threads.warm(loading)

    with start_blocking_portal() as portal:  # this thread may already run a browser's event loop
        assert portal.call(threads.run, BoardJob(told.append), lambda: 7, "trifle") == 7
        assert not go.is_set()
        assert portal.call(threads.run, BoardJob(tell), lambda: 8, "quick") == 8
    assert told == [{"compiling": True}]


@pytest.mark.parametrize("is_warming", [True, False])
def test_a_waiting_job_receives_compiling_progress_of_its_lane(is_warming):
    """A waiting job receives the progress of another's compiling, in its own lane only."""
    counts, others, begun = [], [], threading.Event()

    def compiling():
        begun.set()
        end = time.monotonic() + 60  # so that a failing test does not hang
        while counts in ([], [True]) and time.monotonic() < end:
            for report in (event.start_event, event.end_event):
                report("numba:compile", {"dispatcher": has})
            time.sleep(0.01)

    def told(message):
        counts.append(message["compiling"])

    threads = Threads()
    with start_blocking_portal() as portal, ThreadPoolExecutor() as pool:
        if is_warming:
            threads.warm(compiling)
        else:
            pool.submit(portal.call, threads.run, BoardJob(str), compiling, "quick")
            assert begun.wait(HOLD)
            slow = BoardJob(others.append)
            assert portal.call(threads.run, slow, lambda: 7, "slow") == 7
        assert portal.call(threads.run, BoardJob(told), lambda: 8, "quick") == 8

    assert re.fullmatch("[0-9]+ of [0-9]+", counts[-1])
    assert others == []


def test_with_an_empty_cache_compiling_is_announced_early(tmp_path, monkeypatch):
    """With an empty cache, compiling is announced before numba is loaded, which takes seconds."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    go, told = threading.Event(), []

    def tell(message):
        told.append(message)
        go.set()

    threads = Threads()
    threads.warm(lambda: go.wait(HOLD))  # compiles nothing
    with start_blocking_portal() as portal:
        assert portal.call(threads.run, BoardJob(tell), lambda: 7, "quick") == 7

    assert told == [{"compiling": True}]


def test_with_cached_kernels_loading_is_not_announced(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    (tmp_path / "hsearch").mkdir()
    (tmp_path / "hsearch" / "some.kernel").touch()
    told = []
    threads = Threads()
    threads.warm(lambda: time.sleep(0.5))
    with start_blocking_portal() as portal:
        assert portal.call(threads.run, BoardJob(told.append), lambda: 7, "quick") == 7

    assert told == []


def test_the_first_position_is_analyzed_before_anybody_asks():
    """The first position is analyzed before the first question, and only once."""
    seen, done = [], threading.Event()

    def analysis(position):
        seen.append(position)
        done.set()
        return Analysis(position)

    start = Position.of(Board(3, 3))
    desk = empty_desk(3, analyses=Analyses(analysis), start=start)
    with client(desk) as browser, page(browser) as one:
        assert done.wait(HOLD)
        one.ask("analyze", position=position_object(start))

    assert seen == [start]


def test_compiling_progress_counts_called_kernels(tmp_path, monkeypatch):
    """Progress counts each kernel and those it calls, in the job's thread only."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))

    @kernel
    def inner(x):
        return x + 1

    @kernel
    def outer(x):
        return inner(x) * 2

    @kernel
    def other(x):
        return inner(x) - 1

    told = []
    with announcing(told.append):
        assert outer(1) == 4
        assert other(1) == 1
    assert other(1.0) == 1

    assert [each["compiling"] for each in told] == ["0 of 2", "1 of 2", "2 of 3"]


class Compiler:
    """A process that compiles until it is killed."""

    def __init__(self):
        self.returncode = None
        self.is_awaited = False  # asyncio complains on stderr about a process that is not awaited
        self._end = asyncio.Event()

    def kill(self):
        """End the process."""
        self.returncode = -9
        self._end.set()

    async def wait(self):
        """Wait until the process has ended."""
        await self._end.wait()
        self.is_awaited = True


def test_other_sizes_compile_while_idle_and_stop_with_the_server(monkeypatch):
    """Compiling starts after a time without questions and ends with the server."""
    monkeypatch.setattr(warming, "REST", 0.001)
    rests, begun = iter([0.0, 0.0, 0.0005, 1.0]), []

    async def serve():
        started = asyncio.Event()

        async def start():
            begun.append((Compiler(), list(rests)))
            started.set()
            return begun[0][0]

        async with warming.warming(lambda: next(rests), start):
            await started.wait()
            await asyncio.sleep(0)  # now it waits for the compiler

    with start_blocking_portal() as portal:
        portal.call(serve)
    ((compiler, left),) = begun

    assert left == []  # it polled until the rest was long enough
    assert compiler.returncode == -9
    assert compiler.is_awaited


def test_the_server_runs_if_the_compiler_cannot_start():
    async def serve():
        begun = asyncio.Event()

        async def start():
            begun.set()
            raise OSError("too many processes")

        async with warming.warming(lambda: warming.REST, start):
            await begun.wait()

    with start_blocking_portal() as portal:
        portal.call(serve)


def test_the_compiler_loads_no_module_of_the_current_folder(monkeypatch, tmp_path):
    (tmp_path / "player.py").write_text("raise SystemExit('not of this program')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("player.board.serve.os.getpid", lambda: 1)  # it ends without its server

    async def ended():
        return await (await warming.compiler()).wait()

    with start_blocking_portal() as portal:
        assert portal.call(ended) == 0


def test_a_defect_is_reported_in_one_line_and_ends_nothing(monkeypatch, capsys):
    """The line on the terminal may quote what a visitor sent, so it has no control characters."""

    def shipped(_desk, _job, request: records.ShippedQuestion):
        raise LookupError(f"{request.name}\n\x1b[2J")

    monkeypatch.setattr(records, "shipped", shipped)
    with client() as found, page(found) as one:
        said = one.refusal("shipped", name="classic")
        monkeypatch.undo()
        assert one.ask("shipped", name="classic")["text"]

    assert said == r"a fault of hsearch: LookupError: classic\n\x1b[2J"
    assert capsys.readouterr().err == "hsearch: LookupError: classic\\n\\x1b[2J\n"


def test_rest_is_zero_during_a_job_and_grows_after_it():
    threads, seen = Threads(), []
    with start_blocking_portal() as portal:
        portal.call(
            threads.run, BoardJob(seen.append), lambda: seen.append(threads.rest()), "trifle"
        )
        first = threads.rest()

    assert seen == [0.0]
    assert 0 < first <= threads.rest()


def test_warming_sizes_cover_each_number_of_words():
    """Each number of words has a size with a proved position, so an explanation compiles too."""

    def words(side):
        return len(workspace(side * side).layout.words)

    assert sorted(map(words, warming.SIDES)) == sorted({words(side) for side in range(1, 20)})
    for side in (7, 11):
        positions = warming.positions(side)
        proved = [Analysis(position, search=None).winner for position in positions]
        assert proved == [None, Color.BLACK]


def test_a_compiler_without_a_server_does_not_load_numba():
    command = [sys.executable, "-X", "importtime", "-m", "player.board.serve", "1"]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603

    assert "numba" not in ended.stderr
