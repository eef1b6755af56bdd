"""The analysis of a position: winner, proof, evaluation, weak links."""

import math

import pytest
from analyses import answers
from hypothesis import given
from hypothesis import strategies as st
from naive_solve import wins_for_mover
from strategies import limits, positions

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.connect.limits import Depth, Knowledge, Limits
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner


@given(positions(max_side=4, stones="..BW"), limits())
def test_a_proved_winner_wins(position, limits):
    """A proved winner wins the whole game, searched to the end."""
    claimed = ConnectionAnalysis(position, limits).winner
    if claimed is not None and position.board.size <= 12:
        played_out = winner(position)
        if played_out is None:
            to_move = wins_for_mover(position)
            played_out = position.turn if to_move else position.turn.opponent
        assert claimed is played_out


@given(positions(max_side=6), limits())
def test_the_evaluation_changes_sign_on_the_mirror(position, limits):
    """E of the transposed position is the negative, to the last bit, under any limits."""
    here = ConnectionAnalysis(position, limits)
    there = ConnectionAnalysis(position.transposed(), limits)

    assert there.circuits.evaluation == -here.circuits.evaluation
    assert there.winner == (None if here.winner is None else here.winner.opponent)
    assert there.proof == here.proof


@given(positions(max_side=7), limits())
def test_won_positions_evaluate_to_infinity_and_nothing_is_nan(position, limits):
    """A chain or a full gives an infinite E for its owner; a semi need not."""
    analysis = ConnectionAnalysis(position, limits)
    evaluation = analysis.circuits.evaluation

    assert not math.isnan(evaluation)
    if analysis.proof in ("chain", "full"):
        assert evaluation == (-math.inf if analysis.winner is Color.BLACK else math.inf)
    assert all(math.isfinite(flow) for _, flow in analysis.circuits.weak_links)


@pytest.mark.parametrize(
    ("black", "turn", "proof", "winner"),
    [
        ("a1 a2 a3", Color.WHITE, "chain", Color.BLACK),
        ("b2", Color.WHITE, "full", Color.BLACK),
        ("", Color.BLACK, "semi", Color.BLACK),
        ("a1", Color.WHITE, "semi", Color.WHITE),
    ],
)
def test_a_chain_full_or_semi_proves_the_win(black, turn, proof, winner):
    """The proof is a chain, a full, or a semi for the player to move."""
    analysis = ConnectionAnalysis(Position.of(Board(3, 3), black=black, turn=turn))

    assert (analysis.proof, analysis.winner) == (proof, winner)


@given(
    positions(max_side=5),
    limits(),
    st.sampled_from([Depth(0), Depth(1, 20)]),
    st.sampled_from(Knowledge),
)
def test_connections_with_the_other_turn_equal_those_found_anew(position, limits, depth, knowledge):
    """Every answer for the other turn is that of a new analysis, whatever was computed before."""
    seen = ConnectionAnalysis(position, limits, depth, knowledge)
    before = answers(seen)
    other = seen.with_turn(position.turn.opponent)
    anew = ConnectionAnalysis(other.position, limits, depth, knowledge)

    assert answers(other) == answers(anew)
    assert answers(seen) == answers(other.with_turn(position.turn)) == before


def test_limits_make_an_analysis_incomplete():
    """The empty 9x9 needs more than K = 1, and the analysis reports that."""
    position = Position.of(Board(9, 9))

    assert ConnectionAnalysis(Position.of(Board(2, 2)), Limits.none()).complete
    assert not ConnectionAnalysis(position, Limits(K=1)).complete
