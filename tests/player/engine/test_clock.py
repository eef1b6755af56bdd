"""Clocks: time of day, or processor time of the players."""

import json
import sys
import time

import pytest
from click.testing import CliRunner
from places import SUPPORT

from hsearch.kernels.stop import Stopped
from player.cli import main
from player.engine.results import Event
from player.engine.tournament import play_game
from player.work.clock import Clock, SearchClock, counting


def rival(kind):
    return f"gtp:{sys.executable} {SUPPORT / 'gtp_engines.py'} {kind}"


@pytest.mark.parametrize(
    ("kind", "clock", "is_late"),
    [("sleeps", "day", True), ("sleeps", "processor", False), ("computes", "processor", True)],
)
def test_time_is_measured_by_the_clock_of_the_event(kind, clock, is_late):
    """An engine that sleeps uses no processor time, and one that computes does."""
    event = Event("test", 2, 1, (rival(kind), "random"), seconds=0.2, clock=clock)
    row, _ = play_game(event, event.pairing(0))

    assert (row.how, row.winner.word) == (("time", "white") if is_late else ("chain", "black"))
    assert (row.seconds[0] > 0.45) is is_late


def test_an_event_rejects_an_unknown_clock():
    """The event is refused before any game."""
    with pytest.raises(ValueError, match="'moon' is not a valid Clock"):
        Event("test", 2, 1, ("random", "cohen"), clock="moon")


@pytest.mark.parametrize("clock", Clock)
def test_sleeping_uses_up_wall_time_but_not_processor_time(clock):
    """A sleeping process uses no processor time."""
    with counting(clock):
        search = SearchClock(0.2, None, first_probe=0.0)
        time.sleep(0.3)
        if clock is Clock.DAY:
            with pytest.raises(Stopped):
                search.check(0.0)
        else:
            search.check(0.0)
            assert search.seconds < 0.2


def test_standings_show_the_time_per_move_if_there_is_a_clock(tmp_path):
    """Standings show the time per move if there is a clock, and rows belong to their clock."""
    rows = tmp_path / "rows"
    words = ["tournament", "random", rival("first"), "--size", "3", "--resume", str(rows)]
    timed = [*words, "--clock", "processor", "--time", "1"]
    done = CliRunner().invoke(main, timed)

    assert done.exit_code == 0, done.output
    head, *places = [line.split() for line in done.stdout.splitlines()]
    assert head[-3:] == ["s", "a", "move"]
    assert all(float(place[-1]) < 1 for place in places)
    again = CliRunner().invoke(main, [*words, "--time", "1"])
    assert again.exit_code == 3
    assert 'another event: clock is "processor" there, "day" here; keep' in again.stderr

    plain = tmp_path / "plain"
    words[-1] = str(plain)
    assert "s a move" not in CliRunner().invoke(main, words).stdout
    first, *rest = plain.read_text().splitlines(keepends=True)
    fields = json.loads(first)
    del fields["clock"]
    plain.write_text(json.dumps(fields) + "\n" + "".join(rest))
    unsaid = CliRunner().invoke(main, words)
    assert unsaid.exit_code == 3
    assert 'clock is null there, "day" here' in unsaid.stderr
