"""The command: each example serves until interrupted, and bad input ends it in one line."""

import contextlib
import json
import shlex
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner
from clock import meter
from places import ROOT
from websockets.exceptions import ConnectionClosed, ConnectionClosedError
from websockets.sync.client import connect

from player.board.asked import LARGE
from player.board.page_socket import REFUSED
from player.cli import main
from player.cli.board import board


@contextmanager
def refusing(code):
    """Expect a request to be refused with a code; close the answer, as Python 3.14 requires."""
    with pytest.raises(urllib.error.HTTPError) as error:
        yield
    error.value.close()
    assert error.value.code == code


@contextmanager
def serving(*words):
    """Give the process of a board, and interrupt it."""
    command = [sys.executable, "-m", "player.cli", "board", *words, "--no-open", "--port", "0"]
    with subprocess.Popen(  # noqa: S603 - our own program
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)


@pytest.mark.parametrize("example", board.examples)
def test_an_example_serves_until_interrupted(example):
    """The first line is the address, and a request with a foreign Host is refused."""
    words = [word for word in shlex.split(example)[2:] if word != "--no-open"]
    with serving(*words) as process:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address) as answer:  # noqa: S310 - it is ours
            assert b"main.js" in answer.read()
        with refusing(403):
            urllib.request.urlopen(  # noqa: S310
                urllib.request.Request(address, headers={"Host": "evil.example"})  # noqa: S310
            )
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate()

    assert rest == ""
    assert errors == "Press Ctrl-C to end.\n"
    assert process.returncode == 130


def test_early_disconnects_log_no_traceback():
    """Closing, cutting off and a malformed frame before the first message log no traceback."""
    with serving() as process:
        site = urlsplit(process.stdout.readline().strip())
        origin = {"Origin": f"http://{site.netloc}"}
        for how in ("close", "cut", "bad"):
            with connect(
                f"ws://{site.netloc}/socket", additional_headers=origin, proxy=None
            ) as one:
                if how == "bad":
                    one.socket.sendall(b"\xff\xff\xff\xff")
                if how != "close":
                    # A faster server may already have closed the socket.
                    with contextlib.suppress(OSError):
                        one.socket.shutdown(socket.SHUT_RDWR)
        with refusing(404):
            urllib.request.urlopen(f"http://{site.netloc}/none")
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()

    assert errors == "Press Ctrl-C to end.\n"


@pytest.mark.slow
def test_a_message_over_the_limit_closes_only_its_own_page():
    """A message over the limit closes its page only: whole, in pieces or deflated."""
    most = 16 * LARGE
    ways = {
        "whole": (None, " " * most),
        "pieces": (None, [" " * 100_000] * (most // 100_000)),
        "deflated": ("deflate", " " * most),
    }
    with serving() as process:
        site = urlsplit(process.stdout.readline().strip())
        (token,) = parse_qs(site.query)["token"]
        there = f"ws://{site.netloc}/socket"
        asked = {"additional_headers": {"Origin": f"http://{site.netloc}"}, "proxy": None}
        with connect(there, **asked) as other:
            other.send(json.dumps({"token": token}))
            other.recv()
            codes = {}
            for how, (compression, message) in ways.items():
                with connect(there, compression=compression, **asked) as one:
                    one.send(json.dumps({"token": token}))
                    one.recv()
                    with pytest.raises(ConnectionClosed):  # noqa: PT012
                        one.send(message)
                        one.recv()
                    codes[how] = one.close_code
            other.send(json.dumps({"id": 1, "kind": "read", "text": "a1"}))
            answer = json.loads(other.recv())
        process.send_signal(signal.SIGINT)
        errors = process.communicate()[1]

    assert answer["kind"] == "answer"
    assert codes.keys() == ways.keys()
    assert codes["deflated"] == 1009  # too big; a client that is still sending may be cut off first
    assert "Traceback" not in errors


@pytest.mark.slow
def test_ctrl_c_ends_a_busy_server():
    """The server ends even while two proofs occupy both threads for slow work."""
    with serving() as process:
        site = urlsplit(process.stdout.readline().strip())
        (token,) = parse_qs(site.query)["token"]
        origin = {"Origin": f"http://{site.netloc}"}
        with connect(f"ws://{site.netloc}/socket", additional_headers=origin, proxy=None) as one:
            one.send(json.dumps({"token": token}))
            one.recv()
            nineteen = {"columns": 19, "rows": 19, "black": [], "white": [], "turn": "black"}
            for number in (1, 2):
                question = {"id": number, "kind": "prove", "position": nineteen}
                one.send(json.dumps(question))
            time.sleep(2)
            taken = meter(process)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)

    assert taken() < 3
    assert process.returncode == 130


def test_nothing_is_logged_and_no_answer_names_the_server():
    """Logs contain no token of an address or a message, and answers do not name the server."""
    with serving() as process:
        address = process.stdout.readline().strip()
        site = urlsplit(address)
        (token,) = parse_qs(site.query)["token"]
        with urllib.request.urlopen(address) as answer:  # noqa: S310 - it is ours
            named = answer.headers.get("server")
        with refusing(404):
            urllib.request.urlopen(address.replace("?", "none?"))  # noqa: S310
        origin = {"Origin": f"http://{site.netloc}"}
        socket_at = f"ws://{site.netloc}/socket?token={token}"
        with connect(socket_at, additional_headers=origin, proxy=None) as one:
            one.send(json.dumps({"token": f"{token}x"}))
            with pytest.raises(ConnectionClosedError) as refused:
                one.recv()
        with connect(socket_at, additional_headers=origin, proxy=None) as one:
            one.send(json.dumps({"token": token}))
            one.recv()
            for text in (token, json.dumps({"id": 1, "kind": token})):
                one.send(text)
                assert "error" in one.recv()
            one.send("x" * (4 * LARGE + 1))
            with pytest.raises(ConnectionClosedError):
                one.recv()
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate()

    assert refused.value.rcvd.code == REFUSED
    assert named is None
    assert rest == ""
    assert errors == "Press Ctrl-C to end.\n"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["missing.sgf"], 3, "missing.sgf"),
        (["positions/puzzles/classic.txt"], 3, "choose one by its id, --id ID: 3x3-hein-02, "),
        (["positions/puzzles/classic.txt", "--id", "none"], 3, "no position 'none'"),
        (["--id", "3x3-hein-02"], 2, "--id needs a FILE"),
        (["--game", "2"], 2, "--game needs a FILE"),
        (["--size", "20"], 3, "--size: a board of 20x20: the page shows up to 19x19"),
        (["a5 c4 z9", "--size", "7"], 3, "'z9' is off the 7x7 board"),
        (["https://hexworld.org/board/#25,a1"], 3, "19x19"),
        (["--host", "10.0.0.1"], 2, "--allow-remote"),
        (["--host", "0.0.0.0", "--allow-remote"], 1, "name one address"),  # noqa: S104 - it is refused
        (["--host", "h\udcff", "--allow-remote"], 1, "'h\\udcff': not the name of a machine"),
        (["--port", "70000"], 2, "--port"),
    ],
)
def test_bad_arguments_of_board_are_rejected(arguments, code, said):
    found = CliRunner().invoke(main, ["board", "--no-open", *arguments])

    assert found.exit_code == code
    assert said in found.stderr.strip().split("\n")[-1]
    assert found.stdout == ""


def test_a_taken_port_is_reported():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        found = CliRunner().invoke(main, ["board", "--no-open", "--port", port])

    assert found.exit_code == 1
    assert found.stderr == f"port {port} of 127.0.0.1: Address already in use\n"
