"""Progress is shown on a terminal only, and erased before anything else is printed."""

import os
import pty
import subprocess
import sys

import pyte
import pytest
from places import ROOT

SLOW = """
import time
from player.console.screen import interruptible
interruptible(lambda: time.sleep(2.6), "thinking hard")
print("the answer")
"""


def screen_after(*command, typed=b"", columns=80):
    """Return the lines left on a terminal by a program, and everything the program sent."""
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
    environment["COLUMNS"] = str(columns)
    with subprocess.Popen(  # noqa: S603 - our own command
        command, stdin=slave, stdout=slave, stderr=slave, env=environment
    ) as process:
        os.close(slave)
        os.write(master, typed)
        sent = b""
        while True:
            try:
                chunk = os.read(master, 65536)
            except OSError:  # the terminal has closed
                break
            if not chunk:
                break
            sent += chunk
    os.close(master)
    assert process.returncode == 0
    screen = pyte.Screen(columns, 60)
    pyte.Stream(screen).feed(sent.decode())
    return [line.rstrip() for line in screen.display if line.strip()], sent.decode()


def test_long_work_shows_a_bar_and_erases_it():
    """After two seconds of work a bar is shown, and it is erased at the end."""
    lines, sent = screen_after(sys.executable, "-c", SLOW)

    assert "thinking hard" in sent
    assert lines == ["the answer"]


COMPILING = """
import numba, sys, time
from numba.extending import overload
from hsearch.kernels.cache import kernel
from player.console.compiling import announce_compiling
from player.console.screen import interruptible
announce_compiling()
numba.config.CACHE_DIR = sys.argv[-1]

def slow(x):
    ...

@overload(slow)
def slow_of(x):
    time.sleep(1)  # as a kernel takes
    return lambda x: x

@kernel
def one(x):
    return x + 1

@kernel
def two(x):
    return one(x) + slow(x)

@kernel
def three(x):
    return two(x) + one(x)

def work():
    three(1)
    time.sleep(2.2)
    three(1j)

print(three(1j) if "bar" not in sys.argv else interruptible(work, "thinking hard"))
"""


@pytest.mark.parametrize("way", ["plain", "bar"])
def test_the_count_of_compiled_kernels_is_shown_and_erased(way, tmp_path):
    """Compiled kernels are counted on their own line or beside the bar, then erased."""
    lines, sent = screen_after(sys.executable, "-c", COMPILING, way, str(tmp_path))

    counted = "4 of 6 kernels compiled" if way == "bar" else "kept for later runs ... 1 of 3"
    assert counted in sent
    assert ("thinking hard" in sent) is (way == "bar")
    assert lines == ["None" if way == "bar" else "(2+3j)"]


def test_a_bar_takes_one_line_of_a_narrow_terminal(tmp_path):
    """On a narrow terminal the bar is cut to one line, so that it can be erased."""
    lines, sent = screen_after(sys.executable, "-c", COMPILING, "bar", str(tmp_path), columns=36)

    assert "compiling 1 of 3" in sent
    assert "thinking hard" in sent
    assert sent.count("\n") == 2  # one for the erased bar, one for the answer
    assert lines == ["None"]


def test_the_solver_leaves_only_its_answer(program):
    """After solving, only the answer stays on the terminal."""
    lines, sent = screen_after(program, "solve", "--openings", "4")

    assert "solving" in sent or "disproof" in sent
    assert lines[0].split() == ["a", "b", "c", "d"]
    assert not any("proof" in line for line in lines)


@pytest.mark.slow
def test_a_review_does_not_estimate_the_remaining_time(program):
    """A review shows no time left: its positions differ too much for an estimate."""
    _, guessed = screen_after(program, "template", "check", "bridge")
    _, sent = screen_after(program, "review", "b2 a1", "--size", "3")

    assert "-:--:--" in guessed
    assert "positions" in sent
    assert "-:--:--" not in sent


@pytest.mark.slow
def test_a_hint_is_printed_after_its_progress_line_is_erased(program):
    """The hint is printed on its own line after the progress line is erased."""
    lines, sent = screen_after(
        program, "play", "--size", "3", "--white", "human", typed=b"hint\nquit\n"
    )

    assert 0 <= sent.find("hint is thinking ...") < sent.find("Hint: ")
    assert any(line.startswith("Hint: ") for line in lines)
    assert not any("thinking" in line for line in lines)
