"""The server behind `forking`: it has loaded the program, and each command is a fork of it."""

import atexit
import contextlib
import json
import os
import signal
import socket
import sys
import threading
import traceback

import scipy.optimize
import scipy.stats  # noqa: F401 - loaded once, in place of once a command

from hsearch.analysis import Analysis
from hsearch.board import Board, Color
from hsearch.position import Position
from player.cli import COMMANDS, main


def serve(address: str) -> None:
    """Load the commands and what an analysis takes, and answer until ended."""
    for name in COMMANDS:
        main.get_command(None, name)
    analysis = Analysis(Position.of(Board(11, 11), black="f6", turn=Color.WHITE))
    for name in ("winner", "mustplay", "circuits"):
        getattr(analysis, name)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            caller, _ = listener.accept()
            with caller:
                if not os.fork():
                    listener.close()
                    _answer(caller)
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass


def _answer(caller: socket.socket) -> None:
    """Be the command that was called for, and end."""
    size, files, _, _ = socket.recv_fds(caller, 4, 3)
    words, left = b"", int.from_bytes(size, "big")
    while len(words) < left:
        words += caller.recv(left - len(words))
    arguments, folder, environment = json.loads(words)
    code = 1
    try:
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = arguments
        signal.signal(signal.SIGINT, signal.default_int_handler)
        main(prog_name="hsearch")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - it is said, as Python does
        traceback.print_exc()
    threading._shutdown()  # noqa: SLF001 - as at the end of any program
    atexit._run_exitfuncs()  # noqa: SLF001
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    caller.sendall(bytes([code]))
    os._exit(code)


if __name__ == "__main__":
    serve(sys.argv[1])
