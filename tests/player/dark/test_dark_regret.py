"""Regret minimization: the CFR family, with sampling and with regression."""

import math
from functools import cache

import numpy as np
import pytest

from hsearch.hex.board import Board, Color
from player.dark import long_run, regression, response, tree
from player.dark.methods import VARIANTS
from player.dark.regression import FEATURES, Regression, RegressionOptions
from player.dark.regret import Minimizer, RegretSampler
from player.dark.rules import Base, DarkRules, Noise

FIRST = {(2, "classic"): 5 / 8, (2, "abrupt"): 5 / 12, (3, "classic"): 3 / 8}


@cache
def built(columns, base, noise="silent"):
    """Return the tree of a board with two rows, built once."""
    return tree.build(DarkRules(Board(columns, 2), Base(base), Noise(noise)))


def curve(solver, points):
    """Return the exploitability after each of these numbers of iterations."""
    found = []
    for point in points:
        while solver.iteration < point:
            solver.step()
        found.append(response.exploitability(solver.tree, solver.plans()))
    return found


@pytest.mark.parametrize("name", ["cfr", "cfr+", "dcfr"])
@pytest.mark.parametrize(("columns", "base"), FIRST)
def test_curves_match_their_closed_form(columns, base, name):
    """The second pair of policies is an equilibrium, so only the weight of the first remains."""
    variant = VARIANTS[name]
    weights = np.arange(1, 1001) ** variant.gamma
    expected = [FIRST[columns, base] / weights[:t].sum() for t in (10, 100, 1000)]
    found = curve(Minimizer(built(columns, base), variant), (10, 100, 1000))

    assert (np.array(found) <= 1.5 * np.array(expected)).all()
    assert found == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("noise", ["noisy", "flash"])
@pytest.mark.parametrize("base", ["classic", "abrupt"])
def test_noise_on_2x2_changes_no_curve(base, noise):
    """All six games on 2x2 have the property behind the closed form."""
    found = curve(Minimizer(built(2, base, noise), VARIANTS["cfr+"]), (10, 100))

    assert found == pytest.approx([FIRST[2, base] * 2 / (t * (t + 1)) for t in (10, 100)], rel=0.01)


def test_a_minimizer_resumes_from_the_state_of_another():
    """A minimizer started with another's regrets and plans continues exactly like it."""
    one, other = (Minimizer(built(3, "abrupt"), VARIANTS["cfr+"]) for _ in range(2))
    while one.iteration < 30:
        one.step()
    other.start([regrets.copy() for regrets in one.regrets])
    other.start_average(one.plans(), one.iteration)
    for _ in range(10):
        one.step()
        other.step()

    for plan, twin in zip(one.plans(), other.plans(), strict=True):
        assert plan == pytest.approx(twin, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "bounds"),
    [
        ("cfr", (1.5 * 0.118, 0.025, 0.012, 1.5 * 1.5e-3)),
        ("cfr+", (1.5 * 6.8e-2, 0.008, 0.002, 1.5 * 2.5e-4)),
        ("dcfr", (1.5 * 7.92e-2, 0.008, 0.003, 1.5 * 2.7e-4)),
        ("pcfr+", (1.5 * 7.2e-2, 1.5 * 2.3e-4, 1.5 * 8.4e-6, 1e-6)),
    ],
)
def test_exploitability_on_abrupt_3x2_stays_below_the_bounds(name, bounds):
    """Exploitability is below the reference's bounds; the value is right to 1e-3 after 300."""
    game = built(3, "abrupt")
    solver = Minimizer(game, VARIANTS[name])
    found = curve(solver, (10, 100, 300))

    if name == "cfr+":
        assert response.value(game, solver.plans()) == pytest.approx(9 / 11, abs=1e-3)
    found += curve(solver, [1000])
    assert all(each < bound for each, bound in zip(found, bounds, strict=True)), found


def test_updates_of_the_two_players_alternate():
    """Simultaneous updates would have 0.199 after ten iterations."""
    assert curve(Minimizer(built(3, "abrupt"), VARIANTS["cfr"]), [10])[0] < 0.15


def test_compiled_regrets_equal_those_of_plain_numpy():
    """Compiled sweeps agree with their definition, level by level in Python."""
    game = built(2, "abrupt", "flash")
    solver = Minimizer(game, VARIANTS["cfr"])
    for _ in range(5):
        solver.step()
    black, white = (response.plan_of(game, c, solver.policies[c]) for c in Color)
    side, policy = game.sides[0], solver.policies[0]
    earned = game.matrix @ white
    total = earned.copy()
    regret = np.zeros_like(earned)
    for j in reversed(range(len(side.parent))):
        own = slice(side.first[j], side.first[j] + side.count[j])
        value = policy[own] @ total[own]
        regret[own] = total[own] - value
        total[side.parent[j]] += value
    found = np.zeros_like(earned)
    compiled = response.gradient(game, Color.BLACK, white)
    response.dark_book.evaluate(side.sets, policy, compiled, found)

    assert found == pytest.approx(regret, abs=1e-14)
    assert compiled[0] == pytest.approx(black @ earned, abs=1e-14)


@pytest.mark.parametrize("penalty", [regression.PENALTY, 0.5])
@pytest.mark.parametrize("columns", [2, 3])
def test_regression_with_one_feature_per_sequence_equals_cfr(columns, penalty, monkeypatch):
    """Regression with one feature per sequence has the policies of CFR for 100 iterations."""
    monkeypatch.setattr(regression, "PENALTY", penalty)
    game = built(columns, "abrupt")
    table, solver = Minimizer(game, VARIANTS["cfr"]), Regression(game)
    table.tiny = solver.tiny = 1e-9
    worst = 0.0
    for _ in range(100):
        table.step()
        solver.step()
        worst = max(worst, *(abs(table.policies[c] - solver.policies[c]).max() for c in Color))

    assert worst < 1e-9


@pytest.mark.parametrize(
    "options",
    [
        RegressionOptions("view", "mean"),
        RegressionOptions("view", "mean", link="exponential"),
        RegressionOptions("view"),
        RegressionOptions("pair", power=1.5),
        RegressionOptions("tiles", "lsqr"),
        RegressionOptions("binary", "tree"),
    ],
    ids=str,
)
def test_every_regression_learns(options):
    """Each beats uniform play on abrupt 2x2 and resumes exactly."""
    game = built(2, "abrupt", "noisy")
    solver, twin = Regression(game, options), Regression(game, options)
    solver.tree = twin.tree
    found = curve(solver, [25])[0]
    twin.restore({name: array.copy() for name, array in solver.arrays().items()})

    assert found < 5 / 12
    assert curve(solver, [50]) == curve(twin, [50])


def test_other_links_give_other_policies():
    """Powers and the exponential link differ from RCFR, except for power 2."""
    game = built(3, "abrupt")
    plain = curve(Regression(game), [5])

    assert curve(Regression(game, RegressionOptions(power=2.0)), [5]) == plain
    assert curve(Regression(game, RegressionOptions(power=1.5)), [5]) != plain
    assert curve(Regression(game, RegressionOptions(link="exponential")), [5]) != plain


@pytest.mark.parametrize("power", [100.0, 1e300])
def test_large_powers_do_not_overflow(power):
    """Large powers approach the policy that plays the cell of the greatest regret."""
    game = built(2, "abrupt", "noisy")
    solver = Regression(game, RegressionOptions("view", "mean", power=power))
    solver.advance(300)

    assert all(np.isfinite(policy).all() for policy in solver.policies)
    assert curve(solver, [300])[0] < 5 / 12


@pytest.mark.parametrize(
    "wrong",
    [
        {"features": "x"},
        {"regressor": "x"},
        {"link": "x"},
        {"power": 1},
        {"power": math.inf},
    ],
)
def test_invalid_options_of_regression_are_rejected(wrong):
    """The error names the wrong name or number."""
    with pytest.raises(ValueError, match=r"x|power"):
        RegressionOptions(**wrong)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "explore", "iterations", "bound"),
    [
        (2, 0.6, 250_000, 0.034),
        (2, 0, 30_000, 0.012),
        (3, 0.6, 170_000, 0.162),
        (3, 0, 4_000, 0.05),
    ],
)
def test_sampling_comes_near_equilibrium(columns, explore, iterations, bound):
    """Exploitability is at most twice the reference's after as many iterations."""
    game = built(columns, "abrupt")
    sampler = RegretSampler(game.rules, np.random.default_rng(2026), explore=explore)
    sampler.advance(iterations)

    assert response.exploitability(game, sampler.plans(game)) < bound


def test_a_restored_sampler_plays_the_same_games():
    """On 4x4, a sampler restored from arrays plays the same games."""
    rules = DarkRules(Board(4, 4), Base.ABRUPT, Noise.FLASH)
    sampler = RegretSampler(rules, np.random.default_rng(5))
    sampler.advance(2000)
    twin = RegretSampler(rules, np.random.default_rng(9))
    twin.restore(sampler.arrays())
    for each in (sampler, twin):
        each.advance(3000)

    assert sampler.iteration == twin.iteration == 5000
    assert sampler.histories == twin.histories > 10_000
    assert all((sampler.arrays()[name] == twin.arrays()[name]).all() for name in sampler.arrays())


def test_a_resumed_minimizer_continues_bit_for_bit(tmp_path):
    """A run that is saved and restored continues bit for bit."""
    game = built(2, "abrupt")
    solver, twin = (Minimizer(game, VARIANTS["dcfr"]) for _ in range(2))
    curve(solver, [20])
    long_run.save_checkpoint(tmp_path / "run.npz", {"game": "2x2"}, solver.arrays())
    twin.restore(long_run.load_checkpoint(tmp_path / "run.npz", {"game": "2x2"})[1])

    assert curve(solver, [40]) == curve(twin, [40])


@pytest.mark.parametrize("damage", ["cut", "flip", "text", "other"])
def test_damaged_checkpoints_are_refused_and_unchanged(tmp_path, damage):
    """The error gives the reason, and the file stays unchanged."""
    path = tmp_path / "run.npz"
    long_run.save_checkpoint(
        path, {"game": "2x2"}, Minimizer(built(2, "abrupt"), VARIANTS["cfr"]).arrays()
    )
    content = bytearray(path.read_bytes())
    if damage == "cut":
        content = content[: len(content) // 2]
    elif damage == "flip":
        content[len(content) // 2] ^= 1
    elif damage == "text":
        content = bytearray(b"not a checkpoint")
    path.write_bytes(content)

    reason = r"not a complete \.npz file; " if damage in {"cut", "text"} else ""
    with pytest.raises(long_run.CheckpointError, match=rf"run\.npz: {reason}.*kept"):
        long_run.load_checkpoint(path, {"game": "3x2" if damage == "other" else "2x2"})
    assert path.read_bytes() == content


def test_features_have_the_published_sizes():
    """On abrupt 3x2, each kind of feature has the published number of columns for both players."""
    game = built(3, "abrupt")
    sizes = {
        name: [make(game.rules, side).shape[1] for side in game.sides]
        for name, make in FEATURES.items()
    }

    assert sizes["linear"] == [78, 78]
    assert sizes["pair"] == [474, 474]
    assert sizes["view"] == [798, 764]
    assert sizes["sequence"] == [side.sequences - 1 for side in game.sides]
