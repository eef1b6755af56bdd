"""Commands as processes that start at once: forked from one that has loaded the program.

`client` writes a program `hsearch` for a shell; it hands its arguments, folder,
environment and standard files to the server, which forks, and ends with the
exit code that the fork sends back, once the fork has ended: what it writes on
its way out is there for whoever comes next. The server is `forked.py`.
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
    """Serve a program `hsearch` in `folder`/bin; what the server itself says must be nothing.

    With `processes` those of commands are forks of one, too, which takes a second to start.
    """
    with contextlib.ExitStack() as ending:
        short = ending.enter_context(tempfile.TemporaryDirectory())  # names of sockets have limits
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
