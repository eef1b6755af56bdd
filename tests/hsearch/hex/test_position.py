"""Positions: moves, swap, groups, and two ways to find the winner."""

import itertools

import pytest
from hypothesis import given
from strategies import positions

from hsearch.hex.board import Board, Color, cell_set
from hsearch.hex.position import (
    IllegalMoveError,
    Position,
    captains,
    groups,
    winner,
    winner_by_boundary,
    winning_chain,
)


@pytest.mark.parametrize(
    ("columns", "rows", "black_wins"),
    [(1, 1, 1), (2, 2, 8), (2, 3, 21), (3, 2, 43), (3, 3, 256)],
)
def test_every_full_board_has_one_winner(columns, rows, black_wins):
    """Every full board has one winner; on a square board Black wins half of them."""
    board = Board(columns, rows)
    full = [
        Position(board, black, ~black)
        for owners in itertools.product((0, 1), repeat=board.size)
        for black in [cell_set((c for c in board.cells if owners[c]), board.size)]
    ]
    winners = [winner(position) for position in full]

    assert winners.count(Color.BLACK) == black_wins
    assert winners.count(None) == 0
    assert winners == [winner_by_boundary(position) for position in full]


@given(positions(max_side=7, stones=".BW"))
def test_both_ways_to_find_the_winner_agree(position):
    """Union-find and the walk along the boundary find the same winner, or none."""
    assert winner(position) == winner_by_boundary(position)


@given(positions(max_side=6, stones=".BW"))
def test_the_winning_chain_wins_alone(position):
    """The chain joins both edges, and does not without any one of its stones."""
    board, color, chain = position.board, winner(position), winning_chain(position)
    alone = [chain, *([c for c in chain if c != stone] for stone in chain)]
    names = [[board.name(cell) for cell in cells] for cells in alone]
    winners = [
        winner(Position.of(board, **{"black" if color is Color.BLACK else "white": each}))
        for each in names
    ]

    assert bool(chain) is (color is not None)
    assert winners == [color] + [None] * len(chain)


@given(positions(max_side=6, stones=".BW"))
def test_rotation_keeps_and_mirroring_swaps_the_winner(position):
    """The mirror exchanges the winner, and rotation keeps it."""
    won = winner(position)

    assert winner(position.rotated()) == won
    assert winner(position.transposed()) == (None if won is None else won.opponent)
    assert position.rotated().rotated() == position
    assert position.transposed().transposed() == position


@given(positions(max_side=6))
def test_groups_partition_the_stones_and_edges(position):
    """Each stone and own edge is in one group; adjacent stones share a group."""
    for color in Color:
        found = groups(position, color)
        named = captains(position, color)
        members = [cell for group in found for cell in group.stones.search(1)]
        edges = [edge for group in found for edge in group.edges]

        assert sorted(members) == list(position.stones(color).search(1))
        assert sorted(edges) == list(position.board.edges(color))
        for cell in members:
            for point in position.board.neighbors(cell):
                own = point in edges or point in members
                assert not own or named[point] == named[cell]


def test_a_group_is_named_by_its_edge_or_its_smallest_cell():
    """b3 touches the south edge, which names it; c1 names an isolated pair for White."""
    position = Position.of(Board(5, 4), black="b3 b4 d2", white="c1 c2")
    board = position.board

    assert captains(position, Color.BLACK)[board.cell("b3")] == board.point("south")
    assert captains(position, Color.BLACK)[board.cell("d2")] == board.cell("d2")
    assert captains(position, Color.WHITE)[board.cell("c2")] == board.cell("c1")
    assert board.cell("c1") not in captains(position, Color.BLACK)


def test_positions_are_values():
    """Different ways to the same stones give equal positions and equal keys."""
    board = Board(3, 3)
    one = Position.of(board).play(0).play(4).play(1)
    other = Position.of(board).play(1).play(4).play(0)

    assert one == other
    assert len({one, other}) == 1
    assert one != Position.of(board).play(0)


def test_swap_mirrors_and_recolors_the_stone():
    """The only stone is reflected and changes color; the first player moves next."""
    board = Board(4, 4)
    swapped = Position.of(board, black="a3", turn=Color.WHITE).swap()

    assert swapped == Position.of(board, white="c1", turn=Color.BLACK)


@pytest.mark.parametrize(
    ("columns", "black", "white", "turn"),
    [(4, "", "", 0), (4, "a1", "b2", 0), (4, "a1 b2", "", 1), (3, "a1", "", 1), (4, "a1", "", 0)],
)
def test_swap_needs_one_opposing_stone_on_a_square_board(columns, black, white, turn):
    """A swap needs one stone, of the opponent, on a square board."""
    position = Position.of(Board(columns, 4), black=black, white=white, turn=Color(turn))

    with pytest.raises(IllegalMoveError, match="swap"):
        position.swap()


def test_an_occupied_cell_is_refused_by_name():
    """The error names the cell."""
    with pytest.raises(IllegalMoveError, match="b1 is not empty"):
        Position.of(Board(2, 2), white="b1").play(1)


def test_stones_of_both_colors_on_a_cell_are_refused():
    """The error names the cells."""
    with pytest.raises(ValueError, match="stones of both colors on 'a2 b2'"):
        Position.of(Board(2, 2), black="a1 a2 b2", white="a2 b2")
