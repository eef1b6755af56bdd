"""The server behind `forking`: it loads the program once, and forks for each command."""

import atexit
import contextlib
import json
import multiprocessing
import os
import signal
import socket
import sys
import threading
import traceback
from multiprocessing import forkserver

import loaded  # noqa: F401 - once, not once per command

from player.cli import main

STARTED_IN = dict(os.environ)
FOR_PROCESSES = ("HOME", "TMPDIR", "XDG_", "NUMBA_")  # prefixes that child processes read


def serve(address: str, *, processes: bool) -> None:
    """Serve until ended; `processes` adds a server for the processes that commands start."""
    if processes:
        multiprocessing.get_context("forkserver").set_forkserver_preload(["loaded"])
        forkserver.ensure_running()
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
    """Run the requested command in this fork, and exit."""
    size, files, _, _ = socket.recv_fds(caller, 4, 3)
    words, left = b"", int.from_bytes(size, "big")
    while len(words) < left and (more := caller.recv(left - len(words))):
        words += more
    if not words or len(words) < left:
        os._exit(1)  # the caller has ended and receives nothing
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
        _share_processes(environment)
        sys.argv = arguments
        signal.signal(signal.SIGINT, signal.default_int_handler)
        main(prog_name="hsearch")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - printed as Python prints it
        traceback.print_exc()
    threading._shutdown()  # noqa: SLF001 - as at the end of any program
    caller.sendall(bytes([code]))  # first: a command may be killed while it exits
    atexit._run_exitfuncs()  # noqa: SLF001
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def _share_processes(environment: dict[str, str]) -> None:
    """Start child processes from the server, unless they need another environment."""
    server = forkserver._forkserver  # noqa: SLF001 - there is no public access
    if server._forkserver_pid is None:  # noqa: SLF001
        return
    other = (name for name, _ in environment.items() ^ STARTED_IN.items())
    if not any(name.startswith(FOR_PROCESSES) for name in other):
        server.ensure_running = lambda: None  # it runs; only its parent may check it
    else:
        server._forkserver_pid = None  # noqa: SLF001


if __name__ == "__main__":
    serve(sys.argv[1], processes="processes" in sys.argv)
