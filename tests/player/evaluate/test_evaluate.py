"""The evaluators compute what their sources define."""

import math
from fractions import Fraction

import naive_evaluate as naive
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import positions

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.hex.board import Board, Color, cell_set
from hsearch.hex.frame import Frame
from hsearch.hex.position import Position, winner
from player.evaluate.evaluators import (
    EVALUATORS,
    connected,
    evaluate,
    flow_cells,
    hexy,
    influence_cells,
    max_flow,
    path_cells,
    queenbee,
    resistance,
    shortest_path,
    two_distance,
    two_distance_cells,
    y_reduction,
)

BLACK, WHITE = Color
every_evaluator = pytest.mark.parametrize("name", EVALUATORS)
by_adjacency = pytest.mark.parametrize("name", [name for name in EVALUATORS if name != "hexy"])
averaged = pytest.mark.parametrize(
    "name", [name for name in EVALUATORS if name != "hexy" and not name.endswith("one_way")]
)
any_position = positions(max_side=5)
crowded = positions(max_side=6, stones=".BBWW")
chained = positions(max_side=6, stones="...BBBW")
large = positions(max_side=11, stones="....BW")


@every_evaluator
@given(position=st.one_of(large, crowded))
def test_transposing_negates_the_evaluation(name, position):
    """Transposing negates evaluations exactly, except for rounding in sums of fillings."""
    ours, mirror = evaluate(position, name), evaluate(position.transposed(), name)
    error = 1e-12 if name == "fillings" else 0

    assert (mirror.black, mirror.white) == pytest.approx((ours.white, ours.black), abs=error, rel=0)
    assert mirror.evaluation == pytest.approx(-ours.evaluation, abs=error, rel=0)


@averaged
@given(position=st.one_of(any_position, crowded))
def test_rotation_keeps_the_evaluation(name, position):
    """The rotated position is the same game."""
    ours, rotated = evaluate(position, name), evaluate(position.rotated(), name)

    assert rotated.evaluation == pytest.approx(ours.evaluation, abs=1e-12)


@by_adjacency
@given(position=any_position, data=st.data())
def test_a_stone_never_harms_its_owner(name, position, data):
    """All evaluators are monotone; for the potentials this is observed, not proved."""
    assume(position.empty.any())
    cell = data.draw(st.sampled_from(list(position.empty.search(1))))
    before, after = evaluate(position, name), evaluate(position.put(cell, BLACK), name)

    assert after.evaluation <= before.evaluation + 1e-12


def test_a_stone_may_harm_its_owner_in_the_circuits_that_see_connections():
    """Black's c1 joins a group, which removes two points, and wires between them and others."""
    position = Position.of(Board(4, 4), black="b1 c2 d2", white="a4 d4")
    before, after = hexy(position), hexy(position.put(position.board.cell("c1"), BLACK))

    assert after.black > before.black
    assert after.evaluation > before.evaluation


@every_evaluator
@given(position=st.one_of(any_position, crowded))
def test_only_a_won_position_is_infinite(name, position):
    """A winner's evaluation is infinite; on a board of one row, so may a flow be."""
    won = winner(position)
    value = evaluate(position, name).evaluation

    assert not math.isnan(value)
    if won is not None:
        assert value == (-math.inf if won is BLACK else math.inf)
        assert f"inf, the value of a win for {won.title}" in str(evaluate(position, name))
    elif name == "hexy":
        assert math.isfinite(value) or ConnectionAnalysis(position).proof == "full"
    elif name != "max_flow" or min(position.board.columns, position.board.rows) > 1:
        assert math.isfinite(value)


@given(crowded)
def test_connected_counts_the_largest_chain(position):
    """Groups that touch the same edge are not joined by it."""
    ours = connected(position)
    largest = [max(map(len, naive.chains(position, color)), default=0) for color in Color]

    assert [ours.black, ours.white] == largest
    if winner(position) is None:
        assert ours.evaluation == largest[1] - largest[0]


@given(st.one_of(any_position, crowded))
def test_shortest_path_equals_a_library_search(position):
    """Dijkstra on the groups and empty cells finds the same."""
    ours = shortest_path(position)

    for color, length in zip(Color, (ours.black, ours.white), strict=True):
        expected, through = naive.shortest_path(position, color)
        assert length == expected
        assert path_cells(position, color).tolist() == through.tolist()


@given(any_position)
def test_a_stone_shortens_the_path_through_its_cell_by_one(position):
    """A stone on a cell shortens the shortest path through it by one."""
    length = shortest_path(position).black
    cells = path_cells(position, BLACK)
    assume(winner(position) is None)

    assert cells.min() == length
    for cell in position.empty.search(1):
        after = shortest_path(position.put(cell, BLACK)).black
        assert after == min(length, cells[cell] - 1)


@given(st.one_of(any_position, crowded))
def test_max_flow_equals_a_library_flow(position):
    """Augmenting paths on the network find the same flow."""
    ours = max_flow(position)

    assert [ours.black, ours.white] == [naive.max_flow(position, color) for color in Color]


@given(positions(max_side=6))
def test_flow_through_a_cell_bounds_the_loss_from_blocking_it(position):
    """A cell's flow is at least the loss when it is blocked, and at most half its capacity."""
    ours = max_flow(position)
    cells = flow_cells(position, BLACK)
    assume(math.isfinite(ours.black))

    assert not cells[
        np.array([c for c in position.board.cells if not position.empty[c]], int)
    ].any()
    for cell in position.empty.search(1):
        lost = ours.black - max_flow(position.put(cell, WHITE)).black
        assert lost <= cells[cell] <= 5


@given(st.one_of(any_position, crowded, chained))
def test_two_distance_equals_its_definition(position):
    """Lowering all values until nothing changes gives the same distances, from either edge."""
    ours, one_way = two_distance(position), two_distance(position, averaged=False)
    for color, mean, first in zip(
        Color, (ours.black, ours.white), (one_way.black, one_way.white), strict=True
    ):
        edges = position.board.edges(color)
        ways = [naive.two_distance(position, color, edge) for edge in edges]
        cells = two_distance_cells(position, color)
        found = [naive.two_distances(position, color, edge) for edge in edges]

        assert first == ways[0]
        assert mean == sum(ways) / 2
        for cell in position.empty.search(1):
            assert cells[cell] == found[0][cell] + found[1][cell]


@pytest.mark.parametrize(("size", "distance"), [(1, math.inf), *((n, n + 2) for n in range(2, 7))])
def test_two_distances_of_empty_boards_are_the_known_ones(size, distance):
    """The distances are the known ones."""
    ours = two_distance(Position.of(Board(size, size)))

    assert (ours.black, ours.white, ours.evaluation) == (distance, distance, 0)


def test_an_infinite_two_distance_outweighs_every_other():
    """It adds 100 to the difference of the shortest paths."""
    position = Position.of(Board(3, 3), white="a2 c2")
    ours = two_distance(position)

    assert (ours.black, ours.white) == (math.inf, 3)
    assert ours.evaluation == 100 + 3 - 1


@given(any_position)
def test_queenbee_takes_the_smallest_sum(position):
    """The smallest sum counts distances from 0, and the number of such cells breaks ties."""
    assume(winner(position) is None)
    ours = queenbee(position)
    counts = []
    for color, potential in zip(Color, (ours.black, ours.white), strict=True):
        first, second = (
            naive.two_distances(position, color, edge) for edge in position.board.edges(color)
        )
        sums = [first[cell] + second[cell] - 2 for cell in first]
        assert potential == min(sums)
        counts.append(sums.count(potential))
    if math.isfinite(ours.black) and math.isfinite(ours.white):
        ties = (counts[1] - counts[0]) / (position.board.size + 1)
        assert ours.evaluation == pytest.approx(ours.black - ours.white + ties)


@given(st.one_of(any_position, crowded))
def test_y_reduction_equals_exact_fractions(position):
    """Either corner and the mean of both agree with exact fractions."""
    ways = [naive.y_reduction(p) for p in (position, position.rotated())]
    ours = y_reduction(position)

    assert y_reduction(position, averaged=False).black == pytest.approx(float(ways[0]), abs=1e-14)
    assert ours.black == pytest.approx(float(sum(ways) / 2), abs=1e-14)
    assert ours.white == pytest.approx(1 - ours.black)


@pytest.mark.parametrize(
    ("stone", "probability"), [("a1", "21/32"), ("b1", "3/4"), ("a2", "13/16"), ("b2", "3/4")]
)
def test_y_reductions_of_one_stone_are_the_known_ones(stone, probability):
    """The numbers are known, and rotation does not preserve them."""
    ours = y_reduction(Position.of(Board(2, 2), black=stone), averaged=False)

    assert ours.black == float(Fraction(probability))


@given(positions(max_side=5, stones="BW"))
def test_y_reduction_of_a_full_board_names_the_winner(position):
    """The winner has the chance 1."""
    for ours in (y_reduction(position), y_reduction(position, averaged=False)):
        assert ours.black == (winner(position) is BLACK)


def test_y_reduction_of_all_full_3x3_boards_names_the_winner():
    """All 512 boards agree."""
    board = Board(3, 3)
    for number in range(512):
        black = cell_set((cell for cell in board.cells if number >> cell & 1), 9)
        position = Position(board, black, ~black)

        assert y_reduction(position).black == (winner(position) is BLACK)


@given(positions(max_side=4))
def test_influence_is_the_same_for_both_players(position):
    """Taking a cell and denying it are worth the same."""
    black, white = (influence_cells(position, color) for color in Color)
    values = [y_reduction(position.put(c, BLACK)).black for c in position.empty.search(1)]

    assert black == pytest.approx(white, abs=1e-14)
    assert (black >= -1e-14).all()
    for cell, value in zip(position.empty.search(1), values, strict=True):
        denied = y_reduction(position.put(cell, WHITE)).black
        assert value - denied == pytest.approx(black[cell], abs=1e-12)


@given(any_position)
def test_the_evaluation_by_fillings_equals_enumeration(position):
    """With few empty cells, the chance is the share of all fillings that Black wins."""
    empty = list(position.empty.search(1))
    assume(len(empty) <= 9)
    won = 0
    for number in range(1 << len(empty)):
        black = cell_set((c for i, c in enumerate(empty) if number >> i & 1), position.board.size)
        stones = position.black | black
        won += winner(Position(position.board, stones, ~stones)) is BLACK
    ours = evaluate(position, "fillings")

    assert ours.black == pytest.approx(won / (1 << len(empty)), abs=1e-12)
    assert ours.white == pytest.approx(1 - ours.black)
    if winner(position) is None:
        assert ours.evaluation == ours.white - ours.black


@pytest.mark.parametrize("name", ["two_distance", "y_reduction"])
@given(position=st.one_of(any_position, large))
def test_an_evaluation_is_the_mean_of_its_two_one_way_values(name, position):
    """Rotation exchanges the two ways, and the mean is infinite if either is."""
    ours, ways = (
        evaluate(position, name),
        [evaluate(p, f"{name}_one_way") for p in (position, position.rotated())],
    )

    assert ways[0] == {"two_distance": two_distance, "y_reduction": y_reduction}[name](
        position, averaged=False
    )
    assert ours.black == pytest.approx((ways[0].black + ways[1].black) / 2)
    assert ours.white == pytest.approx((ways[0].white + ways[1].white) / 2)


def test_the_evaluation_is_the_difference_of_the_resistances():
    """The resistances are known: 7/6 and 5/2."""
    ours = resistance(Position.of(Board(2, 2), black="a1"))

    assert ours.black == pytest.approx(7 / 6)
    assert ours.white == pytest.approx(5 / 2)
    assert ours.evaluation == pytest.approx(7 / 6 - 5 / 2)


@given(any_position)
def test_values_of_a_frame_map_to_the_right_cells(position):
    """Values of a frame's cells are assigned to the right cells of the board."""
    for color in Color:
        frame = Frame.of(position, color)
        stones = frame.back(frame.stones.astype(float))

        assert cell_set(np.flatnonzero(stones == 1).tolist(), stones.size) == position.stones(color)
        assert frame.rotate().stones[::-1].tolist() == frame.stones.tolist()


def test_an_unknown_name_lists_the_known():
    with pytest.raises(ValueError, match=r"'fluxes' \(known: connected, shortest_path, "):
        evaluate(Position.of(Board(2, 2)), "fluxes")
