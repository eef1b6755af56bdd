"""Patterns that learn from a net: the lessons, the steps, and the command."""

import json
import math
from collections import defaultdict

import numpy as np
import pytest
from click.testing import CliRunner
from naive_patterns import seen, slots

from hsearch.board import Board, Color
from hsearch.position import Position
from player.cli import main
from player.kernels import pattern_fit as kernel
from player.kernels.patterns import REPLIES, SLOTS
from player.kernels.playout import place_of
from player.learn.lessons import LessonOrigin, in_rim, make, turned
from player.learn.patterns import APART, GAMES, PatternRun, learn
from player.net import Evaluator, write_net
from player.net.weights import random_net
from player.patterns import read_patterns
from player.patterns.around import OFFSETS, around

NET = random_net(1, 8, np.random.default_rng(5))
BOARD = Board(4, 3)
LESSONS = make(LessonOrigin(BOARD, games=2, seed=3, number=0, int8=False), NET)
PLACES = np.array([place_of(cell, BOARD.columns) for cell in BOARD.cells])


def position_of(lessons, number):
    """Return the position of a lesson."""
    stones = lessons.stones[number][PLACES]
    black, white = (BOARD.only(*np.flatnonzero(stones == color).tolist()) for color in (1, 2))
    return Position(BOARD, black, white, Color(int(lessons.turns[number])))


def last_of(lessons, number):
    """Return the cell of the last stone; None if there is none."""
    place = int(lessons.lasts[number])
    return None if place < 0 else PLACES.tolist().index(place)


def test_lessons_are_what_the_net_says():
    """Of each position who is to move by its stones, the net's chance, and its moves."""
    asked = Evaluator(NET, BOARD)
    assert len(LESSONS.turns) > 4
    for number in range(len(LESSONS.turns)):
        position, said = position_of(LESSONS, number), None
        said = asked.look(position)
        count = position.black.count() - position.white.count()
        last = last_of(LESSONS, number)

        assert count == int(position.turn)
        assert LESSONS.values[number] == pytest.approx(said.value, abs=1e-6)
        told = LESSONS.policy[number] / kernel.WHOLE
        assert told == pytest.approx(said.policy / said.policy.sum(), abs=1e-4)
        assert (last is None) == (position.empty.count() == BOARD.size)
        assert last is None or position.stones(position.turn.opponent)[last]


def test_a_lesson_turned_by_half_is_of_the_turned_position():
    """Stones, moves and the last stone; those that are not chosen stay as they are."""
    chosen = np.arange(len(LESSONS.turns)) % 2 == 0
    found = turned(LESSONS, chosen)
    for number, is_chosen in enumerate(chosen.tolist()):
        before, after = position_of(LESSONS, number), position_of(found, number)
        move = BOARD.rotate if is_chosen else int
        last = last_of(LESSONS, number)

        assert set(after.black.search(1)) == {move(cell) for cell in before.black.search(1)}
        assert set(after.white.search(1)) == {move(cell) for cell in before.white.search(1)}
        assert last_of(found, number) == (None if last is None else move(last))
        for cell in BOARD.cells:
            assert found.policy[number, move(cell)] == LESSONS.policy[number, cell]
    rim = in_rim(np.zeros(BOARD.size, np.int8), BOARD)
    assert rim.reshape(5, 6)[:, [0, -1]].tolist() == [[3, 3], [2, 2], [2, 2], [2, 2], [3, 3]]


def naive_fit(lessons, order, rate):
    """Return weights by the definition of a step, and what was lost, in plain Python."""
    weights, squares, lost = defaultdict(float), defaultdict(float), [0.0] * 4

    def move(name, gradient, own_rate, calm):
        squares[name] += gradient * gradient
        weights[name] -= own_rate * gradient / math.sqrt(squares[name] + calm)

    for number in order:
        position, last = position_of(lessons, number), last_of(lessons, number)
        value, policy = float(lessons.values[number]), lessons.policy[number] / kernel.WHOLE
        worths = [("worth", slot) for cell in BOARD.cells for slot in slots(position, cell)]
        draws = {}
        for cell in position.empty.search(1):
            places = [place for _, place in seen(position, cell)]
            at = None if last is None else BOARD.column_and_row(last)
            where = places.index(at) if at in places else 0
            found = slots(position, cell)
            reply = ("reply", found[0] * len(OFFSETS) + where)
            draws[cell] = [reply, *(("draw", slot) for slot in found)]
        chance = 1 / (1 + math.exp(-weights["bias"] - sum(weights[name] for name in worths)))
        logits = {cell: sum(weights[name] for name in names) for cell, names in draws.items()}
        total = sum(map(math.exp, logits.values()))
        lost[0] -= value * math.log(chance) + (1 - value) * math.log(1 - chance)
        lost[1] -= sum(policy[cell] * (logits[cell] - math.log(total)) for cell in logits)
        lost[2] += (chance > 0.5) == (value > 0.5)
        lost[3] += policy[max(logits, key=logits.__getitem__)] == policy.max()
        for cell, names in draws.items():
            error = math.exp(logits[cell]) / total - policy[cell]
            if abs(error) >= kernel.LEAST:
                for name in names:
                    move(name, error, rate * kernel.RATIO, kernel.CALM[1])
        for name in [*worths, "bias"]:
            move(name, chance - value, rate, kernel.CALM[0])
    return weights, lost


def test_the_kernel_learns_as_is_defined():
    """Twice through a few lessons; all weights, and all that was lost."""
    order = np.arange(len(LESSONS.turns))[::-1].copy()
    weights = kernel.Weights(
        np.zeros((2, SLOTS, 2), np.float32),
        np.zeros((REPLIES, 2), np.float32),
        np.zeros((1, 2), np.float32),
    )
    lost = sum(kernel.fit(weights, *around(BOARD), LESSONS, PLACES, order, 0.03) for _ in range(2))
    expected, naive_lost = naive_fit(LESSONS, [*order.tolist(), *order.tolist()], 0.03)

    assert lost == pytest.approx(naive_lost, rel=1e-4)
    assert weights.bias[0, 0] == pytest.approx(expected.pop("bias"), abs=1e-5)
    names = {"worth": weights.tables[0], "draw": weights.tables[1], "reply": weights.replies}
    for (name, slot), weight in expected.items():
        assert names[name][slot, 0] == pytest.approx(weight, abs=1e-5)
    for name, array in names.items():
        known = {slot for kind, slot in expected if kind == name}
        assert set(np.flatnonzero(array[:, 1])) <= known

    before = weights.tables.copy()
    kernel.fit(weights, *around(BOARD), LESSONS, PLACES, order, 0.0)
    assert np.array_equal(weights.tables, before)


@pytest.mark.slow
def test_patterns_do_not_depend_on_the_processes():
    """With one process and with two they say the same, and they learn what the net says."""
    wanted = PatternRun((Board(3, 3), Board(4, 3)), GAMES * APART + 30, seed=4)
    (one, score), (two, _) = (learn(wanted, NET, workers=workers) for workers in (1, 2))
    other, _ = learn(PatternRun((Board(3, 3),), 50, seed=5), NET)

    assert one.key == two.key != other.key
    assert score.positions > 300
    assert score.winner > 0.9
    assert score.first > 0.35  # by chance one in six
    assert one.record["apart"]["positions"] == score.positions


def command(*words):
    """Run `hsearch learn patterns`."""
    return CliRunner().invoke(main, ["learn", "patterns", *map(str, words)])


def test_the_command_writes_patterns_that_play(tmp_path):
    """They are told of in JSON, kept with their record, and taken by the player."""
    path, net = tmp_path / "some.npz", tmp_path / "net.npz"
    write_net(net, NET)
    done = command(path, "--net", net, "--games", 12, "--size", 3, "--json")
    told, kept = json.loads(done.stdout), read_patterns(path)

    assert (told["patterns"], told["key"]) == (str(path), kept.key)
    assert told["positions"] == kept.record["positions"] > 20
    assert kept.record["net"] == NET.key
    spec = f"tree:simulations=30,patterns={path}"
    words = ["analyze", "a1 b2", "--size", "3", "--player", spec]
    assert CliRunner().invoke(main, words).exit_code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere/some.npz",), "nowhere: no such folder"),
        (("some.npz", "--net", "README.md"), "README.md: "),
        (("README.md",), "README.md: no .npz file, or not all of one; kept as it is"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(words, told, tmp_path, monkeypatch):
    """Before the net is asked anything; nothing is written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "README.md").write_text("no net")
    done = command(*words, "--games", 1, "--size", 3)

    assert done.exit_code == 3
    assert done.stderr.startswith(told)
    assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
    assert (tmp_path / "README.md").read_text() == "no net"
