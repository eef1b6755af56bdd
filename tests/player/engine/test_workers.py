"""Games in several processes: failures, kills, and Ctrl-C."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from contextlib import suppress

import pytest
from events import QUICK, never, outcome, played

from player.engine.results import Rows
from player.engine.tournament import run
from player.work.spread import Processes, WorkerPool, WorkersError, spread


class Dying(ThreadPoolExecutor):
    """An executor whose workers die at every second game."""

    count = 0

    def submit(self, function, *arguments):
        """Play the game, or fail like a pool whose processes were killed."""
        Dying.count += 1
        if Dying.count % 2:
            return super().submit(function, *arguments)
        future = Future()
        future.set_exception(BrokenExecutor("killed"))
        return future


class AtOnce(ThreadPoolExecutor):
    """An executor that has finished each call before it returns."""

    def submit(self, function, *arguments):
        """Wait for the call."""
        future = super().submit(function, *arguments)
        future.exception()
        return future


class Giving(Dying):
    """An executor that cancels every second game, like a cluster that breaks down."""

    def submit(self, function, *arguments):
        """Play the game, or cancel it."""
        future = super().submit(function, *arguments)
        if Dying.count % 2:
            return future
        lost = Future()
        lost.cancel()
        lost.set_running_or_notify_cancel()
        return lost


class Dead(Dying):
    """An executor whose workers die at once."""

    def submit(self, _function, *_arguments):
        """Fail."""
        future = Future()
        future.set_exception(BrokenExecutor("killed"))
        return future


@pytest.mark.parametrize("kind", [Dying, Giving])
def test_games_of_dead_workers_are_played_again(tmp_path, kind):
    """Each game is played once, with the results of a run without failures."""
    rows, seen = Rows(tmp_path / "one", QUICK), []
    run(
        rows,
        range(6),
        lambda row: bool(seen.append(row.game)),
        workers=WorkerPool(executor=lambda: kind(1)),
    )

    assert sorted(seen) == list(range(6))
    assert outcome(rows) == outcome(played(tmp_path / "other", 6))


def test_finished_results_arrive_before_a_failure_is_raised():
    """Results that arrive together are kept in the order of their calls."""
    calls = [(int, "a"), *((str, number) for number in range(15))]
    for _ in range(5):
        kept = []

        with pytest.raises(ValueError, match="invalid literal"):
            spread(lambda: calls, kept.append, workers=WorkerPool(8, lambda: AtOnce(1)))
        assert kept == [str(number) for number in range(15)]


def test_results_from_before_a_refused_call_are_kept():
    """Workers that die between two calls refuse the next one; the finished ones are not lost."""
    calls, kept = [], []

    class Refusing(AtOnce):
        def submit(self, function, *arguments):
            if len(calls) == 3:
                calls.append(None)
                raise BrokenExecutor("killed")
            return super().submit(function, *arguments)

    def missing():
        return [(calls.append, number) for number in range(6) if number not in calls]

    spread(missing, kept.append, workers=WorkerPool(4, lambda: Refusing(1)))

    assert sorted(number for number in calls if number is not None) == [*range(6)]
    assert len(kept) == 6


def test_workers_that_always_die_are_an_error(tmp_path):
    """After five attempts, the error has the number of games left."""
    with pytest.raises(WorkersError, match="5 times in a row; 4 games are left"):
        run(
            Rows(tmp_path / "rows", QUICK),
            range(4),
            never,
            workers=WorkerPool(executor=lambda: Dead(1)),
        )


@pytest.mark.slow
def test_a_killed_process_loses_no_finished_game(tmp_path):
    """One of two workers is killed after the first game; results are those of one worker."""
    rows, seen = Rows(tmp_path / "two", QUICK), []

    def told(row):
        if not seen:
            multiprocessing.active_children()[0].kill()
        seen.append(row.game)
        return False

    run(rows, range(8), told, workers=WorkerPool(2))

    assert sorted(seen) == list(range(8))
    assert outcome(rows) == outcome(played(tmp_path / "one", 8))


@pytest.mark.slow
def test_processes_of_the_caller_survive_the_end_of_the_workers():
    """A script may have a pool of its own beside the workers of a tournament."""
    sleeper = multiprocessing.get_context("forkserver").Process(target=time.sleep, args=(60,))
    sleeper.start()

    spread(
        lambda: [(abs, -number) for number in range(4)],
        lambda result: result == 1,
        workers=WorkerPool(2),
    )

    sleeper.join(0.5)
    assert sleeper.exitcode is None
    sleeper.kill()


@pytest.mark.slow
def test_starting_processes_block_ctrl_c():
    """A starting process prints nothing at Ctrl-C, and its parent still receives the signal."""
    with Processes(1) as pool:
        blocked = pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, ()).result()

    assert signal.SIGINT in blocked
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.slow
def test_processes_start_without_fork_and_signal_masks(monkeypatch):
    """Windows has neither forks nor signal masks."""
    monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: ["spawn"])
    monkeypatch.delattr(signal, "pthread_sigmask")
    with Processes(1) as pool:
        assert pool.submit(abs, -3).result() == 3


BESIDE = """
import os
from player.work.spread import Processes

if __name__ == "__main__":
    with Processes(1) as pool:
        print(pool.submit(os.getenv, "PYTHONSAFEPATH").result())
"""


@pytest.mark.slow
@pytest.mark.parametrize("safe", [None, "1"])
def test_a_process_loads_no_module_of_the_current_folder(monkeypatch, tmp_path, safe):
    """A user's engine may be named `player.py`; engines in Python may have modules beside them."""
    script, current = tmp_path / "beside.py", tmp_path / "current"
    current.mkdir()
    (current / "player.py").write_text("print('not of this program')")
    script.write_text(BESIDE)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    if safe is not None:
        monkeypatch.setenv("PYTHONSAFEPATH", safe)
    done = subprocess.run(  # noqa: S603
        [sys.executable, script], cwd=current, capture_output=True, text=True, check=False
    )

    assert done.stdout == f"{safe}\n"


ORPHAN = """
import os, signal, time
from player.work.spread import Processes

if __name__ == "__main__":
    pool = Processes(1)
    pool.submit(time.sleep, 1000)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def await_the_end_of(script, text, *words):
    """Run a script, and wait until it and all processes that it has started have ended."""
    script.write_text(text)
    with subprocess.Popen(  # noqa: S603
        [sys.executable, script, *words],
        cwd=script.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as parent:
        try:
            parent.communicate(timeout=120)  # the pipe ends when no process holds it open
        finally:
            with suppress(ProcessLookupError):
                os.killpg(parent.pid, signal.SIGKILL)


@pytest.mark.slow
def test_a_process_ends_if_its_parent_died_during_its_start(tmp_path):
    """A process whose parent was killed during its imports would otherwise stay forever."""
    await_the_end_of(tmp_path / "orphan.py", ORPHAN)


ENGINE = """
import os, pathlib, signal, subprocess, sys, time
from player.work.spread import Processes

def play():
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    pathlib.Path("started").touch()
    time.sleep(1000)

if __name__ == "__main__":
    pool = Processes(1)
    pool.submit(play)
    while not os.path.exists("started"):
        time.sleep(0.1)
    if sys.argv[1] == "end":
        pool.end()
    else:
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", ["end", "kill"])
def test_an_engine_ends_with_the_process_that_started_it(tmp_path, how):
    """After Ctrl-C, or if the program is killed, an engine would otherwise think to its end."""
    await_the_end_of(tmp_path / "engine.py", ENGINE, how)


LEAVING = """
import time
from types import SimpleNamespace
from player.engine.self_play import play_games

def samples(number):
    time.sleep(1000 * number)

if __name__ == "__main__":
    games = play_games(SimpleNamespace(samples=samples), 9, 2)
    next(games)
    games.close()
"""


@pytest.mark.slow
def test_games_of_self_play_end_with_the_command(tmp_path):
    """Ctrl-C in `chance --fit` with processes once waited for the games under way."""
    await_the_end_of(tmp_path / "leaving.py", LEAVING)


@pytest.mark.slow
def test_an_interruption_while_processes_start_is_quiet(tmp_path, monkeypatch):
    """No thread of the pool fails at a game that has not begun."""
    said, others = [], set(threading.enumerate())

    def interrupted(*_arguments, **_options):
        time.sleep(0.3)  # so that the games are on their way to the processes
        raise KeyboardInterrupt

    monkeypatch.setattr(threading, "excepthook", said.append)
    monkeypatch.setattr(sys.modules["player.work.spread"], "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(Rows(tmp_path / "rows", QUICK), range(9), never, workers=WorkerPool(2))
    for thread in set(threading.enumerate()) - others:
        thread.join(100)

    assert said == []
