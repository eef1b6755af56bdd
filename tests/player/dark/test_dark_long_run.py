"""Long runs: in parts, interrupted, with an estimate of the time left."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from clock import meter, wait_until
from places import ROOT
from test_dark_cli import run

from hsearch.formats import npz
from hsearch.formats.files import alone
from hsearch.hex.board import Board
from player.dark import long_run, solve
from player.dark.double_oracle import DoubleOracle
from player.dark.long_run import CheckpointError, RunProgress, Stop
from player.dark.regression import RegressionOptions
from player.dark.rules import Base, DarkRules, Noise


def test_a_resumed_run_has_the_bounds_of_an_uninterrupted_one(tmp_path):
    """A run that is saved and resumed has the bounds of an uninterrupted one."""
    rules = DarkRules(Board(2, 2), Base.ABRUPT, Noise.NOISY)
    file = tmp_path / "run.npz"
    whole = solve.solve(rules, "cfr", solve.SolveOptions(Stop(200)))
    solve.solve(rules, "cfr", solve.SolveOptions(Stop(77), file=file))
    parts = solve.solve(rules, "cfr", solve.SolveOptions(Stop(200), file=file))

    assert parts.bounds == whole.bounds
    assert parts.curve[-1].iteration == 200
    with pytest.raises(ValueError, match="noise is 'noisy', not 'flash'"):
        solve.solve(
            DarkRules(Board(2, 2), Base.ABRUPT, Noise.FLASH),
            "cfr",
            solve.SolveOptions(Stop(9), file=file),
        )


def put(name, place, value):
    """Return a function that puts a number into an array."""

    def forge(arrays):
        arrays[name].flat[place] = value

    return forge


def changed(name, change):
    """Return a function that replaces an array by a changed one."""

    def forge(arrays):
        arrays[name] = change(arrays[name])

    return forge


def attempted_twice(arrays):
    """Let the second node of Black's book allow the cell that led to it."""
    slot = int(arrays["above0"][1, 0])
    arrays["allowed0"][1, slot % 4] = True


FORGED = {
    "cfr+": (
        put("policy0", 0, np.nan),
        put("sum1", 1, np.inf),
        put("clock", 0, -1),
        put("clock", 0, 1e300),
        changed("regret0", lambda array: array[:-1]),
        changed("regret0", lambda array: array.astype("U9")),
    ),
    "rcfr": (
        put("memory0", 1, -1),
        put("memory1", 2, 1e9),
        changed("memory0", lambda array: array[:3]),
        changed("estimate0", lambda array: array[:3]),
    ),
    "mccfr-outcome": (
        put("keys", 0, 1 << 40),
        put("values", slice(None), 1 << 40),
        put("values", slice(None), 0),
        put("used", 0, 1 << 40),
        put("used", 0, -1),
        put("regret", 0, np.nan),
        put("sum", 0, 1e200),
        put("keys", slice(None), 3),
        changed("keys", lambda array: array[:100]),
        changed("regret", lambda array: array[:, :2]),
        changed("regret", np.ravel),
        changed("sum", lambda array: array[:9]),
        changed("random", lambda array: array.astype(float)),
        changed("values", lambda array: array.astype(np.int32)),
    ),
    "double-oracle": (
        attempted_twice,
        put("above0", 2, 1 << 40),
        put("above0", -2, 0),  # after an attempt at a1, which the first node does not allow
        put("above0", 2, -9),
        put("above0", 0, 0),
        put("above1", 3, 3),
        put("above1", 3, 1 << 40),
        put("allowed0", slice(None), value=False),
        put("policy0", slice(None), 1.0),
        put("best1", 0, np.nan),
        put("size", 0, 1 << 40),
        put("clock", 1, 2.0),
        changed("above0", lambda array: array[:0]),
        changed("above0", lambda array: np.concatenate([array[:2], array[1:-1]])),
        changed("policy1", lambda array: array[:1]),
        changed("best1", lambda array: np.concatenate([array] * 9)),
        changed("allowed0", lambda array: array.astype(float)),
        changed("allowed0", lambda array: array[0, 0]),
        changed("regret1", lambda array: array[:, :2]),
    ),
}


@pytest.mark.parametrize(
    ("method", "number"), [(name, n) for name, forged in FORGED.items() for n in range(len(forged))]
)
def test_forged_arrays_are_refused_before_a_kernel_runs(tmp_path, method, number):
    """Kernels check no bounds, so the loader refuses such arrays; the file stays unchanged."""
    rules, file = DarkRules(Board(2, 2), Base.ABRUPT), tmp_path / "run.npz"
    regression = RegressionOptions("binary", "tree")
    solve.solve(rules, method, solve.SolveOptions(Stop(1), file=file, rcfr=regression))
    about, arrays = npz.load(file, long_run.SCHEMA, "checkpoint")
    about = {key: value for key, value in about.items() if key not in {"schema", "digest"}}
    FORGED[method][number](arrays)
    npz.save(file, long_run.SCHEMA, about, arrays)
    before = file.read_bytes()

    with pytest.raises(CheckpointError, match=r"run\.npz: cannot be resumed, kept: "):
        solve.solve(rules, method, solve.SolveOptions(Stop(9), file=file, rcfr=regression))
    assert file.read_bytes() == before


def test_a_forged_measure_of_memory_is_ignored(tmp_path):
    """The forged size is ignored: the run resumes and finds the same value."""
    rules, file = DarkRules(Board(2, 2), Base.ABRUPT), tmp_path / "run.npz"
    whole = solve.solve(rules, "double-oracle", solve.SolveOptions())
    solve.solve(rules, "double-oracle", solve.SolveOptions(Stop(1), file=file))
    about, arrays = npz.load(file, long_run.SCHEMA, "checkpoint")
    about = {key: value for key, value in about.items() if key not in {"schema", "digest"}}
    for room in (0.0, 1e18):
        put("clock", 3, room)(arrays)
        npz.save(file, long_run.SCHEMA, about, arrays)

        found = solve.solve(rules, "double-oracle", solve.SolveOptions(file=file))
        assert found.fraction == whole.fraction


def test_runs_stop_at_an_exploitability():
    """The run stops at the first measurement that reaches the limit."""
    rules = DarkRules(Board(2, 2), Base.ABRUPT)
    found = solve.solve(rules, "cfr", solve.SolveOptions(Stop(exploitability=0.01)))

    assert found.exploitability <= 0.01
    assert all(each.exploitability > 0.01 for each in found.curve[:-1])
    with pytest.raises(ValueError, match="at least one"):
        Stop(0)


def test_measurements_become_less_frequent():
    """Measurements are about a tenth apart, whatever was done before."""
    due = [0]
    while due[-1] < 200:
        due.append(long_run.next_measurement(due[-1]))

    assert due[:12] == list(range(12))
    assert due[-4:] == [163, 179, 196, 215]
    assert long_run.next_measurement(170) == 179


def test_the_time_left_is_estimated_from_the_curve():
    """Iterations, seconds and exploitability each give an estimate, and the least counts."""
    curve = [RunProgress(t, (0.0, 2 / t), float(t)) for t in range(1, 11)]

    assert long_run.time_left(curve, Stop(iterations=30)) == pytest.approx(20)
    assert long_run.time_left(curve, Stop(seconds=12)) == pytest.approx(2)
    assert long_run.time_left(curve, Stop(exploitability=0.05)) == pytest.approx(10)
    assert long_run.time_left(curve, Stop(30, 0.05, 12)) == pytest.approx(2)
    assert long_run.time_left(curve, Stop()) is None


def test_an_estimate_of_the_time_left_never_fails():
    """Slow progress, no progress and a limit already reached all give an estimate or None."""
    slow = [RunProgress(t, (0.0, 2 * t**-0.0101), float(t)) for t in range(1, 11)]

    assert long_run.time_left(slow, Stop(exploitability=5e-10)) == pytest.approx(1e7, rel=1e-3)
    assert long_run.time_left([RunProgress(0, None, 1.0)], Stop(9)) is None
    assert long_run.time_left(slow, Stop(exploitability=2.0)) == 0
    assert long_run.time_left([RunProgress(5, None, 30.0)], Stop(seconds=9), before=25) == 4


def test_a_run_saves_its_work_after_an_exception(tmp_path):
    """After any exception the work is saved, and the run resumes as if nothing had happened."""
    rules, file = DarkRules(Board(2, 2), Base.ABRUPT), tmp_path / "run.npz"
    whole = solve.solve(rules, "cfr", solve.SolveOptions(Stop(90)))

    def breaks(progress, _left):
        if progress.iteration > 40:
            raise OverflowError(34, "Numerical result out of range")

    with pytest.raises(OverflowError):
        solve.solve(rules, "cfr", solve.SolveOptions(Stop(90), file=file), breaks)
    parts = solve.solve(rules, "cfr", solve.SolveOptions(Stop(90), file=file))

    assert parts.bounds == whole.bounds
    assert len(parts.curve) < len(whole.curve) / 2


def test_a_failed_step_of_double_oracle_saves_no_half_step(tmp_path, monkeypatch):
    """No half step is saved: another run resumes and finds the same value."""
    rules, file = DarkRules(Board(2, 2), Base.ABRUPT), tmp_path / "run.npz"
    whole = solve.solve(rules, "double-oracle", solve.SolveOptions())
    solved_once = DoubleOracle._solve  # noqa: SLF001
    calls = []

    def fails(oracle):
        calls.append(oracle)
        if len(calls) == 3:
            raise MemoryError
        solved_once(oracle)

    monkeypatch.setattr(DoubleOracle, "_solve", fails)
    with pytest.raises(MemoryError):
        solve.solve(rules, "double-oracle", solve.SolveOptions(file=file))
    parts = solve.solve(rules, "double-oracle", solve.SolveOptions(file=file))

    assert parts.fraction == whole.fraction
    assert parts.curve[-1].iteration == whole.curve[-1].iteration


def test_a_run_reports_what_ended_it_and_how_to_resume(tmp_path):
    """A time limit counts the current run only; other limits count the whole run."""
    file = str(tmp_path / "run.npz")
    game = ("solve", "2x2", "--base", "abrupt", "--method", "cfr")
    first = run(*game, "--time", "0.5", "--resume", file).stdout.splitlines()
    second = run(*game, "--seconds", "0.5", "--resume", file).stdout.splitlines()
    more = run(*game, "--iterations", "1", "--resume", file).stdout.splitlines()
    lost = run(*game, "--iterations", "3").stdout.splitlines()
    done = run("solve", "2x2", "--base", "abrupt").stdout.splitlines()

    assert first[-2:] == [
        "ended by          --time 0.5, of this run",
        f"to continue       the same command: it resumes {file}",
    ]
    iterations = [int(lines[-4].split()[1].replace(",", "")) for lines in (first, second)]
    assert iterations[1] > 1.2 * iterations[0]
    assert more[-2:] == [
        "ended by          --iterations 1, of the whole run",
        f"to continue       the same command with more --iterations: it resumes {file}",
    ]
    assert lost[-1].startswith("to continue       nothing was saved; a run with --resume FILE")
    assert done[-1] == "ended by          bounds that meet"


def test_only_one_process_at_a_time_saves_a_run(tmp_path):
    """A second process is refused, as it would overwrite a newer state by an older one."""
    file = tmp_path / "run.npz"
    words = ("solve", "2x2", "--iterations", "3", "--method", "cfr", "--resume", str(file))
    with alone(file, ValueError):
        refused = run(*words)
    done = run(*words)

    line = f"{file}: another process is writing to it\n"
    assert (refused.exit_code, refused.stderr) == (3, line)
    assert (done.exit_code, [path.name for path in tmp_path.iterdir()]) == (0, ["run.npz"])


def test_a_run_that_cannot_be_saved_exits_with_1_and_prints_its_result(tmp_path):
    """The exit code is 1, as the input is not at fault, and the result is printed."""
    (tmp_path / "file").write_text("")
    file = tmp_path / "file" / "run.npz"
    words = ("solve", "2x2", "--iterations", "3", "--method", "cfr")
    done = run(*words, "--resume", str(file))
    found = json.loads(run(*words, "--resume", str(file), "--json").stdout)

    line = f"{file}: cannot be written: Not a directory; nothing was saved\n"
    assert (done.exit_code, done.stderr) == (1, line)
    assert re.search(r"\nvalue to Black +[\d.]+ \(an estimate\)\n", done.stdout)
    assert done.stdout.endswith("to continue       the end of the run was not saved\n")
    assert found["value"] == pytest.approx(json.loads(run(*words, "--json").stdout)["value"])


def test_each_line_with_an_estimated_value_is_labeled():
    """So are the value and how often Black wins; a proved value has no such label."""
    estimated = run("solve", "2x2", "--iterations", "3", "--method", "cfr").stdout.splitlines()
    proved = run("solve", "2x2", "--base", "abrupt").stdout

    labeled = [line[:18].rstrip() for line in estimated if line.endswith(" (an estimate)")]
    assert labeled == ["value to Black", "Black wins"]
    assert "estimate" not in proved


def test_a_run_continues_while_the_disk_is_full(tmp_path, monkeypatch):
    """The run warns, continues, and saves the next time."""
    disk = iter([OSError(errno.ENOSPC, "No space left on device"), None, None])
    saved = []

    def save(*arguments):
        if (trouble := next(disk)) is not None:
            raise trouble
        saved.append(arguments)

    monkeypatch.setattr(long_run, "SAVE_EVERY", 0.0)
    monkeypatch.setattr(long_run, "save_checkpoint", save)
    rules, file = DarkRules(Board(2, 2), Base.ABRUPT), tmp_path / "run.npz"
    words = "No space left on device: what was done since the last save is not saved"
    with pytest.warns(UserWarning, match=words):
        found = solve.solve(rules, "cfr", solve.SolveOptions(Stop(2), file=file))

    assert (found.end, found.save_error, len(saved)) == ("iterations", None, 2)


@pytest.mark.parametrize("is_saved", [False, True])
def test_an_interruption_reports_whether_a_file_was_saved(tmp_path, monkeypatch, is_saved):
    """The message says whether a file was saved before the interruption."""
    file = tmp_path / "run.npz"

    def interrupted(*_):
        if is_saved:
            file.write_text("")
        raise KeyboardInterrupt

    monkeypatch.setattr(solve, "solve", interrupted)
    done = run("solve", "2x2", "--resume", str(file))

    left = f"{file} has what was saved before" if is_saved else "nothing was saved"
    assert done.stderr.splitlines()[0] == f"Interrupted; {left}."


@pytest.mark.slow
def test_interrupted_runs_keep_their_work(tmp_path):
    """After Ctrl-C the exit code is 130, with a result so far and a file to resume."""
    file = tmp_path / "run.npz"
    code = (  # on a busy machine, the last step may take longer than the usual grace period
        "from player.dark import long_run; long_run.SAVE_EVERY = 0.2;"
        "from player.console import screen; screen.GRACE = 50;"
        "from player.cli.dark import dark; dark()"
    )
    words = ["solve", "3x2", "--base", "abrupt", "--method", "cfr", "--iterations", "100000000"]
    process = subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-c", code, *words, "--resume", str(file), "--json"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    start = time.monotonic()
    while not file.exists() and time.monotonic() - start < 100:
        time.sleep(0.2)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)

    assert process.returncode == 130, errors
    assert json.loads(output)["exploitability"] < 0.2
    assert file.exists()


@pytest.mark.slow
@pytest.mark.parametrize("after", [0.5, 4])
def test_ctrl_c_ends_a_long_step(tmp_path, after):
    """A step of 3x3 takes ten seconds, but Ctrl-C ends the run within 1.5 of the processor."""
    words = ["solve", "3x3", "--base", "abrupt", "--resume", str(tmp_path / "run.npz")]
    process = subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-m", "player.cli", "dark", *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    wait_until(lambda: [*tmp_path.iterdir()])  # the lock of the run: the program is loaded
    time.sleep(after)
    taken = meter(process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)

    assert process.returncode == 130, errors
    assert taken() < 1.5
