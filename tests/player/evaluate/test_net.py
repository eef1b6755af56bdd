"""The net: the kernel against its definition, symmetry, and its file."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_nets import mirrored, nets, played
from strategies import positions

from hsearch.formats import npz
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.evaluate.net import (
    Net,
    NetError,
    NetEvaluator,
    features,
    forward,
    layout,
    random_net,
    read_net,
    weight_count,
    write_net,
)


def defined(net, position):
    """Return the answer by the definition, on the board as it is."""
    answer = forward(net, features(position))
    policy, owners = np.exp(answer.policy - answer.policy.max()), 1 / (1 + np.exp(-answer.owners))
    if position.turn is Color.WHITE:
        policy, owners = policy.T, owners.T
    empty = np.frombuffer(position.empty.unpack(), np.bool_)
    policy = np.where(empty, policy.ravel(), 0)
    total = policy.sum() if empty.any() else 1
    return policy / total, 1 / (1 + np.exp(-answer.value)), owners.ravel()


@given(net=nets(), position=played())
def test_the_kernel_agrees_with_the_definition(net, position):
    """The kernel computes the definition, on boards of all sizes."""
    evaluator = NetEvaluator(net, position.board)
    policy, value, owners = defined(net, position)
    seen = evaluator.evaluate(position)

    np.testing.assert_allclose(seen.policy, policy, atol=1e-4)
    np.testing.assert_allclose(seen.owners, owners, atol=1e-4)
    assert seen.value == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize("turn", Color)
@pytest.mark.parametrize("sides", [(9, 3), (3, 9), (5, 5)])
def test_an_evaluation_leaves_no_state_behind(sides, turn):
    """A question leaves no state behind, even if the other player's planes have another shape."""
    board = Board(*sides)
    position = Position.of(board, turn=turn)
    evaluator = NetEvaluator(random_net(2, 8, np.random.default_rng(0)), board)
    fresh = evaluator.evaluate(position)
    evaluator.evaluate(Position.of(board, turn=turn.opponent))
    again = evaluator.evaluate(position)

    assert again.value == fresh.value
    assert again.policy.tolist() == fresh.policy.tolist()
    assert again.owners.tolist() == fresh.owners.tolist()


@given(net=nets(), position=played())
def test_a_mirrored_position_has_the_mirrored_answers(net, position):
    """Exchanged colors on the transposed board give the same bits."""
    board, other = position.board, mirrored(position)
    ours, theirs = (
        NetEvaluator(net, board).evaluate(position),
        NetEvaluator(net, other.board).evaluate(other),
    )

    assert theirs.value == ours.value
    for cell in range(board.size):
        assert theirs.policy[board.transpose(cell)] == ours.policy[cell]
        assert theirs.owners[board.transpose(cell)] == ours.owners[cell]


@given(positions(max_side=6))
def test_planes_have_the_movers_edges_at_top_and_bottom(position):
    """The planes have the mover's stones above and below, the opponent's at the sides."""
    own, other = features(position)
    stones = position.stones(position.turn), position.stones(position.turn.opponent)
    inside = [plane[1:-1, 1:-1] for plane in (own, other)]
    if position.turn is Color.WHITE:
        inside = [plane.T for plane in inside]

    assert own[[0, -1]].all()
    assert other[:, [0, -1]].all()
    assert not own[1:-1, [0, -1]].any()
    assert not other[[0, -1], 1:-1].any()
    for plane, cells in zip(inside, stones, strict=True):
        assert plane.ravel().tolist() == cells.tolist()


def test_a_net_sees_the_whole_board():
    """A stone in a corner of 19x19 affects the answer for the opposite corner."""
    board = Board(19, 19)
    evaluator = NetEvaluator(random_net(1, 8, np.random.default_rng(5)), board)
    near, far = (
        evaluator.evaluate(Position(board, black, board.only(), Color.BLACK)).owners[-1]
        for black in (board.only(), board.only(0, 1, 19, 20))
    )

    assert near != far


@settings(max_examples=10)  # each example waits for the disk
@given(nets(), st.dictionaries(st.text(max_size=5), st.integers(0, 9), max_size=3))
def test_a_written_net_is_read_back_unchanged(tmp_path_factory, net, record):
    """Weights and record survive; the key depends on the weights only."""
    path = tmp_path_factory.mktemp("net") / "some.npz"
    write_net(path, replace(net, record=record))
    again = read_net(path)

    assert (again.blocks, again.channels, again.record) == (net.blocks, net.channels, record)
    assert np.array_equal(again.weights, net.weights)
    assert again.key == net.key


def test_a_changed_weight_changes_the_key():
    """A changed weight changes the key, even if the number of weights is the same."""
    net = random_net(1, 8, np.random.default_rng(0))
    weights = net.weights.copy()
    weights[-1] += np.float16(1)

    assert replace(net, weights=weights).key != net.key


@pytest.mark.parametrize(("blocks", "channels"), [(4, 32), (6, 64)])
def test_nets_take_less_than_a_megabyte(tmp_path, blocks, channels):
    """Even a net of six blocks of 64 channels is smaller."""
    path = tmp_path / "net.npz"
    write_net(path, random_net(blocks, channels, np.random.default_rng(0)))

    assert path.stat().st_size < 1_000_000


@pytest.mark.parametrize(
    ("blocks", "channels", "change", "message"),
    [
        (0, 8, 0, r"blocks out of range: 0 \(1 to 40\)"),
        (1, 12, 0, r"channels out of range: 12 \(8 to 256, a multiple of 8\)"),
        (1, 8, 1, "1683 weights of float16, not 1682 of float16"),
    ],
)
def test_invalid_shapes_of_nets_are_rejected(blocks, channels, change, message):
    """The message has the number and the allowed values."""
    count = weight_count(1, 8) + change
    with pytest.raises(ValueError, match=message):
        Net(blocks, channels, np.zeros(count, np.float16))


def test_files_that_are_not_nets_are_refused_in_one_line(tmp_path):
    """A missing file, another version or shape, and non-finite weights or answers are refused."""
    path = tmp_path / "net.npz"
    net = random_net(1, 8, np.random.default_rng(0))
    about = {"blocks": 1, "channels": 8, "record": {}}
    broken = net.weights.copy()
    broken[7] = np.inf
    huge = np.full_like(random_net(5, 8, np.random.default_rng(0)).weights, 60_000)
    unbiased = np.concatenate(
        [
            np.full(np.prod(shape), 0 if name.endswith("bias") else 60_000, np.float16)
            for name, shape in layout(5, 8).items()
        ]
    )

    assert message(path) == f"{path}: No such file or directory"
    cases = [
        ("hsearch/net/2", about, net.weights, "a net of another version, 'hsearch/net/2'"),
        ("hsearch/net/1", about | {"channels": 16}, net.weights, "not a net: 1682 weights"),
        ("hsearch/net/1", about | {"blocks": True}, net.weights, "not a net: blocks, channels"),
        ("hsearch/net/1", about, broken, "not a net: a weight is not a finite number"),
        ("hsearch/net/1", about | {"blocks": 5}, huge, "its answers are not finite numbers"),
        ("hsearch/net/1", about | {"blocks": 5}, unbiased, "its answers are not finite numbers"),
    ]
    for schema, description, weights, expected in cases:
        npz.save(path, schema, description, {"weights": weights})
        assert message(path).startswith(f"{path}: {expected}")
        assert "\n" not in message(path)


class Running:
    """An object that creates a folder when numpy unpickles it."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        """Return the call that unpickling makes."""
        return Path.mkdir, (self.path,)


def test_a_file_of_objects_is_refused_and_runs_nothing(tmp_path):
    """Pickled objects, which another program's net may have, are not loaded."""
    path, made = tmp_path / "net.npz", tmp_path / "made"
    np.savez(path, allow_pickle=True, weights=np.array([Running(made)], dtype=object))

    assert message(path).startswith(f"{path}: not a net, kept as it is: ")
    assert not made.exists()
    np.load(path, allow_pickle=True)["weights"]  # unpickling it does run it
    assert made.exists()


def message(path):
    """Return the error for a file that is not a net."""
    with pytest.raises(NetError) as error:
        read_net(path)
    return str(error.value)


def test_the_layout_covers_all_weights_in_order():
    """The parts are all weights, in order."""
    net = random_net(3, 16, np.random.default_rng(0))
    parts = net.parts()

    assert list(parts) == list(layout(3, 16))
    assert np.array_equal(
        np.concatenate([part.ravel() for part in parts.values()]), net.weights.astype(np.float32)
    )


def test_advise_and_look_agree():
    """`advise` and `look` agree about policy and value."""
    board = Board(4, 3)
    position = Position.of(board, black="b2", white="d1", turn=Color.WHITE)
    evaluator = NetEvaluator(random_net(1, 8, np.random.default_rng(0)), board)
    stones = np.zeros(board.size, np.int8)
    stones[board.cell("b2")], stones[board.cell("d1")] = 1, 2
    policy, value = evaluator.advise(stones, Color.WHITE)
    seen = evaluator.evaluate(position)

    assert policy.tolist() == seen.policy.tolist()
    assert value == seen.value


def test_a_position_on_another_board_is_refused():
    """The message names both sizes."""
    evaluator = NetEvaluator(random_net(1, 8, np.random.default_rng(0)), Board(3, 3))
    with pytest.raises(ValueError, match="a position on 4x3, not 3x3"):
        evaluator.evaluate(Position.of(Board(4, 3)))
