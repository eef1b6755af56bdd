"""Games on a real Dask cluster, with a worker killed in the middle."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, CancelledError
from threading import Timer

import pytest
from click.testing import CliRunner
from places import ROOT

from hsearch.board import Board
from player.cli import main
from player.openings import shipped_chart
from player.solve.openings import from_the_center
from player.tournament import Cluster, Event, Rows, WorkersError

pytest.importorskip("distributed", reason="needs the extra `cluster`")

EVENT = Event("tournament", 5, 5, ("random", "ab:depth=2,order=random"))

CLUSTER = """
import sys, time
from distributed import LocalCluster
if __name__ == "__main__":
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    print(cluster.scheduler_address, *(w.pid for w in cluster.workers.values()), flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def cluster(tmp_path):
    """Yield the address of a cluster's scheduler, its process, and those of its two workers."""
    path = tmp_path / "cluster.py"
    path.write_text(CLUSTER)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    known = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, known))}
    with subprocess.Popen(  # noqa: S603
        [sys.executable, path], text=True, env=environment, **pipes
    ) as program:
        address, *workers = program.stdout.readline().split()
        yield address, program.pid, [int(worker) for worker in workers]
        program.stdin.close()


def wait_for_games(path):
    """Return when a few games are finished; on a busy machine that may take minutes."""
    limit = time.monotonic() + 400
    while not path.exists() or path.read_text().count("\n") < 4:
        assert time.monotonic() < limit, "no game was finished"
        time.sleep(0.02)


@pytest.mark.slow
def test_a_killed_worker_loses_no_finished_game(cluster, tmp_path):
    """Each game is there once, with the results of one process."""
    address, _, workers = cluster
    arguments = ["tournament", *EVENT.players, "--size", "5", "--games", "60"]
    one, other = tmp_path / "one", tmp_path / "other"
    command = [sys.executable, "-m", "player.cli", *arguments, "--rows", str(one)]
    with subprocess.Popen([*command, "--scheduler", address]) as program:  # noqa: S603
        wait_for_games(one)
        os.kill(workers[0], signal.SIGKILL)
        before = one.read_text().rpartition("\n")[0].splitlines()
        assert program.wait(400) == 0
    done = CliRunner().invoke(main, [*arguments, "--rows", str(other)])
    games = [Rows(path, EVENT).first(60) for path in (one, other)]

    assert done.exit_code == 0, done.output
    assert len(before) < 61
    assert one.read_text().splitlines()[: len(before)] == before
    assert [(r.game, r.winner, r.moves) for r in games[0]] == [
        (r.game, r.winner, r.moves) for r in games[1]
    ]
    assert len(games[0]) == 60


@pytest.mark.slow
def test_a_killed_scheduler_is_one_line(cluster, tmp_path):
    """The games until then are kept, and can be gone on with."""
    address, scheduler, _ = cluster
    rows = tmp_path / "rows"
    command = [sys.executable, "-m", "player.cli", "tournament", *EVENT.players, "--size", "5"]
    command += ["--games", "5000", "--rows", str(rows), "--scheduler", address]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as program:  # noqa: S603
        wait_for_games(rows)
        os.kill(scheduler, signal.SIGKILL)
        try:
            _, errors = program.communicate(timeout=400)
        finally:
            program.kill()

    assert program.returncode == 1
    assert errors.splitlines()[-1] == (
        f"the scheduler at {address} is gone; finished games are kept"
    )
    assert "Traceback" not in errors
    assert len(Rows(rows, EVENT).games) >= 3


@pytest.mark.slow
def test_a_scheduler_that_is_gone_is_said_in_one_way(cluster):
    """Whatever the library is asked first, and however it names its trouble."""
    address, scheduler, _ = cluster
    there = Cluster(address)
    executor = there.executor()
    assert executor.submit(pow, 2, 5).result(30) == 32
    left = executor.submit(time.sleep, 60)
    os.kill(scheduler, signal.SIGKILL)
    limit = time.monotonic() + 30
    while there.there and time.monotonic() < limit:
        time.sleep(0.01)

    with pytest.raises(BrokenExecutor):
        executor.submit(pow, 2, 5)
    with pytest.raises(WorkersError, match="gone; finished games are kept"):
        there.executor()
    with pytest.raises(CancelledError):
        left.result(30)
    there.close()
    with pytest.raises(BrokenExecutor):
        executor.submit(pow, 2, 5)
    executor.shutdown(wait=False)


def test_reviews_on_a_cluster_are_those_of_one_process(cluster, tmp_path):
    """The same rows, whoever made them."""
    address, _, _ = cluster
    file, one, other = (tmp_path / name for name in ("games.sgf", "one", "other"))
    file.write_text("(;GM[11]SZ[4];B[a4];W[b2];B[d1])(;GM[11]SZ[4];B[c2];W[b3])" * 3)
    words = ["review", str(file), "--effort", "quick", "--rows"]
    alone = CliRunner().invoke(main, [*words, str(one)])
    together = CliRunner().invoke(main, [*words, str(other), "--scheduler", address])

    assert (alone.exit_code, together.exit_code) == (0, 0)
    assert alone.stdout == together.stdout
    assert sorted(one.read_text().splitlines()) == sorted(other.read_text().splitlines())


@pytest.mark.slow
def test_openings_are_solved_by_jobs_although_a_worker_dies(cluster, tmp_path):
    """The map of 5x5, whatever its workers do."""
    address, _, workers = cluster
    words = ["solve", "--openings", "5", "--scheduler", address, "--table", f"{tmp_path}/f/"]
    dying = Timer(4, os.kill, (workers[0], signal.SIGKILL))
    dying.start()
    done = CliRunner().invoke(main, [*words, "--json"])
    dying.join()

    assert done.exit_code == 0, done.output
    board, chart = Board(5, 5), shipped_chart(5)
    found = json.loads(done.stdout)["openings"]
    assert {one["cell"]: one["winner"] == "black" for one in found} == {
        board.name(cell): chart.wins(cell) for cell in from_the_center(board)
    }
