"""The circuits evaluate positions as in theory, and obey the laws of electricity."""

import itertools
import math
from fractions import Fraction

import naive_circuit as naive
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import positions

from hsearch.analysis.circuit import NO_LINKS, circuit, circuits
from hsearch.hex.board import Board, Color, cell_set
from hsearch.hex.position import Position, captains, winner
from hsearch.kernels.circuit import Links

BLACK, WHITE = Color


def full_links(pairs):
    """Return pairs of points, with their common cells, in the form that the circuit takes."""
    a, b, common = np.array([(x, y, n) for (x, y), n in pairs.items()], np.int64).reshape(-1, 3).T
    return Links(a.copy(), b.copy(), common.copy())


@st.composite
def linked(draw, max_side=5):
    """Return positions with any full connections between captains, except between both edges."""
    position = draw(positions(max_side=max_side))
    pairs = []
    for color in Color:
        points = st.sampled_from(sorted(set(captains(position, color).values())))
        drawn = draw(
            st.dictionaries(
                st.tuples(points, points).filter(lambda pair: pair[0] < pair[1]),
                st.integers(0, 3),
                max_size=12,
            )
            if len(set(captains(position, color).values())) > 1
            else st.just({})
        )
        edges = tuple(captains(position, color)[edge] for edge in position.board.edges(color))
        pairs.append({pair: n for pair, n in drawn.items() if pair != edges})
    return position, *pairs


@pytest.mark.parametrize(
    ("size", "resistance"),
    [(1, "2"), (2, "12/7"), (3, "186/119"), (4, "55612/37671")],
)
def test_empty_boards_have_the_known_resistance(size, resistance):
    """The resistance has its known value, to the last digit, for both players."""
    both = circuits(Position.of(Board(size, size)))

    assert both.black.resistance == pytest.approx(float(Fraction(resistance)), rel=1e-14)
    assert both.white.resistance == both.black.resistance
    assert both.evaluation == 0


@pytest.mark.parametrize(
    ("size", "stone", "black", "white", "evaluation", "merged"),
    [
        (2, "a1", "7/6", "5/2", -0.7621401, "5/4"),
        (2, "b1", "35/38", "15/4", -1.4039939, "41/44"),
        (3, "a1", "56878/41755", "19178/10833", -0.2620773, "18994/13465"),
        (3, "b1", "136357/116276", "30892/15353", -0.5398766, "49831/40954"),
        (3, "c1", "119802/110515", "8219/3588", -0.7481645, "79503/72242"),
        (3, "a2", "40502/29411", "15401/7726", -0.3698586, None),
        (3, "b2", "348/263", "82/37", -0.5157529, None),
    ],
)
def test_boards_with_one_stone_have_the_known_resistances(
    size, stone, black, white, evaluation, merged
):
    """The values are those known, to the last digit; Six has one wire per pair of points."""
    position = Position.of(Board(size, size), black=stone)
    both = circuits(position)

    assert both.black.resistance == pytest.approx(float(Fraction(black)), rel=1e-14)
    assert both.white.resistance == pytest.approx(float(Fraction(white)), rel=1e-14)
    assert both.evaluation == pytest.approx(evaluation, abs=5e-8)
    if merged is not None:
        six = circuit(position, BLACK, links="six")
        assert 2 * six.resistance == pytest.approx(float(Fraction(merged)), rel=1e-14)


@given(linked(max_side=3), st.sampled_from(("hexy", "six", "benzene")))
def test_resistance_equals_exact_fractions(drawn, links):
    """Elimination in fractions gives the same resistance with every wiring."""
    position, *pairs = drawn
    for color in Color:
        source, ground = (captains(position, color)[x] for x in position.board.edges(color))
        found = naive.wires(position, color, pairs[color], links)
        resistance = circuit(position, color, full_links(pairs[color]), links=links).resistance

        if source == ground:
            assert resistance == 0
        elif ground not in naive.joined(found, source):
            assert resistance == math.inf
        else:
            expected = naive.exact_resistance(found, source, ground)
            assert resistance == pytest.approx(float(expected), rel=1e-13)


@given(linked(max_side=6), st.sampled_from(("hexy", "six", "benzene")))
def test_flow_and_potential_equal_least_squares(drawn, links):
    """A library's least squares gives the same currents and potentials."""
    position, *pairs = drawn
    for color in Color:
        captain = captains(position, color)
        source, ground = (captain[x] for x in position.board.edges(color))
        found = naive.wires(position, color, pairs[color], links)
        ours = circuit(position, color, full_links(pairs[color]), links=links)
        if source == ground or ground not in naive.joined(found, source):
            assert not ours.flow.any()
            assert not ours.potential.any()
            continue
        voltage = naive.potentials(found, source, ground)

        assert ours.resistance == pytest.approx(voltage[source])
        for cell in position.board.cells:
            is_empty = position.empty[cell]
            flow = naive.flow(found, voltage, cell) if is_empty else 0.0
            assert ours.flow[cell] == pytest.approx(flow, abs=1e-9)
            expected = voltage.get(captain.get(cell, -1), 0.0)
            assert ours.potential[cell] == pytest.approx(expected, abs=1e-9)


@given(linked())
def test_currents_satisfy_kirchhoffs_law(drawn):
    """Kirchhoff's law: at each empty cell the currents cancel."""
    position, *pairs = drawn
    for color in Color:
        captain = captains(position, color)
        ends = [captain[x] for x in position.board.edges(color)]
        ours = circuit(position, color, full_links(pairs[color]))
        if not 0 < ours.resistance < math.inf:
            continue
        voltage = {captain[x]: v for x, v in enumerate(ours.potential.tolist()) if x in captain}
        voltage |= {ends[0]: ours.resistance, ends[1]: 0.0}
        found = naive.wires(position, color, pairs[color])
        for x in voltage:
            out = sum(
                float(g) * (voltage[x] - voltage[y])
                for pair, g in found.items()
                if x in pair
                for y in pair - {x}
            )
            assert out == pytest.approx((x == ends[0]) - (x == ends[1]), abs=1e-9)


@given(linked())
def test_transposing_negates_the_evaluation(drawn):
    """E of the mirror is the negative to the last bit, so rounding favors neither player."""
    position, black, white = drawn
    board = position.board
    turned = [
        {(board.transpose(x), board.transpose(y)): n for (x, y), n in pairs.items()}
        for pairs in (white, black)
    ]
    ours = circuits(position, full_links(black), full_links(white))
    mirror = circuits(position.transposed(), *map(full_links, turned))

    assert mirror.black.resistance == ours.white.resistance
    assert mirror.evaluation == -ours.evaluation


@given(linked())
def test_evaluation_and_flow_are_invariant_under_half_a_turn(drawn):
    """E and the flow are the same when the board is turned by half a turn."""
    position, black, white = drawn
    board = position.board
    turned = [
        {(board.rotate(x), board.rotate(y)): n for (x, y), n in pairs.items()}
        for pairs in (black, white)
    ]
    ours = circuits(position, full_links(black), full_links(white))
    rotated = circuits(position.rotated(), *map(full_links, turned))

    assert rotated.evaluation == pytest.approx(ours.evaluation, abs=1e-12)
    assert rotated.black.flow[::-1] == pytest.approx(ours.black.flow, abs=1e-12)
    assert rotated.white.flow[::-1] == pytest.approx(ours.white.flow, abs=1e-12)


@given(positions(max_side=5), st.data())
def test_a_stone_never_raises_its_owners_resistance(position, data):
    """A stone never raises its owner's resistance or lowers the opponent's (Rayleigh)."""
    assume(position.empty.any())
    cell = data.draw(st.sampled_from(list(position.empty.search(1))))
    before = circuits(position)
    after = circuits(position.put(cell, BLACK))

    assert after.black.resistance <= before.black.resistance * (1 + 1e-12)
    assert after.white.resistance >= before.white.resistance * (1 - 1e-12)


@given(linked(), st.sampled_from(("hexy", "six", "benzene")))
def test_a_full_connection_never_raises_the_resistance(drawn, links):
    """A wire never raises the total resistance (Rayleigh)."""
    position, *pairs = drawn
    for color in Color:
        resistances = [
            circuit(
                position,
                color,
                full_links(dict(itertools.islice(pairs[color].items(), count))),
                links=links,
            ).resistance
            for count in range(len(pairs[color]) + 1)
        ]
        for before, after in itertools.pairwise(resistances):
            assert after <= before * (1 + 1e-12)


def test_full_boards_have_zero_resistance_for_the_winner():
    """The winner of a full board has no resistance, the loser no wire."""
    board = Board(3, 2)
    for owners in itertools.product(Color, repeat=board.size):
        black = cell_set((c for c in board.cells if owners[c] is BLACK), board.size)
        both = circuits(Position(board, black, ~black))
        black_wins = winner(both.position) is BLACK

        assert both.evaluation == (-math.inf if black_wins else math.inf)
        assert sorted((both.black.resistance, both.white.resistance)) == [0, math.inf]
        assert both.weak_links == []


@pytest.mark.parametrize("links", ["hexy", "benzene", "none"])
def test_a_chain_has_zero_resistance_and_carries_no_current(links):
    """Joined edges give 0 and the opponent infinity, and no current flows in either circuit."""
    position = Position.of(Board(3, 3), black="b1 b2 a3", white="c1")
    both = circuits(position, links=links)

    assert (both.black.resistance, both.white.resistance) == (0, math.inf)
    assert both.evaluation == -math.inf
    assert not both.black.flow.any()
    assert not both.white.flow.any()
    assert circuits(position.transposed(), links=links).evaluation == math.inf


def test_a_full_connection_of_the_edges_wins_but_carries_no_current():
    """The flow is that of the circuit without the connection, so weak links still show."""
    position = Position.of(Board(3, 3), black="b2")
    size = position.board.size
    won = full_links({(size, size + 1): 0})

    both = circuits(position, won)
    without = circuits(position)

    assert both.black.resistance == 0
    assert both.evaluation == -math.inf
    assert both.weak_links == without.weak_links
    assert both.weak_links[0][1] > 0
    assert circuits(position, won, links="none").evaluation == without.evaluation


def test_cells_without_wires_to_an_edge_have_no_current():
    """Cells without wires to an edge have no current and no potential."""
    walled = Position.of(Board(4, 4), black="a1", white="c2 d2 b3 d3 b4 c4")
    black = circuit(walled, BLACK)
    inside = walled.board.cell("c3")

    assert 0 < black.resistance < math.inf
    assert black.flow[inside] == black.potential[inside] == 0
    assert black.flow[walled.board.cell("a3")] > 0


def test_an_open_circuit_has_no_current():
    """An open circuit has no potential either: with only one edge, any value would do."""
    position = Position.of(Board(3, 3), black="a1", white="a2 b2 c2")
    black = circuit(position, BLACK)

    assert black.resistance == math.inf
    assert not black.flow.any()
    assert not black.potential.any()


def test_six_may_leave_both_circuits_open():
    """Six's circuit has no stones inside the board; two infinities give an even evaluation."""
    position = Position.of(Board(3, 3), black="a2 b2 c2", white="b1 b3")
    both = circuits(position, links="six")

    assert both.black.resistance == both.white.resistance == math.inf
    assert both.evaluation == 0


def test_equal_weak_links_are_sorted_by_cell():
    """On the empty board a cell, its half turn and their mirrors have the same score, in order."""
    board = Board(5, 5)
    order = circuits(Position.of(board)).weak_links
    score = dict(order)

    assert order == sorted(order, key=lambda link: (-link[1], link[0]))
    assert sorted(score) == list(board.cells)
    for cell in board.cells:
        assert score[cell] == score[board.rotate(cell)] == score[board.transpose(cell)]


def test_unknown_wirings_and_unequal_arrays_are_rejected():
    """Errors list the known wirings; arrays of links must have equal lengths."""
    with pytest.raises(ValueError, match=r"'hexie' \(known: hexy, six, benzene, none\)"):
        circuit(Position.of(Board(2, 2)), BLACK, links="hexie")
    with pytest.raises(ValueError, match="unequal arrays: 1, 0, 0"):
        circuit(Position.of(Board(2, 2)), BLACK, NO_LINKS._replace(a=np.zeros(1, np.int64)))
