"""`hsearch gtp` as a process: pipes, the end of the input, and the start."""

import os
import subprocess
import sys
import time

import pytest
from clock import meter
from hexgui import answer, blocks
from places import ROOT

from player.engine.external import Client, RefusedError

# The program must flush its output without this.
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
GTP = [sys.executable, "-m", "player.cli", "gtp"]
STRAY = """
import os, sys
from player.cli import main
from player.gtp import game

def name(_session, _arguments):
    print("stray")
    sys.__stdout__.write("stray\\n")
    sys.__stdout__.flush()
    os.system("echo stray")
    return "hsearch"

game.name = name
main(["gtp"])
"""
IMPORTED = """
import sys
from player.cli import main
from player.gtp import game

def version(_session, _arguments):
    return " ".join(sorted({"numpy", "numba", "scipy", "rich"} & set(sys.modules))) or "none"

game.version = version
main(["gtp"])
"""

LEFT = """
import atexit, threading, time
from player.gtp.session import end_at_once

atexit.register(print, "unwound")
threading.Thread(target=time.sleep, args=(60,), name="{}", daemon=True).start()
end_at_once()
print("said")
"""

pytestmark = pytest.mark.slow


def run(text, command=GTP, env=BUFFERED, **settings):
    """Return the result of the program for a text on its input."""
    return subprocess.run(  # noqa: S603 - our own program
        command,
        input=text,
        cwd=ROOT,
        env=env,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
        **settings,
    )


def test_a_script_is_answered_to_its_last_line():
    """CRLF, ids and a missing line end are accepted; the end of the input is not a failure."""
    script = "1 boardsize 3\r\n2 genmove b\r\n3 nonsense\r\n\r\n4 showboard"
    result = run(script, [*GTP, "--player", "random"])

    replies = blocks(result.stdout)
    assert result.returncode == 0
    assert [reply[:2] for reply in replies] == ["=1", "=2", "?3", "=4"]
    assert "Traceback" not in result.stderr


def test_file_names_are_utf_8_in_any_locale(tmp_path):
    """A client sends UTF-8; Python would encode names as the locale has it."""
    (tmp_path / "é.sgf").write_text("(;FF[4]GM[11]SZ[3];B[a1])")
    script = f"loadsgf {tmp_path}/é.sgf\nprintsgf {tmp_path}/ü ö.sgf\n"
    result = run(script, env={**BUFFERED, "LC_ALL": "C", "PYTHONUTF8": "0"})

    assert result.stdout == "= \n\n= \n\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["é.sgf", "ü ö.sgf"]


def test_quit_ends_the_program_while_the_input_is_open():
    """`quit` ends the program while the input is open and kernels compile."""
    with subprocess.Popen(  # noqa: S603 - our own program
        GTP, cwd=ROOT, env=BUFFERED, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        process.stdin.write("boardsize 4\nquit\n")
        process.stdin.flush()
        try:
            assert process.wait(timeout=60) == 0
            assert process.stdout.read() == "= \n\n= \n\n"
        finally:
            process.kill()


def test_replies_come_one_by_one():
    """Each reply is flushed before the next command is sent."""
    with subprocess.Popen(  # noqa: S603 - our own program
        GTP, cwd=ROOT, env=BUFFERED, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            for line in ("name", "version", "protocol_version"):
                process.stdin.write(line + "\n")
                process.stdin.flush()
                assert answer(process.stdout.readline().rstrip("\n"))[0]
                assert process.stdout.readline() == "\n"
        finally:
            process.kill()


def test_a_closed_output_leaves_no_traceback():
    """A reader that closes the output ends the program without an error message."""
    out, into = os.pipe()
    with subprocess.Popen(  # noqa: S603 - our own program
        GTP,
        cwd=ROOT,
        env=BUFFERED,
        stdin=subprocess.PIPE,
        stdout=into,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        os.close(into)
        os.close(out)
        try:
            process.stdin.write("name\nname\n")
            process.stdin.flush()
            assert process.wait(timeout=60) == 141
            assert process.stderr.read() == ""
        finally:
            process.kill()


def test_a_search_ends_when_its_pipes_are_closed():
    """A search ends once both pipes are closed; a script is answered to its end."""
    with subprocess.Popen(  # noqa: S603 - our own command
        [*GTP, "--player", "hexy:depth=30"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as engine:
        engine.stdin.write(b"boardsize 11\nplay white e4\ngenmove black\n")
        engine.stdin.flush()
        engine.stdout.readline()
        time.sleep(3)
        assert engine.poll() is None
        taken = meter(engine)
        engine.stdin.close()
        engine.stdout.close()
        try:
            engine.wait(60)
        finally:
            engine.kill()

    assert taken() < 3


def test_stray_output_goes_to_stderr():
    """Stray output of Python or C goes to stderr, which HexGui shows to the user."""
    result = run("name\n", [sys.executable, "-c", STRAY])

    assert result.stdout == "= hsearch\n\n"
    assert result.stderr.count("stray") == 3


def test_the_first_answers_need_no_numba():
    """The first replies, for which HexGui blocks its window, do not import numba."""
    script = "name\nhexgui-analyze_commands\nlist_commands\nversion\n"
    result = run(script, [sys.executable, "-c", IMPORTED])

    assert blocks(result.stdout)[-1] == "= none"


def test_an_interruption_ends_a_long_search():
    """An interruption ends a search that runs in compiled code."""
    with subprocess.Popen(  # noqa: S603 - our own program
        [*GTP, "--player", "hexy:depth=30"],
        cwd=ROOT,
        env=BUFFERED,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            process.stdin.write("boardsize 11\nplay b a2\nreg_genmove w\n")
            process.stdin.flush()
            for _ in range(4):
                process.stdout.readline()
            time.sleep(1)
            process.stdin.write("# interrupt\nname\n")
            process.stdin.flush()
            assert answer(process.stdout.readline().rstrip("\n"))[0]
            process.stdout.readline()
            assert process.stdout.readline() == "= hsearch\n"
        finally:
            process.kill()


def test_the_match_client_parses_replies_of_the_engine():
    """Our client parses the framing, the failures and a board in a reply."""
    with Client(f"{sys.executable} -m player.cli gtp --player random") as client:
        assert client.send("boardsize", "3", "2") == ""
        assert client.send("play", "b", "c2") == ""
        assert client.send("genmove", "w") in {"a1", "b1", "c1", "a2", "b2"}
        assert client.send("showboard").count("\n") == 3
        with pytest.raises(RefusedError, match=r"illegal move: black c2 \(occupied\)"):
            client.send("play", "black", "c2")


def test_an_unknown_player_is_a_wrong_usage():
    """An unknown player fails at the start, with a list of the known ones."""
    result = run("", [*GTP, "--player", "nobody"])

    assert result.returncode == 2
    assert "known: hexy" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(("name", "said"), [("warm", "said\n"), ("other", "said\nunwound\n")])
def test_exit_handlers_are_skipped_only_while_a_warm_up_runs(name, said):
    """Output written before the exit is kept; other threads end as usual."""
    done = run("", [sys.executable, "-c", LEFT.format(name)])

    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")
