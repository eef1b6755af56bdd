"""Chains that cut the board, and the games on their two sides."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from places import ROOT

from hsearch.connect.limits import Limits
from hsearch.formats import suite
from hsearch.hex.board import Board, Color, from_number, to_number
from hsearch.hex.position import Position, winner
from player.solve import decomposition
from player.solve.budget import Techniques
from player.solve.decomposition import chains, cut, judge
from player.solve.plain import PlainSearch
from player.solve.proof import write
from player.solve.solver import Solver
from player.solve.verify import verify

FILE = ROOT / "positions" / "puzzles" / "cut.txt"
WEAK = Limits(M=1, K=2, greedy_union=False, stop_at_win=True)
WHOLE = Techniques(decomposition=False)


def cut_of(position):
    """Return the owner of the cut, and the names of the cells on its sides and in its carrier."""
    found = cut(position.board, (to_number(position.black), to_number(position.white)))
    if found is None:
        return None
    sets = (from_number(side, position.board.size) for side in (*found.sides, found.carrier))
    return found.owner, *(set(position.board.names(cells)) for cells in sets)


@pytest.mark.parametrize(
    ("black", "north", "carrier"),
    [
        ("a3 b3 c3 d3", "a1 b1 c1 d1 a2 b2 c2 d2", ""),
        ("a4 c3 d3", "a1 b1 c1 d1 a2 b2 c2 d2 a3", "b3 b4"),
        ("b4 c3", "a1 b1 c1 d1 a2 b2 c2 a3 b3", "d2 d3 a4 a5"),
    ],
)
def test_a_chain_divides_the_board(black, north, carrier):
    """A chain may be solid, contain a bridge, or leave gaps before the opponent's edges."""
    board = Board(4, 5)
    position = Position.of(board, black=black)
    sides = north.split(), carrier.split()
    south = set(board.names(position.empty)).difference(*sides)

    assert cut_of(position) == (Color.BLACK, *(set(cells) for cells in (sides[0], south, sides[1])))


@pytest.mark.parametrize(
    ("black", "white"),
    [("b3 c3 d3", "a4"), ("a3 b3 d3", "c3"), ("a2 b2 c1 d1", ""), ("a2 b2 c2 d2", "a1 b1")],
)
def test_chains_that_do_not_separate_the_edges_do_not_divide_the_board(black, white):
    """A path leads around or through it, it touches its owner's edge, or a side is too small."""
    assert cut_of(Position.of(Board(4, 5), black=black, white=white)) is None


@st.composite
def positions_with_a_chain(draw):
    """Draw boards with a chain of adjacent or bridged stones from side to side."""
    board = Board(draw(st.integers(3, 5)), draw(st.integers(5, 6)))
    column, row, chain = draw(st.integers(0, 1)), draw(st.integers(1, 4)), set()
    while column < board.columns and 0 <= row < board.rows:
        chain.add(board.at(column, row))
        right, down = draw(st.sampled_from([(1, 0), (2, -1), (1, -1)]))
        column, row = column + right, row + down
    others = [cell for cell in board.cells if cell not in chain]
    drawn = draw(st.lists(st.sampled_from("...BWW"), min_size=len(others), max_size=len(others)))
    more = [{c for c, s in zip(others, drawn, strict=True) if s == stone} for stone in "BW"]
    turn = draw(st.sampled_from(Color))
    position = Position(board, board.only(*chain | more[0]), board.only(*more[1]), turn)
    return draw(st.sampled_from([position, position.transposed()]))


def test_no_cell_belongs_to_two_bridges_of_a_chain():
    """Of three stones a bridge apart, only two are connected: one cell is in all three bridges."""
    board = Board(5, 5)
    black = to_number(board.only(*map(board.cell, ("c2", "b4", "d3"))))

    found = list(chains(board, (black, 0), Color.BLACK, (0b11111, 0b11111 << 20)))
    assert sorted(chain.bit_count() for chain, _ in found) == [1, 2]


@example(Position.of(Board(4, 6), black="b1 a3 c3 d3 a4", white="a2 d2", turn=Color.WHITE))
@example(Position.of(Board(3, 6), black="a4 b4 c4", white="c6", turn=Color.BLACK))
@settings(suppress_health_check=list(HealthCheck))  # most chains do not cut the board
@given(positions_with_a_chain())
def test_the_verdict_on_two_games_is_correct(position):
    """The verdict gives the winner; its carrier suffices for the win, and its first move wins."""
    board, turn = position.board, position.turn
    stones = to_number(position.black), to_number(position.white)
    found = cut(board, stones)
    assume(winner(position) is None and found is not None)
    solver = Solver(board, limits=WEAK, techniques=WHOLE)

    def solve(which, mover, carrier_to):
        game = found.game(stones, which, carrier_to, (1 << board.size) - 1)
        sides = (from_number(own, board.size) for own in game)
        return solver._decide(Position(board, *sides, mover))  # noqa: SLF001 - for its carrier

    verdict = judge(found, turn, solve)
    if verdict is None:
        assert found.carrier
        return
    assert verdict.winner is PlainSearch(Limits(M=10, K=4)).outcome(position)
    given_up = position.empty & ~from_number(verdict.carrier, board.size)
    after = [position.black, position.white]
    after[verdict.winner.opponent] = after[verdict.winner.opponent] | given_up
    assert solver.outcome(Position(board, *after, turn)) is verdict.winner
    if verdict.winner is turn and verdict.first is not None:
        assert solver.outcome(position.play(verdict.first)) is turn


@given(positions_with_a_chain())
def test_the_cheap_tests_drop_no_cut(position):
    """Without the tests that end the search for a cut early, the same cut is found."""
    board, stones = position.board, (to_number(position.black), to_number(position.white))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decomposition, "_may_reach_across", lambda *_given: True)
        truth = cut(board, stones)

    assert cut(board, stones) == truth


@given(positions_with_a_chain())
def test_decomposition_does_not_change_the_winner(position):
    """Whole searches with and without decomposition find the same winner."""
    won = [
        Solver(position.board, limits=WEAK, techniques=techniques).outcome(position)
        for techniques in (Techniques(), WHOLE)
    ]

    assert won[0] is won[1]


@settings(max_examples=10)
@given(positions_with_a_chain())
def test_a_cut_position_has_a_proof(position):
    """Its proof, written from the solver's moves, verifies."""
    assert verify(write(Solver(position.board), position)).position == position


def test_decomposition_needs_less_than_a_fifth_of_the_positions():
    """Decomposition needs less than a fifth of the positions; it takes 46 instead of 605."""
    (puzzle,) = suite.read(FILE.read_text())
    position = puzzle.game.position()
    answers = [
        Solver(position.board, techniques=replace(techniques, net=False)).solve(position)
        for techniques in (Techniques(), WHOLE)
    ]

    assert answers[0].winner is answers[1].winner is Color.BLACK
    assert 5 * answers[0].nodes < answers[1].nodes
