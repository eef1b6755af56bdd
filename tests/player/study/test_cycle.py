"""Self-play and learning in turn. Without torch, as in CI, only its absence is tested."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from with_torch import HAS_TORCH, needs_torch

from hsearch.hex.board import Board, Color
from player.cli import main
from player.evaluate.net import NetEvaluator, random_net, read_net, write_net
from player.study.cycle import PER_WEIGHT, CycleSettings, read_state, write_state
from player.study.fitting import FitError, FitSettings, shapes_of
from player.study.learning import cycle
from player.study.side_by_side import PlaySettings, read_games

FIT = FitSettings(blocks=1, channels=16, batch=64, rate=0.01, chance=0.3, halves=False)
SMALL = CycleSettings(
    seats={4: 24, 3: 8},
    generations=3,
    positions=300,
    window=2,
    reuse=3,
    play=PlaySettings(simulations=8, weighed=4),
    fit=FIT,
)
WORDS = [
    *("--size", "4", "--generations", "2", "--positions", "100", "--at-once", "8"),
    *("--simulations", "4", "--weighed", "2", "--blocks", "1", "--channels", "8", "--batch", "32"),
]


def run(*words):
    """Run `hsearch learn cycle`."""
    return CliRunner().invoke(main, ["learn", "cycle", *map(str, words)])


@pytest.mark.skipif(HAS_TORCH, reason="torch is here")
def test_without_torch_the_command_names_the_missing_extra(tmp_path):
    """The message is one line, before anything is written."""
    done = run(tmp_path / "run", *WORDS)
    assert done.exit_code == 1
    assert done.stderr == "learning needs the extra learn: pip install 'hsearch[learn]'\n"
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"generations": 0}, "generations out of range: 0"),
        ({"positions": 0}, "positions out of range: 0"),
        ({"window": 0}, "window out of range: 0"),
        ({"seats": {}}, "no board to play on"),
        ({"seats": {4: 0}}, "no board to play on"),
        ({"seats": {4: 8, 1: 8}}, r"side of the board out of range: 1 \(2 to 19\)"),
        ({"seats": {20: 8}}, r"side of the board out of range: 20 \(2 to 19\)"),
        ({"reuse": 0.0}, "reuse out of range: 0"),
    ],
)
def test_settings_out_of_range_are_refused(change, message):
    """The message has the setting's name and value."""
    with pytest.raises(ValueError, match=message):
        replace(SMALL, **change)


def test_a_state_without_settings_is_rejected(tmp_path):
    """Such a state is refused without a traceback."""
    arrays = {
        f"{kind}.{name}": np.zeros(shape, np.float32)
        for kind in PER_WEIGHT
        for name, shape in shapes_of(FIT).items()
    }
    record = {"settings": {}, "start": None, "generations": []}
    write_state(tmp_path / "state.npz", record, arrays | {"steps": np.array([0])})

    with pytest.raises(FitError, match=r"state.npz: of another run: shape, rate, labels or seed"):
        read_state(tmp_path / "state.npz", SMALL, None)


@needs_torch
@pytest.mark.parametrize("side", [4, 7])
def test_batched_answers_equal_those_of_the_net(side):
    """Answers equal the net's for both players, to the precision of single floats."""
    from player.study.fitting import shapes_of  # noqa: PLC0415
    from player.study.learner import DeviceNet, QuestionRoom  # noqa: PLC0415 - it needs torch
    from player.study.training import first_weights  # noqa: PLC0415

    net = random_net(3, 16, np.random.default_rng(1))
    device = DeviceNet(shapes_of(replace(FIT, blocks=3)), "cpu")
    weights = first_weights(3, 16, 0, net)
    scaled = {  # a scale other than 1 is merged into the second convolution
        name: each * 2 if "_second" in name else each * 0 + 0.5 if "_scale" in name else each
        for name, each in weights.items()
    }
    device.load(scaled)
    room, evaluator = QuestionRoom(device, side, 10), NetEvaluator(net, Board(side, side))
    stones = np.random.default_rng(2).choice(3, (10, side * side), p=[0.6, 0.2, 0.2])
    stones = stones.astype(np.int8)
    room.questions[:] = stones
    room.ask()
    room.wait()
    for number, board in enumerate(stones):
        policy, value = evaluator.advise(board, Color.BLACK)
        logits = np.where(board == 0, room.logits[number], -np.inf)
        parts = np.exp(logits - logits.max())
        np.testing.assert_allclose(parts / parts.sum(), policy, atol=1e-4)
        assert abs(1 / (1 + np.exp(-room.values[number])) - value) < 1e-4


@needs_torch
def test_a_net_learns_from_its_games(tmp_path):
    """After a few generations the net predicts winners and its own moves better."""
    generations = cycle(tmp_path, replace(SMALL, generations=8, positions=400, reuse=10))
    assert [each.number for each in generations] == list(range(1, 9))
    assert all(each.by_learner and each.positions >= 400 for each in generations)
    assert generations[-1].before.winner > generations[0].before.winner + 0.1
    assert generations[-1].before.policy < generations[0].before.policy - 0.1
    net = read_net(tmp_path / "net.npz")
    assert net.record["made by"] == "hsearch learn cycle"
    assert len(net.record["generations"]) == 8


@needs_torch
def test_a_run_resumes_after_its_last_generation(tmp_path):
    """Finished generations stay, and a finished run has nothing left to do."""
    first = cycle(tmp_path, replace(SMALL, generations=2))
    again = cycle(tmp_path, SMALL)
    assert again[:2] == first
    assert len(again) == 3
    before = (tmp_path / "net.npz").read_bytes()
    assert cycle(tmp_path, SMALL) == again
    assert (tmp_path / "net.npz").read_bytes() == before


@needs_torch
def test_a_run_continues_from_what_another_process_has_added(tmp_path):
    """A process that prepared its run before another one ended does not repeat its generations."""
    from player.study.cycle_training import Cycle  # noqa: PLC0415 - it needs torch

    options = {"start": None, "device": "cpu", "threads": 1, "seconds": None}
    settings = replace(SMALL, generations=1)
    early = Cycle(tmp_path, settings, **options)
    done = cycle(tmp_path, settings)
    before = (tmp_path / "state.npz").read_bytes()
    assert early.run(lambda _step, _part: None) == done
    assert (tmp_path / "state.npz").read_bytes() == before


@needs_torch
def test_games_of_a_killed_generation_are_not_learned_from(tmp_path):
    """Games that were written before the state are not part of the generation played again."""
    settings = replace(SMALL, seats={4: 8}, positions=50)
    cycle(tmp_path, replace(settings, generations=1))
    shutil.copy(tmp_path / "0001-4.games.npz", tmp_path / "0002-3.games.npz")
    cycle(tmp_path, replace(settings, generations=2))
    names = sorted(path.name for path in tmp_path.glob("*.games.npz"))
    assert names == ["0001-4.games.npz", "0002-4.games.npz"]


@needs_torch
def test_a_run_does_not_depend_on_the_number_of_threads(tmp_path):
    """Games, nets and figures depend on the settings only, not on the threads."""
    one = cycle(tmp_path / "one", replace(SMALL, generations=2))
    two = cycle(tmp_path / "two", replace(SMALL, generations=2), threads=2)
    still = [replace(each, playing=0.0, learning=0.0) for each in one]
    assert still == [replace(each, playing=0.0, learning=0.0) for each in two]
    for path in sorted((tmp_path / "one").glob("*.games.npz")):
        ours, theirs = read_games(path), read_games(tmp_path / "two" / path.name)
        np.testing.assert_array_equal(ours.moves, theirs.moves)


@needs_torch
def test_a_given_net_plays_until_the_learner_surpasses_it(tmp_path):
    """A given net plays until the learner surpasses it; one of the same shape is the learner."""
    other = random_net(2, 8, np.random.default_rng(5))
    longer = replace(SMALL, generations=8, reuse=8)
    generations = cycle(tmp_path / "a", longer, start=other)
    assert not generations[0].by_learner
    assert generations[0].start is not None
    assert generations[-1].by_learner
    same = replace(random_net(1, 16, np.random.default_rng(5)), record={"made by": "chance"})
    assert cycle(tmp_path / "b", replace(SMALL, generations=1), start=same)[0].by_learner
    record = read_net(tmp_path / "b" / "net.npz").record
    assert (record["start"], record["earlier"]) == (same.key, [{"made by": "chance"}])


@needs_torch
def test_a_time_limit_ends_a_run(tmp_path):
    """A time limit ends a run after at least one generation."""
    generations = cycle(tmp_path, replace(SMALL, generations=10_000), seconds=1.0)
    assert 1 <= len(generations) < 100


@needs_torch
def test_a_folder_of_another_run_is_rejected_and_unchanged(tmp_path):
    """Another rate or first net is refused, and the folder stays as it is."""
    cycle(tmp_path, replace(SMALL, generations=1))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix == ".npz"}
    with pytest.raises(FitError, match="of another run: shape, rate"):
        cycle(tmp_path, replace(SMALL, fit=replace(FIT, rate=0.02)))
    with pytest.raises(FitError, match="of another run: it started from another net"):
        cycle(tmp_path, SMALL, start=random_net(1, 16, np.random.default_rng(5)))
    for name, content in before.items():
        assert (tmp_path / name).read_bytes() == content


@needs_torch
def test_a_damaged_state_is_refused(tmp_path):
    """A truncated state, a wrong shape and non-finite numbers are refused."""
    from hsearch.formats import npz  # noqa: PLC0415 - only here
    from player.study.cycle import SCHEMA  # noqa: PLC0415

    cycle(tmp_path, replace(SMALL, generations=1))
    path = tmp_path / "state.npz"
    content = path.read_bytes()
    about, arrays = npz.load(path, SCHEMA, "state of a run")
    about = {name: each for name, each in about.items() if name not in {"schema", "digest"}}
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(FitError, match=r"state\.npz"):
        cycle(tmp_path, SMALL)
    for change in (
        arrays | {"mean.stem": arrays["mean.stem"][:1]},
        arrays | {"weights.stem": arrays["weights.stem"] * np.float32(np.nan)},
        {name: each for name, each in arrays.items() if name != "steps"},
    ):
        npz.save(path, SCHEMA, about, change)
        with pytest.raises(FitError, match=r"state\.npz: not a state of a run"):
            cycle(tmp_path, SMALL)
    npz.save(path, SCHEMA, {"run": {"settings": {}}}, arrays)
    with pytest.raises(FitError, match=r"state\.npz: not a state of a run"):
        cycle(tmp_path, SMALL)


@needs_torch
def test_the_command_plays_learns_and_reports_generations(tmp_path):
    """The player accepts the command's net, and `learn fit` its games."""
    done = run(tmp_path / "run", *WORDS)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0].startswith("generation 1: ")
    assert lines[-1] == f"{tmp_path / 'run' / 'net.npz'}: 2 generations."
    again = json.loads(run(tmp_path / "run", *WORDS, "--json").stdout)
    assert [each["number"] for each in again["generations"]] == [1, 2]
    assert again["schema"] == "hsearch/learn-cycle/1"
    words = ["learn", "fit", tmp_path / "run", "--resume", tmp_path / "fit", "--epochs", "1"]
    fitted = CliRunner().invoke(main, list(map(str, words)))
    assert fitted.exit_code == 0, fitted.output
    damaged = next((tmp_path / "run").glob("*.games.npz"))
    shutil.copy(tmp_path / "run" / "net.npz", damaged)
    refused = CliRunner().invoke(main, list(map(str, [*words[:-3], tmp_path / "new"])))
    assert refused.exit_code == 3
    assert str(damaged) in refused.stderr


@needs_torch
def test_invalid_runs_are_refused_in_one_line(tmp_path):
    """A board that is not square, a missing device and a bad net are refused in one line."""
    assert run(tmp_path / "a", "--size", "4x5").exit_code == 2
    done = run(tmp_path / "a", *WORDS, "--device", "cuda")
    assert (done.exit_code, done.stderr) == (3, "torch finds no device 'cuda' here\n")
    (tmp_path / "no.npz").write_text("no net")
    done = run(tmp_path / "a", *WORDS, "--start", tmp_path / "no.npz")
    assert done.exit_code == 3
    assert done.stderr.count("\n") == 1
    write_net(tmp_path / "net.npz", random_net(2, 16, np.random.default_rng(0)))
    done = run(tmp_path / "a", *WORDS[:-6], "--start", tmp_path / "net.npz")
    assert done.exit_code == 0, done.output
    assert read_net(tmp_path / "a" / "net.npz").blocks == 2


@needs_torch
def test_a_run_takes_any_seed(tmp_path):
    """A seed of more than 64 bits ended the run, and one near that its second generation."""
    for seed in ((1 << 64) - 1, 10**30):
        settings = replace(SMALL, seats={4: 8}, positions=50, fit=replace(FIT, seed=seed))
        cycle(tmp_path / str(seed), replace(settings, generations=1))

        assert len(cycle(tmp_path / str(seed), replace(settings, generations=2))) == 2
