"""The chance of the player to move: the model, its fit, and the shipped calibration."""

import json
import math

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT, needs_full_device

from hsearch.formats.files import find_shipped
from hsearch.hex.board import Color
from player.cli import main
from player.engine.self_play import SelfPlay, fit, play_games, write
from player.evaluate.chance import (
    ChanceSample,
    Model,
    advantage,
    calibrate,
    calibrate_favorites,
    fit_model,
    load_model,
    log_loss,
    logit,
    read,
)

BLACK, WHITE = Color
SMALL = SelfPlay("hexy:level=2", (4, 5), seed=5)


def drawn(model, count, *, seed=0):
    """Return positions whose outcomes are drawn from a model."""
    generator = np.random.default_rng(seed)
    seen, phases = generator.normal(0, 1, count), generator.uniform(0, 0.6, count)
    won = generator.random(count) < [
        model.chance(*place) for place in zip(seen, phases, strict=True)
    ]
    places = zip(seen.tolist(), phases.tolist(), won.tolist(), strict=True)
    return [ChanceSample(n // 10, 9, *place) for n, place in enumerate(places)]


def test_the_fit_finds_the_weights_that_drew_the_outcomes():
    """Forty thousand positions determine four weights within their errors."""
    true = Model(0.8, 2.0, -0.5, 1.0)
    found = fit_model(drawn(true, 40_000))

    assert found.tempo == pytest.approx(true.tempo, abs=0.15)
    assert found.slope == pytest.approx(true.slope, abs=0.2)
    assert found.tempo_phase == pytest.approx(true.tempo_phase, abs=0.45)
    assert found.slope_phase == pytest.approx(true.slope_phase, abs=0.6)


def test_an_omitted_term_is_zero_and_increases_the_loss():
    """Without the tempo, the loss on new positions is larger."""
    true = Model(1.0, 1.5)
    seen, unseen = drawn(true, 4000), drawn(true, 4000, seed=1)
    whole, without = fit_model(seen, ("tempo", "slope")), fit_model(seen, ("slope",))

    assert (without.tempo, whole.tempo_phase, whole.slope_phase) == (0, 0, 0)
    assert log_loss(whole, unseen) + 0.02 < log_loss(without, unseen) < 1


@pytest.mark.parametrize(("samples", "terms"), [([], ("slope",)), ([None], ("slop",))])
def test_a_fit_without_positions_or_known_terms_is_rejected(samples, terms):
    with pytest.raises(ValueError, match=r"no positions to fit|no such term: 'slop'"):
        fit_model(samples, terms)


def test_calibration_bins_agree_with_the_outcomes():
    """Each position is in one bin; the bins agree with the model that drew the outcomes."""
    true = Model(0.5, 1.5)
    samples = drawn(true, 5000)
    bins = calibrate(true, samples)
    worst = calibrate(Model(-3.0, 1.5), samples)

    assert sum(one.positions for one in bins) == 5000
    assert sum(one.observed * one.positions for one in bins) == sum(s.won for s in samples)
    for one in bins:
        assert one.low <= one.predicted < one.high
        assert one.interval[0] - 0.02 <= one.predicted <= one.interval[1] + 0.02
    assert any(not one.interval[0] <= one.predicted <= one.interval[1] for one in worst)


def test_positions_of_one_game_are_not_independent_samples():
    """As many positions from a tenth of the games give a wider interval."""
    model = Model(0.0, 0.0)
    many = [ChanceSample(n, 9, 0.0, 0.0, n % 2 == 0) for n in range(400)]
    few = [ChanceSample(n // 40, 9, 0.0, 0.0, n // 40 % 2 == 0) for n in range(400)]
    (one,), (other,) = calibrate(model, many), calibrate(model, few)

    assert one.observed == other.observed == 0.5
    assert (one.games, other.games) == (400, 10)
    assert other.interval[1] - other.interval[0] > 2 * (one.interval[1] - one.interval[0])


@pytest.mark.parametrize("won", [0, 1, 2, 4])
def test_identical_games_give_an_interval_around_their_share(won):
    """In ten games of four positions each, the player to move wins `won` of them."""
    samples = [ChanceSample(n // 4, 9, 0.0, 0.0, n % 4 < won) for n in range(40)]
    (one,) = calibrate(Model(0.0, 0.0), samples)

    assert one.observed == won / 4
    assert one.interval[0] <= one.observed <= one.interval[1]
    assert one.interval[1] - one.interval[0] > 0.2


@given(st.floats(-9, 9), st.floats(0, 1))
def test_the_shipped_chance_grows_with_the_advantage(seen, phase):
    model = load_model()

    assert 0 < model.chance(seen, phase) < 1
    assert model.chance(seen, phase) < model.chance(seen + 0.5, phase)


def test_the_advantage_of_white_is_the_negative_of_blacks():
    """E for White is -E for Black."""
    assert advantage(1.5, BLACK) == -1.5 == -advantage(1.5, WHITE)


def test_infinite_evaluations_have_chance_1_or_0():
    assert [load_model().chance(seen, 0.1) for seen in (math.inf, -math.inf)] == [1, 0]
    assert [logit(share) for share in (0, 0.5, 1)] == [-math.inf, 0, math.inf]


def test_terms_of_the_side_are_constant_outside_7x7_to_13x13():
    """The games were played on 7x7 to 13x13; on 11x11 the terms of the side are 0."""
    model = Model(0.2, 1.0, tempo_side=0.5, slope_side=-0.5)
    plain = Model(0.2, 1.0)

    assert model.chance(0.7, 0.1, 11) == plain.chance(0.7, 0.1)
    assert model.chance(0.7, 0.1, 3) == model.chance(0.7, 0.1, 7)
    assert model.chance(0.7, 0.1, 26) == model.chance(0.7, 0.1, 13)
    assert model.chance(0.7, 0.1, 13) != model.chance(0.7, 0.1, 7)


def test_favorites_are_counted_by_phase():
    """Each phase has the predicted chance of the favorite, and how often the favorite won."""
    true = Model(0.5, 1.5)
    samples = drawn(true, 5000)
    ends = (0, 0.2, 0.4, 1)
    bins = calibrate_favorites(true, samples, [each.phase for each in samples], ends)

    assert [one.low for one in bins] == [0, 0.2, 0.4]
    assert sum(one.positions for one in bins) == 5000
    for one in bins:
        assert one.predicted > 0.5
        assert one.observed == pytest.approx(one.predicted, abs=0.04)


def test_the_player_to_move_has_the_better_chance():
    """In an even position, the player to move has the better chance."""
    assert load_model().chance(0.0, 0.1) > 0.6


@pytest.mark.parametrize("text", ["[]", "{}", '{"schema": "hsearch/chance/2"}', "nonsense"])
def test_text_that_is_not_a_model_is_refused(text):
    with pytest.raises(ValueError, match=r"not a model of|Expecting"):
        read(text)


@pytest.mark.slow
def test_games_depend_on_their_number_alone():
    """Games do not depend on the number of processes or on earlier games."""
    alone = list(play_games(SMALL, 4, 1))

    assert list(play_games(SMALL, 4, 2)) == alone
    assert alone[1] == SMALL.samples(1)
    assert any(alone)
    for sample in alone[1]:
        assert sample.game == 1
        assert sample.side == 5


def test_outcomes_alternate_over_the_positions_of_a_game():
    """The player to move alternates, and so does the outcome."""
    number = next(n for n in range(20) if len(SMALL.samples(n)) >= 2)
    won = [sample.won for sample in SMALL.samples(number)]

    assert won == [won[0] if n % 2 == 0 else not won[0] for n in range(len(won))]


def test_a_fitted_model_is_read_back_unchanged():
    found = fit(SMALL, play_games(SMALL, 10, 1), 5)

    assert read(write(found)) == found.model
    assert (found.games, found.apart) == (5, 5)


def test_the_shipped_calibration_holds():
    """Predictions are in nearly all observed intervals, and the tempo improves the fit."""
    thing = json.loads(find_shipped("chance.json").read_text())
    bins = thing["apart"]["calibration"]
    off = [one for one in bins if not one["interval"][0] <= one["predicted"] <= one["interval"][1]]
    bits = thing["apart"]["bits"]

    assert sum(one["positions"] for one in bins) > 1000
    assert len(off) <= 2
    assert all(abs(one["predicted"] - one["observed"]) < 0.2 for one in bins)
    assert bits["tempo slope"] < bits["slope"] < 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "workers", "code", "said"),
    [
        ("treee", "1", 2, "chance: --player: unknown player 'treee' (known: "),
        ("hexy:levle=3", "2", 2, "chance: --player: unknown option 'levle' of hexy "),
        ("gtp:false", "1", 1, "gtp:false lost game 0 (failed): 'false' ended with status 1 "),
        ("gtp:/missing", "2", 1, "gtp:/missing lost game 0 (failed): cannot start '/missing': "),
    ],
)
def test_a_failing_player_is_reported_in_one_line(tmp_path, player, workers, code, said):
    words = ["chance", "--fit", str(tmp_path / "new.json"), "--games", "1", "--apart", "1"]
    done = CliRunner().invoke(main, [*words, "--workers", workers, "--player", player])

    assert done.exit_code == code
    assert done.stderr.splitlines()[-1].removeprefix("main ").startswith(said)
    assert not (tmp_path / "new.json").exists()


@pytest.mark.parametrize("source", ["circuits", "net", "tree"])
def test_the_command_shows_the_shipped_model_or_fits_a_new_one(tmp_path, source):
    """Without --fit the shipped model is shown; with --fit a file of the same kind is written."""
    shown = CliRunner().invoke(main, ["chance", "--by", source])
    out = tmp_path / "chance.json"
    player = "hexy:level=1" if source == "circuits" else "tree:net=shipped,simulations=2"
    command = ["chance", "--by", source, "--fit", str(out), "--games", "2", "--apart", "1"]
    fitting = CliRunner().invoke(main, [*command, "--player", player, "--seed", "3"])

    assert shown.exit_code == fitting.exit_code == 0
    assert " other games:" in shown.stdout
    assert ("the logit of the" in shown.stdout) == (source != "circuits")
    assert f"of {player} against itself" in fitting.stdout
    found = json.loads(out.read_text())
    assert (found["fit"]["seed"], found["fit"]["source"]) == (3, source)
    assert sum(one["positions"] for one in found["apart"]["side"]) == sum(
        one["positions"] for one in found["apart"]["phase"]
    )


@pytest.mark.parametrize("source", ["net", "tree"])
def test_the_results_page_contains_the_output_of_the_command(source):
    """The page contains the output unchanged."""
    text = (ROOT / "positions/results/chance.md").read_text()
    shown = CliRunner().invoke(main, ["chance", "--by", source], env={"COLUMNS": "100"}).stdout
    block = "".join(f"    {line}\n" if line.strip() else "\n" for line in shown.splitlines())

    assert block in text


@needs_full_device
def test_a_full_disk_does_not_lose_the_fitted_model():
    """The model is shown before it is written."""
    words = ["chance", "--by", "circuits", "--fit", "/dev/full", "--player", "hexy:level=1"]
    done = CliRunner().invoke(main, [*words, "--games", "2", "--apart", "1"])

    assert done.exit_code == 1
    assert "of hexy:level=1 against itself" in done.stdout
    assert done.stderr == "/dev/full: cannot be written: No space left on device\n"
