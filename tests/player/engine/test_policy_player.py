"""The player `policy`: the first choice of a net, shipped or from a file, without kernels."""

import os
import subprocess
import sys

import numpy as np
import pytest
from made_nets import mirrored
from made_onnx import policy_file
from places import ROOT

from hsearch.hex.board import Board, Color
from hsearch.hex.frame import Frame
from hsearch.hex.game import Game
from player.engine.classic import net_named
from player.engine.player import MoveRequest, PlayerFileError
from player.engine.spec import player
from player.evaluate.net import NetEvaluator, load_net
from player.evaluate.policy import PolicyEvaluator
from player.work.naming import SpecError

ONE_MOVE = """
from hsearch.hex.board import Board
from hsearch.hex.game import Game
from player.engine.player import MoveRequest
from player.engine.spec import player
game = Game.of(Board(9), ["d4"])
print(game.board.name(player("policy").choose(game, MoveRequest(), None).action))
"""


def drawn(board, stones, seed):
    """Return a game with this many random stones."""
    cells = np.random.default_rng(seed).permutation(board.size)[:stones]
    return Game.of(board, [board.name(int(cell)) for cell in cells])


def choice(game):
    return player("policy").choose(game, MoveRequest(), np.random.default_rng(0)).action


@pytest.mark.parametrize("sides", [(5, 5), (6, 4), (9, 9)])
def test_it_plays_the_most_likely_move_of_the_policy(sides):
    """It plays the likeliest move as either color, also on boards of unequal sides."""
    board = Board(*sides)
    evaluator = NetEvaluator(load_net(), board)
    for seed in range(12):
        game = drawn(board, 2 + seed, seed)
        policy = evaluator.evaluate(game.position()).policy
        chance = policy[choice(game)]

        assert chance == pytest.approx(policy.max(), rel=1e-3)
        assert chance > 0  # 0 on stones


def test_a_mirrored_position_has_the_mirrored_move():
    game = drawn(Board(7), 9, 1)
    other = Game.of_position(mirrored(game.position()))
    cell = choice(game)

    assert choice(other) == game.board.transpose(cell)
    assert {game.position().turn, other.position().turn} == set(Color)


def test_the_policy_player_opens_and_swaps_by_the_maps():
    """Openings and swaps are those of other players."""
    board, terms = Board(11), MoveRequest(swap=True)
    opener, chooser = player("policy"), player("policy")
    opening = opener.choose(Game(board), terms, None)
    answer = chooser.choose(Game.of(board, ["f6"]), terms, None)

    assert opening.action == player("tree").choose(Game(board), terms, None).action
    assert board.name(choice(Game(board))) == "f6"
    assert answer.action == player("tree").choose(Game.of(board, ["f6"]), terms, None).action


def test_a_policy_net_from_a_file_plays_without_a_search(tmp_path):
    """A net from a file plays on its size of board only."""
    path, board = policy_file(tmp_path / "net.onnx", 5), Board(5)
    other, game = player(f"policy:net={path}"), drawn(board, 6, 2)
    other.prepare(board)
    found = other.choose(game, MoveRequest(), None)
    stones = Frame.of(game.position(), Color.BLACK).stones.copy()
    policy, _ = PolicyEvaluator(net_named(str(path)), board).advise(stones, game.position().turn)

    assert found.action == int(np.argmax(policy))
    assert found.account.reason.endswith("is the first choice of the net, without a search.")
    with pytest.raises(PlayerFileError, match="a net for 5x5, not for 6x6"):
        other.prepare(Board(6))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("policy:net=none", "it plays by a net alone: policy:net=FILE"),
        ("policy:net=/no/such.npz", "/no/such.npz: "),
        ("policy:time=3", "unknown option 'time' of policy"),
    ],
)
def test_invalid_texts_of_the_policy_player_are_rejected(spec, message):
    with pytest.raises(SpecError, match=message):
        player(spec)


def test_the_policy_player_compiles_nothing(tmp_path):
    """The player thus answers at once with an empty cache of kernels."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", ONE_MOVE],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() in {"d5", "e5", "f4", "e4"}
    assert list(tmp_path.rglob("*.kernel")) == []
