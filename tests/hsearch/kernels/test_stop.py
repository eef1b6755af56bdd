"""Kernels end soon after another thread sets the stop flag, and when their time is up."""

import threading
import time
from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest
from endless import TakenLock, crowded, find_all
from places import ROOT

from hsearch.connect.closure import Side, closure
from hsearch.connect.exhaustive import JoinGame
from hsearch.connect.limits import Limits
from hsearch.connect.window_answers import WindowRoom
from hsearch.connect.window_shape import EdgeView, Size, cut_out
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from hsearch.kernels.stop import Flag, Stopped, address, check, holding, stopping, within
from hsearch.strategy.check import check as check_all
from player.dark import certificate
from player.evaluate.exact import build, exact
from player.solve.budget import Techniques
from player.solve.examiner import Examiner
from player.solve.solver import Solver

HOURS = Limits(M=100, K=8)  # on a crowded 14x14


def shrinking():
    """Search for connections without M and K, across edges."""
    closure(crowded(26, 10), Color.BLACK, Limits(shrinking=True, edge_pivot=True))


def update():
    """Add a stone to incomplete connections, so the search continues."""
    position = crowded()
    with within(0.1):
        side = Side(position, Color.BLACK, HOURS)
    side.advance(next(position.empty.search(1)), own=True)


def examine():
    """Examine the connections of a position for the solver."""
    examiner, position = Examiner(Board(14, 14), HOURS, Techniques()), crowded()
    sides = (int.from_bytes(side.tobytes(), "little") for side in (position.black, position.white))
    examiner.examine(examiner.place(*sides, 0), own=True)


def play_out():
    """Play out a carrier with too many cells to finish."""
    board = Board(8, 7)
    position = Position.of(board, black="d2")
    JoinGame(position, Color.BLACK, (board.cell("d2"), board.point("south")), position.empty).play()


def search_window():
    """Search a window for two seconds."""
    position = Position.of(Board(14, 14), black="g9")
    view = [*EdgeView.both(position, Color.BLACK)][1]
    groups = view.groups()
    placed = cut_out(view, groups, groups[1], Size(above=2, detour=30))
    WindowRoom(placed.window).solve(20_000)


def count_fillings():
    """Count balanced fillings, for two seconds."""
    exact(Position.of(Board(11, 19)), balanced=True)


def build_table():
    """Make the table of the widest board for a second."""
    build(13)


def respond():
    """Compute best responses to the policies of a Dark Hex certificate, each for half a second."""
    claim = certificate.read((ROOT / "positions/dark/3x4-classic-silent.txt").read_text())
    while True:
        certificate.verify(claim)


def stopped(work, after):
    """Set the stop flag of some work after `after` processor seconds.

    Return what it raises, and how many processor seconds it takes to end.
    """
    flag, raised, at = Flag(), [], []

    def run():
        with stopping(flag):
            try:
                work()
            except Stopped as error:
                raised.append(error)
            at.append(time.thread_time())

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    begin = 0.0
    while begin < after:
        time.sleep(0.02)
        assert thread.is_alive(), "the work has ended by itself: this tests nothing"
        begin = time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
    flag.set()
    thread.join(60)
    return raised, (at or [float("inf")])[0] - begin


@pytest.mark.slow
@pytest.mark.parametrize(
    ("work", "after"),
    [
        (find_all, 0.3),
        (shrinking, 0.3),
        (update, 0.3),
        (examine, 0.3),
        (play_out, 0.3),
        (search_window, 0.3),
        (count_fillings, 0.1),
        (count_fillings, 0.8),
        (build_table, 0.1),
        (build_table, 0.4),
        (respond, 0.8),
    ],
)
def test_a_kernel_ends_soon_after_the_flag_is_set(work, after):
    """The work ends, whatever is left to do; the kernels are compiled before."""
    with within(0.1), suppress(Stopped):
        work()
    raised, seconds = stopped(work, after)

    assert raised
    assert seconds < 1  # processor time; less than 0.2 on an idle machine


def test_connections_found_before_a_timeout_hold():
    """The result is marked incomplete; the next search has its full time again."""
    position, found = crowded(), []
    for allowed in (0.5, 2, 8):  # the machine may be busy
        begin = time.monotonic()
        with within(allowed):
            cut_short = closure(position, Color.BLACK, HOURS)
        assert time.monotonic() - begin < allowed + 20
        assert "time" in cut_short.counts.limits_bound
        found = list(cut_short)
        if len(found) > 3000:
            break
    whole = closure(position, Color.BLACK)

    assert "time" not in whole.counts.limits_bound
    assert check_all(position, Color.BLACK, *found[::100]) > 200


def test_an_update_that_is_stopped_changes_nothing():
    """The update can be repeated, and gives the result of one that was never stopped."""
    position = crowded(7, 4)
    one, other = Side(position, Color.BLACK, Limits()), Side(position, Color.BLACK, Limits())
    cell = next(position.empty.search(1))
    before = one.mark()
    flag = Flag()
    flag.set()
    with stopping(flag), pytest.raises(Stopped):
        one.advance(cell, own=True)
    after = one.mark()
    for side in (one, other):
        side.advance(cell, own=True)

    assert (after.memory == before.memory).all()
    assert (after.stones == before.stones).all()
    assert (one.mark().memory == other.mark().memory).all()


def test_the_solver_stops_in_time_on_a_large_board():
    """The solver and its helpers stop in time, though one evaluation of this takes hours."""
    solver = Solver(Board(14, 14), limits=HOURS, workers=2)
    solver.prepare()
    begin = time.monotonic()
    answer = solver.solve(crowded(), seconds=1)

    assert answer.winner is None
    assert time.monotonic() - begin < 30


def test_a_timer_that_fires_late_does_not_affect_later_work(monkeypatch):
    """A timer that fires late leaves the flag clear for later work."""
    under_way = []

    class Timer(threading.Timer):
        def cancel(self):
            super().cancel()
            under_way.append((self.function, self.args))

    monkeypatch.setattr(threading, "Timer", Timer)
    flag = Flag()
    with stopping(flag), within(60):
        check(late=True)
    ((fire, arguments),) = under_way
    fire(*arguments)

    assert not flag.is_late
    with stopping(flag):
        check(late=True)


@pytest.mark.parametrize("seconds", [np.float32(0.01), Fraction(1, 100)])
def test_any_real_number_limits_the_time(seconds):
    """Python's timer fails, in its thread, on numbers that are neither its own nor double."""
    flag, end = Flag(), time.monotonic() + 60
    with stopping(flag), within(seconds):
        while not flag.is_late and time.monotonic() < end:
            time.sleep(0.01)

        assert flag.is_late


def test_nested_time_limits_expire_independently():
    """Nested calls have their own times, and the end of one does not end the other."""
    with within(3600):
        own = address()
        with within(0):
            assert address() == own
            with pytest.raises(Stopped):
                check(late=True)
            check()
        check(late=True)
    flag = Flag()
    with stopping(flag), within(3600):
        flag.set()
        with pytest.raises(Stopped):
            check()
    flag.clear()
    with stopping(flag), stopping(threading.Event()):
        assert address() == flag.address
        check(late=True)

    assert address() == 0


def test_a_signal_handler_may_clear_the_flag_at_any_time():
    """It runs in the thread that it interrupts, perhaps while that thread writes the flag."""
    flag = Flag()

    def interrupted():
        with flag._lock:  # noqa: SLF001 - as inside any method
            flag.set()
            flag.clear()

    thread = threading.Thread(target=interrupted, daemon=True)
    thread.start()
    thread.join(60)

    assert not thread.is_alive()
    assert not flag.is_set()


@pytest.mark.parametrize("late", [False, True])
def test_a_thread_that_waits_for_a_lock_is_stopped(late):
    """Canceling stops it, and with `late` the end of its time."""
    flag = Flag()
    if not late:
        flag.set()
    wait = holding(TakenLock(), late=late)
    with stopping(flag), within(0 if late else None), pytest.raises(Stopped), wait:
        pytest.fail("it has the lock")


def test_a_lock_is_released_after_an_error():
    lock = threading.Lock()
    with suppress(ValueError), holding(lock):
        assert lock.locked()
        raise ValueError
    assert not lock.locked()
