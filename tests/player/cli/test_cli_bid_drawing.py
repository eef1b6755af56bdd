"""`hsearch bid` by random fillings: number, limits, interruption and progress bar."""

import io
import json
import re
import sys

import numpy as np
import pytest
from bid_command import BID, COMPILING, bid, run
from schemas import validate

from hsearch.hex.board import Board
from hsearch.hex.position import Position
from player.cli.sampling import StoppingRule, draw
from player.evaluate.exact import ENOUGH, exact
from player.evaluate.fillings import FillingMethod, Sampler


@pytest.mark.parametrize("options", [[], ["--estimator", "losing"], ["--estimator", "critical"]])
def test_fillings_option_draws_whole_batches_reproducibly(options):
    """Fillings are drawn in whole batches, and the same seed gives the same output."""
    arguments = ("-", "--size", "5x4", "--fillings", "100000", *options, "--json")
    first, _ = run(*arguments, stdin="c3")
    second, _ = run(*arguments, stdin="c3")
    other, _ = run(*arguments, "--seed", "1", stdin="c3")
    found = json.loads(first)
    truth = exact(Position.of(Board(5, 4), black="c3")).black

    validate(found, BID)
    assert first == second != other
    assert (found["fillings"], found["exact"]) == (100352, False)
    assert abs(found["win_probability"]["black"] - truth) < 5 * found["standard_error"] < 0.01


def test_balanced_fillings_give_no_bid():
    """Balanced fillings give the chance and critical cells at ordinary turns, but no bid."""
    balanced = ("-", "--move", "0", "--balanced")
    found = bid(*balanced, "--size", "3", stdin="b2")
    drawn = bid(*balanced, "--size", "12", "--time", "0.05", stdin="b2")
    large = bid(*balanced, "--size", "12", stdin="b2")
    text, _ = run(*balanced, "--size", "3", "--fillings", "9999", stdin="b2")

    assert (found["exact"], found["fraction"]) == (True, {"black": "2/3", "white": "1/3"})
    assert found["cells"][0]["fraction"] == "3/7"
    assert (found["bid"], found["cells"][0]["losing"]) == (None, None)
    assert not drawn["exact"]
    assert ENOUGH <= large["fillings"] < ENOUGH + 1024
    assert "so there is no bid" in text


def test_a_board_too_large_to_count_is_sampled():
    found = bid("-", "--size", "14", "--time", "0.05", stdin="g7")

    assert not found["exact"]
    assert found["fillings"] > 0


def test_until_error_stops_at_a_clear_best_cell_or_a_small_error():
    """Drawing ends when the best cell is clear or the error is small enough."""
    clear = bid("-", "--size", "3", "--move", "0", "--until-error", "1e-9", stdin="b2")
    tied = bid("-", "--size", "2", "--move", "0", "--until-error", "2e-4", stdin="a1")

    assert clear["move"] == "b2"
    assert clear["fillings"] < 10_000_000
    assert 2**18 < tied["fillings"] < 50_000_000


@pytest.mark.parametrize(
    ("fillings", "remark"),
    [
        ("5", "5 fillings rounded up to 1,024: they are drawn 1,024 at a time\n"),
        ("1025", "1,025 fillings rounded up to 2,048: they are drawn 1,024 at a time\n"),
        ("2048", ""),
    ],
)
def test_a_rounded_number_of_fillings_is_noted_on_stderr(fillings, remark):
    """A number of fillings that is rounded up is noted once on stderr."""
    text, errors = run("-", "--size", "3", "--fillings", fillings, "--json", stdin="a1 b2 c3")

    assert json.loads(text)["fillings"] == -(-int(fillings) // 1024) * 1024
    assert errors.removeprefix(COMPILING) == remark


def test_a_least_number_of_balanced_fillings_is_noted_on_stderr():
    """Of balanced fillings so many are drawn that their error is known."""
    command = ("-", "--size", "3", "--balanced", "--fillings", "5", "--json")
    text, errors = run(*command, stdin="a1 b2 c3")

    assert json.loads(text)["fillings"] == 8192
    remark = "5 fillings rounded up to 8,192: they are drawn 1,024 at a time, balanced ones at"
    assert errors.removeprefix(COMPILING) == f"{remark} least 8,192\n"


@pytest.mark.parametrize(
    ("fillings", "seconds", "error", "drawn", "is_reached"),
    [
        ("4096", "1000", "1e-9", range(4096, 4097), False),
        ("1000000000000", "0.01", "1e-9", range(1024, 10**11), False),
        ("1000000000000", "1e-9", "1e-9", range(2**18, 2**18 + 1), False),
        ("1000000000000", "1000", "1e-2", range(2**18, 2**18 + 1), True),
        ("4096", "1000", "1e-2", range(4096, 4097), True),
    ],
)
def test_drawing_ends_at_the_first_limit_reached(fillings, seconds, error, drawn, is_reached):
    """The first limit ends the drawing; a line says so if the error was not reached."""
    limits = ("--fillings", fillings, "--time", seconds, "--until-error", error)
    text, errors = run("-", "--size", "2", *limits, "--move", "0", "--json", stdin="a1")
    line = f"--until-error {float(error):g} was not reached: the best cell is not clear yet, "

    assert json.loads(text)["fillings"] in drawn
    assert errors.removeprefix(COMPILING).startswith(line) != is_reached
    assert errors.removeprefix(COMPILING).count("\n") == (not is_reached)


def interrupted_after(steps, monkeypatch):
    """Simulate Ctrl-C after this many steps of drawing."""
    real, left = Sampler.draw, iter(range(steps))

    def draw(self, count):
        if next(left, None) is None:
            raise KeyboardInterrupt
        real(self, count)

    monkeypatch.setattr(Sampler, "draw", draw)


def test_an_interrupted_run_prints_its_results_so_far(monkeypatch):
    """An interrupted run prints its results so far and exits with 130."""
    interrupted_after(3, monkeypatch)
    found = bid("-", "--size", "5", "--fillings", "1000000000", stdin="c3", code=130)

    assert 3 * 2**18 <= found["fillings"] < 1_000_000_000
    assert 0 < found["standard_error"] < 0.001


def test_an_interruption_before_the_first_filling_prints_no_result(monkeypatch):
    interrupted_after(0, monkeypatch)
    out, _ = run("-", "--size", "5", "--fillings", "1000000000", stdin="c3", code=130)

    assert out == ""


def test_a_progress_bar_is_shown_only_on_a_terminal(monkeypatch):
    """On a terminal a bar counts the fillings drawn; elsewhere nothing is shown."""

    class Terminal(io.StringIO):
        def isatty(self):
            """Return true, as a terminal does."""
            return True

    monkeypatch.setenv("TERM", "xterm")
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        sampler = Sampler(
            Position.of(Board(4, 4)), np.random.default_rng(0), method=FillingMethod.LOSING
        )
        drawn = draw(sampler, StoppingRule(fillings=1_000_000))

        assert not drawn.is_interrupted
        assert drawn.odds == sampler.odds()
        # The clock decides which counts are shown.
        assert bool(re.search(r"\d,\d{3} fillings", stream.getvalue())) == shown
