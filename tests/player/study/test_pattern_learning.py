"""Patterns that learn from a net: the lessons, the training steps, and the command."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from made_nets import mirrored as mirrored_position
from naive_patterns import some_parts
from plain_patterns import forward
from with_torch import HAS_TORCH, needs_torch

from hsearch.formats.files import alone, hold
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.cli import main
from player.evaluate.net import NetEvaluator, random_net, write_net
from player.evaluate.patterns import read_patterns, round_parts
from player.kernels.patterns import place_of
from player.study.lessons import (
    WHOLE,
    LessonError,
    LessonOrigin,
    by_shape,
    concatenate,
    in_rim,
    make,
    mirror,
    select,
    turn,
)
from player.study.pattern_learning import APART, GAMES, PatternRun, learn, lessons_of
from player.work.spread import WorkerPool

NET = random_net(1, 8, np.random.default_rng(5))
BOARD = Board(4, 3)
LESSONS = make(LessonOrigin(BOARD, games=2, seed=3, number=0, int8=False), NET)


class StoppedError(Exception):
    """An error with which a test stops the lessons."""


def position_of(lessons, number, board=BOARD):
    """Return the position of a lesson."""
    stones = lessons.stones[number].reshape(board.rows + 2, -1)[1:-1, 1:-1].ravel()
    black, white = (board.only(*np.flatnonzero(stones == color).tolist()) for color in (1, 2))
    return Position(board, black, white, Color(int(lessons.turns[number])))


def last_of(lessons, number, board=BOARD):
    """Return the cell of the last stone, or None."""
    places = [place_of(cell, board.columns) for cell in board.cells]
    place = int(lessons.lasts[number])
    return None if place < 0 else places.index(place)


def test_lessons_match_the_output_of_the_net():
    """A lesson has the turn, the net's chance and the net's policy."""
    asked = NetEvaluator(NET, BOARD)
    assert len(LESSONS.turns) > 4
    for number in range(len(LESSONS.turns)):
        position = position_of(LESSONS, number)
        said = asked.evaluate(position)
        count = position.black.count() - position.white.count()
        last = last_of(LESSONS, number)

        assert count == int(position.turn)
        assert LESSONS.values[number] == pytest.approx(said.value, abs=1e-6)
        told = LESSONS.policy[number] / WHOLE
        assert told == pytest.approx(said.policy / said.policy.sum(), abs=1e-4)
        assert (last is None) == (position.empty.count() == BOARD.size)
        assert last is None or position.stones(position.turn.opponent)[last]


def test_a_rotated_lesson_has_the_rotated_position():
    """Stones, moves and the last stone of the chosen lessons are rotated."""
    chosen = np.arange(len(LESSONS.turns)) % 2 == 0
    found = turn(LESSONS, chosen)
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


def test_a_mirrored_lesson_is_equivalent_for_its_mover():
    """A mirrored lesson is the same to its mover, and mirroring twice restores it."""
    across = Board(BOARD.rows, BOARD.columns)
    found = mirror(LESSONS, BOARD)
    for number in range(len(LESSONS.turns)):
        before, after = position_of(LESSONS, number), position_of(found, number, across)
        last = last_of(LESSONS, number)

        assert after == mirrored_position(before)
        assert last_of(found, number, across) == (None if last is None else BOARD.transpose(last))
        for cell in BOARD.cells:
            told = found.policy[number, BOARD.transpose(cell)]
            assert told == LESSONS.policy[number, cell]
    back = mirror(found, across)
    assert all(np.array_equal(one, two) for one, two in zip(back, LESSONS, strict=True))


def test_lessons_are_grouped_by_shape_with_black_to_move():
    """Each shape has all its lessons, all with Black to move."""
    square = make(LessonOrigin(Board(3, 3), games=2, seed=3, number=1, int8=False), NET)
    found = by_shape([(BOARD, LESSONS), (Board(3, 3), square), (BOARD, LESSONS)])
    blacks = int((LESSONS.turns == 0).sum())

    assert list(found) == [BOARD, Board(3, 4), Board(3, 3)]
    assert not any(each.turns.any() for each in found.values())
    assert [len(each.turns) for each in found.values()] == [
        2 * blacks, 2 * (len(LESSONS.turns) - blacks), len(square.turns),
    ]  # fmt: skip
    whites = select(LESSONS, LESSONS.turns == 1)
    again = concatenate([mirror(whites, BOARD)] * 2)
    pairs = zip(again, found[Board(3, 4)], strict=True)
    assert all(np.array_equal(one, two) for one, two in pairs)


@needs_torch
def test_torch_agrees_with_the_definition_of_patterns():
    """Torch's answers and losses match the definition for all lessons."""
    import torch  # noqa: PLC0415 - it may be missing

    from player.study.pattern_training import answers, losses  # noqa: PLC0415

    kept = round_parts(some_parts(3), {})
    weights = {name: torch.from_numpy(part) for name, part in kept.parts().items()}
    for board, lessons in by_shape([(BOARD, LESSONS)]).items():
        found = answers(weights, lessons, board)
        lost = losses(found, lessons, board)
        for number in range(len(lessons.turns)):
            position = position_of(lessons, number, board)
            said = forward(kept, position, last_of(lessons, number, board))
            empty = list(position.empty.search(1))
            shares = np.exp(said.draws[empty] - said.draws[empty].max())
            shares /= shares.sum()
            value = float(lessons.values[number])
            policy = lessons.policy[number][empty] / lessons.policy[number].sum()
            chance = 1 / (1 + np.exp(-said.worth))
            worth = -value * np.log(chance) - (1 - value) * np.log(1 - chance)

            assert float(found[0][number]) == pytest.approx(said.worth, abs=1e-3)
            assert found[1][number].numpy() == pytest.approx(said.draws, abs=1e-3)
            assert float(lost.worth[number]) == pytest.approx(worth, abs=1e-3)
            expected = -(policy * np.log(shares)).sum()
            assert float(lost.draws[number]) == pytest.approx(expected, abs=1e-3)
            assert bool(lost.winner[number]) == ((chance > 0.5) == (value > 0.5))
            assert bool(lost.first[number]) == (policy[shares.argmax()] == policy.max())


def test_lessons_do_not_depend_on_the_processes():
    """One process and two make the same chunks in the same order."""
    wanted = PatternRun((Board(3, 3), Board(4, 3)), 2 * GAMES + 30, seed=4, epochs=1)
    one, two = (lessons_of(wanted, NET, workers=WorkerPool(count)) for count in (1, 2))

    for origin, *found in zip(wanted.origins(), one, two, strict=True):
        expected = make(origin, NET)
        for board, lessons in found:
            assert board == origin.board
            assert all(np.array_equal(*each) for each in zip(lessons, expected, strict=True))


def test_stored_lessons_are_not_made_again(tmp_path):
    """After a kill, only the missing lessons are made, with the same result."""
    wanted = PatternRun((BOARD,), 2 * GAMES + 30, seed=4, epochs=1)
    expected = lessons_of(wanted, NET)

    def stop(_what, part):
        if part > 0.5:
            raise StoppedError

    with pytest.raises(StoppedError):
        lessons_of(wanted, NET, keep=tmp_path / "kept", on_progress=stop)
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "kept").glob("*.npz")}
    found, told = lessons_of(wanted, NET, keep=tmp_path / "kept"), []
    lessons_of(wanted, NET, keep=tmp_path / "kept", on_progress=lambda *said: told.append(said))

    assert [path.name for path in sorted(kept)] == ["000000.npz", "000001.npz"]
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert not told
    for (board, lessons), (other, same) in zip(expected, found, strict=True):
        assert board == other
        assert all(np.array_equal(*each) for each in zip(lessons, same, strict=True))


def test_a_partial_chunk_is_made_again_for_more_games(tmp_path):
    """A chunk that was not full is made again, and the result equals that of one run."""
    fewer = PatternRun((BOARD,), GAMES + 30, seed=4, epochs=1)
    more = replace(fewer, games=2 * GAMES + 10)
    lessons_of(fewer, NET, keep=tmp_path)
    first = (tmp_path / "000000.npz").stat().st_mtime_ns
    found, expected = lessons_of(more, NET, keep=tmp_path), lessons_of(more, NET)
    told = []
    lessons_of(more, NET, keep=tmp_path, on_progress=lambda *said: told.append(said))

    assert (tmp_path / "000000.npz").stat().st_mtime_ns == first
    assert not told
    for (_, lessons), (_, same) in zip(found, expected, strict=True):
        assert all(np.array_equal(*each) for each in zip(lessons, same, strict=True))


def test_lessons_of_another_run_are_left_alone(tmp_path):
    """The message names what differs, and nothing is overwritten."""
    wanted = PatternRun((BOARD,), 30, seed=4, epochs=1)
    lessons_of(wanted, NET, keep=tmp_path)
    content = (tmp_path / "000000.npz").read_bytes()
    other = random_net(1, 8, np.random.default_rng(6))
    for run, net, told in (
        (replace(wanted, seed=5), NET, "seed"),
        (replace(wanted, boards=(Board(3, 3),)), NET, "board"),
        (wanted, other, "net"),
        (replace(wanted, games=20), NET, "games"),
        (replace(wanted, games=70, seed=5), NET, "games, seed"),
    ):
        with pytest.raises(LessonError, match=f"000000.npz: lessons of another run: {told}"):
            lessons_of(run, net, keep=tmp_path)
    assert (tmp_path / "000000.npz").read_bytes() == content


def test_two_processes_do_not_make_the_same_lessons(tmp_path):
    """The second process is refused, and makes the lessons when the first has ended."""
    wanted = PatternRun((BOARD,), 30, seed=4, epochs=1)
    with (
        hold(tmp_path, doing="learns into", error=LessonError),
        pytest.raises(LessonError, match="another process learns into this folder"),
    ):
        lessons_of(wanted, NET, keep=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [".lock"]
    assert len(lessons_of(wanted, NET, keep=tmp_path)) == 1


@needs_torch
def test_patterns_learn_the_output_of_the_net():
    """Training is repeatable, and the record has the score for the games set apart."""
    wanted = PatternRun((Board(3, 3), Board(4, 3)), GAMES * APART + 30, seed=4, epochs=3)
    (one, score), (two, _) = (learn(wanted, NET) for _ in range(2))
    other, _ = learn(PatternRun((Board(3, 3),), 50, seed=5, epochs=1), NET)

    assert one.key == two.key != other.key
    assert score.positions > 300
    assert score.winner > 0.9
    assert score.first > 0.35  # one in six by chance
    assert one.record["apart"]["positions"] == score.positions
    assert one.record["positions"] > 10 * score.positions


def command(*words):
    """Run `hsearch learn patterns`."""
    return CliRunner().invoke(main, ["learn", "patterns", *map(str, words)])


@pytest.mark.skipif(HAS_TORCH, reason="torch is here")
def test_without_torch_the_command_writes_nothing(tmp_path):
    """The message is one line, before the net is used."""
    done = command(tmp_path / "some.npz", "--games", 12, "--size", 3)

    assert done.exit_code == 1
    assert done.stderr == "learning needs the extra learn: pip install 'hsearch[learn]'\n"
    assert not list(tmp_path.iterdir())


@needs_torch
def test_the_command_writes_patterns_that_play(tmp_path):
    """The JSON describes the patterns, and the player accepts them."""
    path, net = tmp_path / "some.npz", tmp_path / "net.npz"
    write_net(net, NET)
    done = command(path, "--net", net, "--games", 12, "--size", 3, "--json")
    told, kept = json.loads(done.stdout), read_patterns(path)

    assert told["schema"] == "hsearch/learn-patterns/1"
    assert (told["patterns"], told["key"]) == (str(path), kept.key)
    assert told["positions"] == kept.record["positions"] > 20
    assert kept.record["net"] == NET.key
    spec = f"tree:simulations=30,patterns={path}"
    words = ["analyze", "a1 b2", "--size", "3", "--player", spec]
    assert CliRunner().invoke(main, words).exit_code == 0


@needs_torch
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere/some.npz",), "nowhere: no such folder"),
        (("some.npz", "--net", "README.md"), "README.md: "),
        (("README.md",), "README.md: not a complete .npz file; kept as it is"),
    ],
)
def test_bad_paths_are_reported_in_one_line(words, told, tmp_path, monkeypatch):
    """The line comes before the net is used, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "README.md").write_text("no net")
    done = command(*words, "--games", 1, "--size", 3)

    assert done.exit_code == 3
    assert done.stderr.startswith(told)
    assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
    assert (tmp_path / "README.md").read_text() == "no net"


@needs_torch
def test_only_one_process_at_a_time_writes_patterns(tmp_path):
    """A second process is refused before it learns."""
    path = tmp_path / "some.npz"
    with alone(path, ValueError):
        done = command(path, "--games", 1, "--size", 3)

    assert done.exit_code == 3
    assert done.stderr == f"{path}: another process is writing to it\n"
    assert not path.exists()


def test_a_folder_without_permission_is_reported_before_the_work(tmp_path, monkeypatch):
    """All lessons were made, and the patterns were learned, before the file was refused."""
    monkeypatch.setattr("player.cli.learn_fit.is_installed", lambda: True)
    monkeypatch.setattr("os.access", lambda _file, _how: False)
    monkeypatch.setattr("player.study.pattern_learning.learn", None)
    done = CliRunner().invoke(main, ["learn", "patterns", str(tmp_path / "new.npz")])

    assert (done.exit_code, done.stderr) == (1, f"{tmp_path}: cannot be written: no permission\n")
