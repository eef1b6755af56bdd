"""Nets in eight bits: the graph against the definition, and the accuracy of the scaled net."""

import logging
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import onnxruntime
import pytest
from hypothesis import given, settings
from made_nets import nets, played

from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.position import Position
from player.engine import tree
from player.engine.player import MoveRequest
from player.engine.spec import player
from player.evaluate import int8, policy
from player.evaluate.int8 import Int8Evaluator, graph_of
from player.evaluate.net import NetEvaluator, features, forward, random_net, read_net, write_net
from player.search.tree import TreeSearch, TreeSettings
from player.work.naming import SpecError

NET = random_net(2, 16, np.random.default_rng(3))
GAME, BY_CLOCK = Game.of(Board(6, 6), [8]), MoveRequest(seconds=60.0)


@settings(max_examples=20, deadline=None)
@given(net=nets(), position=played())
def test_the_graph_agrees_with_the_definition(net, position):
    """Before scaling, the graph computes the definition, on boards of any size."""
    planes = features(position)
    content = graph_of(net, planes.shape[1] - 2, planes.shape[2] - 2).SerializeToString()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    cells, value = session.run(["cells", "value"], {"planes": planes[None]})
    expected = forward(net, planes)

    np.testing.assert_allclose(cells[0, 0], expected.policy, atol=1e-4)
    np.testing.assert_allclose(cells[0, 1], expected.owners, atol=1e-4)
    assert value.item() == pytest.approx(expected.value, abs=1e-4)


@pytest.mark.parametrize("sides", [(5, 5), (6, 4), (4, 7)], ids=str)
def test_the_int8_net_is_close_to_the_exact_net(sides):
    """The scaled net's answers are close, with few or many stones, for either player."""
    board, generator = Board(*sides), np.random.default_rng(1)
    exact, scaled = NetEvaluator(NET, board), Int8Evaluator(NET, board)
    for number in range(40):
        position = drawn(board, Color(number % 2), generator)
        expected, found = exact.evaluate(position), scaled.evaluate(position)
        assert abs(found.policy - expected.policy).sum() < 0.04
        assert abs(found.owners - expected.owners).max() < 0.04
        assert found.value == pytest.approx(expected.value, abs=0.01)
        if position.empty.count() > 2:
            assert np.corrcoef(found.policy, expected.policy)[0, 1] > 0.99
            assert np.corrcoef(found.owners, expected.owners)[0, 1] > 0.98


def drawn(board, turn, generator):
    """Return a position with stones on random cells."""
    owners, part = generator.random(board.size), generator.choice([0.0, 0.1, 0.3])
    black, white = np.flatnonzero(owners < part), np.flatnonzero(owners > 1 - part)
    return Position(board, *(board.only(*map(int, cells)) for cells in (black, white)), turn)


def test_advise_and_look_agree():
    """`advise` and `look` agree; a full board has no moves, but a winner."""
    board = Board(4, 3)
    position = Position.of(board, black="b2", white="d1", turn=Color.WHITE)
    evaluator, stones = Int8Evaluator(NET, board), np.zeros(board.size, np.int8)
    stones[board.cell("b2")], stones[board.cell("d1")] = 1, 2
    seen = evaluator.evaluate(position)
    policy, value = evaluator.advise(stones, Color.WHITE)

    assert (policy.tolist(), value) == (seen.policy.tolist(), seen.value)
    assert policy.sum() == pytest.approx(1)
    assert not policy[stones > 0].any()
    full, _ = evaluator.advise(np.ones(board.size, np.int8), Color.WHITE)
    assert not full.any()


def test_a_position_on_another_board_is_refused():
    """The message names both sizes."""
    with pytest.raises(ValueError, match="a position on 4x3, not 3x3"):
        Int8Evaluator(NET, Board(3, 3)).evaluate(Position.of(Board(4, 3)))


def test_a_search_in_eight_bits_repeats_exactly():
    """The search repeats, with and without playouts, and differs from single precision."""
    position = Position.of(Board(6, 6)).play(8)
    alone = {"playouts": False, "blend": 1.0, "expand_at": 0, "look_at": None, "trust": 1.0}
    for more in ({"trust": 0.5}, alone):
        found = [
            TreeSearch(position, TreeSettings(simulations=150, net=NET, int8=bits, **more)).run(
                np.random.default_rng(1)
            )
            for bits in (True, True, False)
        ]
        told = [(each.candidates, each.line) for each in found]
        assert told[0] == told[1]
        assert told[0] != told[2]


def test_a_net_without_playouts_evaluates_each_new_node(tmp_path):
    """`playouts=no` sets the defaults for this, and options override them."""
    path = tmp_path / "net.npz"
    write_net(path, NET)
    plain = player(f"tree:net={path},playouts=no").settings
    other = player(f"tree:net={path},playouts=no,trust=0.5,expand_at=3").settings

    assert (plain.blend, plain.trust, plain.expand_at) == (1.0, 1.0, 0)
    assert (other.blend, other.trust, other.expand_at) == (1.0, 0.5, 3)
    assert player("tree:playouts=no,blend=1").settings.trust == 0.0


def test_without_the_extra_the_player_reports_the_install_command(tmp_path, monkeypatch):
    """The message is one line with the option; `int8` requires a net."""
    path = tmp_path / "net.npz"
    write_net(path, NET)
    assert player(f"tree:net={path},int8=yes").settings.int8
    with pytest.raises(SpecError, match="int8 is for a net, and there is none"):
        player("tree:int8=yes,level=1")

    monkeypatch.setattr(tree, "is_installed", lambda: False)
    monkeypatch.setattr(int8, "is_installed", lambda: False)
    with pytest.raises(SpecError, match=r"'int8=yes' in .*: .* pip install 'hsearch\[fast\]'$"):
        player(f"tree:net={path},int8=yes")
    with pytest.raises(ModuleNotFoundError, match="extra fast"):
        Int8Evaluator(NET, Board(3, 3))
    player(f"tree:net={path},simulations=9,solve=0").choose(
        GAME, BY_CLOCK, np.random.default_rng(0)
    )


def test_only_timed_moves_use_eight_bits(tmp_path, monkeypatch):
    """By default only timed moves use eight bits, so counted ones do not depend on the extra."""
    path = tmp_path / "net.npz"
    write_net(path, NET)
    asked = []

    class Noted(Int8Evaluator):
        def advise(self, stones, turn):
            asked.append(turn)
            return super().advise(stones, turn)

    monkeypatch.setattr(policy, "Int8Evaluator", Noted)
    for options, terms, is_ready, is_asked in (
        ("", BY_CLOCK, True, True),
        ("", BY_CLOCK, False, False),
        ("", MoveRequest(), True, False),
        (",int8=no", BY_CLOCK, True, False),
        (",int8=yes", MoveRequest(), False, True),
    ):
        int8._sessions.clear()  # noqa: SLF001 - no other test has prepared it
        seat = player(f"tree:net={path},simulations=9,solve=0{options}")
        if is_ready:
            seat.prepare(GAME.board)
        asked.clear()
        seat.choose(GAME, terms, np.random.default_rng(0))
        assert bool(asked) is is_asked


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """Return an empty folder for kernels, with one net as the shipped one."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(int8, "load_net", lambda: NET)
    return tmp_path / "hsearch"


@pytest.fixture
def begin(monkeypatch):
    """Return a function that makes this process forget all nets, as at its start."""
    return lambda: monkeypatch.setattr(int8, "_sessions", {})


def test_the_eight_bit_net_of_a_board_is_built_once(folder, begin, monkeypatch):
    """The next process reads the net, rebuilds it if damaged, and answers the same."""
    made, make, board = [], int8.in_eight_bits, Board(5, 4)

    def counted(*key):
        made.append(key[1:])
        return make(*key)

    monkeypatch.setattr(int8, "in_eight_bits", counted)
    answers = []
    for _ in range(2):
        begin()
        assert int8.is_ready(NET, board) is bool(answers)
        answers.append(Int8Evaluator(NET, board).evaluate(Position.of(board)).policy)
    assert made == [(4, 5), (5, 4)]
    assert np.array_equal(*answers)

    (wide,) = folder.glob("net-5x4-*.onnx")
    wide.write_bytes(wide.read_bytes()[:-1])
    begin()
    assert np.array_equal(Int8Evaluator(NET, board).evaluate(Position.of(board)).policy, answers[0])
    assert made == [(4, 5), (5, 4), (4, 5)]


def test_only_the_shipped_net_is_stored_on_disk(folder, begin):
    """Only the shipped net is stored on disk, and a failure to store it does no harm."""
    other, board = random_net(1, 8, np.random.default_rng(6)), Board(3, 4)
    begin()
    Int8Evaluator(other, board)
    assert not folder.exists()
    begin()
    assert not int8.is_ready(other, board)
    folder.write_text("no folder")

    assert Int8Evaluator(NET, board).evaluate(Position.of(board)).value > 0


def test_reading_the_same_net_again_does_not_rebuild_it(begin, monkeypatch, tmp_path):
    """Reading the same net again, as for each tournament game, does not rebuild it."""
    made, make, path = [], int8.in_eight_bits, tmp_path / "some.npz"
    write_net(path, random_net(1, 8, np.random.default_rng(8)))
    begin()

    def counted(*key):
        made.append(key[1:])
        return make(*key)

    monkeypatch.setattr(int8, "in_eight_bits", counted)
    first, second = (Int8Evaluator(read_net(path), Board(3, 3)) for _ in range(2))
    seen = [each.evaluate(Position.of(Board(3, 3))).policy for each in (first, second)]

    assert made == [(3, 3)]
    assert np.array_equal(*seen)
    assert int8.is_ready(read_net(path), Board(3, 3))
    assert not int8.is_ready(random_net(1, 8, np.random.default_rng(9)), Board(3, 3))


def test_threads_build_the_same_net_only_once(monkeypatch):
    """The net is built once, and messages suppressed meanwhile are logged afterwards."""
    made, net = [], random_net(1, 8, np.random.default_rng(4))
    make = int8._make_session  # noqa: SLF001 - counted here

    def counted(*key):
        made.append(key)
        return make(*key)

    monkeypatch.setattr(int8, "_make_session", counted)
    assert not int8.is_ready(net, Board(4, 3))
    with ThreadPoolExecutor(3) as threads:
        for done in [threads.submit(Int8Evaluator, net, Board(4, 3)) for _ in range(3)]:
            done.result()

    assert sorted(key[1:] for key in made) == [(3, 4), (4, 3)]
    assert int8.is_ready(net, Board(4, 3))
    assert int8.is_ready(net, Board(3, 4))
    assert not int8.is_ready(net, Board(4, 4))
    assert logging.root.manager.disable == logging.NOTSET
