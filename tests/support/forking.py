"""Commands as processes that start at once: forks of a process that has loaded the program.

`client` writes a shell program `hsearch`. It passes its arguments, folder, environment and
standard files to the server `forked.py`, which forks. It ends with the exit code of the fork, once
the fork has ended, so files that the fork writes at exit are complete.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent

CLIENT = """#!{python} -SE
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    words = json.dumps([sys.argv, os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(server, [len(words).to_bytes(4, "big")], [0, 1, 2])
    server.sendall(words)
    code = server.recv(1)
    while server.recv(1):
        pass
sys.exit(code[0] if code else 1)
"""


@contextlib.contextmanager
def programs(folder: Path, root: Path, *, processes: bool = False):
    """Serve a program `hsearch` in `folder`/bin; the server itself must print nothing.

    With `processes`, the child processes of commands are forks, too, which takes a second to
    start.
    """
    with contextlib.ExitStack() as ending:
        short = ending.enter_context(tempfile.TemporaryDirectory())  # socket paths are limited
        program, address = folder / "bin" / "hsearch", f"{short}/server"
        program.parent.mkdir()
        program.write_text(CLIENT.format(python=sys.executable, address=address))
        program.chmod(0o755)
        server = ending.enter_context(
            subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, str(HERE / "forked.py"), address, *["processes"] * processes],
                env=os.environ | {"PYTHONPATH": f"{root}{os.pathsep}{HERE}"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        )
        assert server.stdout.readline() == b"ready\n"
        try:
            yield
        finally:
            server.terminate()
            said = server.stderr.read()
    assert said == b""
