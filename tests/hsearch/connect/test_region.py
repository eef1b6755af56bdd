"""Regions that groups enclose; filling them changes no winner."""

import every_position
import naive_solve
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from nightly import IS_NIGHTLY
from strategies import positions
from test_inferior_everywhere import winners

from hsearch.connect.closure import closure, with_limits
from hsearch.connect.inferior import largest_region, members
from hsearch.connect.limits import Limits
from hsearch.connect.store import Workspace
from hsearch.hex.board import Board, Color, from_words
from hsearch.hex.frame import Frame
from hsearch.hex.position import Position, captains
from hsearch.kernels.inferior import enclose, is_group

BOARDS = [(3, 3), (2, 5), (5, 2)]
if IS_NIGHTLY:
    BOARDS += [(3, 4), (4, 4)]


def filled(position, color, cells):
    """Return a position with a player's stones added on some cells."""
    for cell in cells.search(1):
        position = position.put(cell, color)
    return position


@pytest.mark.parametrize(
    ("black", "white", "groups", "region"),
    [
        ("b2", "", "north b2", "a1 b1 c1 a2"),
        ("b2", "a2", "north b2", "a1 b1 c1"),
        ("c2", "", "north c2", "c1 d1"),
        ("b2 d2", "c2", "b2 d2", ""),
        ("b2 d2", "c2", "north b2 d2", "a1 b1 c1 d1 e1 a2"),
        ("a2 e2", "b2 c2 d2", "north a2 e2", "a1 b1 c1 d1 e1"),
        ("b1 c3", "a3 b3 d2 d1 e1", "b1 c3", "a1 c1 a2 b2 c2"),
    ],
)
def test_enclosed_regions_are_as_found_by_hand(black, white, groups, region):
    """Regions are as found by hand: between a stone and its edge, under a wall, in a pocket."""
    board = Board(5, 5)
    position = Position.of(board, black=black, white=white)
    named = captains(position, Color.BLACK)
    captains_of = {named[board.point(name)] for name in groups.split()}

    found = largest_region(position, Color.BLACK, members(position, Color.BLACK, captains_of))
    assert " ".join(board.names(found)) == region


@given(positions(max_side=6), st.sampled_from(Color))
def test_the_kernel_finds_the_same_regions_as_the_plain_code(position, color):
    """The kernel agrees with the plain code for each group and each pair of groups."""
    board = position.board
    frame = Frame.of(position, color)
    store = closure(position, color, Limits(M=1, K=2))
    layout = store.layout
    marks, stack = np.empty(board.size, np.int8), np.empty(board.size, np.int64)
    row = np.empty(len(layout.words), np.int64)
    groups = [point for point in range(board.size + 2) if is_group(store.memory, layout, point)]
    for x in groups:
        for y in groups:
            args = (store.memory, layout, frame.columns, frame.stones, (x, y), marks, stack, row)
            has_cells = enclose(*args)
            cells = [on_board(cell, board, color) for cell in cells_of(row, board)]
            names = {store.captain(on_board(point, board, color)) for point in (x, y)}

            assert board.only(*cells) == largest_region(
                position, color, members(position, color, names)
            )
            assert has_cells == bool(cells)


def cells_of(row, board):
    """Return the cells in a kernel's row."""
    return from_words(row.view(np.uint64), board.size).search(1)


def on_board(point, board, color):
    """Return the board's number of a point in a player's frame."""
    return point if color is Color.BLACK else board.transposed.transpose(point)


@pytest.mark.slow
@pytest.mark.parametrize("sides", BOARDS)
def test_filling_keeps_every_winner(sides):
    """Filling keeps the winner of each position of a board, whoever is to move."""
    columns, rows = sides
    wins, _ = winners(sides)
    space = Workspace(columns * rows)
    space.grow()
    spaces = space.memory, space.log, with_limits(Limits(), space.layout), space.rows
    count, wrong = every_position.changed_by_regions(columns, columns * rows, spaces, wins)

    assert wrong == -1
    assert count > 3 ** (columns * rows) / 2


@pytest.mark.slow
@settings(suppress_health_check=list(HealthCheck))  # most groups are not joined inside
@given(positions(max_side=4, stones="..BWW"), st.sampled_from(Color), st.data())
def test_filling_a_region_of_joined_groups_changes_no_winner(position, color, data):
    """More than two groups may enclose a region, if their joins lie inside and are disjoint."""
    store = closure(position, color)
    named = set(captains(filled(position, color.opponent, position.empty), color).values())
    groups = sorted(named)
    assume(len(groups) > 2)
    first, *others = data.draw(st.permutations(groups))
    joined, needs = {first}, position.board.only()
    for other in others:
        fulls = [full for end in joined for full in store.fulls(end, other)]
        apart = [full for full in fulls if not (full.carrier & needs).any()]
        if apart:
            joined.add(other)
            needs = needs | apart[0].carrier
    region = largest_region(position, color, members(position, color, joined))
    assume(region.any() and not (needs & ~region).any())
    after = filled(position, color, region)

    for turn in Color:
        assert naive_solve.outcome(turned(position, turn)) is naive_solve.outcome(
            turned(after, turn)
        )


def turned(position, turn):
    """Return a position with another player to move."""
    return Position(position.board, position.black, position.white, turn)
