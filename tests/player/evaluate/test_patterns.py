"""Patterns: the kernel against its definition, symmetry, and the file."""

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_nets import mirrored, played
from naive_patterns import key, pattern_weights, reply, some_parts, some_weights
from plain_patterns import digits_of, forward, keys_of, replies_of

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.evaluate.patterns import (
    LARGEST,
    LAYOUT,
    OFFSETS,
    PatternWeights,
    around,
    load_patterns,
    read_patterns,
    round_parts,
    sides_of,
    write_patterns,
)
from player.kernels import patterns as kernel
from player.kernels.patterns import place_of
from player.search.tree_room import root_position


def turned(position):
    """Return a position rotated by a half turn; stones keep their colors."""
    board = position.board
    black, white = (
        board.only(*map(board.rotate, cells.search(1)))
        for cells in (position.black, position.white)
    )
    return Position(board, black, white, position.turn)


def kernel_worth(weights, position):
    """Return the mover's chance as the kernel computes it."""
    root = root_position(position, None, weights)
    return kernel.worth(root.patterns, root.stones, root.turn)


def kernel_draws(weights, position, last):
    """Return the draws of all moves as the kernel computes them."""
    root, logits = root_position(position, last, weights), np.full(position.board.size, np.nan)
    kernel.draw(root.patterns, root.stones, root.turn, root.last, logits)
    return logits


def test_unused_weights_are_freed():
    """Unused weights are freed: each game of a tournament reads 3 MB again."""
    board, known = Board(3, 3), []
    for seed in range(20):
        weights = some_weights(seed)
        weights.on(board)
        known.append(weakref.ref(weights.arrays["codes"]))
        del weights
    gc.collect()

    assert sum(each() is not None for each in known) <= 4


@given(position=played(), data=st.data())
def test_pattern_numbers_of_kernel_and_definition_agree(position, data):
    """Definition and kernel agree on the numbers, on all boards and after any last stone."""
    last = data.draw(st.sampled_from([None, *(~position.empty).search(1)]))
    root, near = root_position(position, last), around(position.board).near[position.turn]
    digits = digits_of(position)
    at = None if last is None else divmod(last, position.board.columns)
    if position.turn is Color.WHITE:
        at = None if at is None else at[::-1]
    keys = keys_of(digits)
    replies = replies_of(keys, at)
    if position.turn is Color.WHITE:
        keys, replies = keys.T, replies.T
    for cell in position.board.cells:
        expected = key(position, cell), reply(position, cell, last)
        found = kernel.key_of(near[cell], root.stones, root.turn)

        assert (keys.ravel()[cell], replies.ravel()[cell]) == expected
        assert (found, kernel.reply_of(near[cell], found, root.last)) == expected


@given(weights=pattern_weights, position=played(), data=st.data())
def test_the_kernel_agrees_with_the_definition(weights, position, data):
    """Chances and draws match the definition, whatever was asked before."""
    last = data.draw(st.sampled_from([None, *(~position.empty).search(1)]))
    empty = list(position.empty.search(1))
    expected = forward(weights, position, last)
    root, found = root_position(position, last, weights), np.full(position.board.size, np.nan)
    chance = 1 / (1 + np.exp(-expected.worth))
    for turn in (1 - root.turn, root.turn):
        told = kernel.worth(root.patterns, root.stones, turn)
        kernel.draw(root.patterns, root.stones, turn, root.last, found)

    assert told == pytest.approx(chance, abs=1e-4)
    assert kernel.worth(root.patterns, root.stones, root.turn) == told
    assert np.allclose(found[empty], expected.draws[empty], atol=1e-3)
    assert not np.delete(found, empty).any()


@given(weights=pattern_weights, position=played())
def test_a_mirrored_position_has_the_mirrored_answers(weights, position):
    """Exchanged colors on the transposed board give the same answers."""
    other, board = mirrored(position), position.board
    cells = list(position.empty.search(1))
    across = [board.transpose(cell) for cell in cells]
    draws, mirror = (kernel_draws(weights, each, None) for each in (position, other))

    assert draws[cells] == pytest.approx(mirror[across], abs=1e-3)
    assert kernel_worth(weights, other) == pytest.approx(kernel_worth(weights, position), abs=1e-5)


@pytest.mark.parametrize("columns", [1, 2, 5, 10, 11, 12, 19])
def test_lines_are_numbered_by_their_nearer_edge_up_to_five(columns):
    """A line's number counts from the nearer edge, up to five, and tells the edges apart."""
    for number, side in enumerate(sides_of(columns).tolist()):
        before, after = number, columns - 1 - number
        assert side == (min(before, 5) if before <= after else 10 - min(after, 5))


def test_pattern_places_form_a_hexagon_around_the_cell():
    """The places are six neighbors, six bridge ends and six cells two steps away."""
    board = Board(9, 9)
    column, row = board.column_and_row(board.cell("e5"))
    near = [board.at(column + right, row + down) for down, right in OFFSETS]
    touching = set(board.neighbors(near[0]))
    bridged = {cell for cell in near if len(touching & set(board.neighbors(cell))) == 2}

    assert set(near[1:7]) == touching
    assert set(near[7:13]) == bridged - touching
    assert set(near[13:]) == {2 * cell - near[0] for cell in touching}


@settings(max_examples=10)  # each example waits for the disk
@given(pattern_weights, st.dictionaries(st.text(max_size=5), st.integers(0, 9), max_size=3))
def test_written_patterns_are_read_back_unchanged(tmp_path_factory, weights, record):
    """Weights and record survive; the key depends on the weights only."""
    path = tmp_path_factory.mktemp("patterns") / "some.npz"
    write_patterns(path, replace(weights, record=record))
    again = read_patterns(path)

    assert again.record == record
    assert again.key == weights.key
    assert all(np.array_equal(again.arrays[name], weights.arrays[name]) for name in weights.arrays)
    assert path.stat().st_size < 1_000_000


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("codes", np.zeros((2, 5), np.int8), r"codes: int8 \(2, 5\), not int8 \(16384, "),
        ("replies", np.zeros(kernel.REPLIES, np.int16), "replies: int16"),
        ("bias", np.full(1, np.nan, np.float16), "bias: a value is not a number, or too large"),
        ("codes_scale", np.full(kernel.CODE, 1, np.float16), "codes_scale: .* too large"),
        ("more", np.zeros(1), "a part is missing or unknown"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(name, value, told):
    """The message names the array."""
    with pytest.raises(ValueError, match=told):
        PatternWeights({**some_weights(0).arrays, name: value})


def test_the_largest_weights_give_finite_numbers():
    """The largest weights give finite numbers, so a search works with any file."""
    largest = {name: np.full(shape, LARGEST, np.float32) for name, shape in LAYOUT.items()}
    weights, position = round_parts(largest, {}), Position.of(Board(13, 13)).play(5)
    said = forward(weights, position, 5)

    assert np.isfinite(said.worth)
    assert np.isfinite(said.draws).all()
    assert np.isfinite(kernel_draws(weights, position, 5)).all()
    assert kernel_worth(weights, position) == pytest.approx(1.0)


def test_bytes_are_within_half_a_step_of_the_weights():
    """Each number of a code has its own step, so small ones stay accurate."""
    parts = some_parts(1)
    parts["codes"][:, 0] *= 20
    kept = round_parts(parts, {})
    for name in ("codes", "replies"):
        steps = kept.arrays[f"{name}_scale"].astype(np.float32)
        assert (np.abs(kept.parts()[name] - parts[name]) <= steps * 0.56).all()
    steps = kept.arrays["codes_scale"].astype(np.float32)
    assert steps[0] > 10 * steps[1:].max()
    assert np.abs(kept.parts()["taps"] - parts["taps"]).max() < 0.001


def test_the_shipped_patterns_favor_a_nearly_won_position():
    """The shipped patterns favor Black two moves before the win, on each trained board."""
    weights = load_patterns()
    assert weights is not None
    for side in (7, 9, 11, 13):
        board = Board(side, side)
        middle = side // 2
        chain = [board.name(board.at(middle, row)) for row in range(1, side - 1)]
        spread = [board.name(board.at(0, row)) for row in range(1, side - 1)]
        position = Position.of(board, black=chain, white=spread)
        assert kernel_worth(weights, position) > 0.8
        assert kernel_worth(weights, turned(position)) > 0.8
        last = board.at(0, side - 2)
        assert place_of(last, side) == root_position(position, last, weights).last
