"""`--time`: commands that could search for hours end when time is up, and say so."""

import subprocess
import time

import pytest
from endless import crowded
from places import ROOT

from hsearch import formats

HOURS = ("--M", "400", "--K", "30", "--turn", "black")
LATE = "(the search was not finished in 1 s: there may be more)"


def run(program, *words, stdin=""):
    """Run a command and return its stdout, stderr, exit code and seconds."""
    begin = time.monotonic()
    done = subprocess.run(  # noqa: S603 - our own program
        [program, *words],
        cwd=ROOT,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    return done.stdout, done.stderr, done.returncode, time.monotonic() - begin


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Return the file of a position with many connections."""
    path = tmp_path_factory.mktemp("time") / "crowded.sgf"
    path.write_text(formats.write(crowded(11, 12)))
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("analyze",), LATE),
        (("mustplay",), "as far as is known"),
        (("connections",), "(limits reached: time)"),
        (("connections", "--between", "north", "south"), "(limits reached: time)"),
        (("explain", "--between", "north", "south", "--for", "black"), "within its limits"),
    ],
)
def test_a_search_for_connections_stops_at_the_time_limit(program, file, words, told):
    """A search for connections ends in time and prints those found by then."""
    out, err, code, seconds = run(program, words[0], file, *words[1:], *HOURS, "--time", "1")

    assert (err.replace("compiling kernels, kept for later runs ...\n", ""), code) == ("", 0)
    assert told in " ".join(out.split())
    assert seconds < 60  # the machine may be busy, and kernels may compile


@pytest.mark.slow
def test_games_at_random_turns_stop_at_the_time_limit(program):
    """Games at random turns end in time, with the mean and number of the games played."""
    out, _, code, seconds = run(
        *(program, "bid", "-", "--size", "6", "--move", "0", "--turns", "1000000", "--time", "2"),
        stdin="a1",
    )

    assert code == 0
    assert "games of 1000000, in 2 s" in out.splitlines()[-2]
    assert seconds < 60


@pytest.mark.slow
def test_thresholds_stop_at_the_time_limit_and_name_the_unsolved(program):
    """Totals of chips solved in time are printed, and stderr names the others."""
    out, err, code, seconds = run(
        *(
            program,
            "thresholds",
            "-",
            "--size",
            "3",
            "--move",
            "1",
            "--chips",
            "0",
            "10000",
            "--time",
            "1",
        ),
        stdin="a1",
    )

    assert code == 0
    assert "to 10000 chips are not solved" in err
    assert out
    assert seconds < 60
