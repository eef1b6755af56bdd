"""Fitting a net. Without torch, as in CI, only its absence is tested."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from made_samples import next_to_the_stone
from with_torch import HAS_TORCH, needs_torch

from player.cli import main
from player.evaluate.net import forward, random_net, read_net, write_net
from player.study.fitting import FitError, FitSettings
from player.study.learning import fit

SMALL = FitSettings(blocks=1, channels=8, epochs=3, batch=32, rate=0.01)


class StoppedError(Exception):
    """An error with which a test stops a training."""


def some_samples():
    """Return samples of two board sizes that a net learns in seconds."""
    return [next_to_the_stone(400, 3, 4, seed=0), next_to_the_stone(400, 4, 4, seed=1)]


def games_in(folder: Path) -> str:
    """Play a few games on a tiny board into a folder, with the command."""
    words = ["learn", "play", str(folder), "--games", "12", "--size", "5", "--simulations", "8"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return str(folder)


@pytest.mark.skipif(HAS_TORCH, reason="torch is here")
def test_without_torch_the_command_names_the_missing_extra(tmp_path):
    """The message is one line, before anything is read or written."""
    games = games_in(tmp_path / "games")
    done = CliRunner().invoke(main, ["learn", "fit", games, "--resume", str(tmp_path / "net")])

    assert done.exit_code == 1
    assert done.stderr == "learning needs the extra learn: pip install 'hsearch[learn]'\n"
    assert not (tmp_path / "net").exists()


def test_a_path_that_is_not_a_folder_is_bad_input(tmp_path, monkeypatch):
    """A missing folder or a file in its place gives exit code 3 and one line."""
    monkeypatch.setattr("player.cli.learn_fit.is_installed", lambda: True)
    file, gone = tmp_path / "file", tmp_path / "gone"
    file.write_text("a diary")
    for path, why in ((gone, "no such folder"), (file, "not a folder")):
        words = ["learn", "fit", str(path), "--resume", str(tmp_path / "net")]
        done = CliRunner().invoke(main, words)

        assert (done.exit_code, done.stderr) == (3, f"{path}: {why}\n")
        parts = ["solve", "a1", "--size", "3", "--parts", str(path)]
        assert CliRunner().invoke(main, parts).stderr.endswith(f"{path}: {why}\n")
    assert not (tmp_path / "net").exists()


def test_a_folder_that_cannot_be_created_is_reported(tmp_path):
    """The line has the reason, as in other commands."""
    (tmp_path / "file").write_text("a diary")
    path = tmp_path / "file" / "games"
    done = CliRunner().invoke(main, ["learn", "play", str(path), "--games", "1", "--size", "3"])

    assert (done.exit_code, done.stderr.splitlines()[-1:]) == (
        1,
        [f"{path}: cannot be written: Not a directory"],
    )


@needs_torch
@settings(max_examples=20)
@given(st.integers(1, 4), st.sampled_from([8, 16]), st.integers(1, 7), st.integers(1, 7), st.data())
def test_torch_agrees_with_the_definition_of_nets(blocks, channels, rows, columns, data):
    """Random nets answer as defined on all boards, and their weights convert back exactly."""
    import torch  # noqa: PLC0415 - it may be missing

    from player.evaluate.net import add_rim  # noqa: PLC0415
    from player.study.training import answers, first_weights, to_net  # noqa: PLC0415

    generator = np.random.default_rng(data.draw(st.integers(0, 99)))
    net = random_net(blocks, channels, generator)
    weights = {
        name: torch.tensor(part) for name, part in first_weights(blocks, channels, 0, net).items()
    }
    for block in range(blocks):
        scale = 2.0 ** float(generator.integers(-2, 3))
        weights[f"{block}_scale"] = weights[f"{block}_scale"] * scale
        for name in (f"{block}_second", f"{block}_second_bias"):
            weights[name] = weights[name] / scale
    planes = add_rim(generator.random((3, 2, rows, columns)) < 0.3)
    policy, value, owners = (each.numpy() for each in answers(weights, torch.from_numpy(planes)))

    assert np.array_equal(to_net(weights, blocks, channels, {}).weights, net.weights)
    for number in range(3):
        expected = forward(net, planes[number])
        np.testing.assert_allclose(policy[number], expected.policy, atol=1e-4)
        np.testing.assert_allclose(owners[number], expected.owners, atol=1e-4)
        assert value[number] == pytest.approx(expected.value, abs=1e-4)


@needs_torch
def test_a_small_net_learns_moves_winners_and_owners(tmp_path):
    """The net predicts move, winner and owners of games that it has not seen."""
    fitted = fit(some_samples(), replace(SMALL, epochs=15), tmp_path)
    first, last = fitted.epochs[0], fitted.epochs[-1]

    assert [epoch.number for epoch in fitted.epochs] == list(range(1, 16))
    assert last.learned < first.learned
    assert last.apart.positions == 80
    assert last.apart.winner > 0.95
    assert last.apart.first > 0.45  # samples are rotated, so the best move is on either side
    assert last.apart.five > 0.95
    assert last.apart.owners < 0.3


@needs_torch
@settings(max_examples=8)
@given(stops=st.lists(st.integers(0, 60), max_size=2))
def test_interruptions_do_not_change_the_fitted_net(tmp_path_factory, stops):
    """An interrupted fit ends with the same bits, and repeats no stored work."""
    whole = fit(some_samples(), SMALL, tmp_path_factory.mktemp("whole"))
    folder = tmp_path_factory.mktemp("parts")
    for stop in stops:

        def on_progress(steps, stop=stop):
            if steps.done >= stop:
                raise StoppedError

        with suppress(StoppedError):
            fit(some_samples(), SMALL, folder, on_progress=on_progress)
    resumed = fit(some_samples(), SMALL, folder)

    assert np.array_equal(resumed.net.weights, whole.net.weights)
    assert resumed.epochs == whole.epochs
    assert resumed.net.record == whole.net.record
    assert read_net(folder / "net.npz").key == whole.net.key


@needs_torch
def test_with_chance_1_a_net_learns_the_chance_of_the_search(tmp_path):
    """With chance=1.0 the net ignores exchanged winners, by which it is still scored."""
    turned = [replace(each, value=1 - each.value) for each in some_samples()]
    soft = fit(turned, replace(SMALL, epochs=15, chance=1.0), tmp_path / "soft").epochs[-1]
    hard = fit(turned, replace(SMALL, epochs=15), tmp_path / "hard").epochs[-1]

    assert soft.apart.winner < 0.05
    assert hard.apart.winner > 0.95


@needs_torch
def test_a_folder_of_another_training_is_left_alone(tmp_path):
    """Other settings, games or a start from another net are refused."""
    samples = some_samples()
    fit(samples, SMALL, tmp_path)
    before = (tmp_path / "state.npz").read_bytes()
    start = random_net(1, 8, np.random.default_rng(0))

    with pytest.raises(FitError, match=r"state.npz: of another training: seed is 0, not 1"):
        fit(samples, replace(SMALL, seed=1), tmp_path)
    with pytest.raises(FitError, match="of another training: samples is"):
        fit(samples[:1], SMALL, tmp_path)
    with pytest.raises(FitError, match="of another training: start is None"):
        fit(samples, SMALL, tmp_path, start=start)
    with pytest.raises(ValueError, match="the net is 1x8, not 2x8"):
        fit(samples, replace(SMALL, blocks=2), tmp_path, start=start)
    assert (tmp_path / "state.npz").read_bytes() == before


@needs_torch
def test_a_fit_starts_from_a_given_net(tmp_path):
    """The fit starts from the given net, so its first epoch is better."""
    samples = some_samples()
    first = fit(samples, replace(SMALL, epochs=6), tmp_path / "first")
    second = fit(samples, replace(SMALL, epochs=1), tmp_path / "second", start=first.net)

    assert second.epochs[0].learned < first.epochs[0].learned
    assert second.net.record["start"] == first.net.key
    third = fit(samples, replace(SMALL, epochs=1), tmp_path / "third", start=second.net)
    made = [first.net, second.net]
    assert first.net.record["earlier"] == []
    assert [each["epochs"] for each in third.net.record["earlier"]] == [
        each.record["epochs"] for each in made
    ]


@needs_torch
def test_any_record_of_a_start_net_is_preserved(tmp_path):
    """The record of the given net is kept, whatever its form."""
    start = replace(random_net(1, 8, np.random.default_rng(0)), record={"earlier": 3, "by": "me"})
    found = fit(some_samples(), replace(SMALL, epochs=1), tmp_path, start=start)

    assert found.net.record["earlier"] == [3, {"by": "me"}]


@needs_torch
def test_the_command_fits_and_resumes(tmp_path):
    """A second run gives the same net; a damaged state is reported in one line and kept."""
    games, into = games_in(tmp_path / "games"), tmp_path / "net"
    words = ["learn", "fit", games, "--resume", str(into), "--blocks", "1", "--channels", "8"]
    words += ["--epochs", "2"]
    done, again = (CliRunner().invoke(main, words) for _ in range(2))
    assert done.exit_code == 0, done.output
    state = into / "state.npz"
    state.write_bytes(state.read_bytes()[:-9])
    damaged = CliRunner().invoke(main, words)

    assert done.stdout.splitlines()[-1].startswith(f"{into / 'net.npz'}: 2 epochs; key ")
    assert again.stdout == done.stdout.replace("2 epochs;", "2 epochs, 2 of them were there;")
    assert damaged.exit_code == 3
    assert damaged.stderr == f"{state}: not a complete .npz file; kept as it is\n"


@needs_torch
def test_a_device_out_of_memory_is_reported_in_one_line(tmp_path, monkeypatch):
    """The message proposes what to change."""
    import torch  # noqa: PLC0415 - it may be missing

    from player.study.training import Training  # noqa: PLC0415

    def run(*_):
        raise torch.cuda.OutOfMemoryError

    monkeypatch.setattr(Training, "run", run)
    words = ["learn", "fit", games_in(tmp_path / "games"), "--resume", str(tmp_path / "net")]
    done = CliRunner().invoke(main, [*words, "--blocks", "1", "--channels", "8"])

    assert done.exit_code == 3
    assert done.stderr == "the device has too little memory: use a smaller --batch\n"


@needs_torch
def test_the_start_net_determines_the_shape(tmp_path):
    """The start net gives the shape, and a request for another is refused."""
    games, start = games_in(tmp_path / "games"), tmp_path / "start.npz"
    write_net(start, random_net(2, 16, np.random.default_rng(0)))
    words = ["learn", "fit", games, "--start", str(start), "--epochs", "1"]
    done = CliRunner().invoke(main, [*words, "--resume", str(tmp_path / "net")])
    other = CliRunner().invoke(main, [*words, "--resume", str(tmp_path / "x"), "--blocks", "3"])

    assert done.exit_code == 0, done.output
    found = read_net(tmp_path / "net" / "net.npz")
    assert (found.blocks, found.channels) == (2, 16)
    assert (other.exit_code, other.stderr) == (3, "the net is 2x16, not 3x32\n")


@pytest.mark.parametrize(
    ("name", "value"), [("chance", 1.5), ("chance", float("nan")), ("rate", 0.0), ("epochs", 0)]
)
def test_settings_out_of_range_are_refused_by_name(name, value):
    with pytest.raises(ValueError, match=f"{name} out of range"):
        replace(SMALL, **{name: value})


@needs_torch
@pytest.mark.parametrize("weight", [float("nan"), 1e5])
def test_a_training_that_diverges_keeps_its_last_epoch(tmp_path, monkeypatch, weight):
    """The message was that of JSON, or of the net; the state had weights that are not numbers."""
    from player.study import training  # noqa: PLC0415 - it needs torch

    samples, settings = some_samples(), replace(SMALL, epochs=2)
    with suppress(StoppedError):
        fit(samples, settings, tmp_path, on_progress=stop_after_an_epoch)
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.npz")}
    step = training.descend

    def diverge(weights, *others):
        loss = step(weights, *others)
        weights["head_bias"].data.fill_(weight)
        return loss * weight

    monkeypatch.setattr(training, "descend", diverge)
    with pytest.raises(FitError, match="the training diverged, and is kept as it was"):
        fit(samples, settings, tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.npz")} == before
    assert sorted(before) == ["net.npz", "state.npz"]


def stop_after_an_epoch(steps):
    """Stop a training once it has written an epoch."""
    if steps.epochs:
        raise StoppedError
