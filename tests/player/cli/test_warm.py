"""`hsearch warm`: after it no command has to compile."""

import os
import signal
import subprocess
import sys

import numpy as np
import psutil
import pytest
from click.testing import CliRunner
from clock import meter, spent, wait_until
from places import ROOT

from player.cli import main, warm
from player.evaluate.net import random_net, write_net

MOVES = "b5 d3 c4 e2 a4 d4"
LATER = (
    "analyze - --size 7x6 --M 10",
    "analyze - --size 8 --knowledge local",
    "mustplay - --size 8",
    "explain - --size 6 --between north south",
    "solve a2 --size 4 --shortest",
    "connections - --size 6",
    "evaluate - --size 7",
    "bid - --size 6 --seed 1",
    "solve --openings 4",
    "solve - --size 7",
    "show - --size 5 --inferior",
    "review - --size 6 --effort quick",
    "play --size 4 --white hexy:level=2",
    "play --size 5 --white ab",
    "play --size 6 --white tree:simulations=99",
    "play --size 6 --white tree:simulations=99,net=own.npz",
    "play --size 4 --variant bidding",
    "bid - --size 6 --fillings 2048 --estimator losing",
    "dark counts 2x2",
    "dark solve 3x1 --method mccfr-outcome --iterations 3",
)


def test_sized_lines_run_once_per_size_and_the_others_once(monkeypatch, tmp_path):
    """Each sized line is run per size, on a board with room for its moves; the others run once."""
    seen = []
    monkeypatch.setattr(warm, "_compile", lambda run, _running: seen.append(run))
    monkeypatch.setattr(warm, "cache_folder", lambda: tmp_path)
    result = CliRunner().invoke(main, ["warm", "--size", "3x7", "--size", "11"])

    assert result.exit_code == 0, result.output
    assert "0 kernels compiled" in result.output
    sized = [run for run in seen if "5x7" in run.line + run.stdin or "5 7" in run.stdin]
    assert len(sized) == len(warm.SIZED)
    assert len(seen) == 2 * len(warm.SIZED) + len(warm.ONCE)
    assert not any("SIZE" in run.line + run.stdin for run in seen)
    monkeypatch.setattr(warm, "is_installed", lambda: False)
    seen.clear()
    CliRunner().invoke(main, ["warm", "--size", "3"])
    assert seen
    assert warm.NETS not in seen


@pytest.mark.parametrize(
    ("line", "typed", "why"),
    [
        ("show - --size 5", "a1 a1", "a1"),
        ("show missing.sgf", "", "missing.sgf"),
        ("show - --size", "", "--size needs a value"),
    ],
)
def test_a_line_that_fails_is_named_with_its_error(monkeypatch, line, typed, why):
    monkeypatch.setattr(warm, "SIZED", ())
    monkeypatch.setattr(warm, "ONCE", (warm.WarmingRun(line, typed, 1.0),))
    result = CliRunner().invoke(main, ["warm", "--jobs", "1"])

    assert result.exit_code == 1
    assert result.stderr.startswith(f"hsearch {line}: ")
    assert why in result.stderr


def test_a_board_too_large_is_refused_before_anything_is_compiled():
    result = CliRunner().invoke(main, ["warm", "--size", "30"])

    assert result.exit_code == 2
    assert result.stderr.endswith("warm: --size: board size out of range: 30x30 (1x1 to 26x26)\n")


def test_a_module_of_the_current_folder_is_not_taken_for_one_of_ours(monkeypatch, tmp_path):
    (tmp_path / "player.py").write_text("raise SystemExit('not of this program')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(warm, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(warm, "SIZED", ())
    monkeypatch.setattr(warm, "ONCE", (warm.WarmingRun("show - --size 5", "a1", 1.0),))
    result = CliRunner().invoke(main, ["warm", "--jobs", "1"])

    assert result.exit_code == 0, result.output


def test_a_note_on_stderr_is_not_a_failure_and_warm_lines_are_skipped(monkeypatch, tmp_path):
    """A note on stderr, as of `evaluate` on a large board, is no failure; no line runs twice."""
    run = warm.WarmingRun("evaluate - --size 14x14", "a3 c3", 1.0)
    ran, compiled = [], warm._compile  # noqa: SLF001 - to count its calls
    monkeypatch.setattr(warm, "SIZED", ())
    monkeypatch.setattr(warm, "ONCE", (run,))
    monkeypatch.setattr(
        warm, "_compile", lambda run, running: (ran.append(run), compiled(run, running))
    )
    monkeypatch.setattr(warm, "cache_folder", lambda: tmp_path)
    first, second = (CliRunner().invoke(main, ["warm", "--size", "3"]) for _ in range(2))

    assert (first.exit_code, second.exit_code) == (0, 0), first.output
    assert ran == [run]
    assert "0 kernels compiled" in second.output

    monkeypatch.setattr(warm, "_state", lambda: {"source": "changed"})
    CliRunner().invoke(main, ["warm", "--size", "3"])
    assert ran == [run, run]


def test_ctrl_c_ends_the_compiling_processes(tmp_path):
    """Ctrl-C ends the compiling processes at once, not after half a minute."""
    with subprocess.Popen(
        [sys.executable, "-m", "player.cli", "warm", "--size", "14"],
        cwd=ROOT,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        commands = psutil.Process(process.pid).children
        wait_until(lambda: any(spent(one) > 1 for one in commands()))  # it compiles by then
        taken = meter(process)
        process.send_signal(signal.SIGINT)
        code = process.wait(60)

    assert code == 130
    assert taken() < 6


@pytest.mark.skipif(
    os.environ.get("HYPOTHESIS_PROFILE") != "nightly", reason="compiles for minutes; run by nightly"
)
def test_no_command_compiles_afterwards(tmp_path):
    """After warming an empty cache, no command compiles on boards of one or two words."""
    cold = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def run(line, typed):
        return subprocess.run(  # noqa: S603 - this program
            [sys.executable, "-m", "player.cli", *line.split()],
            input=typed,
            env=cold,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )

    write_net(tmp_path / "own.npz", random_net(2, 16, np.random.default_rng(1)))
    warmed = run("warm --size 7 --size 8", "")
    assert warmed.returncode == 0, warmed.stderr
    assert "0 were there before" in warmed.stdout
    for line in LATER:
        assert "compiling" not in run(line, MOVES if " - " in line else "c2").stderr, line
