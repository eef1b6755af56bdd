"""Third-party policy nets: the definition, the tree, and files of another form."""

import math
import subprocess
import sys
from contextlib import suppress

import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from made_nets import mirrored
from made_onnx import FLOAT, TensorProto, helper, model, policy_file, policy_model, weights_of

from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.position import Position
from player.cli import main
from player.engine import tree
from player.engine.player import MoveRequest, PlayerError
from player.engine.spec import player
from player.evaluate import policy
from player.evaluate.net import NetError, NetEvaluator, load_net
from player.evaluate.policy import PolicyEvaluator, PolicyNet, read_policy_net
from player.work.naming import FileError, SpecError

SIDE = 5
BOARD = Board(SIDE)


def drawn(seed, board=BOARD):
    """Return a position with stones on random cells."""
    generator = np.random.default_rng(seed)
    owners, part = generator.random(board.size), generator.choice([0.0, 0.1, 0.3])
    black, white = np.flatnonzero(owners < part), np.flatnonzero(owners > 1 - part)
    turn = Color(int(generator.integers(2)))
    return Position(board, *(board.only(*map(int, cells)) for cells in (black, white)), turn)


def stones_of(position):
    stones = np.zeros(position.board.size, np.int8)
    stones[list(position.black.search(1))], stones[list(position.white.search(1))] = 1, 2
    return stones


# The definition, cell by cell, without arrays: the planes at a place, the output of the one
# layer, and the mean over the half turn.


def plane_at(position, plane, row, column):
    """Return plane 0 (the mover's) or 1 (the other's) at a place; the rim's are -1 and n."""
    side, mover = position.board.rows, position.turn
    outside = [each in {-1, side} for each in (row, column)]
    if any(outside):
        return 0 if all(outside) else int(outside[plane])
    cell = column * side + row if mover is Color.WHITE else row * side + column
    color = mover if plane == 0 else mover.opponent
    return int((position.black, position.white)[color][cell])


def logit(position, seed, row, column, *, is_turned):
    """Return the net's output for a cell of the planes, or of the planes after a half turn."""
    side, (taps, bias) = position.board.rows, weights_of(position.board.rows, seed)
    last = side - 1
    if is_turned:
        row, column = last - row, last - column
    total = float(bias[row * side + column])
    for plane in (0, 1):
        for i in range(3):
            for j in range(3):
                place = row + i - 1, column + j - 1
                if is_turned:
                    place = last - place[0], last - place[1]
                total += float(taps[0, plane, i, j]) * plane_at(position, plane, *place)
    return total


def policy_of(position, seed, heat=1.0):
    """Return the probability of each cell."""
    side, odds = position.board.rows, []
    for cell in position.board.cells:
        row, column = divmod(cell, side)
        if position.turn is Color.WHITE:
            row, column = column, row
        both = [logit(position, seed, row, column, is_turned=each) for each in (False, True)]
        odds.append(math.exp(sum(both) / 2 / heat) if position.empty[cell] else 0.0)
    return np.array(odds) / (sum(odds) or 1.0)


@pytest.mark.parametrize("side", [1, 2, SIDE, 8])
def test_the_policy_agrees_with_its_definition(tmp_path, side):
    """The policy is the definition's for both players; the value is the shipped net's."""
    board, net = Board(side), read_policy_net(policy_file(tmp_path / "net.onnx", side, seed=side))
    asked, judge = PolicyEvaluator(net, board), NetEvaluator(load_net(), board)
    cold = PolicyEvaluator(net, board, heat=0.5)
    for seed in range(12):
        position = drawn(seed, board)
        stones = stones_of(position)
        found, value = asked.advise(stones, position.turn)
        np.testing.assert_allclose(found, policy_of(position, side), atol=1e-6)
        colder, _ = cold.advise(stones, position.turn)
        np.testing.assert_allclose(colder, policy_of(position, side, heat=0.5), atol=1e-6)
        assert value == judge.advise(stones, position.turn)[1]


def test_a_policy_net_gives_mirrored_positions_the_same_policy(tmp_path):
    """A position and its mirror image with exchanged colors have one policy."""
    net = read_policy_net(policy_file(tmp_path / "net.onnx", SIDE))
    asked, places = PolicyEvaluator(net, BOARD), [BOARD.transpose(cell) for cell in BOARD.cells]
    for position in map(drawn, range(8)):
        found, value = asked.advise(stones_of(position), position.turn)
        other = mirrored(position)
        twin, same = asked.advise(stones_of(other), other.turn)
        np.testing.assert_allclose(twin[places], found, atol=1e-6)
        assert same == pytest.approx(value, abs=1e-6)


def test_the_batch_size_may_be_named_and_the_output_have_any_shape(tmp_path):
    """Exported nets may name the batch size and shape the output, row by row."""
    path = tmp_path / "net.ONNX"
    onnx.save(policy_model(SIDE, batch="batch"), path)
    grid = tmp_path / "grid.onnx"
    taps, _ = weights_of(SIDE)
    nodes = [helper.make_node("Conv", ["planes", "taps"], ["cells"])]
    shapes = {"planes": (1, 2, SIDE + 2, SIDE + 2)}, {"cells": (1, 1, SIDE, SIDE)}
    onnx.save(model(nodes, {"taps": taps}, *shapes), grid)

    for each in (path, grid):
        assert player(f"tree:net={each}").settings.net.side == SIDE


def test_a_policy_net_runs_on_one_thread(tmp_path):
    """One thread makes the player's processor time equal its wall time."""
    made = read_policy_net(policy_file(tmp_path / "net.onnx", SIDE)).session.get_session_options()
    assert (made.intra_op_num_threads, made.inter_op_num_threads) == (1, 1)


# The player `tree` with such a net.


def test_the_tree_takes_its_priors_from_the_policy_net(tmp_path):
    """By default each new node is evaluated, with or without a clock and eight bits."""
    spec = f"tree:net={policy_file(tmp_path / 'net.onnx', SIDE)}"
    made = player(spec).settings
    assert isinstance(made.net, PolicyNet)
    assert (made.playouts, made.trust, made.blend, made.expand_at) == (False, 1.0, 1.0, 0)
    assert player(f"{spec},playouts=yes").settings.playouts

    game = Game.of(BOARD, [2])
    position = game.position()
    terms = MoveRequest(), MoveRequest(seconds=0.3)
    for seat in (player(f"{spec},solve=0"), player(f"{spec},solve=0,look_at=root,int8=yes")):
        seat.prepare(BOARD)
        for each in terms:
            assert seat.choose(
                game, each, np.random.default_rng(0)
            ).action in position.empty.search(1)
    for more, heat in (("", 0.5), (",heat=2", 2.0)):
        seat = player(f"{spec},simulations=30,look_at=root,solve=0{more}")
        found, expected = seat.explore(position).candidates, policy_of(position, 0, heat)
        ratios = [each.prior / expected[each.cell] for each in found if each.winner is None]
        assert len(ratios) > 3
        assert ratios == pytest.approx([ratios[0]] * len(ratios), rel=1e-4)


def test_without_a_shipped_net_the_tree_uses_playouts(tmp_path, monkeypatch):
    """Without a shipped net, playouts give the value and the policy net the moves."""
    spec = f"tree:net={policy_file(tmp_path / 'net.onnx', 9)},look_at=root"
    for room in (tree, policy):
        monkeypatch.setattr(room, "load_net", lambda: None)
    seat = player(f"{spec},simulations=40,solve=0")

    assert (seat.settings.playouts, seat.settings.trust) == (True, 0.0)
    assert seat.explore(Position.of(Board(9)).play(0).play(80)).visits == 40


def test_searches_with_equal_simulations_agree(tmp_path):
    """Two searches with equally many simulations have the same result."""
    spec = f"tree:net={policy_file(tmp_path / 'net.onnx', SIDE)},simulations=60,solve=0"
    first, second = (player(spec).explore(Position.of(BOARD).play(0)) for _ in range(2))
    assert (first.candidates, first.line) == (second.candidates, second.line)


# Files of another form, and damaged ones.

SHAPE = (1, 2, SIDE + 2, SIDE + 2)
CELLS = SIDE * SIDE


def through(*shapes, kind="Identity", of=None, **attributes):
    """Return a net of one node from an input to an output of these shapes."""
    ins, outs = shapes
    nodes = [helper.make_node(kind, ["planes", *(of or {})], ["logits"], **attributes)]
    return model(nodes, of or {}, {"planes": ins}, {"logits": outs})


def two_inputs():
    nodes = [helper.make_node("Add", ["planes", "more"], ["logits"])]
    return model(nodes, {}, {"planes": SHAPE, "more": SHAPE}, {"logits": SHAPE})


def two_outputs():
    made = policy_model(SIDE)
    made.graph.output.append(helper.make_tensor_value_info("cells", FLOAT, (1, 1, SIDE, SIDE)))
    return made


def unlike_types():
    double = ({name: [TensorProto.DOUBLE, SHAPE]} for name in ("planes", "logits"))
    return model([helper.make_node("Identity", ["planes"], ["logits"])], {}, *double)


def failing():
    """Return a net that is well formed, but cannot reshape what it gets."""
    of = {"flat": np.array([1, 4, 1_000])}
    return through(SHAPE, (None, None, None), kind="Reshape", of=of)


def custom():
    return through(SHAPE, (1, CELLS), kind="Oracle", domain="com.example")


OTHERS = {
    "another channel": (
        lambda: through((1, 3, 7, 7), (1, 3, 7, 7)),
        "not a policy net: an input of 1x3x7x7, not 1x2x.N.2.x.N.2.",
    ),
    "many at once": (lambda: through((4, 2, 7, 7), (4, 2, 7, 7)), "an input of 4x2x7x7"),
    "not square": (lambda: through((1, 2, 7, 8), (1, 2, 7, 8)), "an input of 1x2x7x8"),
    "no board": (lambda: through((1, 2, 2, 2), (1, 2, 2, 2)), "an input of 1x2x2x2"),
    "a huge board": (lambda: through((1, 2, 9999, 9999), (1, 2, 9999, 9999)), "1x2x9999x9999"),
    "sides with names": (lambda: through((1, 2, "n", "n"), (1, 2, "n", "n")), "of 1x2xnxn"),
    "flat": (lambda: through((1, 98), (1, 98)), "an input of 1x98"),
    "a number": (lambda: through((), ()), "an input of , not"),
    "cells missing": (lambda: through(SHAPE, SHAPE), "98 outputs, not 25 cells"),
    "two inputs": (two_inputs, "2 inputs and 1 outputs, not one of each"),
    "two outputs": (two_outputs, "1 inputs and 2 outputs"),
    "double precision": (unlike_types, r"its input is a tensor\(double\), not tensor\(float\)"),
    "reshape": (failing, "the net does not answer: "),
    "custom operator": (custom, "not a net in ONNX that onnxruntime runs: .*Oracle"),
    "unknown operator": (
        lambda: through(SHAPE, (1, CELLS), kind="NoSuchThing"),
        "not a net in ONNX that onnxruntime runs: .*NoSuchThing",
    ),
    "not numbers": (lambda: policy_model(SIDE, add=np.nan), "its answers are not finite numbers"),
    "endless numbers": (lambda: policy_model(SIDE, add=np.inf), "not finite numbers"),
}


def refused(path, reason):
    """Check that the file is refused in one line that begins with its name."""
    with pytest.raises(NetError, match=reason) as error:
        read_policy_net(path)
    text = str(error.value)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    assert len(text) < len(str(path)) + 170


@pytest.mark.parametrize("name", OTHERS)
def test_a_net_of_another_form_is_refused(tmp_path, name, capfd):
    """The one line has the file and the reason; onnxruntime prints nothing."""
    make, reason = OTHERS[name]
    path = tmp_path / "other.onnx"
    onnx.save(make(), path)
    refused(path, reason)
    assert capfd.readouterr() == ("", "")


def test_a_file_that_is_not_a_net_is_refused(tmp_path, capfd):
    """An empty file, text, a damaged net, a folder and a missing file are refused."""
    whole = policy_file(tmp_path / "whole.onnx", SIDE).read_bytes()
    path = tmp_path / "net.onnx"
    for content, reason in (
        (b"", "an empty file, not a net in ONNX"),
        (b"not a net\n" * 30, "not a net in ONNX that onnxruntime runs: "),
        (whole[:-20], "not a net in ONNX that onnxruntime runs: "),
        (whole[: len(whole) // 2], "not a net in ONNX that onnxruntime runs: "),
        (bytes(len(whole)), "not a net in ONNX that onnxruntime runs: "),
    ):
        path.write_bytes(content)
        refused(path, reason)
        assert path.read_bytes() == content
    refused(tmp_path, "Is a directory|Permission denied")
    refused(tmp_path / "gone.onnx", "No such file")
    assert capfd.readouterr() == ("", "")


def test_a_net_with_a_flipped_bit_is_read_or_rejected(tmp_path):
    """A net with any flipped bit is either read or refused."""
    path = policy_file(tmp_path / "net.onnx", 2)
    whole, generator = path.read_bytes(), np.random.default_rng(0)
    for at in generator.choice(len(whole), 150, replace=False):
        changed = bytearray(whole)
        changed[at] ^= 1 << int(generator.integers(8))
        path.write_bytes(changed)
        with suppress(NetError):
            read_policy_net(path)


def test_weights_in_another_file_are_read_or_reported_missing(tmp_path):
    """Weights may be in another file beside the net, which must exist."""
    path, beside = tmp_path / "net.onnx", tmp_path / "weights.bin"
    split = {"save_as_external_data": True, "location": beside.name, "size_threshold": 60}
    onnx.save(policy_model(SIDE), path, **split)
    assert read_policy_net(path).side == SIDE

    beside.unlink()
    refused(path, "not a net in ONNX that onnxruntime runs: ")


def test_without_the_extra_the_error_has_the_install_command(tmp_path, monkeypatch):
    """The message is one line with the install command."""
    path = policy_file(tmp_path / "net.onnx", SIDE)
    monkeypatch.setattr(policy, "find_spec", lambda _name: None)
    refused(path, r"a net in ONNX needs the extra fast: pip install 'hsearch\[fast\]'$")
    with pytest.raises(FileError, match=r"'net=.*' in .*: .*needs the extra fast"):
        player(f"tree:net={path}")


# A net with NaN logits on stones, or once there are many stones, which loading cannot detect.


def fading(path, side, most=None):
    """Write a net with NaN logits on stones, or once there are `most` stones."""
    taps = np.zeros((1, 2, 3, 3), np.float32)
    taps[0, :, 1, 1] = 1
    nodes = [
        helper.make_node("Conv", ["planes", "taps"], ["stones"]),
        helper.make_node("ReduceSum", ["planes"], ["sum"], keepdims=1),
        helper.make_node("Sub", ["most", "sum"], ["room"]),
        helper.make_node("Neg", ["stones"], ["here"]),
        helper.make_node("Add", ["here" if most is None else "room", "zeros"], ["bad"]),
        helper.make_node("Sqrt", ["bad"], ["logits"]),
    ]
    zeros = np.zeros((1, 1, side, side), np.float32)
    weights = {"taps": taps, "zeros": zeros, "most": np.array([4 * side + (most or 0)], np.float32)}
    shapes = {"planes": (1, 2, side + 2, side + 2)}, {"logits": zeros.shape}
    onnx.save(model(nodes, weights, *shapes), path)
    return path


def test_logits_of_occupied_cells_are_ignored(tmp_path):
    """Logits of occupied cells are ignored: nets may mask them."""
    net = read_policy_net(fading(tmp_path / "net.onnx", SIDE))
    position = Position.of(BOARD, black="b2", white="d1 a4", turn=Color.WHITE)
    found, _ = PolicyEvaluator(net, BOARD).advise(stones_of(position), Color.WHITE)
    even = np.array([1 / 22 if position.empty[cell] else 0 for cell in BOARD.cells])
    np.testing.assert_allclose(found, even)


def called(*words):
    return CliRunner().invoke(main, list(words))


def test_a_net_that_stops_answering_loses_its_games(tmp_path, monkeypatch):
    """A tournament counts losses; `analyze` and `play` report bad input."""
    path = fading(tmp_path / "net.onnx", 11, most=4)
    spec, rows = f"tree:net={path},solve=0,look_at=root", tmp_path / "rows.jsonl"
    reason = f"{path}: its answers are not finite numbers"
    monkeypatch.chdir(tmp_path)  # `play` saves the game
    done = called(
        "tournament", spec, "random", "--size", "11", "--games", "2", "--resume", str(rows)
    )
    assert (done.exit_code, "lost 2 games by forfeit" in done.output) == (0, True)
    assert len(rows.read_text().splitlines()) == 3

    for words in (
        ("analyze", "a1", "k11", "--size", "11", "--player", spec),
        ("play", "--size", "11", "--black", spec, "--white", "random"),
    ):
        done = called(*words)
        assert done.exit_code == 3, done.output
        assert reason in done.output


# Boards of another size and useless files, in each command.


@pytest.fixture
def spec(tmp_path):
    return f"tree:net={policy_file(tmp_path / 'net.onnx', SIDE)},solve=0"


def test_a_net_for_another_board_gives_exit_code_3(spec, tmp_path, monkeypatch):
    """A net for another board gives one line and exit code 3, and GTP continues."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "net.onnx"
    rows = tmp_path / "rows.jsonl"
    for words in (
        ("play", "--size", "4", "--black", spec, "--white", "random"),
        ("tournament", spec, "random", "--size", "4", "--resume", str(rows)),
        ("analyze", "a1", "h8", "--size", "8", "--player", spec),
    ):
        done = called(*words)
        assert done.exit_code == 3, done.output
        assert done.output.count("\n") == 1
        assert f"{path}: a net for 5x5, not for " in done.output
    with pytest.raises(PlayerError, match="a net for 5x5, not for 5x4"):
        player(spec).prepare(Board(5, 4))

    lines = "boardsize 8\nplay b a1\nplay w h8\ngenmove b\nboardsize 5\ngenmove b\n"
    command = [sys.executable, "-m", "player.cli", "gtp", "--player", f"{spec},simulations=9"]
    done = subprocess.run(  # noqa: S603 - our own program
        command, input=lines, capture_output=True, text=True, check=True
    )
    answers = done.stdout.split("\n\n")
    assert [each[:2] for each in answers[:6]] == ["= ", "= ", "= ", "? ", "= ", "= "], done.stdout
    assert answers[3] == f"? {path}: a net for 5x5, not for 8x8"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("option", ["net", "patterns"])
def test_a_file_that_is_not_a_net_gives_exit_code_3(tmp_path, option):
    """Each command with a player gives one line and exit code 3."""
    path = tmp_path / f"text.{'onnx' if option == 'net' else 'npz'}"
    path.write_text("not a net\n")
    spec = f"tree:{option}={path}"
    with pytest.raises(SpecError):
        player(spec)
    for words in (
        ("play", "--size", "4", "--white", spec),
        ("tournament", spec, "random", "--size", "4", "--resume", str(tmp_path / "rows.jsonl")),
        ("analyze", "a2", "d3", "--size", "4", "--player", spec),
        ("gtp", "--player", spec),
    ):
        done = called(*words)
        assert done.exit_code == 3, done.output
        assert done.output.count("\n") == 1
        assert str(path) in done.output
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
