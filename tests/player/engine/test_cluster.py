"""Games on a real Dask cluster, with workers and schedulers killed."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import contextmanager, suppress
from threading import Thread

import pytest
from click.testing import CliRunner
from places import ROOT

from hsearch.hex.board import Board
from player.cli import main
from player.engine.results import Event, Rows
from player.search.openings import load_chart
from player.solve.job_folder import JobFolder
from player.solve.solver import from_the_center
from player.work.spread import Cluster, WorkersError

pytest.importorskip("distributed", reason="needs the extra `cluster`")

PATIENCE = 400  # seconds: a busy machine may take minutes
EVENT = Event("tournament", 5, 5, ("random", "ab:depth=2,order=random"))

# Workers are forks of a process that has loaded the program.
CLUSTER = """
import sys
import dask
from distributed import LocalCluster
from distributed.utils import get_mp_context
if __name__ == "__main__":
    dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"})
    get_mp_context().set_forkserver_preload(["distributed", "player.engine.tournament"])
    cluster = LocalCluster(
        n_workers=3, threads_per_worker=1, dashboard_address=None, local_directory=sys.argv[1]
    )
    print(cluster.scheduler_address, *(w.pid for w in cluster.workers.values()), flush=True)
    sys.stdin.read()
"""


@contextmanager
def started(folder):
    """Yield the address of a scheduler, its process id, and those of its three workers."""
    path = folder / "cluster.py"
    path.write_text(CLUSTER)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    known = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, known))}
    with subprocess.Popen(  # noqa: S603
        [sys.executable, path, folder], text=True, env=environment, start_new_session=True, **pipes
    ) as program:
        try:
            address, *workers = program.stdout.readline().split()
            yield address, program.pid, [int(worker) for worker in workers]
        finally:
            os.killpg(program.pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Yield the address of a lasting scheduler, and its workers that are still alive."""
    with started(tmp_path_factory.mktemp("cluster")) as (address, _, workers):
        yield address, workers


@pytest.fixture
def doomed(tmp_path):
    """Yield the address of a scheduler to be killed, and its process id."""
    with started(tmp_path) as (address, process, _):
        yield address, process


def kill_after(monkeypatch, calls, kind, name, worker):
    """Kill a worker after a number of calls of a method; return the list of calls."""
    original, done = getattr(kind, name), []

    def called(*arguments):
        original(*arguments)
        done.append(arguments)
        if len(done) == calls:
            os.kill(worker, signal.SIGKILL)

    monkeypatch.setattr(kind, name, called)
    return done


@pytest.mark.slow
def test_a_killed_worker_loses_no_finished_game(cluster, tmp_path, monkeypatch):
    """Each game is present once, with the result of a single process."""
    address, workers = cluster
    arguments = ["tournament", *EVENT.players, "--size", "5", "--games", "30"]
    one, other = tmp_path / "one", tmp_path / "other"
    added = kill_after(monkeypatch, 3, Rows, "add", workers.pop())
    done = CliRunner().invoke(main, [*arguments, "--resume", str(one), "--scheduler", address])
    before = [row.write() for _, row in added[:3]]
    alone = CliRunner().invoke(main, [*arguments, "--resume", str(other)])
    games = [Rows(path, EVENT).first(30) for path in (one, other)]

    assert (done.exit_code, alone.exit_code) == (0, 0), done.output
    assert one.read_text().splitlines()[1:4] == before
    assert [(r.game, r.winner, r.moves) for r in games[0]] == [
        (r.game, r.winner, r.moves) for r in games[1]
    ]
    assert len(games[0]) == 30


@pytest.mark.slow
def test_a_killed_scheduler_is_reported_in_one_line(doomed, tmp_path):
    """The error is one line, and the finished games are kept."""
    address, scheduler = doomed
    rows = tmp_path / "rows"
    command = [sys.executable, "-m", "player.cli", "tournament", *EVENT.players, "--size", "5"]
    command += ["--games", "5000", "--resume", str(rows), "--scheduler", address]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as program:  # noqa: S603
        limit = time.monotonic() + PATIENCE
        while not rows.exists() or rows.read_text().count("\n") < 4:
            assert time.monotonic() < limit, "no game was finished"
            time.sleep(0.01)
        os.kill(scheduler, signal.SIGKILL)
        try:
            _, errors = program.communicate(timeout=PATIENCE)
        finally:
            program.kill()

    assert program.returncode == 1
    assert errors.splitlines()[-1] == (
        f"the scheduler at {address} is gone; finished games are kept"
    )
    assert "Traceback" not in errors
    assert len(Rows(rows, EVENT).games) >= 3


def test_a_server_that_is_not_a_scheduler_is_rejected():
    """A server of another kind is rejected, although its first bytes look like a huge message."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        Thread(target=_answer, args=(server,), daemon=True).start()
        with pytest.raises(WorkersError) as caught:
            Cluster(address)

    assert address in str(caught.value)


def _answer(server):
    with suppress(OSError):
        while True:
            connection, _ = server.accept()
            connection.sendall(b"HTTP/1.0 400 Bad Request\r\n\r\n" * 9)
            connection.close()


@pytest.mark.slow
def test_a_client_that_did_not_start_in_time_is_started_again(cluster, monkeypatch):
    """The library gives its thread 10 seconds to start, which a busy machine may not have."""
    distributed, late = pytest.importorskip("distributed"), []
    client = distributed.Client

    def started_late(*arguments, **options):
        if not late:
            late.append(arguments)
            raise AssertionError
        return client(*arguments, **options)

    monkeypatch.setattr(distributed, "Client", started_late)
    joined = Cluster(cluster[0])
    assert late
    assert joined.is_connected
    joined.close()


@pytest.mark.slow
def test_every_call_fails_when_the_scheduler_is_gone(doomed, monkeypatch):
    """Calls to the library raise different errors, but the user gets one message."""
    monkeypatch.setattr("player.work.spread.SECONDS", PATIENCE)
    address, scheduler = doomed
    joined = Cluster(address)
    executor = joined.executor()
    assert executor.submit(pow, 2, 5).result(PATIENCE) == 32
    left = executor.submit(time.sleep, 60)
    os.kill(scheduler, signal.SIGKILL)
    limit = time.monotonic() + PATIENCE
    while joined.is_connected and time.monotonic() < limit:
        time.sleep(0.01)

    with pytest.raises(BrokenExecutor):
        executor.submit(pow, 2, 5)
    with pytest.raises(WorkersError, match="gone; finished games are kept"):
        joined.executor()
    with pytest.raises(CancelledError):
        left.result(PATIENCE)
    joined.close()
    with pytest.raises(BrokenExecutor):
        executor.submit(pow, 2, 5)
    executor.shutdown(wait=False)


@pytest.mark.slow
def test_reviews_on_a_cluster_equal_those_of_one_process(cluster, tmp_path):
    """The rows and the output are the same."""
    address, _ = cluster
    file, one, other = (tmp_path / name for name in ("games.sgf", "one", "other"))
    file.write_text("(;GM[11]SZ[4];B[a4];W[b2];B[d1])(;GM[11]SZ[4];B[c2];W[b3])" * 3)
    words = ["review", str(file), "--effort", "quick", "--resume"]
    alone = CliRunner().invoke(main, [*words, str(one)])
    together = CliRunner().invoke(main, [*words, str(other), "--scheduler", address])

    assert (alone.exit_code, together.exit_code) == (0, 0)
    assert alone.stdout == together.stdout
    assert sorted(one.read_text().splitlines()) == sorted(other.read_text().splitlines())


@pytest.mark.slow
def test_jobs_solve_all_openings_even_if_a_worker_dies(cluster, tmp_path, monkeypatch):
    """The map of 5x5 is the known one."""
    address, workers = cluster
    words = ["solve", "--openings", "5", "--scheduler", address, "--resume", f"{tmp_path}/f/"]
    kill_after(monkeypatch, 2, JobFolder, "note", workers.pop())
    done = CliRunner().invoke(main, [*words, "--json"])

    assert done.exit_code == 0, done.output
    board, chart = Board(5, 5), load_chart(5)
    found = json.loads(done.stdout)["openings"]
    assert {one["cell"]: one["winner"] == "black" for one in found} == {
        board.name(cell): chart.wins(cell) for cell in from_the_center(board)
    }
