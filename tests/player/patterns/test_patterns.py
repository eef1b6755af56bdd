"""Patterns: the kernel against its definition, symmetry, and the file."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_nets import mirrored, played
from naive_patterns import draw, pattern_weights, slots, some_weights, worth

from hsearch.board import Board
from hsearch.position import Position
from player.kernels import patterns as kernel
from player.kernels.playout import place_of
from player.patterns import read_patterns, shipped_patterns, write_patterns
from player.patterns.around import OFFSETS, around
from player.patterns.weights import in_bytes
from player.tree.grown import root_position


def turned(position):
    """Return a position turned by half, in which each player has what was had before."""
    board = position.board
    black, white = (
        board.only(*map(board.rotate, cells.search(1)))
        for cells in (position.black, position.white)
    )
    return Position(board, black, white, position.turn)


def kernel_worth(weights, position):
    """Return the mover's chance by the kernel."""
    root = root_position(position, None, weights)
    return kernel.worth(root.patterns, root.stones, root.turn, position.board.size)


def kernel_draw(weights, position, cell, last):
    """Return how a move draws, by the kernel."""
    root = root_position(position, last, weights)
    return kernel.draw(root.patterns, root.stones, root.turn, cell, root.last)


@given(position=played())
def test_the_kernel_finds_the_slots_of_the_definition(position):
    """Of every cell, on boards of all sides."""
    root, found = root_position(position), np.empty(kernel.TABLES, np.int64)
    for cell in position.board.cells:
        near, spots = around(position.board)
        kernel.find(near, spots, root.stones, root.turn, cell, found)
        assert found.tolist() == slots(position, cell)


@given(weights=pattern_weights, position=played(), data=st.data())
def test_the_kernel_sums_as_is_defined(weights, position, data):
    """Who wins, and how each move draws after any last stone."""
    stones = [None, *(~position.empty).search(1)]
    last = data.draw(st.sampled_from(stones))

    assert kernel_worth(weights, position) == pytest.approx(worth(weights, position), abs=1e-9)
    for cell in position.empty.search(1):
        told = kernel_draw(weights, position, cell, last)
        assert told == pytest.approx(draw(weights, position, cell, last), abs=1e-9)


@given(weights=pattern_weights, position=played())
def test_a_mirrored_position_is_the_same_to_its_mover(weights, position):
    """Exchanged colors on the transposed board; its moves draw alike to the last bit."""
    other, board = mirrored(position), position.board
    for cell in position.empty.search(1):
        drawn = kernel_draw(weights, other, board.transpose(cell), None)
        assert drawn == kernel_draw(weights, position, cell, None)
    assert kernel_worth(weights, other) == pytest.approx(kernel_worth(weights, position), abs=1e-12)


def test_places_are_those_of_the_hexagon_around():
    """Six that touch, six that share two neighbors with the cell, six in line; all within two."""
    board = Board(9, 9)
    column, row = board.column_and_row(board.cell("e5"))
    near = [board.at(column + right, row + down) for down, right in OFFSETS]
    touching = set(board.neighbors(near[0]))
    bridged = {cell for cell in near if len(touching & set(board.neighbors(cell))) == 2}

    assert set(near[1:7]) == touching
    assert set(near[7:13]) == bridged - touching
    assert set(near[13:]) == {2 * cell - near[0] for cell in touching}


@settings(max_examples=10)  # each waits for the disk
@given(pattern_weights, st.dictionaries(st.text(max_size=5), st.integers(0, 9), max_size=3))
def test_patterns_are_read_as_they_were_written(tmp_path_factory, weights, record):
    """With their record; the key is that of what they say, and not of the record."""
    path = tmp_path_factory.mktemp("patterns") / "some.npz"
    write_patterns(path, replace(weights, record=record))
    again = read_patterns(path)

    assert again.record == record
    assert np.array_equal(again.weights, weights.weights)
    assert again.key == weights.key
    assert path.stat().st_size < 1_000_000


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("weights", np.zeros((2, 5), np.int8), r"weights: int8 \(2, 5\), not int8 \(2, "),
        ("replies", np.zeros(kernel.REPLIES, np.int16), "replies: int16"),
        ("scales", np.full(2 * kernel.TABLES + 2, np.nan), "a scale is no number"),
        ("scales", np.full(2 * kernel.TABLES + 2, 1e6), "or too large"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(name, value, told):
    """Each by its name."""
    with pytest.raises(ValueError, match=told):
        replace(some_weights(0), **{name: value})


def test_bytes_are_within_half_a_step_of_the_weights():
    """Each table has steps of its own, so that small weights are not lost beside large ones."""
    generator = np.random.default_rng(1)
    tables = generator.normal(0, 1, (2, kernel.SLOTS)).astype(np.float32)
    tables[:, : kernel.SMALL] *= 100
    replies = generator.normal(0, 2, kernel.REPLIES).astype(np.float32)
    kept = in_bytes(tables, replies, 0.25, {})
    scales = kept.scales[:-2].reshape(2, kernel.TABLES)
    steps = np.repeat(scales, [kernel.SMALL, *[kernel.LARGE] * 3], axis=1)

    assert (np.abs(kept.weights * steps - tables) <= steps * 0.501).all()
    assert np.abs(kept.replies * kept.scales[-2] - replies).max() <= kept.scales[-2] * 0.501
    assert kept.scales[-1] == 0.25
    assert scales[0, 0] > 20 * scales[0, 1]


def test_what_is_shipped_knows_a_won_position():
    """Two moves before Black is through, on each of the boards that it learned from."""
    weights = shipped_patterns()
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
