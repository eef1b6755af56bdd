"""The lessons for the net that guides the solver: `tests/research/guide_lesson.py`."""

import guide_net
import numpy as np
from click.testing import CliRunner
from guide_net import UNKNOWN, Row, as_mover
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import played_positions
from with_torch import needs_torch

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.evaluate.net import features, read_net

SIDE = 5


def stones_of(position):
    stones = np.zeros(position.board.size, np.int8)
    for number, cells in enumerate((position.black, position.white), 1):
        stones[list(cells.search(1))] = number
    return stones


def seen(position, cell):
    """Return the number of a cell as the mover sees the board."""
    row, column = divmod(cell, SIDE)
    return cell if position.turn is Color.BLACK else column * SIDE + row


@st.composite
def rows(draw):
    """Draw positions, a move in each, and the row collected from them."""
    some = draw(st.lists(played_positions(Board(SIDE)), min_size=1, max_size=4))
    some = [position for position in some if position.empty.count() > 1]
    some = some or [Position.of(Board(SIDE))]
    moves = [draw(st.sampled_from(list(position.empty.search(1)))) for position in some]
    stones = np.array([stones_of(position) for position in some])
    turns = np.array([position.turn.value for position in some])
    won = np.array(draw(st.lists(st.sampled_from([UNKNOWN, 0, 1]), min_size=len(some), max_size=4)))
    won = won[: len(some)]
    others = [draw(st.sampled_from(list(position.empty.search(1)))) for position in some]
    first = [draw(st.sampled_from(pair)) for pair in zip(moves, others, strict=True)]
    first = np.where(won == 1, first, UNKNOWN)
    return some, moves, Row(stones, turns, (stones == 0).astype(np.uint8), won, first)


def places(row):
    from guide_lesson import Places  # noqa: PLC0415 - torch may be missing

    return Places.of(as_mover(row, SIDE), "cpu")


@needs_torch
@settings(max_examples=30)
@given(rows())
def test_places_match_the_features_of_the_net(drawn):
    """Places match `features`, and have the remaining moves and the winning move."""
    some, _, row = drawn
    found = places(row)

    assert np.array_equal(found.rimmed().numpy(), [features(position) for position in some])
    assert np.array_equal(found.left.numpy(), found.empty.numpy())
    for number, position in enumerate(some):
        first = row.first[number]
        assert found.first[number] == (first if first == UNKNOWN else seen(position, first))


@needs_torch
@settings(max_examples=30)
@given(rows())
def test_places_after_a_move_are_seen_by_the_other_player(drawn):
    """The winner stays known after any move of the loser, and after the winning move."""
    import torch  # noqa: PLC0415

    some, moves, row = drawn
    cells = torch.tensor([seen(*each) for each in zip(some, moves, strict=True)])
    found = places(row).after(cells)
    after = [position.play(move) for position, move in zip(some, moves, strict=True)]

    assert np.array_equal(found.rimmed().numpy(), [features(position) for position in after])
    assert np.array_equal(found.left.numpy(), found.empty.numpy())
    for number, move in enumerate(moves):
        after_a_win = 0 if row.first[number] == move else UNKNOWN
        expected = {UNKNOWN: UNKNOWN, 0: 1, 1: after_a_win}[row.is_won[number]]
        assert found.won[number] == expected
    assert (found.first == UNKNOWN).all()


@needs_torch
@settings(max_examples=30)
@given(rows())
def test_rotated_places_equal_the_places_of_a_rotated_row(drawn):
    """Rotated places equal the places of a rotated row."""
    _, _, row = drawn
    last = SIDE * SIDE - 1
    first = np.where(row.first == UNKNOWN, UNKNOWN, last - row.first)
    turned = row._replace(stones=row.stones[:, ::-1], open=row.open[:, ::-1], first=first)

    for found, expected in zip(places(row).half_turned(), places(turned), strict=True):
        assert np.array_equal(found, expected)


@needs_torch
def test_all_empty_cells_remain_after_the_only_remaining_move():
    """After the only remaining move, every empty cell is a remaining move."""
    import torch  # noqa: PLC0415

    stones, left = np.zeros((1, SIDE * SIDE), np.int8), np.zeros((1, SIDE * SIDE), np.uint8)
    left[0, [3, 7]] = 1
    unknown = np.array([UNKNOWN])
    some = places(Row(stones, np.array([0]), left, unknown, unknown))

    after = some.after(torch.tensor([3]))
    assert after.left.sum() == SIDE * SIDE - 1
    left[0, 8] = 1
    after = places(Row(stones, np.array([0]), left, unknown, unknown)).after(torch.tensor([3]))
    assert after.left.sum() == 2


@needs_torch
def test_teaching_starts_and_resumes_a_net(tmp_path):
    """Teaching starts a net, resumes its file, and refuses another shape."""
    side, count = 6, 40
    generator = np.random.default_rng(1)
    stones = np.zeros((count, side * side), np.int8)
    for number, row in enumerate(stones):
        cells = generator.permutation(side * side)[: 2 * (number % 8)]
        row[cells[::2]], row[cells[1::2]] = 1, 2
    unknown, black = np.full(count, UNKNOWN), np.zeros(count, np.int64)
    values = (stones, black, (stones == 0).astype(np.uint8), unknown, unknown)
    arrays = {f"{field}{side}": each for field, each in zip(Row._fields, values, strict=True)}
    np.savez(tmp_path / "rows.npz", **arrays)
    net = tmp_path / "net.npz"

    def taught(*shape):
        words = ["teach", tmp_path / "rows.npz", "--student", *shape, net, "--minutes", 0.02]
        words += ["--batch", 8]
        return CliRunner().invoke(guide_net.main, list(map(str, words)))

    for steps in (1, 2):
        assert taught(1, 8).exit_code == 0
        assert len(read_net(net).record["steps"]) == steps
    before = net.read_bytes()
    done = taught(2, 8)
    assert done.exit_code == 2
    assert "a net of 1 x 8" in done.stderr
    assert net.read_bytes() == before
