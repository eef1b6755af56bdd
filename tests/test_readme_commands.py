"""The command lines in the README, in `docs` and in each help text run as printed.

Lines whose output a golden records are run by `test_goldens.py`.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from functools import cache

import forking
import pytest
from commands import verbs
from documents import TOLD
from golden_lines import parts, recorded
from nightly import NIGHTLY
from places import ROOT
from test_readme import picture_lines, shown_commands

from player.cli import main

LONG = {
    "hsearch bench": pytest.mark.skip(reason="takes minutes; test_bench.py runs a part"),
    "hsearch warm": NIGHTLY,
    "--large": NIGHTLY,
    "hsearch learn fit": pytest.mark.skip(reason="needs torch; test_fit.py fits where it is"),
    "hsearch learn cycle": pytest.mark.skip(reason="needs torch; test_cycle.py learns where it is"),
    "hsearch learn patterns": pytest.mark.skip(
        reason="needs torch; its own tests learn where it is"
    ),
    "hsearch learn gate": pytest.mark.skip(reason="takes hours; test_gate.py has games"),
    "--scheduler": pytest.mark.skip(reason="needs a cluster; test_cluster.py has one"),
}

SERVES = "hsearch board"  # runs until interrupted: see test_board_command.py


def command_lines(text):
    """Return the lines of code blocks that call hsearch, in order.

    The two set-up commands are not included: they create an environment first, and have tests of
    their own.
    """
    lines, fenced = [], False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            command = line.strip().removeprefix("$ ")
            if re.match(r"(?:[^|#>]*\| *)?hsearch [a-z-]", command):
                lines.append(command)
    return lines


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return a folder like a clone's, and an environment in which `hsearch` is a command."""
    folder = tmp_path_factory.mktemp("clone")
    if (ROOT / "positions").is_dir():
        shutil.copytree(ROOT / "positions", folder / "positions")
    if (ROOT / "docs/examples").is_dir():
        shutil.copytree(ROOT / "docs/examples", folder / "docs/examples")
    with forking.programs(folder, ROOT, processes=True):
        path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        yield folder, os.environ | {"PATH": path, "PYTHONPATH": str(ROOT)}


def run(line, folder, environment):
    """Run a line in a shell."""
    return subprocess.run(  # noqa: S603 - our own program
        ["sh", "-c", line],  # noqa: S607 - the line is for a shell
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=3600,  # only to stop a command that hangs
    )


@cache
def printed():
    """Return the lines of the README and the other pages, and the examples of all commands.

    test_readme.py runs those whose picture or output the pages show.
    """
    elsewhere = {line for line, _ in shown_commands(TOLD)}
    elsewhere |= {line for line in command_lines(TOLD) if line.split()[-1] in picture_lines()}
    lines = [line for line in command_lines(TOLD) if line not in elsewhere]
    for words in verbs():
        command = main
        for word in words:
            command = command.get_command(None, word)
        lines.extend(getattr(command, "examples", ()))
    return [
        pytest.param(line, marks=[mark for words, mark in LONG.items() if words in line])
        for line in dict.fromkeys(lines)
        if not line.startswith(SERVES)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("line", [each for each in printed() if each.values[0] not in recorded()])
def test_command_runs_as_printed(line, installed):
    """The command ends with 0, and without a warning."""
    result = run(line, *installed)

    assert result.returncode == 0, result.stderr
    assert result.stderr in {"", "compiling kernels, kept for later runs ...\n"}


@pytest.mark.parametrize("line", [each.values[0] for each in printed()])
def test_a_shell_and_the_goldens_split_lines_the_same(line, tmp_path, monkeypatch):
    """A shell and the goldens split a line into the same words, including quotes and patterns."""
    (tmp_path / "positions").symlink_to(ROOT / "positions")
    monkeypatch.chdir(tmp_path)
    shell = 'hsearch() { printf "%s\\n" "$@" >&9; }; exec 9>words; '
    _, _, words, _ = parts(line)

    assert run(shell + line, tmp_path, os.environ).returncode == 0
    assert (tmp_path / "words").read_text().splitlines() == words


@pytest.mark.parametrize(
    "line", [each for each, *_ in (one.values for one in printed()) if "| hsearch gtp" in each]
)
def test_a_printed_gtp_session_has_no_error(line):
    """A printed GTP session has no error, which GTP marks with a question mark, ending with 0."""
    assert [reply for reply in recorded()[line] if reply.lstrip().startswith("?")] == []


@pytest.mark.slow
def test_a_failing_command_is_detected(installed):
    """A failing command is noticed, although it is not a process of its own."""
    missing = run("hsearch show missing.sgf", *installed)
    piped = run("echo a1 a1 | hsearch show - --size 3 2>&1 | cat", *installed)

    assert (missing.returncode, missing.stdout) == (3, "")
    assert "missing.sgf" in missing.stderr
    assert "a1" in piped.stdout
    assert run("hsearch show - --size", *installed).returncode == 2


def test_command_output_is_complete_when_its_client_ends(tmp_path, monkeypatch):
    """A command's output file is complete when its client ends, even if nobody waits for it."""
    monkeypatch.chdir(tmp_path)  # socket paths are limited
    client = tmp_path / "client"
    client.write_text(forking.CLIENT.format(python=sys.executable, address="server"))
    with socket.socket(socket.AF_UNIX) as listener, (tmp_path / "board").open("w") as board:
        listener.bind("server")
        listener.listen()
        with subprocess.Popen([sys.executable, client], stdout=board) as program:  # noqa: S603
            caller, _ = listener.accept()
            _, files, _, _ = socket.recv_fds(caller, 4, 3)
            caller.recv(10**6)
            caller.sendall(bytes([3]))
            time.sleep(0.3)  # as under load, between the exit code and the end
            before = program.poll()
            caller.close()
            for file in files:
                os.close(file)

    assert (before, program.returncode) == (None, 3)


@pytest.mark.parametrize("line", printed())
def test_chips_with_stars_are_quoted(line):
    """Stars are quoted: some shells refuse a pattern that matches no file."""
    assert not re.search(r"\d\*", re.sub(r"'[^']*'", "", line))


def test_command_lines_are_found():
    """Command lines are found in both kinds of code blocks, with or without a prompt or pipe."""
    text = (
        "Call `hsearch show x`.\n\n    $ hsearch show a\n    echo a1 | hsearch show -\n"
        "```sh\nhsearch show b --sgf\n. .venv/bin/activate && hsearch show c\n```\n"
        "hsearch is good\n    hsearch/hex/board   size\n"
    )

    assert command_lines(text) == [
        "hsearch show a",
        "echo a1 | hsearch show -",
        "hsearch show b --sgf",
    ]
