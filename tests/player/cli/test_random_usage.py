"""Random command lines on files of all kinds; `tests/research/random_usage.py` tries thousands."""

import os
import subprocess
import sys

import pytest
import random_usage
from places import ROOT
from random_usage import Ending, Usage, faults, folder


@pytest.mark.slow
def test_random_command_lines_end_well():
    """Random command lines end with a known code and no traceback, and change only named files."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "support")])
    done = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, ROOT / "tests/research/random_usage.py", "40", "--seed", "7"],
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(" 0 faults\n")


def test_each_kind_of_fault_is_detected(tmp_path, monkeypatch):
    """Each kind of fault is detected, so that a run without faults means something."""
    where = tmp_path / "here"
    where.mkdir()
    folder(where)

    def run(_asked, here, _patience):
        (here / "two.sgf").write_text("gone")
        (here / "go.sgf").unlink()
        (here / "stray").write_text("")
        (here / "asked.svg").write_text("")
        (here / "over.sgf").write_text("forced")
        return Ending(139, "hsearch: ValueError: oh", 100)

    monkeypatch.setattr(random_usage, "run", run)
    words = ("show", "a1", "--svg", "asked.svg", "--sgf", "over.sgf", "--force")
    _, wrong = faults(Usage(words, "game.sgf", frozenset({"asked.svg", "over.sgf"})), where)

    assert wrong == [
        "exit code 139",
        "says 'hsearch: ValueError: oh'",
        "needs 100.0 s after Ctrl-C",
        "go.sgf is gone",
        "two.sgf is changed",
        "makes stray",
    ]
