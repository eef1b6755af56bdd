"""The source's experiments: the right players, counted correctly, beside its figures."""

import math
from dataclasses import replace

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from interruption import STOPPED_BY, check_that_none_is_lost, rows_left

from hsearch.formats import moves
from hsearch.hex.board import Color
from player.cli import main
from player.engine.experiment import EXPERIMENTS, event, remarks, report, table
from player.engine.results import Row
from player.engine.spec import player

BLACK, WHITE = Color
ONE = EXPERIMENTS["1"]
A, B = ONE.players


def row(game, winner, *, black=A, white=B, seconds=(1.0, 2.0, 3.0), nodes=(0, 20, 30)):
    """Return a game of experiment 1 in which the first move was not searched."""
    names = ("a1", "b1", "a2")
    return Row(game, black, white, 0, "", winner, "chain", "", names, seconds, nodes)


def test_the_report_counts_wins_starts_times_and_lengths():
    """Four games counted by hand; moves without a search have no time."""
    rows = [
        row(0, BLACK),
        row(1, BLACK, black=B, white=A),
        row(2, WHITE),
        replace(row(3, WHITE, black=B, white=A), opening="c1 c2", nodes=(10, 20, 30)),
    ]
    found = report(ONE.players, rows)
    a, b = found.figures.times

    assert (found.figures.games, found.figures.wins, found.figures.first) == (4, (2, 2), (1, 1))
    assert a[0] == pytest.approx((3 + 2 + 3 + 2) / 4)
    assert b[0] == pytest.approx((2 + 3 + 2 + 1 + 3) / 5)
    assert found.nodes == (25, pytest.approx((20 + 30 + 20 + 10 + 30) / 5))
    assert found.figures.moves == pytest.approx((3 + 3 + 3 + 5) / 4)
    assert (found.share.estimate, found.elo.estimate) == (0.5, 0)
    assert found.verdict is None


def test_unequal_times_differ_significantly_and_equal_times_do_not():
    """In forty games, a difference of a second is significant, and none is not."""
    slow = [row(n, BLACK, seconds=(0.0, 2.0 + n / 100, 1.0 + n / 100)) for n in range(40)]
    same = [row(n, BLACK, seconds=(0.0, 1.0 + n / 100, 1.0 + n / 100)) for n in range(40)]

    assert report(ONE.players, slow).figures.test == "differ"
    assert report(ONE.players, slow).p < 1e-6
    assert report(ONE.players, same).figures.test == "same"


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_exchanging_the_players_exchanges_the_figures(results):
    """It does not matter which player is called A."""
    rows = [row(n, BLACK if won else WHITE) for n, won in enumerate(results)]
    one, other = report((A, B), rows), report((B, A), rows)

    assert one.figures.wins == other.figures.wins[::-1]
    assert one.figures.first == other.figures.first[::-1]
    assert one.share.low == pytest.approx(1 - other.share.high)
    assert one.elo.estimate == pytest.approx(-other.elo.estimate)
    assert (one.p, one.nodes) == (pytest.approx(other.p, nan_ok=True), other.nodes[::-1])


def test_the_sequential_test_ends_at_a_missing_game():
    """After a kill a slow game may be missing, and the quick ones after it are no random sample."""
    rows = [row(n, BLACK) for n in range(40)]
    missing = report(ONE.players, rows[:9] + rows[10:])

    assert report(ONE.players, rows).verdict is not None
    assert (missing.verdict, missing.figures.games) == (None, 39)


def test_a_report_of_no_games_is_rejected():
    """There is no row of zeros."""
    with pytest.raises(ValueError, match="no games"):
        report(ONE.players, [])


def test_the_table_lists_the_source_above_our_result():
    """All rows have the same number of columns, also if the source has no figures."""
    rows = [row(n, BLACK) for n in range(30)]
    text = table([(name, report(ONE.players, rows)) for name in ("1", "parity")])
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]

    assert len({len(line) for line in lines}) == 1
    assert [line[:2] for line in lines[2:]] == [
        ["1", "Schiavone"],
        ["1", "ours"],
        ["parity", "ours"],
    ]
    assert lines[2][4:7] == ["30", "0-30", "0-15"]
    assert lines[3][4:7] == ["30", "30-0", "30-0"]
    said = " ".join(remarks("1", report(ONE.players, rows)))
    assert "connected-2-R is better, clear after" in said
    assert f"connected-2-R is the player {ONE.players[0]}" in said


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_can_be_played(name):
    """Its players are known, its openings are legal, and the source's wins add up."""
    made = event(name)
    experiment = EXPERIMENTS[name]
    for spec in made.players:
        assert player(spec).name == spec
    for opening in made.openings:
        assert len(moves.read(opening, made.board).moves) == 2
    assert len(set(made.openings)) == len(made.openings)
    if experiment.source is not None:
        assert sum(experiment.source.wins) == experiment.source.games
        assert all(
            f <= w for f, w in zip(experiment.source.first, experiment.source.wins, strict=True)
        )


def test_players_without_chance_do_not_repeat_a_game():
    """They have enough openings, except for experiments that start from the empty board."""
    for name in EXPERIMENTS:
        if not any("random" in spec for spec in EXPERIMENTS[name].players):
            openings = event(name).openings
            assert 2 * len(openings) >= 200 or (name.endswith("-empty") and not openings)


def run(*arguments):
    return CliRunner().invoke(main, ["experiment", *arguments])


@pytest.mark.slow
def test_the_command_plays_reports_again_and_rejects_another_seed(tmp_path):
    """Results are reported again without playing, and another seed is refused."""
    tmp_path /= "new"
    resume = ("--resume", f"{tmp_path}/")
    first = run("4", "--games", "2", *resume, "--sgf", str(tmp_path))
    text = (tmp_path / "experiment-4.jsonl").read_text()
    again = run("4", "--games", "2", *resume, "--report")
    other = run("4", "--games", "2", *resume, "--seed", "1")

    assert first.exit_code == 0, first.output
    assert "| 4 | ours | two distance-2-R | max flow-2-R | 2 |" in first.stdout
    assert again.stdout == first.stdout
    assert other.exit_code == 3
    kept_apart = "keep these apart with --resume PATH\n"
    assert other.stderr.endswith(f"seed is 0 there, 1 here; {kept_apart}")
    assert (tmp_path / "experiment-4.jsonl").read_text() == text
    assert len(list(tmp_path.glob("*.sgf"))) == 2


@pytest.mark.slow
@pytest.mark.parametrize("how", STOPPED_BY)
def test_an_interrupted_experiment_resumes(tmp_path, how):
    """After a kill or an interruption, each finished game is kept and none is played twice."""
    rows = tmp_path / "rows"
    before = rows_left(["experiment", "4", "--games", "10000", "--resume", str(rows)], rows, how)
    games = len(before) - 1 + 2
    done = run("4", "--games", str(games), "--resume", str(rows))

    assert done.exit_code == 0, done.output
    check_that_none_is_lost(before, rows, games)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("8",), "unknown experiment '8' (known: 1, 2, 3, 4, 5, 6, 7, 2-one-way, "),
        (("1", "2", "--resume", "x"), "a file of --resume is for a single experiment"),
        (("1", "--report", "--resume", "no-such-file"), "no games to report"),
        (("1", "--report", "--workers", "2"), "--report plays no games: no --workers"),
        (("1", "--report", "--sgf", "games"), "--report plays no games: no --sgf"),
        (("1", "--report", "--until-clear"), "--report plays no games: no --until-clear"),
    ],
)
def test_wrong_usage_is_reported_with_exit_code_2(arguments, message):
    """The error has exit code 2."""
    done = run(*arguments)

    assert done.exit_code == 2
    assert message in done.stderr


def test_the_elo_of_a_clean_sweep_is_infinite():
    """The interval of the share is finite, and the Elo points are infinite."""
    rows = [row(n, BLACK) for n in range(5)]
    found = report(ONE.players, rows)

    assert math.isinf(found.elo.estimate)
    assert "+inf" in table([("1", found)])
