"""Stop a program in the middle of its games, and read the rows it has written."""

import json
import os
import signal
import subprocess
import sys
import time

STOPPED_BY = (signal.SIGKILL, signal.SIGINT)  # kill -9, Ctrl-C


def rows_left(arguments, rows, how):
    """Stop the program by a signal after three games; return the whole lines of its rows.

    Check that it ends as a program stopped by this signal does.
    """
    command = [sys.executable, "-m", "player.cli", *arguments]
    with subprocess.Popen(  # noqa: S603 - our own command
        command, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as program:
        limit = time.monotonic() + 600  # a cold cache on a busy machine
        while _lines(rows) < 4 and time.monotonic() < limit:
            time.sleep(0.02)
        if how is signal.SIGINT:  # to all its processes, as a terminal does
            os.killpg(program.pid, how)
        else:
            os.kill(program.pid, how)
        _, errors = program.communicate(timeout=100)
        status = program.returncode

    assert "Traceback" not in errors, errors
    told = f"Interrupted; what was finished is in {rows}, and the same command resumes.\n"
    assert (told in errors) is (how is signal.SIGINT)
    assert status == (130 if how is signal.SIGINT else -how)
    return rows.read_text().rpartition("\n")[0].splitlines()


def check_that_none_is_lost(before, rows, games):
    """Check that the new rows extend those before, and that no game is lost or doubled."""
    after = rows.read_text().splitlines()

    assert len(before) >= 4
    assert after[: len(before)] == before
    assert sorted(json.loads(line)["game"] for line in after[1:]) == list(range(games))


def _lines(path):
    return path.read_text().count("\n") if path.exists() else 0
