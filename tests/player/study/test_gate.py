"""What a net has to pass: games until a test decides, and proofs compared with the solver's."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from made_onnx import policy_file

from hsearch.hex.board import Board, Color
from player.cli import main
from player.engine.results import Rows
from player.engine.spec import player
from player.engine.tournament import run
from player.evaluate.net import random_net, read_net, write_net
from player.search.tree import TreeSearch, TreeSettings
from player.study.learning import Gate, gate_event, rows_path, verdicts


@pytest.fixture(scope="module")
def nets(tmp_path_factory):
    """Return the files of two untrained nets."""
    folder = tmp_path_factory.mktemp("nets")
    for name in ("one", "two"):
        write_net(folder / name, random_net(1, 8, np.random.default_rng(len(name) + ord(name[0]))))
    return str(folder / "one"), str(folder / "two")


def gate_of(nets, path, won):
    """Return a gate after games, given which of them the first net won."""
    event = gate_event(8, *nets, simulations=1, seed=0)
    rows, sample = Rows(path, event), Rows(path.with_name("sample"), event)
    if not sample.games:
        run(sample, [0], lambda _: True)
    for number, wins in enumerate(won):
        game = event.pairing(number)
        is_black = game.black == event.players[0]
        row = replace(
            sample.games[0],
            game=number,
            black=game.black,
            white=game.white,
            seed=game.seed,
            opening=game.opening,
            winner=Color.BLACK if wins == is_black else Color.WHITE,
        )
        rows.add(row)
    return Gate(rows, 200)


@pytest.mark.parametrize(
    ("won", "is_passed"),
    [
        ([], None),
        ([True] * 50, None),
        ([True] * 53, True),
        ([False] * 50, False),
        ([True, False] * 50, None),
    ],
)
def test_the_gate_decides_only_on_significant_results(nets, tmp_path, won, is_passed):
    """With 0.529 (20 points) against 0.5, 53 wins pass, 50 losses fail, 50 of 100 do neither."""
    gate = gate_of(nets, tmp_path / "rows", won)

    assert gate.is_passed is is_passed
    assert gate.duel.games == len(won)


@pytest.mark.parametrize("int8", [False, True])
def test_a_net_replaces_playouts(nets, int8):
    """The net replaces playouts; against "none", the other player uses playouts."""
    event = gate_event(9, nets[0], "none", simulations=7, seed=0, int8=int8)
    net, other = (player(spec).settings for spec in event.players)

    assert (net.playouts, net.trust, net.int8, net.net.key) == (
        False,
        1.0,
        int8,
        read_net(Path(nets[0])).key,
    )
    assert (other.playouts, other.net, other.int8) == (True, None, False)


def test_the_gate_rejects_a_worse_net(nets, tmp_path):
    gate = gate_of(nets, tmp_path / "rows", [False] * 60)

    assert gate.is_passed is False
    assert (gate.duel.better, gate.duel.wins) == (gate.rows.event.players[1], 50)


def test_wrong_winners_of_a_tree_differ_from_the_solvers(monkeypatch):
    """A tree that names wrong winners differs from the solver, and ours does not."""
    board, settings = Board(4, 4), TreeSettings(simulations=50, look_at=2, expand_at=1)
    right = [each for told in verdicts(board, settings, 12) for each in told]
    assert len(right) > 12
    assert all(each.is_same for each in right)

    honest = TreeSearch.run

    def lying(search, generator):
        found = honest(search, generator)
        lies = tuple(
            replace(each, winner=each.winner and each.winner.opponent) for each in found.candidates
        )
        return replace(found, winner=found.winner and found.winner.opponent, candidates=lies)

    monkeypatch.setattr(TreeSearch, "run", lying)
    assert not any(each.is_same for told in verdicts(board, settings, 12) for each in told)


def called(*words):
    return CliRunner().invoke(main, ["learn", "gate", *words])


def test_the_command_resumes_and_reports_the_verdict(nets, tmp_path):
    """Untrained nets do not pass, and more games continue the stored ones."""
    words = ["--against", nets[1], "--size", "8", "--simulations", "1", "--positions", "2"]
    words += ["--resume", str(tmp_path), "--games"]
    first = called(nets[0], *words, "2")
    assert first.exit_code == 1
    assert "of 2 games won" in first.output
    assert first.output.endswith("The net does not pass.\n")
    kept = rows_path(tmp_path, 8).read_bytes()

    second = json.loads(called(nets[0], *words, "3", "--json").output)
    assert rows_path(tmp_path, 8).read_bytes().startswith(kept)
    assert second["schema"] == "hsearch/learn-gate/1"
    assert second["boards"][0]["games"] == 3
    assert (second["passed"], second["differ"]) == (False, 0)


def test_a_policy_net_plays_on_its_own_board(nets, tmp_path):
    """A policy net is tested on its board only, without comparing proofs on 6x6."""
    net = str(policy_file(tmp_path / "net.onnx", 8))
    words = ["--simulations", "1", "--games", "2", "--resume", str(tmp_path), "--json"]
    told = json.loads(called(net, *words).output)
    assert [(each["size"], each["games"]) for each in told["boards"]] == [(8, 2)]
    assert (told["passed"], told["proofs"]) == (False, 0)

    for pair in ([net], [nets[0], "--against", net]):
        done = called(*pair, "--size", "9", *words)
        assert done.exit_code == 3
        assert done.stderr.endswith(f"{net}: a net for 8x8, not for 9x9\n")
        assert done.stderr.count("\n") == 1
    assert not rows_path(tmp_path, 9).exists()


def test_unusable_nets_are_refused_in_one_line(nets, tmp_path):
    bad = tmp_path / "bad.net"
    bad.write_bytes(b"no net")
    for words in ([str(bad)], [nets[0], "--against", str(bad)], [nets[0], "--against", nets[0]]):
        done = called(*words, "--resume", str(tmp_path))
        assert done.exit_code == 3
        assert done.stderr.count("\n") == 1
        assert words[-1] in done.stderr


def test_another_net_of_the_same_name_does_not_continue_the_games(nets, tmp_path):
    """A net that had learned more was judged by the games of the older one."""
    file, words = tmp_path / "mine.npz", ["--size", "8", "--simulations", "1", "--positions", "0"]
    words += ["--games", "1", "--resume", str(tmp_path)]
    for net, code in ((nets[0], 1), (nets[1], 3), (nets[0], 1)):
        file.write_bytes(Path(net).read_bytes())
        done = called(str(file), *words)
        assert done.exit_code == code, done.output
        is_refused = "results of another event: name is " in done.stderr
        assert is_refused == (code == 3)
